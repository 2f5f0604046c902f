"""Simulations that follow policies, in plain Python: what the kernels have to do.

Each policy's file has its part. States are those of compiled games, read as bytes; random numbers
are drawn in the same order as in kernels, so that both can be compared decision by decision.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import NamedTuple, Protocol

from semisplit.compiler.runtime.compiled import Codes, CompiledGame
from semisplit.game import Game
from semisplit.search.features.policies.settings import Policies, SimulationPolicy
from semisplit.search.reference.random import KernelRandom

_ROUNDING = 1e-5
"""By how much values may differ, as kernels compute some of them with 32 bits."""


class Candidate(NamedTuple):
    """Something that can be chosen."""

    codes: Codes
    after: bytes
    """The state after it; if others decide at once, it is what they happened to choose."""


class Simulated(NamedTuple):
    """A simulation that is over."""

    moves: list[tuple[int, Codes]]
    """Who has made which moves; what each player did, where several decide at once."""
    states: list[bytes]
    """All states after moves."""
    witness: bytes
    """One of them, drawn at random."""
    scores: list[float]
    """Of each player, from 0 to 1."""


class ReferencePolicy(Protocol):
    """What a policy does."""

    def values(self, player: int, candidates: list[Candidate]) -> list[float]:
        """How good it is to choose each of some candidates, from 0 to 1."""

    def reach(self, state: bytes) -> None:
        """A state after a move has been reached."""

    def learn(self, simulated: Simulated) -> None:
        """A simulation is over."""


class ReferenceSimulations:
    """Makes simulations one after the other, and learns from them."""

    def __init__(
        self,
        game: Game,
        policies: Policies,
        known: dict[SimulationPolicy, ReferencePolicy],
        *,
        walks: bool = False,
    ):
        """Prepare for the first.

        Args:
            game: The game, which is compiled.
            policies: What to do.
            known: The policies but that of drawing at random.
            walks: Whether moves are drawn by semimoves.
        """
        self._game: CompiledGame = game.compiled
        self._bounds = list(game.rules.players.values())
        self._policies = policies
        self._known = known
        self._walks = walks
        self._draws = KernelRandom(0)
        self.trials = [[[0, 0.0] for _ in policies.among] for _ in self._bounds]
        """Of each player and policy: simulations, and the sum of scores."""

    def simulate(self, state: bytes, seed: int) -> Generator[list[Codes], Codes, Simulated]:
        """Play from a state to the end.

        Yields for each decision what may be chosen: all that is best but for errors of rounding. It
        is told what is.
        """
        game, self._draws = self._game, KernelRandom(seed)
        chosen = [self._choose_policy(trials) for trials in self.trials]
        witness = state
        moves: list[tuple[int, Codes]] = []
        states: list[bytes] = []
        while player := game.player(state):
            policy = self._policies.among[chosen[player - 1]]
            decide = self._decide_by_semimoves if self._walks else self._decide
            if not (allowed := decide(state, player, policy)):
                break
            codes = yield allowed
            state = self._after(state, codes)
            moves.append((player, self._without_dots(codes)))
            if game.is_nodal(state):
                states.append(state)
                for known in self._known.values():
                    known.reach(state)
                if self._draws.below(len(states)) == 0:
                    witness = state
        scores = [score / bound for score, bound in zip(game.scores(state), self._bounds)]
        simulated = Simulated(moves, states, witness, scores)
        for trials, number, score in zip(self.trials, chosen, scores):
            trials[number][0] += 1
            trials[number][1] += score
        for known in self._known.values():
            known.learn(simulated)
        return simulated

    def _choose_policy(self, trials: list[list[float]]) -> int:
        """What has not been tried, then the highest bound of confidence."""
        simulations = sum(number for number, _ in trials)

        def bound(trial: list[float]) -> float:
            number, total = trial
            if not number:
                return math.inf
            reach = math.sqrt(math.log(simulations) / number)
            return total / number + self._policies.exploration * reach

        return max(range(len(trials)), key=lambda i: (bound(trials[i]), -i))

    def _is_random(self, policy: SimulationPolicy) -> bool:
        return policy == SimulationPolicy.RANDOM or self._draws.real() < self._policies.chance

    def _decide(self, state: bytes, player: int, policy: SimulationPolicy) -> list[Codes]:
        """What may be chosen of what can be done in a state."""
        listed, draws = self._list(state), self._draws
        if len(listed) <= 1:
            return listed
        if self._is_random(policy):
            return [listed[draws.below(len(listed))]]
        size = min(len(listed), self._policies.sample)
        for i in range(size):
            j = i + draws.below(len(listed) - i)
            listed[i], listed[j] = listed[j], listed[i]
        looks = policy != SimulationPolicy.HISTORY
        candidates = [
            Candidate(codes, self._completed(self._after(state, codes)) if looks else b"")
            for codes in listed[:size]
        ]
        return self._best(player, policy, candidates)

    def _best(
        self, player: int, policy: SimulationPolicy, candidates: list[Candidate]
    ) -> list[Codes]:
        """The best of some candidates. What ends the game is worth its score."""
        seen = [Candidate(self._without_dots(one.codes), one.after) for one in candidates]
        values = self._known[policy].values(player, seen)
        for i, one in enumerate(candidates):
            if policy != SimulationPolicy.HISTORY and not self._game.player(one.after):
                values[i] = self._game.scores(one.after)[player - 1] / self._bounds[player - 1]
        best = max(values)
        return [one.codes for one, value in zip(candidates, values) if value > best - _ROUNDING]

    def _decide_by_semimoves(
        self, state: bytes, player: int, policy: SimulationPolicy
    ) -> list[Codes]:
        """Choose among moves that are drawn by semimoves."""
        is_random = self._is_random(policy)
        count = 1 if is_random else self._policies.sample
        drawn = [move for _ in range(count) if (move := self._draw_move(state))]
        return (
            [one.codes for one in drawn]
            if is_random or not drawn
            else self._best(player, policy, drawn)
        )

    def _draw_move(self, state: bytes) -> Candidate | None:
        """Draw semimoves up to a nodal state, with backtracking; None if there is no move."""
        semimoves = self._game.semimoves(state)
        while semimoves:
            number = self._draws.below(len(semimoves))
            codes = semimoves[number]
            after = self._after(state, codes)
            if self._game.is_nodal(after):
                return Candidate(codes, after)
            if rest := self._draw_move(after):
                return Candidate(codes + rest.codes, rest.after)
            semimoves[number] = semimoves[-1]
            semimoves.pop()
        return None

    def _list(self, state: bytes) -> list[Codes]:
        """What a player chooses from: moves, or his own steps if others decide at once."""
        joint = self._game.facts.simultaneous
        return self._game.semimoves(state) if joint else self._game.moves(state)

    def _without_dots(self, codes: Codes) -> Codes:
        return tuple(code for code in codes if code >= self._game.facts.silent)

    def _after(self, state: bytes, codes: Codes) -> bytes:
        """The state after a (semi)move, and after the keeper's moves if it is nodal."""
        after = self._game.play(state, codes)
        assert after is not None
        return self._game.run_keeper(after) if self._game.is_nodal(after) else after

    def _completed(self, state: bytes) -> bytes:
        """The state at the end of a move, if others choose at random."""
        while not self._game.is_nodal(state):
            listed = self._list(state)
            state = self._after(state, listed[self._draws.below(len(listed))])
        return state
