"""Whatever is done with a search, in whatever order: it keeps to the game and to its seed."""

from dataclasses import replace
from functools import cache

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from semisplit import Game, State, load
from semisplit.search import Budget, Result, Search, Tree
from semisplit.search.features.narrowing.intervals import Part
from semisplit.search.notation import parse_settings
from tests.support.search_variants import PAWNS
from tests.support.tree_invariants import Effort, check_trees

SEARCHES = (
    ("pawns", None, "orthodox+mast+rave"),
    ("pawns", "Mod", "semisplit-nodal+mast-split@Mod,decay=move"),
    ("pawns", "Mod", "rollup-raw@Mod"),
    ("tic_tac_toe", None, "orthodox,batch=4"),
    ("tic_tac_toe", None, "groups[border]+grave,ref=5"),
)
MOST_EDGES = 100
"""Those of a tree that are checked, the nearest to the root."""


@cache
def load_once(name: str, split: str | None) -> Game:
    return Game.parse(PAWNS, "pawns", split) if name == "pawns" else load(name, split)


def found(result: Result) -> Result:
    """What does not depend on the clock."""
    return replace(result, seconds=0.0, tree_share=0.0, note="")


class Searching(RuleBasedStateMachine):
    """A search, and a twin which nobody looks at or interrupts."""

    @initialize(made=st.sampled_from(SEARCHES), seed=st.integers(0, 3))
    def begin(self, made: tuple[str, str | None, str], seed: int) -> None:
        name, split, notation = made
        game = load_once(name, split)
        self.search, self.twin = (
            Search(game, parse_settings(notation), seed=seed, memory=1 << 20) for _ in range(2)
        )
        self.states: list[State] = [self.search.state]
        self.narrowed = self.checked = False

    @property
    def state(self) -> State:
        return self.states[-1]

    def is_going_on(self) -> bool:
        return not self.state.is_terminal

    def compare(self, result: Result, visits: int) -> None:
        """The twin does the same without interruptions."""
        assert result is self.search.result
        assert self.search.tree.visits == visits + result.simulations
        assert result.move in self.state.moves()
        assert found(self.twin.run(Budget(simulations=result.simulations))) == found(result)
        self.checked = False

    @precondition(is_going_on)
    @rule(simulations=st.integers(1, 60))
    def run(self, simulations: int) -> None:
        visits = self.search.tree.visits
        result = self.search.run(Budget(simulations=simulations), pause=self.look)
        assert result.simulations == simulations
        self.compare(result, visits)

    @precondition(is_going_on)
    @rule()
    def run_and_stop(self) -> None:
        visits = self.search.tree.visits
        self.compare(self.search.run(Budget(seconds=600), pause=self.search.stop), visits)

    @rule()
    def stop(self) -> None:
        self.search.stop()

    @precondition(is_going_on)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        move = data.draw(st.sampled_from(self.state.moves()), "move")
        self.states.append(self.state.apply(move))
        self.search.play(move)
        self.twin.play(str(move))
        self.narrowed = self.checked = False

    @rule(data=st.data())
    def set_state(self, data: st.DataObject) -> None:
        self.states = self.states[: data.draw(st.integers(1, len(self.states)), "state")]
        for one in (self.search, self.twin):
            one.set_state(self.state)
        assert self.search.tree.visits == 0
        self.narrowed = self.checked = False

    def may_be_narrowed(self) -> bool:
        # Groups and roll-up change the edges of a node.
        made = self.search.settings
        return self.is_going_on() and not made.groups and made.tree != Tree.ROLLUP

    @precondition(may_be_narrowed)
    @rule(number=st.integers(1, 3), player=st.integers(1, 2))
    def narrow(self, number: int, player: int) -> None:
        for one in (self.search, self.twin):
            one.narrow(player, Part(number, 3))
        self.narrowed = True

    @rule()
    def widen(self) -> None:
        for one in (self.search, self.twin):
            one.widen()
        self.narrowed = self.checked = False

    @precondition(is_going_on)
    @rule()
    def look(self) -> None:
        snapshot = self.search.snapshot(3)
        assert snapshot.move in self.state.moves()
        assert self.search.tree.expectation(snapshot.move)[0] == snapshot.move
        branches = self.search.tree.branches()
        assert {one.name for one in self.search.tree.branches()} == {one.name for one in branches}
        assert len(self.search.tree.draw().splitlines()) > len(branches)

    @invariant()
    def keeps_to_the_game(self) -> None:
        assert self.search.state == self.twin.state == self.state
        if not self.narrowed and not self.checked:
            # What is narrowed is not all that is legal.
            check_trees(self.search, Effort(MOST_EDGES))
            self.checked = True


def test_a_search_does_what_it_is_told_in_any_order() -> None:
    run_state_machine_as_test(
        Searching, settings=settings(max_examples=12, stateful_step_count=12, deadline=None)
    )
