"""The interpreter: what the rules mean, in the most obvious way.

A position never changes; every modifier makes a new one, so there is nothing to undo. The walk of
`Interpreter._walk` is the heart: from a position it follows shifts and tests, depth first and in
the order of the text, up to the next modifiers. A move is a chain of such walks that ends in a
switch, a semimove one that ends at the next split point, a pattern one that ends at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from semisplit.core.errors import PlayLimit, WorkLimit
from semisplit.core.limits import MAX_KEEPER_MOVES, MAX_MOVE_LENGTH
from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.play.actions import ACCEPT, Action, ActionCompiler, Pieces, Values
from semisplit.language.rbg.play.automaton import Automaton, SubAutomaton, build_automaton
from semisplit.language.rbg.text.ast import Rule, Switch
from semisplit.language.rbg.text.limits import MAX_VISITS

KEEPER = 0


class Step(NamedTuple):
    """A modifier or dot carried out on a vertex; the elements of moves and semimoves."""

    vertex: int
    """From 0; on the wire vertices count from 1."""
    number: int
    """The number of the modifier, from 1, or minus the number of the dot."""

    @property
    def wire(self) -> str:
        """The form other RBG programs understand: vertex and modifier, both from 1."""
        return f"{self.vertex + 1} {self.number}"

    @property
    def changes(self) -> bool:
        """Whether it changes something, which dots do not."""
        return self.number > 0


Steps = tuple[Step, ...]


class Position(NamedTuple):
    """A state of the game."""

    pieces: Pieces
    """The number of the piece on each vertex, in the order of the description's pieces."""
    values: Values
    """The players' scores in declared order, then the variables sorted by name."""
    player: int
    """Who is in control: a player from 1, or the keeper, 0."""
    vertex: int
    at: int
    """The rule position: the number of the last step taken, 0 at the start of the rules."""


Found = tuple[Action, Pieces, Values, int]
"""A modifier or dot that a walk has come to, the board and the values behind it, and its vertex."""


def start_position(description: Description) -> Position:
    """The initial state, with the keeper in control."""
    numbers = {piece: number for number, piece in enumerate(description.pieces)}
    pieces = tuple(numbers[piece] for piece in description.board.pieces)
    values = (0,) * (len(description.players) + len(description.variables))
    return Position(pieces, values, KEEPER, 0, 0)


def switches(description: Description, automaton: Automaton) -> dict[int, int]:
    """The player who is in control behind each switch."""
    players = [None, *description.players]
    return {
        edge.number: players.index(edge.action.player)
        for edge in automaton.modifiers
        if isinstance(edge.action, Switch)
    }


