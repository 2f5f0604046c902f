"""Proving positions: from goals to values."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

from semisplit.compiler.runtime.abi import Status
from semisplit.compiler.runtime.scratch import raise_status
from semisplit.core.errors import InputError, NotCompiled
from semisplit.game import Game, State
from semisplit.search.proof.goal import Claim, Goal, Outcome, Seen
from semisplit.search.proof.kernels.memory import ALWAYS, DONE, ENDLESS, FAILED, LONG_LIST
from semisplit.search.proof.kernels.prove import begin, prove
from semisplit.search.proof.line import best_line
from semisplit.search.proof.memory import Memory
from semisplit.search.proof.result import Proof
from semisplit.search.proof.settings import PLAYERS, ProofSettings

Pause: TypeAlias = Callable[[], None]
"""Is called during a search, every few milliseconds."""
_SLICE = 0.003
"""Seconds after which a search looks whether it should stop."""
_FIRST_SLICE = 256
"""Positions of the first slice."""
_SAMPLES, _LONG = 256, 1000
"""Random games that are played to see which scores there are, and moves after which they end."""
_MILLION = 1 << 20


def solve(
    state: State,
    settings: ProofSettings | None = None,
    *,
    player: int = 1,
    seconds: float = math.inf,
    nodes: float = math.inf,
    pause: Pause | None = None,
) -> Proof:
    """Find the value of a position, as far as limits allow.

    Args:
        state: The position, of a game of two players who move in turn.
        settings: How to do it.
        player: Whose score counts, by number. The other one plays against it.
        seconds: How long it may take.
        nodes: How many positions may be made.
        pause: Is called every few milliseconds.
    """
    solver = Solver(state.game, settings, player=player)
    return solver.solve(state, seconds=seconds, nodes=nodes, pause=pause)


class Solver:
    """Proves positions of a game; what it has found out about them is kept in one table."""

    def __init__(
        self, game: Game, settings: ProofSettings | None = None, *, player: int = 1
    ) -> None:
        """Prepare for a game.

        Args:
            game: A game of two players who move in turn.
            settings: How to do it.
            player: Whose score counts, by number.
        """
        self.settings = settings or ProofSettings()
        self.player, self.opponent = player, PLAYERS + 1 - player
        self.game = game.split_by(self.settings.split)
        _check(self.game)
        self.memory = Memory(self.game, self.settings, self.settings.table_mb * _MILLION, player)
        self.proof: Proof | None = None
        """What is known in the search under way, or came of the last one."""
        worker = self.memory.worker
        worker.lowest_sum, worker.highest_sum = 2**31, -(2**31)
        self._seen: dict[Goal, Seen] = {}
        self._is_stopped = False
        self._deadline, self._most_nodes = math.inf, math.inf
        self._pause: Pause | None = None
        self._slice = _FIRST_SLICE

    def stop(self) -> None:
        """End the search under way within milliseconds; another thread may call this."""
        self._is_stopped = True

    def limit(self, seconds: float, nodes: float, pause: Pause | None) -> None:
        """Begin a search that may take so many seconds, and make so many positions."""
        self._deadline = time.perf_counter() + seconds
        self._most_nodes = self.nodes + nodes
        self._pause = pause
        self._is_stopped = False

    @property
    def nodes(self) -> int:
        """Positions that have been made in all."""
        return int(self.memory.worker.nodes)

    def solve(
        self,
        state: State,
        *,
        seconds: float = math.inf,
        nodes: float = math.inf,
        pause: Pause | None = None,
    ) -> Proof:
        """Find the value of a position, and a line of best play, as far as limits allow."""
        begun, before = time.perf_counter(), self.nodes
        self.limit(seconds, nodes, pause)
        highest = self.game.rules.players[self.game.player_name(self.player)]
        proof = Proof(state, self.player, highest=highest, limit=highest)
        self.proof = proof
        try:
            self._solve(proof)
        finally:
            proof.nodes, proof.seconds = self.nodes - before, time.perf_counter() - begun
            self._describe(proof)
        return proof

    def _solve(self, proof: Proof) -> None:
        if proof.state.is_terminal:
            score, both = proof.state.scores[self.player - 1], sum(proof.state.scores)
            proof.lowest = proof.highest = proof.limit = proof.floor = score
            worker = self.memory.worker
            worker.lowest_sum = min(worker.lowest_sum, both)
            worker.highest_sum = max(worker.highest_sum, both)
            return
        samples = self._sample(proof.state)
        lower: Claim | None = None
        upper: Claim | None = None
        while proof.lowest < proof.limit:
            goal = Goal(self.player, True, _middle(samples, proof.lowest, proof.limit))
            outcome = self.attempt(proof.state, goal)
            seen = self._seen[goal]
            if outcome == Outcome.PROVEN:
                lower = Claim(goal, True)
                proof.lowest = proof.floor = seen.lowest_reached
            elif outcome in (Outcome.REFUTED, Outcome.ENDLESS):
                proof.limit = max(proof.lowest, seen.highest_below)
                if outcome == Outcome.REFUTED:
                    upper = Claim(goal, False)
                    proof.highest = proof.limit
            else:
                proof.note = _reason(outcome)
                return
        while proof.floor < proof.highest:
            # The player cannot force more, but the game need not come to an end.
            threshold = _middle(samples, proof.floor, proof.highest)
            goal = Goal(self.opponent, False, threshold)
            outcome = self.attempt(proof.state, goal)
            seen = self._seen[goal]
            if outcome == Outcome.PROVEN:
                upper = Claim(goal, True)
                proof.highest = max(proof.floor, seen.highest_below)
            elif outcome in (Outcome.REFUTED, Outcome.ENDLESS):
                proof.floor = min(proof.highest, seen.lowest_reached)
            else:
                proof.note = _reason(outcome)
                return
        if proof.value is not None:
            self._find_line(proof, lower, upper)

    def _find_line(self, proof: Proof, lower: Claim | None, upper: Claim | None) -> None:
        proof.line, is_complete = best_line(self, proof.state, lower, upper)
        if is_complete or upper is None or upper.proven:
            return
        # Play came upon circles, which refute a goal as well. The other player must leave them.
        upper = Claim(self.opposite(upper.goal), True)
        if self.attempt(proof.state, upper.goal) == Outcome.PROVEN:
            proof.line, _ = best_line(self, proof.state, lower, upper)

    def attempt(self, state: State, goal: Goal) -> Outcome:
        """Search for a proof that a goal can be reached from a position."""
        if state.is_terminal:
            is_high = state.scores[self.player - 1] >= goal.threshold
            return Outcome.PROVEN if is_high == goal.raises else Outcome.REFUTED
        return self.attempt_packed(self.pack(state), goal)

    def attempt_packed(self, state: bytes, goal: Goal) -> Outcome:
        """Search for such a proof from a state of the compiled game."""
        memory, worker = self.memory, self.memory.worker
        self.set_goal(goal)
        memory.set_root(state)
        begin(memory.workspace, memory.compiled.player(state))
        how = 0
        while how not in (DONE, FAILED):
            if self._pause is not None:
                self._pause()
            now = time.perf_counter()
            if self._is_stopped or now >= self._deadline or self.nodes >= self._most_nodes:
                return Outcome.UNKNOWN
            how = prove(memory.workspace, int(min(self.nodes + self._slice, self._most_nodes)))
            took = time.perf_counter() - now
            if took < _SLICE / 2 and how not in (DONE, FAILED):
                self._slice *= 2
            elif took > 2 * _SLICE and self._slice > 1:
                self._slice //= 2
            self._note_seen(goal)
        if how == FAILED:
            _raise(int(worker.failure))
        if worker.proof == 0:
            return Outcome.PROVEN
        if worker.depends == ALWAYS:
            return Outcome.TOO_DEEP
        return Outcome.ENDLESS if worker.flags & ENDLESS else Outcome.REFUTED

    def opposite(self, goal: Goal) -> Goal:
        """What the defender of a goal would like to force."""
        attacker = self.opponent if goal.attacker == self.player else self.player
        return Goal(attacker, not goal.raises, goal.threshold)

    def set_goal(self, goal: Goal) -> None:
        """Let kernels know what is to be proven."""
        record, worker = self.memory.goal, self.memory.worker
        record.threshold, record.attacker = goal.threshold, goal.attacker
        record.raises, record.salt = goal.raises, goal.salt
        seen = self._seen.setdefault(goal, Seen())
        worker.lowest_reached, worker.highest_below = seen

    def _note_seen(self, goal: Goal) -> None:
        worker = self.memory.worker
        self._seen[goal] = Seen(int(worker.lowest_reached), int(worker.highest_below))

    def pack(self, state: State) -> bytes:
        """A position as a state of the compiled game."""
        if not state.is_nodal and state.game.split != self.game.split:
            raise InputError("a move has been begun; only with its split strategy it can go on")
        return self.memory.compiled.codec.pack(state.position)

    def _sample(self, state: State) -> list[int]:
        """Scores that random games end with."""
        found, compiled = {state.scores[self.player - 1]}, self.memory.compiled
        packed = self.pack(state)
        if state.is_nodal:
            for seed in range(_SAMPLES):
                final = compiled.playout(packed, seed, max_moves=_LONG).final
                found.add(compiled.scores(final)[self.player - 1])
        return sorted(found)

    def _describe(self, proof: Proof) -> None:
        table, worker = self.memory.table, self.memory.worker
        same = worker.lowest_sum == worker.highest_sum
        proof.total = int(worker.lowest_sum) if same else None
        proof.table_bytes = self.memory.table_bytes
        proof.table_used = int(table.used) / self.memory.entries
        proof.replaced = int(table.replaced)


def _middle(scores: Sequence[int], lowest: int, highest: int) -> int:
    """A threshold that divides the scores above the lowest, up to the highest."""
    between = [score for score in scores if lowest < score <= highest]
    return between[len(between) // 2] if between else highest


def _check(game: Game) -> None:
    """Refuse games that are of another kind."""
    players = len(game.players)
    if players != PLAYERS:
        one = "1 player" if players == 1 else f"{players} players"
        raise InputError(f"{game.name} has {one}; proofs are for games of two")
    if game.rules.chance or game.rules.hides:
        kind = "chance" if game.rules.chance else "hidden information"
        raise InputError(f"{game.name} is a game of {kind}; nothing can be forced in it for sure")
    if game.rules.simultaneous:
        raise InputError(f"players of {game.name} move at once; proofs are for moves in turn")
    try:
        _ = game.compiled
    except NotCompiled as error:
        raise InputError(f"{error}; proofs need machine code") from None


def _reason(outcome: Outcome) -> str:
    if outcome == Outcome.TOO_DEEP:
        return "some ways through the game are too long to follow to their end"
    return "the search was stopped"


def _raise(failure: int) -> None:
    if failure == LONG_LIST:
        raise InputError("a position has too many moves for a proof")
    raise_status(Status(failure))
