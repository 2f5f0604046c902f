"""What a rules language gives to the rest.

Play and search know games through these protocols alone. A language has its own kind of positions
and steps; others compare them, keep them, and hand them back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from semisplit.core.board.geometry import Geometry
from semisplit.core.errors import CompileLimit, InputError
from semisplit.core.features import Features, GoalCircuit
from semisplit.core.limits import MAX_LISTED_MOVES
from semisplit.core.source import Source
from semisplit.core.steps import NOBODY, Position, RandomPlay, Steps
from semisplit.core.strategy import SplitStrategy

if TYPE_CHECKING:
    from semisplit.compiler.runtime.abi import Bundle
    from semisplit.compiler.runtime.compiled import CompiledGame
    from semisplit.language.language import Language


class Interpreter(Protocol):
    """The rules as they are meant, played in the most obvious way: the specification."""

    @property
    def start(self) -> Position:
        """The initial state, before the keeper's moves."""

    def moves(self, position: Position) -> Iterator[tuple[Steps, Position]]:
        """All moves, each with the position after it; inside a move, all ways to complete it."""

    def semimoves(self, position: Position, *, mod: bool) -> Iterator[tuple[Steps, Position]]:
        """All semimoves, in the same way; with `mod` each step is one."""

    def list_moves(self, position: Position) -> Iterator[Steps]:
        """All moves without what they lead to."""

    def count_moves(self, position: Position) -> int:
        """How many moves there are."""

    def run_keeper(self, position: Position) -> Position:
        """Make the moves that no player chooses."""

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""

    def is_nodal(self, position: Position) -> bool:
        """Whether no move has been begun."""


class Reasoner(Protocol):
    """Plays by the rules, interpreted or compiled, on positions that never change."""

    @property
    def start(self) -> Position:
        """The initial state, before the keeper's moves."""

    def run_keeper(self, position: Position) -> Position:
        """Make the moves that no player chooses."""

    def list_moves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All moves; inside a move, all ways to complete it. `ManyMoves` if there are too many."""

    def list_semimoves(self, position: Position, most: int = MAX_LISTED_MOVES) -> list[Steps]:
        """All semimoves of the split strategy, in the same way."""

    def random_move(self, position: Position, random: Random) -> Steps:
        """One of the moves, each equally likely; one of the first if there are too many to list."""

    def count_moves(self, position: Position) -> int:
        """How many moves there are."""

    def can_move(self, position: Position) -> bool:
        """Whether there is a move."""

    def random_play(self, position: Position, player: int) -> RandomPlay:
        """Random play from a position, for the score of a player given by number."""

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""


@dataclass(frozen=True)
class Trait:
    """Something that can be said about a move, by which moves can be grouped."""

    values: Sequence[str]
    """What its values are called."""
    of: Callable[[Any], int]
    """The value of a step, from 0; -1 if it has none."""
    last: bool = False
    """Whether the last step with a value tells that of a move, and not the first."""


@dataclass(frozen=True)
class Appearance:
    """What it takes to draw the positions of a game that has a board."""

    geometry: Geometry
    symbols: Mapping[str, str]
    """The symbol of each piece."""
    owners: Mapping[str, str]
    """The player to whom each piece belongs, as far as the rules tell."""

    def sits_above(self, pieces: Sequence[str], player: str) -> bool:
        """Whether all of a player's pieces, given that on each place, lie above those of others."""
        sides = [self.owners.get(piece) for piece in pieces]
        rows = [row for _, row, _ in self.geometry.on_a_grid().cells]
        own = [row for row, side in zip(rows, sides) if side == player]
        others = [row for row, side in zip(rows, sides) if side not in (player, None)]
        return bool(own and others) and max(own) < min(others)


@dataclass(frozen=True)
class Subgames:
    """The parts of a game, as its compiled form knows them."""

    masks: tuple[int, ...]
    """The bits of each in a state, which is read as a little-endian integer."""
    seconds: float
    """How long it took to find them."""
    together: bool
    """Whether there are moves that act in several of them."""


