"""Mobility: many moves of one's own, few of others.

The value of a move is the player's share of what can be done in the state after it, all players
together. A player who does not decide there has one thing to do.
"""

from __future__ import annotations

from semisplit.compiler.runtime.abi import SCORES, Context
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.search.engine.candidates import (
    candidate,
    list_candidates,
    make,
    player_of,
    state_at,
)
from semisplit.search.engine.layout import (
    BUFFER,
    ENOUGH,
    FOUND,
    PLACES,
    WORK,
    WRITTEN,
    Workspace,
)
from semisplit.search.engine.toolkit.kernel import call_list, copy_bytes, kernel
from semisplit.search.engine.toolkit.record import address_of, integers_at
from semisplit.search.features.policies.record import PolicyRecord, after, workspace
from semisplit.search.features.policies.reference import Candidate, Simulated

MOST_MOVES = 1000
"""What is counted when there are as many moves or more."""
_BUFFER_END = Context.FIELDS.index("buffer_end")


class ReferenceMobility:
    """What the policy is."""

    def __init__(self, game: CompiledGame, bounds: list[int]):
        self._game = game
        self._bounds = bounds

    def values(self, player: int, candidates: list[Candidate]) -> list[float]:
        """Shares of all that can be done."""
        return [self._share(player, one.after) for one in candidates]

    def _share(self, player: int, state: bytes) -> float:
        game = self._game
        counts = [1] * game.facts.players
        if not game.facts.simultaneous:
            if not (found := game.count_moves(state, MOST_MOVES)):
                return game.scores(state)[player - 1] / self._bounds[player - 1]
            counts[game.player(state) - 1] = found
        while game.facts.simultaneous and game.player(state):
            steps = game.semimoves(state)
            counts[game.player(state) - 1] = len(steps)
            following = game.play(state, steps[0])
            assert following
            if game.is_nodal(following):
                break
            state = following
        return counts[player - 1] / sum(counts)

    def reach(self, state: bytes) -> None:
        """Only what comes next matters."""

    def learn(self, simulated: Simulated) -> None:
        """There is nothing to learn."""


def evaluate(p: PolicyRecord, player: int) -> None:
    """Find the values of candidates."""
    s = workspace(p)
    for i in range(p.count):
        state = after(p, i)
        if player_of(state) != 0:
            p.values[i] = (
                _share_of_all(s, player, state) if s.rules.choosers else _share(s, p, player, state)
            )


@kernel
def _share(s: Workspace, p: PolicyRecord, player: int, state: int) -> float:
    """The share if one player decides at a time; the score if he cannot, as the game is over."""
    context = s.worker.context
    buffer_end = context[_BUFFER_END]
    context[BUFFER] = 0
    context[_BUFFER_END] = 0
    context[PLACES] = 0
    context[ENOUGH] = MOST_MOVES
    context[FOUND] = 0
    context[WRITTEN] = 0
    context[WORK] = s.settings.max_work
    call_list(p.list_moves, (state, address_of(context, 0)))
    context[_BUFFER_END] = buffer_end
    found = context[FOUND]
    if found == 0:
        return integers_at(state + SCORES)[player - 1] / s.rules.bounds[player - 1]
    own = found if player_of(state) == player else 1
    return own / (found + s.rules.players - 1)


@kernel
def _share_of_all(s: Workspace, player: int, state: int) -> float:
    """The share if several players may decide at once: they are gone through one by one."""
    worker = s.worker
    buffer_top, candidate_top = worker.lists.buffer_top, worker.lists.top
    copy_bytes(state_at(s, 1), state, s.rules.state_bytes)
    own, total, is_nodal = 1, s.rules.players, 0
    while is_nodal == 0:
        count = list_candidates(s, s.rules.list_simulation, 1)
        if player_of(state_at(s, 1)) == player:
            own = count
        total += count - 1
        steps, length = candidate(s, 1, 0)
        is_nodal = make(s, 1, steps, length)
        copy_bytes(state_at(s, 1), state_at(s, 2), s.rules.state_bytes)
    worker.lists.buffer_top, worker.lists.top = buffer_top, candidate_top
    return own / total
