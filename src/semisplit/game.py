"""The classes users meet: a game, its states, and moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from semisplit.core.diagram import draw, empty_piece, piece_symbols, read
from semisplit.core.errors import (
    IllegalMove,
    InputError,
    NotCompiled,
    UnknownName,
    did_you_mean,
)
from semisplit.core.work import doing
from semisplit.rbg.ast import Rule
from semisplit.rbg.automaton import build_automaton
from semisplit.rbg.description import Description, parse
from semisplit.rbg.engine import Engine, InterpretedEngine
from semisplit.rbg.interpret import (
    KEEPER,
    Interpreter,
    Position,
    Steps,
    start_position,
    switches,
)
from semisplit.rbg.limits import MAX_LISTED_MOVES
from semisplit.rbg.notation import Notation
from semisplit.rbg.printer import print_low_level
from semisplit.rbg.split import SplitStrategy, split_rules

if TYPE_CHECKING:
    from semisplit.runtime.compiled import CompiledGame

EngineName = Literal["native", "interpreter"]


class Game:
    """A game that can be played, with its moves cut by a split strategy if one is given."""

    def __init__(
        self,
        description: Description,
        split: SplitStrategy | None = None,
        engine: EngineName = "native",
    ):
        if engine not in get_args(EngineName):
            raise UnknownName("engine", engine, get_args(EngineName))
        self.description = description
        self.split = split
        self._engine_name = engine
        self._failed: dict[str, NotCompiled] = {}
        """The parts that could not be compiled."""

    @staticmethod
    def parse(
        text: str,
        name: str = "<string>",
        split: str | None = None,
        engine: EngineName = "native",
    ) -> Game:
        """Read a game from a description in the Regular Boardgames language.

        Args:
            text: The description.
            name: What to call it in messages, usually its path.
            split: A split strategy, like "Mod" or "ModPlus"; None leaves moves whole.
            engine: "native" compiles the game, "interpreter" plays it slowly.
        """
        return _cached_game(text, name, split, engine)

    @cached_property
    def rules(self) -> Rule:
        """The rules in normal form with the dots of the split strategy."""
        rules = self.description.rules
        return split_rules(rules, self.description.board, self.split) if self.split else rules

    @cached_property
    def interpreter(self) -> Interpreter:
        """The rules as the interpreter plays them, which is what they mean."""
        return Interpreter(self.description, self.rules)

    @cached_property
    def engine(self) -> Engine:
        """What plays the game: if it cannot be compiled, the interpreter."""
        if self._engine_name == "native":
            from semisplit.rbg.native.interface.engine import NativeEngine

            try:
                return NativeEngine(self.compiled, start_position(self.description))
            except NotCompiled as error:
                error.warn("play goes on with the interpreter, slowly")
        mod = self.split is not None and self.split.mod
        return InterpretedEngine(self.interpreter, mod=mod)

    @cached_property
    def compiled(self) -> CompiledGame:
        """The game as machine code."""
        return self._compile("game")

    @cached_property
    def guided(self) -> CompiledGame:
        """Guided playouts as machine code; the split strategy must have Mod."""
        return self._compile("guided")

    @cached_property
    def numbered(self) -> CompiledGame:
        """The game with moves as numbers, if its moves have numbers, as machine code."""
        return self._compile("numbered")

    def _compile(self, part: str) -> CompiledGame:
        # LLVM takes a while to load, and not everybody plays.
        from semisplit.rbg.native.interface.compile import compile_game
        from semisplit.runtime.abi import Part

        if part in self._failed:
            raise self._failed[part]
        source, description = self.description.source, self.description
        try:
            return compile_game(
                source.text, source.name, self.split, description=description, part=Part(part)
            )
        except NotCompiled as error:
            # Trying again would take as long, and fail again.
            self._failed[part] = error
            raise

    @cached_property
    def switches(self) -> dict[int, int]:
        """The player who is in control behind each switch, given by its modifier's number."""
        return switches(self.description, build_automaton(self.description.rules))

    @property
    def players(self) -> tuple[str, ...]:
        """The players in declared order; the first one has number 1."""
        return tuple(self.description.players)

    def player_name(self, player: int) -> str:
        """The name of a player given by number; the keeper, 0, is nobody."""
        return self.players[player - 1] if player else "nobody"

    @cached_property
    def symbols(self) -> dict[str, str]:
        """The symbol of each piece in diagrams."""
        return piece_symbols(self.description.pieces)

    @cached_property
    def notation(self) -> Notation:
        """How moves are written."""
        description = self.description
        empty = empty_piece(description.pieces)
        return Notation(build_automaton(self.rules), description.board.geometry.names, empty)

    def initial_state(self) -> State:
        """The state in which the first player decides."""
        engine = self.engine
        with doing("looking for the keeper's moves before the first position"):
            return State(self, engine.run_keeper(engine.start))

    def low_level_text(self) -> str:
        """An equivalent description without macros and board generators, split points included."""
        return print_low_level(replace(self.description, rules=self.rules))

    def parse_state(self, text: str) -> State:
        """Set up a state from text as `str(state)` gives it.

        Only the diagram is needed. Without a line `to move:` play starts at the beginning of the
        rules, and variables that a line `values:` does not mention are 0.
        """
        headers: dict[str, str] = {}
        diagram: list[str] = []
        for line in text.splitlines():
            header = re.match(r"\s*(to move|values):(.*)", line)
            if header:
                headers[header[1]] = header[2]
            else:
                diagram.append(line)
        player, vertex, at = self._parse_control(headers.get("to move"))
        pieces = self._parse_diagram("\n".join(diagram))
        values = self._parse_values(headers.get("values", ""))
        position = Position(pieces, values, player, vertex, at)
        return State(self, self.engine.run_keeper(position))

    def _parse_control(self, text: str | None) -> tuple[int, int, int]:
        """Player, vertex and rule position."""
        if text is None or "at the start" in text:
            return KEEPER, 0, 0
        found = re.search(r"after switch (\d{1,6}) at (\w+)", text)
        if found is None:
            raise InputError(f"expected 'after switch NUMBER at VERTEX', found '{text.strip()}'")
        number, name = int(found[1]), found[2]
        if number not in self.switches:
            raise InputError(f"modifier {number} is not a switch")
        vertices = self.description.board.geometry.names
        if name not in vertices:
            raise UnknownName("vertex", name, vertices)
        player = self.switches[number]
        mover = text.partition("(")[0].strip()
        if mover and mover != self.player_name(player):
            raise InputError(f"behind switch {number} {self.player_name(player)} is to move")
        return player, vertices.index(name), number

    def _parse_diagram(self, text: str) -> tuple[int, ...]:
        pieces = list(self.engine.start.pieces)
        known = {symbol: piece for piece, symbol in self.symbols.items()}
        known |= {piece: piece for piece in self.description.pieces}
        for vertex, symbol in read(self.description.board.geometry, text).items():
            if symbol not in known:
                raise UnknownName("piece", symbol, known)
            pieces[vertex] = self.description.pieces.index(known[symbol])
        return tuple(pieces)

    def _parse_values(self, text: str) -> tuple[int, ...]:
        bounds = {**self.description.players, **self.description.variables}
        values = dict.fromkeys(bounds, 0)
        for word in text.split():
            name, _, number = word.partition("=")
            if name not in bounds:
                raise UnknownName("variable", name, bounds)
            if not re.fullmatch(r"\d{1,10}", number) or int(number) > bounds[name]:
                raise InputError(f"{name} must be a number from 0 to {bounds[name]}")
            values[name] = int(number)
        return tuple(values.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @cached_property
    def _key(self) -> tuple[str, str, str | None, EngineName]:
        source = self.description.source
        split = str(self.split) if self.split else None
        return source.text, source.name, split, self._engine_name

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[str, str, str | None, EngineName]]:
        return Game.parse, self._key