class Interpreter:
    """Plays by the given rules, which are the description's own or a split form of them."""

    def __init__(self, description: Description, rules: Rule, max_visits: int = MAX_VISITS):
        self.automaton = build_automaton(rules)
        self._switches = switches(description, self.automaton)
        compiler = ActionCompiler(description, self._matches)
        self._actions = compiler.compile(self.automaton)
        self.start = start_position(description)
        """The initial state, with the keeper in control."""
        self.visits = 0
        """Pairs of node and vertex that walks have come to: a measure of the work done so far."""
        self._max_visits = max_visits
        self._last_visit = max_visits

    def is_switch(self, number: int) -> bool:
        """Whether a step with this number is a switch."""
        return number in self._switches

    def is_nodal(self, position: Position) -> bool:
        """Whether no move has been begun: at the start of the rules or just behind a switch."""
        return position.at == 0 or position.at in self._switches

    def moves(self, position: Position) -> Iterator[tuple[Steps, Position]]:
        """All ways to a switch, each once, with the position reached; split points are ignored."""
        return self._paths(position, self.is_switch, stop_at_dots=False)

    def list_moves(self, position: Position) -> Iterator[Steps]:
        """The moves alone."""
        return (steps for steps, _ in self.moves(position))

    def count_moves(self, position: Position) -> int:
        """How many moves there are."""
        return sum(1 for _ in self.moves(position))

    def semimoves(self, position: Position, *, mod: bool) -> Iterator[tuple[Steps, Position]]:
        """All ways to the next split point: dots and switches, with `mod` also every modifier."""
        if mod:
            return self._paths(position, lambda number: True, stop_at_dots=True)
        return self._paths(position, lambda n: n < 0 or self.is_switch(n), stop_at_dots=True)

    def run_keeper(self, position: Position) -> Position:
        """Make the keeper's moves, always the first he finds, until a player is in control.

        If the keeper gets stuck, he is still in control afterwards and the game is over.
        """
        for _ in range(MAX_KEEPER_MOVES):
            if position.player != KEEPER:
                return position
            move = next(self.moves(position), None)
            if move is None:
                return position
            _, position = move
        raise PlayLimit(
            f"the keeper made {MAX_KEEPER_MOVES} moves in a row; the rules never let a player move"
        )

    def follow(self, position: Position, steps: Steps) -> Position | None:
        """The position after the steps of a (semi)move, None if the rules do not allow them."""
        self._last_visit = self.visits + self._max_visits
        stop_at_dots = any(step.number < 0 for step in steps)
        for place, step in enumerate(steps):
            if place > 0 and self.is_nodal(position):
                return None
            reached = (self._after(position, f) for f in self._walk_from(position, stop_at_dots))
            wanted = [p for p in reached if (p.vertex, p.at) == step]
            if not wanted:
                return None
            position = wanted[0]
        return position

    def _paths(
        self, position: Position, ends: Callable[[int], bool], *, stop_at_dots: bool
    ) -> Iterator[tuple[Steps, Position]]:
        """Chains of steps from a position up to and including one whose number `ends` accepts."""
        self._last_visit = self.visits + self._max_visits
        path: list[Step] = []
        walks = [self._walk_from(position, stop_at_dots)]
        while walks:
            found = next(walks[-1], None)
            if found is None:
                walks.pop()
                if path:
                    path.pop()
                continue
            after = self._after(position, found)
            step = Step(after.vertex, after.at)
            if ends(step.number):
                yield (*path, step), after
            else:
                path.append(step)
                walks.append(self._walk_from(after, stop_at_dots))
                if len(path) > MAX_MOVE_LENGTH:
                    raise PlayLimit(
                        f"a move has more than {MAX_MOVE_LENGTH} modifiers;"
                        " the rules repeat one without an end"
                    )

    def _after(self, position: Position, found: Found) -> Position:
        """The position behind a modifier or dot that a walk from a position has found."""
        action, pieces, values, vertex = found
        player = self._switches.get(action.number, position.player)
        return Position(pieces, values, player, vertex, action.number)

    def _matches(self, pattern: SubAutomaton, pieces: Pieces, values: Values, vertex: int) -> bool:
        """Whether some path leads from the start to the end of a pattern's content."""
        walks = [self._walk(pieces, values, vertex, pattern.start, stop_at_dots=False)]
        while walks:
            found = next(walks[-1], None)
            if found is None:
                walks.pop()
                continue
            action, pieces, values, vertex = found
            if action is ACCEPT:
                return True
            walks.append(self._walk(pieces, values, vertex, action.target, stop_at_dots=False))
            if len(walks) > MAX_MOVE_LENGTH:
                raise PlayLimit(
                    f"a pattern applies more than {MAX_MOVE_LENGTH} modifiers;"
                    " the rules repeat one without an end"
                )
        return False

    def _walk_from(self, position: Position, stop_at_dots: bool) -> Iterator[Found]:
        node = self.automaton.behind(position.at) if position.at else 0
        return self._walk(position.pieces, position.values, position.vertex, node, stop_at_dots)

    def _walk(
        self, pieces: Pieces, values: Values, vertex: int, node: int, stop_at_dots: bool
    ) -> Iterator[Found]:
        """Every modifier, and dot if asked for, that can be reached without crossing another.

        Each pair of node and vertex is visited once, so that every modifier is found once per
        vertex and loops end.
        """
        size, left = len(pieces), self._last_visit - self.visits
        if left < 1:
            raise _much_work()
        visited = {node * size + vertex}
        stack = [(action, vertex) for action in self._actions[node]]
        try:
            while stack:
                action, vertex = stack.pop()
                test, modify, target, number = action
                if modify is not None:
                    after = modify(pieces, values, vertex)
                    if after is not None:
                        yield action, *after, vertex
                    continue
                if number < 0 and stop_at_dots:
                    yield action, pieces, values, vertex
                    continue
                reached = vertex if test is None else test(pieces, values, vertex)
                if reached is None or (pair := target * size + reached) in visited:
                    continue
                visited.add(pair)
                if len(visited) > left:
                    raise _much_work()
                stack.extend([(onward, reached) for onward in self._actions[target]])
        finally:
            self.visits += len(visited)


def _much_work() -> WorkLimit:
    return WorkLimit("looking for moves takes too long; the rules leave too much open")
