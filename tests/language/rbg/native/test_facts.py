"""Compiled games against known facts: exact counts, averages of random play, unbiased draws."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import count, takewhile
from math import sqrt

import pytest

from semisplit import load
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.compiler.runtime.target import Target
from semisplit.core.errors import PlayLimit
from semisplit.language.rbg.native.interface.build import emit
from semisplit.language.rbg.native.interface.compile import code_of
from semisplit.language.rbg.native.interface.count import perft
from semisplit.language.rbg.play.interpret import Interpreter, Position
from tests.support.facts import FACTS, probe_state
from tests.support.prelude import game
from tests.support.rules import rbg

LEAVES = 300_000
"""How large a tree is counted; all of them have been, once."""


@pytest.mark.parametrize("name", FACTS)
def test_perft(name: str) -> None:
    game = load(name)
    start = game.compiled.codec.pack(game.reasoner.start)
    # Deep trees of small games take long, for all but the last level are Python's work.
    expected = list(takewhile(lambda leaves: leaves <= LEAVES, FACTS[name]["perft"]))[:7]
    for depth, leaves in enumerate(expected, start=1):
        assert perft(game.compiled, start, depth).leaves == leaves


@pytest.mark.parametrize("name", [name for name in FACTS if "probe" in FACTS[name]])
def test_probe_position(name: str) -> None:
    state = probe_state(name)
    game = state.game.compiled
    expected = takewhile(lambda leaves: leaves <= LEAVES, FACTS[name]["probe"]["perft"])
    for depth, leaves in enumerate(expected, start=1):
        assert perft(game, game.codec.pack(state.position), depth).leaves == leaves


SAMPLE = {"breakthru": 60, "connect6": 40, "go": 100, "go_constsum": 100, "paper_soccer": 200}
"""How many games are played, if less than 1,000."""


@pytest.mark.parametrize("mode", ["orthodox", "mod"])
@pytest.mark.parametrize("name", FACTS)
def test_random_play(name: str, mode: str) -> None:
    if mode not in FACTS[name]:
        pytest.skip("no averages known")
    known = FACTS[name][mode]
    game = load(name, "Mod").compiled
    start = game.run_keeper(game.codec.pack(load(name, "Mod").reasoner.start))
    games = SAMPLE.get(name, 1_000)
    depths, scores, states = [], [], 0
    for seed in range(games):
        one = game.playouts(start, seed, semisplit=mode == "mod")
        depths.append(float(one.moves))
        scores.append(float(one.scores[0]))
        states += one.states
    assert close(depths, known["depth"], known["depth_se"])
    if "scores" in known:
        assert close(scores, known["scores"][0], known["score1_se"])
    if "semistates_per_nodal" in known and name != "paper_soccer":
        # The games of one length have more or less semistates, but not by much.
        assert states / sum(depths) == pytest.approx(known["semistates_per_nodal"], rel=0.05)


def close(found: list[float], expected: float, expected_error: float) -> bool:
    """Whether the mean of a sample agrees with a known mean within 4.5 standard errors."""
    mean = sum(found) / len(found)
    variance = sum((value - mean) ** 2 for value in found) / (len(found) - 1)
    error = sqrt(variance / len(found) + expected_error**2)
    return abs(mean - expected) <= 4.5 * error + 1e-9


def orthodox_chances(rules: Interpreter, position: Position) -> dict[Position, Fraction]:
    """How likely each position is after one move, all moves being equally likely."""
    reached = [after for _, after in rules.moves(position)]
    chances: dict[Position, Fraction] = defaultdict(Fraction)
    for after in reached:
        chances[after] += Fraction(1, len(reached))
    return chances


def semisplit_chances(
    rules: Interpreter, position: Position, mod: bool
) -> dict[Position, Fraction]:
    """The same if semimoves are drawn one by one and dead ones are dropped and drawn again.

    Semimoves that lead to no move are as good as absent, so the others share all the chances.
    """
    alive = []
    for _, after in rules.semimoves(position, mod=mod):
        if rules.is_nodal(after):
            alive.append({after: Fraction(1)})
        elif below := semisplit_chances(rules, after, mod):
            alive.append(below)
    chances: dict[Position, Fraction] = defaultdict(Fraction)
    for below in alive:
        for after, chance in below.items():
            chances[after] += chance / len(alive)
    return chances


def first_moves(game: CompiledGame, state: bytes, semisplit: bool) -> Iterator[Position]:
    """The positions after the first moves of playouts."""
    for seed in range(20_000):
        yield game.codec.unpack(game.playout(state, seed, max_moves=1, semisplit=semisplit).final)


DRAWN = [
    ("english_draughts", "Mod", 9),
    ("english_draughts", "PlusShift", 9),
    ("chess_king_capture", "ModPlus", 20),
    ("the_mill_game", "Mod", 7),
    ("the_mill_game", "Mod", 24),
    ("go_9x9", "Mod", 90),
    ("breakthrough", "Plus", 11),
    ("fox_and_hounds", "Mod", 8),
]


@pytest.mark.parametrize(("name", "split", "ply"), DRAWN)
@pytest.mark.parametrize("semisplit", [False, True])
def test_draws_are_unbiased(name: str, split: str, ply: int, semisplit: bool) -> None:
    """Pearson's chi-square test of the first move of playouts."""
    loaded = load(name, split)
    game, rules = loaded.compiled, rbg(loaded).interpreter
    start = game.run_keeper(game.codec.pack(rules.start))
    reached = (game.run_keeper(game.playout(start, n, max_moves=ply).final) for n in count())
    state = next(state for state in reached if game.count_moves(state) > 3)
    position = game.codec.unpack(state)
    assert loaded.split is not None
    if semisplit:
        chances = semisplit_chances(rules, position, loaded.split.mod)
    else:
        chances = orthodox_chances(rules, position)
    assert len(chances) > 1
    drawn = Counter(first_moves(game, state, semisplit))
    assert set(drawn) <= set(chances)
    total = sum(drawn.values())
    squares = sum(
        (drawn[after] - total * float(chance)) ** 2 / (total * float(chance))
        for after, chance in chances.items()
    )
    freedom = len(chances) - 1
    # Five standard deviations of the chi-square distribution.
    assert squares < freedom + 5 * sqrt(2 * freedom) + 5


