"""The classes users meet: a game, its states, and moves, in whatever language the rules are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from random import Random
from typing import TYPE_CHECKING, Any, Literal, get_args

from semisplit.core.errors import (
    IllegalMove,
    InputError,
    ManyMoves,
    NotCompiled,
    UnknownName,
    did_you_mean,
)
from semisplit.core.limits import MAX_LISTED_MOVES
from semisplit.core.steps import NOBODY, Position, Steps
from semisplit.core.strategy import SplitStrategy
from semisplit.core.work import doing
from semisplit.language.interpreted import InterpretedReasoner
from semisplit.language.registry import parse_rules
from semisplit.language.rules import Reasoner, Rules

if TYPE_CHECKING:
    from semisplit.compiler.runtime.compiled import CompiledGame

EngineName = Literal["native", "interpreter"]
_COMPARED = 5_000
"""Moves of a state that have not been listed, up to which the text of one is compared with all."""


class Game:
    """A game that can be played, with its moves cut by a split strategy if its rules have one."""

    def __init__(self, rules: Rules, engine: EngineName = "native"):
        if engine not in get_args(EngineName):
            raise UnknownName("engine", engine, get_args(EngineName))
        self.rules = rules
        """The rules, as the language gives them."""
        self._engine = engine
        self._others = {rules.strategy: self}
        """This game with other split strategies."""

    @staticmethod
    def parse(
        text: str,
        name: str = "<string>",
        split: str | None = None,
        engine: EngineName = "native",
    ) -> Game:
        """Read a game from a description.

        Args:
            text: The description, in the Regular Boardgames language.
            name: What to call it in messages, usually its path.
            split: A split strategy, like "Mod" or "ModPlus"; None leaves moves whole.
            engine: "native" compiles the game, "interpreter" plays it slowly.
        """
        return _cached_game(text, name, engine).split_by(split)

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return self.rules.source.name

    @property
    def text(self) -> str:
        """The description it was read from."""
        return self.rules.source.text

    @property
    def split(self) -> SplitStrategy | None:
        """How moves are split; None if they are whole."""
        return self.rules.strategy

    def split_by(self, strategy: SplitStrategy | str | None) -> Game:
        """Return this game with its moves split in another way, or whole."""
        if isinstance(strategy, str):
            strategy = SplitStrategy.parse(strategy)
        if strategy not in self._others:
            other = Game(self.rules.split(strategy), self._engine)
            other._others = self._others
            self._others[strategy] = other
        return self._others[strategy]

    @cached_property
    def reasoner(self) -> Reasoner:
        """What plays the game: if it cannot be compiled, the interpreter."""
        if self._engine == "native":
            from semisplit.compiler.runtime.reasoner import CompiledReasoner

            try:
                return CompiledReasoner(self.compiled, self.rules.start)
            except NotCompiled as error:
                error.warn("play goes on with the interpreter, slowly")
        return InterpretedReasoner(self.rules)

    @property
    def compiled(self) -> CompiledGame:
        """The game as machine code."""
        return self._compile("game")

    @property
    def guided(self) -> CompiledGame:
        """Guided playouts as machine code; the split strategy must have Mod."""
        return self._compile("guided")

    @property
    def numbered(self) -> CompiledGame:
        """The game with moves as numbers, if its moves have numbers, as machine code."""
        return self._compile("numbered")

    def _compile(self, part: str) -> CompiledGame:
        # LLVM takes a while to load, and not everybody plays.
        from semisplit.compiler.runtime.abi import Bundle

        return self.rules.compile(Bundle(part))

    @property
    def players(self) -> tuple[str, ...]:
        """The players in declared order; the first one has number 1."""
        return tuple(self.rules.players)

    @property
    def seats(self) -> tuple[str, ...]:
        """The players that somebody plays: all but chance."""
        return tuple(map(self.player_name, self.rules.seats))

    def player_name(self, player: int) -> str:
        """The name of a player given by number; 0 is nobody."""
        return self.players[player - 1] if player else "nobody"

    def initial_state(self) -> State:
        """The state in which the first player decides."""
        reasoner = self.reasoner
        with doing("looking for the keeper's moves before the first position"):
            return State(self, reasoner.run_keeper(reasoner.start))

    def parse_state(self, text: str) -> State:
        """Set up a state from text as `str(state)` gives it; parts of it may be left out."""
        return State(self, self.reasoner.run_keeper(self.rules.read_position(text)))

    def write_move(self, steps: Steps) -> str:
        """The text of a move or a part of one, by itself: no matter what else would be legal."""
        return self.rules.write_moves([steps])[steps]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @cached_property
    def _key(self) -> tuple[str, str, str | None, EngineName]:
        return self.text, self.name, str(self.split) if self.split else None, self._engine

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[str, str, str | None, EngineName]]:
        return Game.parse, self._key


@lru_cache(maxsize=64)
def _cached_game(text: str, name: str, engine: EngineName) -> Game:
    # Unpickling thousands of states must not parse their game thousands of times.
    return Game(parse_rules(text, name), engine)


class Move:
    """A move or semimove: its steps, in the language of the rules.

    Moves are equal if their steps are. `str(move)` is readable and, in the state the move comes
    from, unambiguous, unless there are thousands of moves, which nobody has listed.
    """

    __slots__ = ("_text", "steps")

    def __init__(self, steps: Steps, text: str | Callable[[Steps], str]):
        self.steps = steps
        self._text = text

    @property
    def wire(self) -> str:
        """The form that other programs for the language understand."""
        return " ".join(step.wire for step in self.steps)

    def __str__(self) -> str:
        return self._text if isinstance(self._text, str) else self._text(self.steps)

    def __repr__(self) -> str:
        return f"Move({self})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.steps == other.steps

    def __hash__(self) -> int:
        return hash(self.steps)

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.steps, str(self))


class _Texts:
    """The texts of the moves that are legal in one state, written when first asked for."""

    def __init__(self, game: Game, moves: Callable[[], list[Steps]]):
        self._game = game
        self._moves = moves
        self._texts: dict[Steps, str] | None = None

    def __call__(self, steps: Steps) -> str:
        if self._texts is None:
            with suppress(ManyMoves):
                self._texts = self._game.rules.write_moves(self._moves())
        # What is neither a move nor a semimove, like several semimoves in one, stands for itself,
        # and so does one of very many.
        return (self._texts or {}).get(steps) or self._game.write_move(steps)


class State:
    """A state of a game; it never changes.

    Moves that no player chooses are made as soon as they can be, so a nodal state either waits for
    a player or is terminal. In a split game there are also states inside a move.
    """

    __slots__ = ("_moves", "_texts", "game", "position")

    def __init__(self, game: Game, position: Position):
        self.game = game
        self.position = position
        self._moves: list[Move] | None = None
        self._texts: dict[Callable[[], list[Move]], _Texts] = {}

    @property
    def player(self) -> int:
        """The number of the player to move, from 1; 0 if nobody is any more."""
        player: int = self.position.player
        return player

    @property
    def player_name(self) -> str:
        """The name of the player to move."""
        return self.game.player_name(self.player)

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each player, in declared order."""
        return self.game.rules.scores(self.position)

    @property
    def values(self) -> Mapping[str, int]:
        """The values of the game's variables, scores not included."""
        return self.game.rules.values(self.position)

    @property
    def deciders(self) -> tuple[int, ...]:
        """Who has a part in the next move: the player to move, or several at once."""
        return self.game.rules.deciders(self.position)

    @property
    def is_nodal(self) -> bool:
        """Whether no move has been begun."""
        return self.game.rules.is_nodal(self.position)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over: nobody can move."""
        return self.is_nodal and not self._can_move()

    @property
    def is_dead(self) -> bool:
        """Whether a move has been begun that cannot be completed."""
        return not self.is_nodal and not self._can_move()

    def _can_move(self) -> bool:
        if self.player == NOBODY:
            return False
        if self._moves is not None:
            return bool(self._moves)
        return self.game.reasoner.can_move(self.position)

    @property
    def pieces(self) -> Sequence[str]:
        """The piece on each square of the board."""
        return self.game.rules.pieces(self.position)

    def piece(self, square: str) -> str:
        """The piece on a square of the board, given by name."""
        appearance = self.game.rules.appearance
        if appearance is None:
            raise InputError(f"{self.game.name} has no board")
        if square not in appearance.geometry.names:
            raise UnknownName("square", square, appearance.geometry.names)
        return self.pieces[appearance.geometry.names.index(square)]

    def moves(self, most: int = MAX_LISTED_MOVES) -> list[Move]:
        """All legal moves; inside a move, all ways to complete it.

        Raises:
            ManyMoves: If they have not been listed before, and there are more than `most`.
        """
        if self._moves is None:
            found = self.game.reasoner.list_moves(self.position, most) if self.player else []
            self._moves = self._make_moves(found)
        return list(self._moves)

    def random_move(self, random: Random) -> Move:
        """One of the legal moves, each equally likely, without making objects of all others.

        Raises:
            InputError: If there is none.
        """
        if self._moves:
            return random.choice(self._moves)
        if not self._can_move():
            raise InputError("the game is over")
        return self.move(self.game.reasoner.random_move(self.position, random))

    @property
    def _has_semimoves(self) -> bool:
        return self.game.split is not None or self.game.rules.simultaneous

    def semimoves(self, most: int = MAX_LISTED_MOVES) -> list[Move]:
        """All semimoves of the split strategy, those into dead states included.

        Where several players move at once, a semimove is the part of one of them.

        Raises:
            ManyMoves: If there are more than `most`.
        """
        if not self._has_semimoves:
            return self.moves(most)
        if self.player == NOBODY:
            return []
        return self._make_moves(self.game.reasoner.list_semimoves(self.position, most))

    def _make_moves(self, found: list[Steps]) -> list[Move]:
        texts = _Texts(self.game, lambda: found)
        return [Move(steps, texts) for steps in found]

    def move(self, steps: Steps) -> Move:
        """The move or a part of it that has these steps, which are known to be legal."""
        listed = self.moves if self.game.rules.is_whole(steps) else self.semimoves
        if listed not in self._texts:
            found = partial(listed, _COMPARED)
            self._texts[listed] = _Texts(self.game, lambda: [move.steps for move in found()])
        return Move(steps, self._texts[listed])

    def apply(self, move: Move | str) -> State:
        """The state after a move or semimove, given as an object or in one of its text forms.

        Raises:
            IllegalMove: If the rules do not allow it here.
        """
        if isinstance(move, str):
            move = self.parse_move(move)
        position = self.game.reasoner.follow(self.position, move.steps)
        if position is None:
            raise IllegalMove(f"the move {move.wire} is not legal here")
        return State(self.game, self.game.reasoner.run_keeper(position))

    def parse_move(self, text: str) -> Move:
        """The legal move or semimove with this text, readable or as on the wire.

        Raises:
            IllegalMove: If there is none; the message names similar moves.
        """
        wanted = " ".join(text.split())
        rules = self.game.rules
        if (
            (steps := rules.read_steps(wanted))
            and rules.is_whole(steps)
            and self.game.reasoner.follow(self.position, steps) is not None
        ):
            return self.move(steps)
        legal = self.moves()
        if self._has_semimoves:
            legal += self.semimoves()
        by_wire = {move.wire: move for move in reversed(legal)}
        if wanted in by_wire:
            return by_wire[wanted]
        by_text = {str(move): move for move in reversed(legal)}
        if wanted in by_text:
            return by_text[wanted]
        message = f"'{wanted}' is not a legal move"
        if not legal:
            message += "; there is none"
        elif meant := did_you_mean(wanted, by_text) or did_you_mean(wanted, by_wire):
            message += f"; did you mean '{meant}'?"
        else:
            message += f"; legal is for example '{next(iter(by_text))}'"
        raise IllegalMove(message)

    def __str__(self) -> str:
        return self.game.rules.write_position(self.position)

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        from semisplit.ui.render.svg import draw

        return draw(self.game.rules, self.position)

    def __repr__(self) -> str:
        return f"<State of {self.game.name}, {self.player_name} to move>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State) and self.position == other.position and self.game == other.game
        )

    def __hash__(self) -> int:
        return hash(self.position)

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.game, self.position)
