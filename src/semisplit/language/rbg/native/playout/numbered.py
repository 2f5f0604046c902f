"""Moves as single numbers, for games in which a kind of move and one square tell all of it.

Such are games in which a piece is put on the board, or goes by fixed steps like a pawn. The kinds
are the groups in which all moves are found (see `enumerate`); a move's number is that of its group
times the number of squares, plus its first square. Whole moves can then be handled like semimoves
that are single steps: listed as numbers, and drawn as squares of sets by guided playouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from llvmlite import ir

from semisplit.compiler.emit.context import ContextCode
from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer, void
from semisplit.compiler.runtime.abi import End
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.board.state import StateCode
from semisplit.language.rbg.native.evaluate.region import Exit
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.machine.enumerate import Enumerate, go_to_turn
from semisplit.language.rbg.native.machine.machine import Chooser, Machine, Sink
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.site import Site
from semisplit.language.rbg.native.machine.stack import Stack
from semisplit.language.rbg.native.machine.tables import make_machine
from semisplit.language.rbg.native.machine.transitions import Transitions
from semisplit.language.rbg.native.playout.draw import Draw
from semisplit.language.rbg.native.playout.guided import Noted, Scores
from semisplit.language.rbg.native.playout.playout import Play, emit_playout, emit_playouts
from semisplit.language.rbg.native.playout.turns import Turns


class Group(NamedTuple):
    """A kind of move, all of which is known by one square."""

    steps: tuple[Arc, ...]
    relation: Relation | None
    """Leads from the square of the first step to that of the others, if it is another."""


class _Groups:
    """The groups of a game, in the order in which they are found."""

    def __init__(self, program: Program):
        self.found: list[Group] = []
        self._program = program
        self._size = program.game.squares.size

    def first_number(self, exits: Sequence[Exit], relation: Relation | None) -> int:
        """The number of a group's move on the first square."""
        group = Group(tuple(exit_.arc for exit_ in exits if exit_.arc), relation)
        if group not in self.found:
            self.found.append(group)
        return self.found.index(group) * self._size

    @property
    def count(self) -> int:
        """How many numbers there are so far."""
        return len(self.found) * self._size

    def at(self, first_number: int) -> Group:
        """The group with a first number."""
        return self.found[first_number // self._size]

    def make(self, group: Group, code: StateCode, square: Value) -> Value:
        """Emit making a move but for the switch at its end; returns where that is."""
        program = self._program
        for number, arc in enumerate(group.steps[:-1]):
            program.shared.apply(program.game.numbered, arc, code, square)
            if number == 0 and group.relation is not None:
                square = code.next_square(group.relation, square)
        return square


def emit_numbered(program: Program, transitions: Transitions) -> list[Group]:
    """The functions for moves as numbers, and the groups of moves.

    There are none if a game's moves are not of that kind.
    """
    groups = _Groups(program)
    if _emit_list(program, groups):

        def parts(stack: Stack, seed: Value) -> tuple[Chooser, Turns]:
            turns = _NotedMoves(stack, transitions, seed, groups)
            return _DrawMove(turns, groups, Scores(program, stack)), turns

        rules = program.game.numbered
        playout = emit_playout(program, Play("guided", rules, Until.MODIFIER, parts))
        emit_playouts(program, "guided", playout)
        _emit_apply(program, transitions, groups)
    return groups.found


def _emit_list(program: Program, groups: _Groups) -> bool:
    """The function `list_numbers` of the interface; returns whether moves can be numbered.

    If not, it does nothing.
    """
    function = program.module.function("list_numbers", void, [pointer, pointer], public=True)
    code = StateCode.begin(program.module, function)
    b, context = code.b, ContextCode(code, function.args[1])
    stack = Stack(code, context, context.load("frames", pointer))
    sink, rules = _WriteNumbers(stack, groups), program.game.numbered
    chooser = _EachGroup()
    turns = [switch.target for switch in program.game.turns(rules)]
    machine = make_machine(program, rules, Until.MODIFIER, stack, chooser, sink, turns)
    regions = map(machine.region, turns)
    if any(chooser.taken(machine, exit_) for region in regions for exit_ in region.exits):
        # A step has to be made to find the moves behind it.
        b.branch(stack.limited)
        for block in (stack.exhausted, stack.failed, stack.limited):
            code.emit_in(block)
            b.ret_void()
        return False
    go_to_turn(machine)
    begin = context.load("buffer")
    size = b.sub(b.ptrtoint(b.load(sink.place, typ=pointer), i64), begin)
    context.store("found", b.lshr(size, constant(2)))
    b.ret_void()
    code.emit_in(stack.limited)
    b.ret_void()
    return True


class _EachGroup(Enumerate):
    """Visits the groups of moves at the beginning of a turn."""

    def choose(self, machine: Machine, site: Site) -> None:
        for exit_ in site.region.exits:
            self.visit_groups(machine, site, exit_)
        machine.b.branch(site.none)


class _WriteNumbers(Sink):
    """Writes the numbers of all moves."""

    tells_numbers = True

    def __init__(self, stack: Stack, groups: _Groups):
        self._groups = groups
        self.place = stack.code.local(pointer)
        """A variable: where the next number is written."""
        stack.code.b.store(stack.context.load("buffer", pointer), self.place)

    def visit(
        self, machine: Machine, site: Site, exits: Sequence[Exit], relation: Relation | None
    ) -> None:
        b, code = machine.b, machine.code
        first = self._groups.first_number(exits, relation)
        with site.each_square(exits[0]) as square:
            place = b.load(self.place, typ=pointer)
            code.store(b.add(b.trunc(square, i32), ir.Constant(i32, first)), place)
            b.store(code.place(place, 4), self.place)


class _NotedMoves(Noted):
    """Makes whole moves and writes them down."""

    def __init__(self, stack: Stack, transitions: Transitions, seed: Value, groups: _Groups):
        super().__init__(stack, transitions, seed)
        self._groups = groups
        self.found: dict[Exit, tuple[Value, int]] = {}
        """For the groups at a site the first exit, with its squares and first number."""

    def visit(
        self, machine: Machine, site: Site, exits: Sequence[Exit], relation: Relation | None
    ) -> None:
        # What is left of a slot may be nothing.
        first = replace(exits[0], certain=False)
        self.found[first] = site.slot(first), self._groups.first_number(exits, relation)

    def make(self, machine: Machine, first_number: int, square: Value) -> None:
        """Emit making a move of a group."""
        machine.context.count("states")
        step = machine.b.add(machine.b.trunc(square, i32), ir.Constant(i32, first_number))
        self.note(machine, step, End.MOVE)
        group = self._groups.at(first_number)
        self.hand_over(machine, group.steps[-1], self._groups.make(group, machine.code, square))


class _DrawGroup(Draw):
    """Draws among groups."""

    def __init__(self, turns: _NotedMoves):
        super().__init__(turns.random)
        self._turns = turns

    def take_drawn(self, machine: Machine, site: Site, exit_: Exit, square: Value) -> None:
        _, first_number = self._turns.found[exit_]
        self._turns.make(machine, first_number, square)


class _DrawMove(Enumerate):
    """Draws whole moves, by the scores of their numbers."""

    def __init__(self, turns: _NotedMoves, groups: _Groups, scores: Scores):
        super().__init__()
        self._turns = turns
        self._groups = groups
        self._scores = scores

    def choose(self, machine: Machine, site: Site) -> None:
        self._turns.found.clear()
        for exit_ in site.region.exits:
            self.visit_groups(machine, site, exit_)
        found = dict(self._turns.found)
        if not found:
            machine.b.branch(site.none)
            return
        slots, firsts = zip(*found.values())
        draw = partial(_DrawGroup(self._turns).draw_among, machine, site)
        random, count = self._turns.random, self._groups.count
        self._scores.draw_guided([*found], slots, firsts, count, random, draw)

    def take(self, machine: Machine, site: Site, exit_: Exit, square: Value) -> None:
        number = self._groups.first_number(self.until_leaf(machine, exit_), None)
        self._turns.make(machine, number, square)


def _emit_apply(program: Program, transitions: Transitions, groups: _Groups) -> None:
    """The function `apply_number` of the interface."""
    arguments = [pointer, pointer, i64, pointer]
    function = program.module.function("apply_number", i32, arguments, public=True)
    state, steps, _, context = function.args
    code = StateCode.begin(program.module, function)
    b, size = code.b, constant(code.squares.size)
    number = b.zext(code.load(i32, steps), i64)
    square = b.urem(number, size)
    end, unknown = code.blocks("end", "unknown")
    cases = code.switch(b.udiv(number, size), unknown)
    for index, group in enumerate(groups.found):
        block = code.block("group")
        cases.add_case(constant(index), block)
        code.emit_in(block)
        last, switch = groups.make(group, code, square), group.steps[-1]
        code.hand_over(switch.number, program.game.player_of(switch), last)
        b.branch(end)
    code.emit_in(unknown)
    b.unreachable()
    code.emit_in(end)
    b.call(transitions.run_keeper, [state, context])
    b.ret(ir.Constant(i32, 1))