@lru_cache(maxsize=64)
def _cached_game(text: str, name: str, split: str | None, engine: EngineName) -> Game:
    # Unpickling thousands of states must not parse their game thousands of times.
    strategy = SplitStrategy.parse(split) if split is not None else None
    return Game(parse(text, name), strategy, engine)


class Move:
    """A move or semimove: the modifiers it carries out and where.

    Moves are equal if their steps are. `str(move)` is readable and, in the state the move comes
    from, unambiguous.
    """

    __slots__ = ("_text", "steps")

    def __init__(self, steps: Steps, text: str | Callable[[Steps], str]):
        self.steps = steps
        self._text = text

    @property
    def wire(self) -> str:
        """The form other RBG programs understand: vertex and modifier numbers, both from 1."""
        return " ".join(f"{step.vertex + 1} {step.number}" for step in self.steps)

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

    def __init__(self, notation: Notation, moves: Callable[[], list[Steps]]):
        self._notation = notation
        self._moves = moves
        self._texts: dict[Steps, str] | None = None

    def __call__(self, steps: Steps) -> str:
        if self._texts is None:
            self._texts = self._notation.write(self._moves())
        # What is neither a move nor a semimove, like several semimoves in one, stands for itself.
        return self._texts.get(steps) or self._notation.write([steps])[steps]