def test_playouts_are_determined_by_their_seeds() -> None:
    game = load("breakthrough", "Mod")
    native = game.compiled
    start = native.run_keeper(native.codec.pack(game.reasoner.start))
    for semisplit in (False, True):
        one_by_one = [native.playouts(start, 40 + n, semisplit=semisplit) for n in range(5)]
        together = native.playouts(start, 40, 5, semisplit=semisplit)
        assert together.moves == sum(one.moves for one in one_by_one)
        assert together.final == one_by_one[-1].final
        assert len({one.final for one in one_by_one}) > 1


def test_playouts_are_the_same_on_every_machine() -> None:
    """Fixed numbers, and the code for processors without the instruction `pdep`."""
    loaded = load("breakthrough", "Mod")
    program = emit(rbg(loaded).description, rbg(loaded).divided, loaded.split, pdep=False)
    code = code_of(program, loaded.split)
    portable = CompiledGame(Target.host().object_code(code.text), code.facts, code.codec)
    for native in (loaded.compiled, portable):
        start = native.run_keeper(native.codec.pack(loaded.reasoner.start))
        played = [native.playouts(start, 2026, 1000, semisplit=s) for s in (False, True)]
        assert [(one.moves, one.states, one.scores) for one in played] == [
            (63982, 63982, (52800, 47200)),
            (72778, 156416, (50600, 49400)),
        ]


def test_playout_can_be_cut_off() -> None:
    loaded = load("fox_and_hounds")
    native = loaded.compiled
    start = native.run_keeper(native.codec.pack(loaded.reasoner.start))
    assert native.playout(start, 1, max_moves=3).moves == 3


@pytest.mark.parametrize("split", [None, "Mod", "Plus"])
def test_game_without_an_end_is_given_up(split: str | None) -> None:
    loaded = game("(->w {e} ->b {e})*", split)
    native = loaded.compiled
    start = native.run_keeper(native.codec.pack(loaded.reasoner.start))
    with pytest.raises(PlayLimit, match="did not end after 100000 moves"):
        native.playouts(start, 1, semisplit=split is not None)
