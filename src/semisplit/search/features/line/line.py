"""The best line of a game of one player, from the notes that kernels keep of it."""

from __future__ import annotations

from collections.abc import Iterator

from semisplit.compiler.runtime.abi import End
from semisplit.compiler.runtime.compiled import Codes, CompiledGame
from semisplit.core.limits import MAX_MOVES
from semisplit.search.allocation.tree import TreeMemory


class BestLine:
    """The best line found from the root on, if there is one, as the moves that are left of it."""

    def __init__(self, tree: TreeMemory, semisplit: bool):
        """Nothing has been found yet.

        Args:
            tree: Where kernels keep it.
            semisplit: Whether simulations are.
        """
        self._tree = tree
        self._semisplit = semisplit
        self._moves: list[Codes] = []
        self._read = -1

    @property
    def score(self) -> float:
        """The score that it reaches, from 0 to 1; 0 if there is none."""
        return self._tree.record.line.score

    @property
    def simulation(self) -> int:
        """Which simulation has found it, counted from the beginning of the search."""
        return self._tree.record.line.simulation

    @property
    def is_best(self) -> bool:
        """Whether none can be better."""
        return self.score >= 1.0

    def forget(self) -> None:
        """The game has gone another way."""
        self._tree.record.line.score = 0.0
        self._moves = []

    def play(self, codes: Codes, state: bytes) -> None:
        """Go on after a move that was made in a state, the root's."""
        moves = self.moves(state)
        if moves and moves[0] == codes:
            del moves[0]
        else:
            self.forget()

    def moves(self, state: bytes) -> list[Codes]:
        """Its moves, by the codes of their steps; the root's state is given."""
        found = self._tree.record.line.simulation
        if self.score > 0 and found != self._read:
            self._moves, self._read = list(self._reconstruct(state)), found
        return self._moves

    def _reconstruct(self, state: bytes) -> Iterator[Codes]:
        """First what kernels have noted down, then a playout of the compiled game, made again."""
        tree, coding = self._tree.record.line, self._tree.common.coding
        game = coding.game
        steps: list[int] = []
        for note in self._tree.arrays["line.steps"][: tree.length]:
            steps.append(int(note["step"]))
            if note["end"] == End.MOVE:
                codes = tuple(c for c in coding.decode(steps) if c >= game.facts.silent)
                yield codes
                state = _after(game, state, codes)
                steps = []
        yield from replay(game, state, int(tree.seed), semisplit=self._semisplit)


def replay(game: CompiledGame, state: bytes, seed: int, *, semisplit: bool) -> Iterator[Codes]:
    """The moves of a playout: it is made again and again, each time by one move longer."""
    start = state
    length = game.playout(start, seed, max_moves=MAX_MOVES, semisplit=semisplit).moves
    for number in range(1, length + 1):
        played = game.playout(start, seed, max_moves=number, semisplit=semisplit)
        wanted = game.run_keeper(played.final)
        codes, state = _move_to(game, state, wanted)
        yield codes


def _move_to(game: CompiledGame, state: bytes, wanted: bytes) -> tuple[Codes, bytes]:
    """A move that leads to a state, and that state."""
    moves = game.moves(state)
    afters = list(_afters(game, state, moves))
    if wanted not in afters:
        # Equal memory is an equal state, but not the other way round.
        unpack = game.codec.unpack
        wanted = next(after for after in afters if unpack(after) == unpack(wanted))
    return moves[afters.index(wanted)], wanted


def _afters(game: CompiledGame, state: bytes, moves: list[Codes]) -> Iterator[bytes]:
    """The states after moves."""
    lanes = game.facts.lanes
    if lanes > 1:
        for begin in range(0, len(moves), lanes):
            yield from game.apply_each(state, moves[begin : begin + lanes])
    else:
        for codes in moves:
            yield _after(game, state, codes)


def _after(game: CompiledGame, state: bytes, codes: Codes) -> bytes:
    after = game.play(state, codes)
    assert after is not None, "what has been played can be played again"
    return game.run_keeper(after)
