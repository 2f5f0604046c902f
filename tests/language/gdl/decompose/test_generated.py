"""Generated descriptions: whatever is found, sub-games do not depend on each other."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.decompose import decompose
from semisplit.language.gdl.play.interpret import Interpreter
from tests.support.generate_gdl import descriptions


@given(descriptions(), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_what_becomes_of_a_subgame_depends_on_itself_control_and_moves(
    text: str, seed: int
) -> None:
    description = parse(text)
    found = decompose(description)
    fluents = found.control.union(*found.subgames)
    assert len(fluents) == len(found.control) + sum(map(len, found.subgames))
    game, random = Interpreter(description), Random(seed)
    assert game.start.fluents <= fluents
    for _ in range(5):
        state, others = (
            frozenset(fluent for fluent in fluents if random.random() < 0.5) for _ in range(2)
        )
        legal = game.legal(state)
        if not all(legal):
            continue
        moves = tuple(map(random.choice, legal))
        after = game.next_state(state, moves)
        for subgame in found.subgames:
            own = subgame | found.control
            changed = game.next_state((state & own) | (others - own), moves)
            assert changed & subgame == after & subgame
            for steps in found.meta_actions[found.subgames.index(subgame)]:
                results = set()
                for step in steps:
                    others_too = (*moves[: step.role - 1], step.move, *moves[step.role :])
                    results.add(game.next_state(state, others_too) & subgame)
                assert len(results) == 1
        only_control = game.next_state((state & found.control) | (others - found.control), moves)
        assert only_control & found.control == after & found.control
