"""Games in the Game Description Language: all that the rest knows of one."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from semisplit.compiler.runtime.once import CompiledOnce
from semisplit.core.errors import InputError, NotCompiled, UnknownName
from semisplit.core.features import Features, GoalCircuit
from semisplit.core.source import Source
from semisplit.core.steps import NOBODY
from semisplit.core.strategy import SplitStrategy
from semisplit.language.gdl.check.check import MAX_GOAL
from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.entry import LANGUAGE
from semisplit.language.gdl.features.board import Board, find_board
from semisplit.language.gdl.features.features import find_features
from semisplit.language.gdl.features.traits import traits
from semisplit.language.gdl.percepts import SEES, is_percept, percepts
from semisplit.language.gdl.play.interpret import Interpreter, Position, Step, Steps
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.keywords import CHANCE
from semisplit.language.gdl.text.notation import read_terms, write_term, write_terms
from semisplit.language.rules import Appearance, Rules, Subgames, Trait

if TYPE_CHECKING:
    from semisplit.compiler.runtime.abi import Bundle
    from semisplit.compiler.runtime.compiled import CompiledGame
    from semisplit.language.gdl.decompose.decomposition import Decomposition
    from semisplit.language.gdl.native.interface.codec import GdlCodec


class GdlRules(Rules):
    """A description."""

    language = LANGUAGE

    def __init__(self, description: Description):
        self.description = description
        self._compiled = CompiledOnce(self._compile)
        self._subgames: dict[bool, Subgames] = {}
        self._decompositions: dict[bool, Decomposition] = {}

    @property
    def source(self) -> Source:
        """The text they come from."""
        return self.description.source

    @cached_property
    def players(self) -> Mapping[str, int]:
        """The highest score of each player, in declared order; the first has number 1."""
        return {self._write(role): MAX_GOAL for role in self.description.roles}

    def split(self, strategy: SplitStrategy | None) -> GdlRules:
        """The same rules; there is no other way to split them than by roles."""
        if strategy is not None:
            raise InputError(
                f"moves of {self.source.name} cannot be split by {strategy}: in GDL a move has one"
                " step for each role, whatever the strategy"
            )
        return self

    @cached_property
    def chance(self) -> int:
        """The number of the role `random`; 0 if there is none."""
        roles = [role.name for role in self.description.roles]
        return roles.index(CHANCE) + 1 if CHANCE in roles else NOBODY

    @cached_property
    def hides(self) -> bool:
        """Whether there are rules for what players see."""
        return any(rule.head.name == SEES for rule in self.description.rules)

    def view(self, position: Position, player: int) -> Hashable:
        """What a player sees of a position: all, or what the rules say of the move before it."""
        if not self.hides:
            return position
        return percepts(position.fluents, self.description.roles[player - 1])

    def write_view(self, position: Position, player: int) -> str:
        """What a player sees of a position, as text."""
        if not self.hides:
            return self.write_position(position)
        seen = percepts(position.fluents, self.description.roles[player - 1])
        return " ".join(map(self._write, seen))

    @cached_property
    def simultaneous(self) -> bool:
        """Whether several roles may have a choice at once: not if the compiler can exclude it."""
        if len(self.description.roles) == 1:
            return False
        from semisplit.compiler.runtime.abi import Bundle

        try:
            return self.compile(Bundle.GAME).facts.simultaneous
        except NotCompiled:
            return True

    # Playing

    @property
    def start(self) -> Position:
        """The initial state."""
        return self.interpreter.start

    @cached_property
    def interpreter(self) -> Interpreter:
        """The rules as the interpreter plays them, which is what they mean."""
        return Interpreter(self.description)

    def compile(self, bundle: Bundle) -> CompiledGame:
        """Functions of the game as machine code. `NotCompiled` if that is not possible."""
        return self._compiled(bundle)

    def _compile(self, bundle: Bundle) -> CompiledGame:
        # Grounding and LLVM take a while to load, and not everybody plays.
        from semisplit.language.gdl.native.interface.compile import compile_game

        return compile_game(self.description, bundle=bundle)

    def kept(self) -> CompiledGame | None:
        """The compiled game, good enough to step through, if it is in the cache."""
        from semisplit.language.gdl.native.interface.compile import kept_game

        return kept_game(self.description)

    def emit_threads(self, levels: int) -> str:
        """Playouts as a GPU's threads make them, as LLVM's code; no game needs levels."""
        from semisplit.language.gdl.native.interface.compile import emit_threads

        return emit_threads(self.description)

    def object_name(self, bundle: Bundle) -> str:
        """The name under which their code is kept in the cache."""
        from semisplit.language.gdl.native.interface.compile import object_name

        return object_name(self.source.text)

    def find_subgames(self, *, overlapping: bool = False) -> Subgames:
        """The parts into which the game falls."""
        if overlapping not in self._subgames:
            from semisplit.compiler.runtime.abi import Bundle
            from semisplit.language.gdl.decompose.decompose import decompose

            found = decompose(self.description, overlapping=overlapping)
            self._decompositions[overlapping] = found
            codec = self.compile(Bundle.GAME).codec
            states = (codec.pack(Position(fluents, (), 0)) for fluents in found.subgames)
            masks = tuple(int.from_bytes(state, "little") for state in states)
            seconds = found.seconds + found.grounding_seconds
            self._subgames[overlapping] = Subgames(masks, seconds, found.acts_together)
        return self._subgames[overlapping]

    def find_plan(self, seconds: float) -> list[Steps] | None:
        """Moves of a puzzle to the highest score, by its parts; None if none are found."""
        from semisplit.language.gdl.decompose.plans.plan import find_plan
        from semisplit.language.gdl.ground.program import ground

        self.find_subgames()
        line = find_plan(ground(self.description), self._decompositions[False], seconds)
        return None if line is None else [(step,) for step in line]

    # Evaluating

    @cached_property
    def features(self) -> Features:
        """What can be read off the states of the compiled game."""
        codec = self._codec
        return find_features(self.description, self._board, codec.fluents, codec.first_bit)

    @cached_property
    def goal_circuit(self) -> GoalCircuit:
        """The goals as a circuit, which is kept in the cache: grounding takes a while."""
        from semisplit.compiler.runtime import cache
        from semisplit.compiler.runtime.abi import Bundle

        name = f"{self.object_name(Bundle.GAME)}-goals"
        if kept := cache.read(name):
            return GoalCircuit.from_json(kept[1])
        from semisplit.language.gdl.features.goals import goal_circuit
        from semisplit.language.gdl.ground.program import ground
        from semisplit.language.gdl.network.circuit import build_circuit

        circuit = build_circuit(ground(self.description))
        found = goal_circuit(circuit, self._codec.first_bit)
        cache.write(name, b"", found.to_json())
        return found

    @property
    def _codec(self) -> GdlCodec:
        from semisplit.compiler.runtime.abi import Bundle
        from semisplit.language.gdl.native.interface.codec import GdlCodec

        codec = self.compile(Bundle.GAME).codec
        assert isinstance(codec, GdlCodec)
        return codec

    # Positions

    def scores(self, position: Position) -> tuple[int, ...]:
        """The goal of each player: the highest if there are several, 0 if there is none."""
        goals = self.interpreter.goals(position.fluents)
        return tuple(max(values, default=0) for values in goals)

    def is_nodal(self, position: Position) -> bool:
        """Whether no role has chosen yet."""
        return not position.chosen

    def deciders(self, position: Position) -> tuple[int, ...]:
        """Who has a choice and has not chosen yet."""
        if not position.player:
            return ()
        choosing = self.interpreter.choosing(position.fluents)[len(position.chosen) :]
        return tuple(choices[0].role for choices in choosing)

    def write_position(self, position: Position) -> str:
        """The fluents, what was seen, who is to move, and inside a move what others have chosen."""
        seen = sorted(fluent for fluent in position.fluents if is_percept(fluent))
        fluents = write_terms(position.fluents.difference(seen), self.description.spelling)
        names = [*self.players]
        player = names[position.player - 1] if position.player else "nobody"
        lines = fluents.splitlines()
        if seen:
            terms = (Term(role.name, (percept,)) for role, percept in _arguments(seen))
            lines.append(f"seen: {' '.join(map(self._write, terms))}")
        lines.append(f"to move: {player}")
        if position.chosen:
            chosen = (f"({names[s.role - 1]} {self._write(s.move)})" for s in position.chosen)
            lines.append(f"chosen: {' '.join(chosen)}")
        return "\n".join(lines)

    def read_position(self, text: str) -> Position:
        """A position from such a text; only the fluents are needed."""
        headers: dict[str, str] = {}
        fluents: list[str] = []
        for line in text.splitlines():
            header = re.match(r"\s*(seen|to move|chosen):(.*)", line)
            if header:
                headers[header[1]] = header[2].strip()
            else:
                fluents.append(line)
        seen = self._read_by_role(headers.get("seen", ""), "PERCEPT")
        terms = self._read_terms("\n".join(fluents))
        terms += (Term(SEES, (self.description.roles[role], term)) for role, term in seen)
        position = self.interpreter.begin(frozenset(terms))
        after = self._read_chosen(position, headers.get("chosen", ""))
        player = [*self.players][after.player - 1] if after.player else "nobody"
        if headers.get("to move", player) != player:
            raise InputError(f"by the rules {player} is to move in this position")
        return after

    def _read_chosen(self, position: Position, text: str) -> Position:
        """The position after what roles have already chosen."""
        steps = [Step(role + 1, move) for role, move in self._read_by_role(text, "MOVE")]
        after = self.interpreter.follow(position, tuple(steps))
        if after is None or (steps and self.is_nodal(after)):
            raise InputError(f"these moves cannot have been chosen: {text}")
        return after

    def _read_by_role(self, text: str, what: str) -> Iterator[tuple[int, Term]]:
        """Terms in which something is said of a role, which is counted from 0."""
        roles = [role.name for role in self.description.roles]
        for term in self._read_terms(text):
            if term.name not in roles:
                raise UnknownName("player", term.name, self.players)
            if len(term.arguments) != 1 or not isinstance(said := term.arguments[0], Term):
                raise InputError(f"expected (PLAYER {what}), found {self._write(term)}")
            yield roles.index(term.name), said

    def _read_terms(self, text: str) -> list[Term]:
        return read_terms(text, self.description.spelling, self.description.names.name)

    @cached_property
    def _board(self) -> Board | None:
        return find_board(self.description)

    @property
    def appearance(self) -> Appearance | None:
        """How to draw positions, if there is a board."""
        return self._board.appearance if self._board else None

    def pieces(self, position: Position) -> Sequence[str]:
        """The piece on each place of the board."""
        return self._board.pieces(position.fluents) if self._board else ()

    def beside_board(self, position: Position) -> str:
        """The fluents that the board does not show."""
        board, spelling = self._board, self.description.spelling
        rest = sorted(
            fluent
            for fluent in position.fluents
            if not (board and board.shows(fluent)) and not is_percept(fluent)
        )
        return " ".join(write_term(fluent, spelling) for fluent in rest)

    # Moves

    @cached_property
    def traits(self) -> Mapping[str, Trait]:
        """What can be said about moves."""
        return traits(self.description)

    def places(self, steps: Steps) -> tuple[int, ...]:
        """The cells whose coordinates the terms have as arguments."""
        if (board := self._board) is None:
            return ()
        return tuple(place for step in steps for place in board.named_by(step.move))

    def is_whole(self, steps: Steps) -> bool:
        """Whether steps complete a move, as far as they tell: who else has a choice they do not."""
        return True

    def part(self, steps: Steps, player: int) -> Steps:
        """What a role does, given by number."""
        return tuple(step for step in steps if step.role == player)

    def write_moves(self, moves: Sequence[Steps]) -> dict[Steps, str]:
        """What each role does, in order."""
        return {steps: " | ".join(self._write(step.move) for step in steps) for steps in moves}

    def _write(self, term: Term) -> str:
        return write_term(term, self.description.spelling)


def _arguments(seen: Iterable[Term]) -> Iterator[tuple[Term, Term]]:
    """The role and the percept of fluents that say what was seen."""
    for fluent in seen:
        role, percept = fluent.arguments
        assert isinstance(role, Term)
        assert isinstance(percept, Term)
        yield role, percept
