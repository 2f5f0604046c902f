"""Games in Regular Boardgames, as the rest of the program uses them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from semisplit.compiler.runtime.once import CompiledOnce
from semisplit.core.board.diagram import draw, empty_piece, piece_symbols, read
from semisplit.core.errors import InputError, UnknownName
from semisplit.core.features import Features
from semisplit.core.source import Source
from semisplit.core.strategy import SplitStrategy
from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.check.printer import print_low_level
from semisplit.language.rbg.entry import LANGUAGE
from semisplit.language.rbg.features.features import find_features
from semisplit.language.rbg.features.sides import owners
from semisplit.language.rbg.features.traits import traits
from semisplit.language.rbg.play.automaton import Automaton, build_automaton
from semisplit.language.rbg.play.interpret import (
    KEEPER,
    Interpreter,
    Position,
    Step,
    Steps,
    start_position,
    switches,
)
from semisplit.language.rbg.play.notation import Notation
from semisplit.language.rbg.split.split import split_rules
from semisplit.language.rbg.text.ast import Rule
from semisplit.language.rules import Appearance, Rules, Trait

if TYPE_CHECKING:
    from semisplit.compiler.runtime.abi import Bundle
    from semisplit.compiler.runtime.compiled import CompiledGame

_NUMBER = re.compile("[0-9]{1,9}")


class RbgRules(Rules):
    """A description and a split strategy."""

    language = LANGUAGE
    strategy: SplitStrategy | None = None
    can_split = True

    def __init__(self, description: Description, strategy: SplitStrategy | None = None):
        self.description = description
        self.strategy = strategy
        self._others = {strategy: self}
        """This game with other strategies, each split and compiled once."""
        self._compiled = CompiledOnce(self._compile)

    @property
    def source(self) -> Source:
        """The text they come from."""
        return self.description.source

    @property
    def players(self) -> Mapping[str, int]:
        """The highest score of each player, in declared order; the first has number 1."""
        return self.description.players

    def split(self, strategy: SplitStrategy | None) -> RbgRules:
        """Return these rules with another split strategy."""
        if strategy not in self._others:
            other = RbgRules(self.description, strategy)
            other._others = self._others
            self._others[strategy] = other
        return self._others[strategy]

    @cached_property
    def divided(self) -> Rule:
        """The rules in normal form with the dots of the split strategy."""
        rules = self.description.rules
        if self.strategy is None:
            return rules
        return split_rules(rules, self.description.board, self.strategy)

    @cached_property
    def automaton(self) -> Automaton:
        """The divided rules as an automaton."""
        return build_automaton(self.divided)

    def low_level_text(self) -> str:
        """An equivalent description without macros and board generators, split points included."""
        return print_low_level(replace(self.description, rules=self.divided))

    # Playing

    @property
    def start(self) -> Position:
        """The initial state, with the keeper in control."""
        return start_position(self.description)

    @cached_property
    def interpreter(self) -> Interpreter:
        """The rules as the interpreter plays them, which is what they mean."""
        return Interpreter(self.description, self.divided)

    def compile(self, bundle: Bundle) -> CompiledGame:
        """Functions of the game as machine code. `NotCompiled` if that is not possible."""
        return self._compiled(bundle)

    def _compile(self, bundle: Bundle) -> CompiledGame:
        # LLVM takes a while to load, and not everybody plays.
        from semisplit.language.rbg.native.interface.compile import compile_game

        return compile_game(self.description, self.strategy, lambda: self.divided, bundle)

    def emit_threads(self, levels: int) -> str:
        """Playouts as a GPU's threads make them, as LLVM's code."""
        from semisplit.language.rbg.native.interface.compile import emit_threads

        return emit_threads(self.description, self.divided, self.strategy, levels)

    def object_name(self, bundle: Bundle) -> str:
        """The name under which their code is kept in the cache."""
        from semisplit.language.rbg.native.interface.compile import object_name

        return object_name(self.source.text, self.strategy, bundle)

    # Evaluating

    @cached_property
    def features(self) -> Features:
        """What can be read off the states of the compiled game."""
        from semisplit.compiler.runtime.abi import Bundle

        return find_features(self.description, self.compile(Bundle.GAME).codec)

    # Positions

    @cached_property
    def _switches(self) -> dict[int, int]:
        """The player who is in control behind each switch, given by its modifier's number."""
        return switches(self.description, build_automaton(self.description.rules))

    def scores(self, position: Position) -> tuple[int, ...]:
        """The score of each player, in declared order."""
        return position.values[: len(self.description.players)]

    def values(self, position: Position) -> Mapping[str, int]:
        """The values of the variables, scores not included."""
        players, variables = self.description.players, self.description.variables
        return dict(zip(variables, position.values[len(players) :]))

    def is_nodal(self, position: Position) -> bool:
        """Whether no move has been begun."""
        return position.at == 0 or position.at in self._switches

    @cached_property
    def appearance(self) -> Appearance:
        """How to draw positions."""
        description = self.description
        symbols = piece_symbols(description.pieces)
        return Appearance(description.board.geometry, symbols, owners(description))

    def pieces(self, position: Position) -> Sequence[str]:
        """The piece on each vertex."""
        return [self.description.pieces[number] for number in position.pieces]

    def write_position(self, position: Position) -> str:
        """A diagram, who is to move and where in the rules, and all values."""
        appearance, description = self.appearance, self.description
        symbols = [appearance.symbols[piece] for piece in self.pieces(position)]
        if position.at == 0:
            where = "at the start of the rules"
        elif self.is_nodal(position):
            where = f"after switch {position.at} at {appearance.geometry.names[position.vertex]}"
        else:
            where = "inside a move"
        names = [*description.players, *description.variables]
        values = " ".join(map("{}={}".format, names, position.values))
        return (
            f"{draw(appearance.geometry, symbols)}\n"
            f"to move: {self._player_name(position.player)} ({where})\nvalues: {values}"
        )

    def read_position(self, text: str) -> Position:
        """A position from such a text; only the diagram is needed.

        Without a line `to move:` play starts at the beginning of the rules, and variables that a
        line `values:` does not mention are 0.
        """
        headers: dict[str, str] = {}
        diagram: list[str] = []
        for line in text.splitlines():
            header = re.match(r"\s*(to move|values):(.*)", line)
            if header:
                headers[header[1]] = header[2]
            else:
                diagram.append(line)
        player, vertex, at = self._read_control(headers.get("to move"))
        pieces = self._read_diagram("\n".join(diagram))
        values = self._read_values(headers.get("values", ""))
        return Position(pieces, values, player, vertex, at)

    def _player_name(self, player: int) -> str:
        return list(self.players)[player - 1] if player else "nobody"

    def _read_control(self, text: str | None) -> tuple[int, int, int]:
        """Player, vertex and rule position."""
        if text is None or "at the start" in text:
            return KEEPER, 0, 0
        found = re.search(r"after switch (\d{1,6}) at (\w+)", text)
        if found is None:
            raise InputError(f"expected 'after switch NUMBER at VERTEX', found '{text.strip()}'")
        number, name = int(found[1]), found[2]
        if number not in self._switches:
            raise InputError(f"modifier {number} is not a switch")
        vertices = self.description.board.geometry.names
        if name not in vertices:
            raise UnknownName("vertex", name, vertices)
        player = self._switches[number]
        mover = text.partition("(")[0].strip()
        if mover and mover != self._player_name(player):
            raise InputError(f"behind switch {number} {self._player_name(player)} is to move")
        return player, vertices.index(name), number

    def _read_diagram(self, text: str) -> tuple[int, ...]:
        description = self.description
        pieces = list(self.start.pieces)
        known = {symbol: piece for piece, symbol in self.appearance.symbols.items()}
        known |= {piece: piece for piece in description.pieces}
        for vertex, symbol in read(description.board.geometry, text).items():
            if symbol not in known:
                raise UnknownName("piece", symbol, known)
            pieces[vertex] = description.pieces.index(known[symbol])
        return tuple(pieces)

    def _read_values(self, text: str) -> tuple[int, ...]:
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

    @cached_property
    def neighbours(self) -> Sequence[Collection[int]]:
        """The vertices that an edge connects with each, whichever way it goes."""
        edges = self.description.board.edges
        found: list[set[int]] = [set(labels.values()) for labels in edges]
        for vertex, labels in enumerate(edges):
            for other in labels.values():
                found[other].add(vertex)
        return [others - {vertex} for vertex, others in enumerate(found)]

    # Moves

    @cached_property
    def traits(self) -> Mapping[str, Trait]:
        """What can be said about moves."""
        return traits(self.description, self.automaton)

    def places(self, steps: Steps) -> tuple[int, ...]:
        """The squares that the steps tell."""
        square = self.traits["target"].of
        return tuple(place for place in map(square, steps) if place >= 0)

    def is_whole(self, steps: Steps) -> bool:
        """Whether steps complete one move: the last one is a switch, and no other is."""
        *begun, last = (step.number in self._switches for step in steps)
        return last and not any(begun)

    def read_steps(self, text: str) -> Steps | None:
        """The steps in a text, legal or not: pairs of square and modifier, both from 1."""
        words = text.split()
        if len(words) % 2 or not all(map(_NUMBER.fullmatch, words)):
            return None
        pairs = zip(words[::2], words[1::2])
        return tuple(Step(int(square) - 1, int(modifier)) for square, modifier in pairs)

    @cached_property
    def _notation(self) -> Notation:
        description = self.description
        empty = empty_piece(description.pieces)
        return Notation(self.automaton, description.board.geometry.names, empty)

    def write_moves(self, moves: Sequence[Steps]) -> dict[Steps, str]:
        """The shortest texts that tell apart all the moves, which are those legal in one state."""
        return self._notation.write(moves)