class Rules(ABC):
    """A game's rules, with a split strategy if they have one.

    What is not abstract is for languages that lack a compiler, ways to split moves, or boards.
    """

    @property
    @abstractmethod
    def language(self) -> Language[Any]:
        """The language they are written in."""

    @property
    @abstractmethod
    def source(self) -> Source:
        """The text they come from."""

    @property
    @abstractmethod
    def players(self) -> Mapping[str, int]:
        """The highest score of each player, in declared order; the first has number 1."""

    @property
    def strategy(self) -> SplitStrategy | None:
        """How moves are split; None leaves them whole."""
        return None

    @property
    def simultaneous(self) -> bool:
        """Whether several players may have to decide at once: each a step, unseen by the others."""
        return False

    @property
    def can_split(self) -> bool:
        """Whether the language has split strategies."""
        return False

    def split(self, strategy: SplitStrategy | None) -> Rules:
        """Return these rules with another split strategy; `InputError` if there are none."""
        if strategy is not None:
            raise InputError(f"moves of {self.source.name} cannot be split by {strategy}")
        return self

    @property
    def chance(self) -> int:
        """The number of the player whose moves are drawn by lot, each equally likely; 0 if none."""
        return NOBODY

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of the players that somebody plays: all but chance."""
        return tuple(n for n in range(1, len(self.players) + 1) if n != self.chance)

    @property
    def hides(self) -> bool:
        """Whether players see only what the rules tell them, and not the position."""
        return False

    # Playing

    @property
    @abstractmethod
    def start(self) -> Position:
        """The initial state, before the keeper's moves."""

    @property
    @abstractmethod
    def interpreter(self) -> Interpreter:
        """The specification."""

    def compile(self, bundle: Bundle) -> CompiledGame:
        """Functions of the game as machine code. `NotCompiled` if that is not possible."""
        raise _no_compiler(self)

    def emit_threads(self, levels: int) -> str:
        """Playouts as a GPU's threads make them, as LLVM's code (see `Bundle.THREADS`).

        `NotCompiled` if the language has none. Each thread has room for so many steps of which it
        is not known how many follow each other.
        """
        raise _no_compiler(self)

    def object_name(self, bundle: Bundle) -> str:
        """The name under which their code is kept in the cache."""
        raise _no_compiler(self)

    def find_subgames(self, *, overlapping: bool = False) -> Subgames | None:
        """The parts into which the game falls; None if the language has none.

        With `overlapping` they may have something in common.
        """
        return None

    def find_plan(self, seconds: float) -> Sequence[Steps] | None:
        """Moves of a puzzle to the highest score, by its parts; None if none are found.

        Args:
            seconds: What it may take of the processor.
        """
        return None

    # Evaluating

    @property
    def features(self) -> Features:
        """What can be read off the states of the compiled game. `NotCompiled` if there is none."""
        raise _no_compiler(self)

    @property
    def goal_circuit(self) -> GoalCircuit | None:
        """The goals as a circuit; None if states tell at any time what players would get."""
        return None

    # Positions

    @abstractmethod
    def scores(self, position: Position) -> tuple[int, ...]:
        """The score of each player, in declared order."""

    def values(self, position: Position) -> Mapping[str, int]:
        """The values of the game's variables, scores not included."""
        return {}

    @abstractmethod
    def is_nodal(self, position: Position) -> bool:
        """Whether no move has been begun."""

    def deciders(self, position: Position) -> tuple[int, ...]:
        """Who has a part in the move that is next, by number; nobody if the game is over."""
        return (position.player,) if position.player != NOBODY else ()

    @abstractmethod
    def write_position(self, position: Position) -> str:
        """A position as text."""

    @abstractmethod
    def read_position(self, text: str) -> Position:
        """A position from such a text; `InputError` says what is wrong with it."""

    @property
    def appearance(self) -> Appearance | None:
        """How to draw positions, if there is a board."""
        return None

    def pieces(self, position: Position) -> Sequence[str]:
        """The piece on each place of the board."""
        return ()

    def beside_board(self, position: Position) -> str:
        """What a position has besides pieces on a board, as text; empty if that is not of use."""
        return ""

    @property
    def neighbours(self) -> Sequence[Collection[int]]:
        """The places next to each place of the board; none if there is no board."""
        return ()

    def view(self, position: Position, player: int) -> Hashable:
        """What a player sees of a position, given by number; usually all of it."""
        seen: Hashable = position
        return seen

    def write_view(self, position: Position, player: int) -> str:
        """What a player sees of a position, as text."""
        return self.write_position(position)

    # Moves

    @property
    def traits(self) -> Mapping[str, Trait]:
        """What can be said about moves.

        If there is a board, it is the rule `instruction` of the first change, the first piece that
        is `put` somewhere, and the places on which a move starts and ends, `start` and `target`.
        """
        return {}

    def places(self, steps: Steps) -> tuple[int, ...]:
        """The places of the board that a (semi)move names, in order; none if it names no places."""
        return ()

    def is_whole(self, steps: Steps) -> bool:
        """Whether steps complete one move."""
        return True

    def read_steps(self, text: str) -> Steps | None:
        """Steps as other programs write them, legal or not.

        None if it is no such text, or if it takes the legal moves to know what it means.
        """
        return None

    def part(self, steps: Steps, player: int) -> Steps:
        """A player's part in a move, given by number."""
        return steps

    @abstractmethod
    def write_moves(self, moves: Sequence[Steps]) -> dict[Steps, str]:
        """The shortest texts that tell apart all the moves, which are those legal in one state."""


def _no_compiler(rules: Rules) -> CompileLimit:
    return CompileLimit(f"{rules.source.name} is in {rules.language.title}, which has no compiler")
