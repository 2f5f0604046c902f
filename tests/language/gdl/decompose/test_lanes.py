"""Computing many states at once, and random play with it."""

import numpy as np
import pytest

from semisplit import games
from semisplit.core.errors import CompileLimit
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.lanes import Lanes, make_values, pack, set_inputs, unpack
from semisplit.language.gdl.decompose.play import play
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.program import ground
from semisplit.language.gdl.play.interpret import Interpreter
from semisplit.language.gdl.text.ast import Term


@pytest.mark.parametrize("name", ["hex_4", "double_ttt_sync", "incredible"])
def test_random_play_is_by_the_rules(name: str) -> None:
    description = parse(games.text(name), name)
    structure, game = Structure(ground(description)), Interpreter(description)
    fluents, moves = structure.program.fluents, structure.program.moves
    log = play(structure, seed=3)

    def state(column: np.ndarray) -> frozenset[Term]:
        return frozenset(fluents[number] for number in np.flatnonzero(column))

    for number in np.linspace(0, len(log.times) - 1, 20).astype(int):
        before, after = state(log.states[:, number]), state(log.after[:, number])
        made = tuple(moves[code][1] for code in np.flatnonzero(log.moves[:, number]))
        legal = game.legal(before)
        assert not game.is_terminal(before)
        assert all(move in may for move, may in zip(made, legal))
        assert game.next_state(before, made) == after
        only = [len(may) == 1 for may in legal]
        assert log.forced[log.moves[:, number], number].tolist() == only
    assert all(game.is_terminal(state(column)) for column in log.ended.T[:10])


def test_games_may_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semisplit.language.gdl.decompose.structure._MOST_BITS", 1000)
    program = ground(parse(games.text("nim"), "nim"))
    with pytest.raises(CompileLimit, match=r"nim is too large to be decomposed: .* 18 fluents"):
        Structure(program)


@pytest.mark.parametrize("name", ["hex_4", "nim"])
def test_what_is_possible_covers_all_that_can_be(name: str) -> None:
    structure = Structure(ground(parse(games.text(name), name)))
    lanes = Lanes(structure, np.append(structure.goals, structure.terminal))
    random = np.random.default_rng(1)
    fluents = len(structure.program.fluents)
    states = random.random((fluents, 128)) < 0.5
    unknown = random.random(fluents) < 0.1
    some = np.where(unknown[:, None], random.random((fluents, 128)) < 0.5, states)
    values, possible = make_values(structure, 2), make_values(structure, 2)
    set_inputs(values, structure.fluents, pack(some))
    lanes.compute(values, known=True)
    set_inputs(possible, structure.fluents, pack(states))
    rows = 2 * (1 + np.flatnonzero(unknown))
    possible[rows] = possible[rows + 1] = np.uint64(2**64 - 1)
    lanes.compute(possible, known=False)
    outputs = np.concatenate([structure.goals, structure.goals ^ 1])
    found, covered = unpack(values[outputs]), unpack(possible[outputs])
    assert (found <= covered).all()
    assert not covered.all()