class State:
    """A state of a game; it never changes.

    The keeper's moves are made as soon as they can be, so a nodal state either waits for a player
    or is terminal. In a split game there are also states inside a move.
    """

    __slots__ = ("_moves", "_texts", "game", "position")

    def __init__(self, game: Game, position: Position):
        self.game = game
        self.position = position
        self._moves: list[Move] | None = None
        self._texts: dict[Callable[[], list[Move]], _Texts] = {}

    @property
    def player(self) -> int:
        """The number of the player to move, from 1; 0 if the game ended in the keeper's hands."""
        return self.position.player

    @property
    def player_name(self) -> str:
        """The name of the player to move."""
        return self.game.player_name(self.player)

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each player, in declared order."""
        return self.position.values[: len(self.game.players)]

    @property
    def values(self) -> Mapping[str, int]:
        """The values of the variables, scores not included."""
        return dict(
            zip(self.game.description.variables, self.position.values[len(self.game.players) :])
        )

    @property
    def is_nodal(self) -> bool:
        """Whether no move has been begun."""
        return self.position.at == 0 or self.position.at in self.game.switches

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over: nobody can move."""
        return self.is_nodal and not self._can_move()

    @property
    def is_dead(self) -> bool:
        """Whether a move has been begun that cannot be completed."""
        return not self.is_nodal and not self._can_move()

    def _can_move(self) -> bool:
        if self.player == KEEPER:
            return False
        if self._moves is not None:
            return bool(self._moves)
        return self.game.engine.can_move(self.position)

    def piece(self, vertex: str) -> str:
        """The piece on a vertex, given by the name it has in diagrams."""
        names = self.game.description.board.geometry.names
        if vertex not in names:
            raise UnknownName("vertex", vertex, names)
        return self.game.description.pieces[self.position.pieces[names.index(vertex)]]

    @property
    def symbols(self) -> list[str]:
        """The symbol of the piece on each vertex."""
        symbols = [self.game.symbols[piece] for piece in self.game.description.pieces]
        return [symbols[number] for number in self.position.pieces]

    def moves(self, most: int = MAX_LISTED_MOVES) -> list[Move]:
        """All legal moves; inside a move, all ways to complete it.

        Raises:
            ManyMoves: If they have not been listed before, and there are more than `most`.
        """
        if self._moves is None:
            found = self.game.engine.list_moves(self.position, most) if self.player else []
            self._moves = self._make_moves(found)
        return list(self._moves)

    def semimoves(self, most: int = MAX_LISTED_MOVES) -> list[Move]:
        """All semimoves of the split strategy, those into dead states included.

        Raises:
            ManyMoves: If there are more than `most`.
        """
        if self.game.split is None:
            return self.moves(most)
        if self.player == KEEPER:
            return []
        return self._make_moves(self.game.engine.list_semimoves(self.position, most))

    def _make_moves(self, found: list[Steps]) -> list[Move]:
        texts = _Texts(self.game.notation, lambda: found)
        return [Move(steps, texts) for steps in found]

    def move(self, steps: Steps) -> Move:
        """The move or a part of it that has these steps, which are known to be legal."""
        listed = self.moves if steps[-1].number in self.game.switches else self.semimoves
        if listed not in self._texts:
            self._texts[listed] = _Texts(
                self.game.notation, lambda: [move.steps for move in listed()]
            )
        return Move(steps, self._texts[listed])

    def apply(self, move: Move | str) -> State:
        """The state after a move or semimove, given as an object or in one of its text forms.

        Raises:
            IllegalMove: If the rules do not allow it here.
        """
        if isinstance(move, str):
            move = self.parse_move(move)
        position = self.game.engine.follow(self.position, move.steps)
        if position is None:
            raise IllegalMove(f"the move {move.wire} is not legal here")
        return State(self.game, self.game.engine.run_keeper(position))

    def parse_move(self, text: str) -> Move:
        """The legal move or semimove with this text, readable or as on the wire.

        Raises:
            IllegalMove: If there is none; the message names similar moves.
        """
        legal = self.moves()
        if self.game.split is not None:
            legal += self.semimoves()
        wanted = " ".join(text.split())
        on_wire = re.fullmatch(r"\d+ -?\d+( \d+ -?\d+)*", wanted) is not None
        by_text = {move.wire if on_wire else str(move): move for move in reversed(legal)}
        if wanted in by_text:
            return by_text[wanted]
        message = f"'{wanted}' is not a legal move"
        if not legal:
            message += "; there is none"
        elif meant := did_you_mean(wanted, by_text):
            message += f"; did you mean '{meant}'?"
        else:
            message += f"; legal is for example '{next(iter(by_text))}'"
        raise IllegalMove(message)

    def __str__(self) -> str:
        game, position = self.game, self.position
        lines = [draw(game.description.board.geometry, self.symbols)]
        if position.at == 0:
            where = "at the start of the rules"
        elif self.is_nodal:
            vertex = game.description.board.geometry.names[position.vertex]
            where = f"after switch {position.at} at {vertex}"
        else:
            where = "inside a move"
        lines.append(f"to move: {self.player_name} ({where})")
        names = [*game.players, *game.description.variables]
        lines.append("values: " + " ".join(map("{}={}".format, names, position.values)))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<State of {self.game.description.source.name}, {self.player_name} to move>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State) and self.position == other.position and self.game == other.game
        )

    def __hash__(self) -> int:
        return hash(self.position)

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.game, self.position)
