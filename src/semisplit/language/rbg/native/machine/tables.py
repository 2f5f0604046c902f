"""Machines of large games: sites that differ only in what follows share their code.

Rules that say the same for every direction, piece and player have hundreds of sites. In many of
them the same is possible and the same modifiers are applied; only where these lead to differs. Such
sites are a *class* and have one piece of code, which looks up where to go on. *Steps*, the exits
that a machine takes to another site, are numbered through all sites. A variable holds the number of
the first step of the current site. Steps that do the same and lead to the same sites, as far as
these begin with the same region and are of the same class, share code, too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import partial

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, i32, i64, pointer
from semisplit.language.rbg.native.analysis.facts import GraphFacts
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.evaluate.region import Exit
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.machine.machine import Chooser, Machine, Sink
from semisplit.language.rbg.native.machine.meetings import Meetings
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.site import Site
from semisplit.language.rbg.native.machine.stack import NUMBER, OLD, RETRY, SQUARE, STEP, Stack
from semisplit.language.rbg.native.machine.threaded import ThreadedMachine
from semisplit.language.rbg.text import ast

MANY_SITES = 150
"""Sites above which a machine works with tables. With fewer, code of their own is faster."""


def make_machine(
    program: Program,
    rules: GraphFacts,
    until: Until,
    stack: Stack,
    chooser: Chooser,
    sink: Sink,
    entries: Iterable[int],
    meetings: Meetings | None = None,
) -> Machine:
    """The kind of machine that suits the size of the rules; for the arguments see `Machine`."""
    kind = TableMachine if has_many_sites(rules) and not program.lockstep else ThreadedMachine
    return kind(program, rules, until, stack, chooser, sink, entries, meetings=meetings)


def has_many_sites(rules: GraphFacts) -> bool:
    """Whether it would take long to compile code for each site."""
    return len({arc.target for arc in rules.graph.modifiers}) > MANY_SITES


@dataclass(eq=False)
class _Steps:
    """Steps that are made and undone by the same code."""

    arc: Arc
    """The modifier of one of them."""
    is_kept: bool
    """Whether they are kept on the stack, for they may have to be undone."""
    numbers: list[int] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    """For each exit of a class by which they are made, the first member of the class."""
    apply: ir.Block | None = None
    """The block that makes them."""
    undo: ir.Block | None = None
    """The block that undoes them."""
    retries: dict[ir.Block, int] = field(default_factory=dict)
    """Where to go on afterwards."""


class TableMachine(Machine):
    """A machine of which the code grows with the number of classes, not of sites."""

    tracks_depths = False

    def set_up(self) -> None:
        self._current = self.code.local(i64)
        """A variable: the first step of the current site, if it shares its code."""
        self._step = self.code.local(i64)
        """A variable: the step that is made, if there are others by the same code."""
        self._all: list[tuple[int, Arc]] = []
        """Site and modifier of each step."""
        self._numbers: dict[tuple[int, Exit], int] = {}
        """The number of each step; regions with a common end have common exits."""
        self._firsts: dict[int, int] = {}
        """The first step of each site."""
        self._classes: dict[Hashable, list[int]] = {}
        """The sites that share their code."""
        self._members: dict[int, list[int]] = {}
        """The class of each site; its code is emitted for the first member."""
        for node in self._reach.depths:
            self._number_steps(node)
            self._members[node] = self._classes.setdefault(self._class(node), [])
            self._members[node].append(node)
        self._choices: dict[int, ir.Block] = {}
        """The blocks of classes, by their first member."""
        beginnings: dict[Hashable, int] = {}
        self._beginnings = {node: self._beginning(node, beginnings) for node in self._members}
        """The first site that begins like each one: with the same region, in the same class."""
        self._made: dict[int, _Steps] = {}
        """The steps that are made by the same code as each step."""
        self._groups = self._group_steps()
        self._tables = {
            "number": [arc.number for _, arc in self._all],
            "piece": [self._piece(arc) for _, arc in self._all],
            "first": [self._firsts[node] for node, _ in self._all],
            "first behind": [self._firsts[arc.target] for _, arc in self._all],
            "behind": [self._beginnings[arc.target] for _, arc in self._all],
        }
        """What is known about each step, its site and the site behind it."""

    def _number_steps(self, node: int) -> None:
        self._firsts[node] = len(self._all)
        for exit_ in self.region(node).exits:
            taken = self.chooser.taken(self, exit_)
            if taken and taken.arc:
                self._numbers[node, taken] = len(self._all)
                self._all.append((node, taken.arc))

    def _class(self, node: int) -> Hashable:
        """What the code of a site depends on."""
        region = self.region(node)
        if not self.chooser.only_follows(self, region):
            return node
        exits = [(e.is_set, e.slot, e.certain, self._kind(e.arc)) for e in region.exits if e.arc]
        return tuple(exits), region.in_place

    def _kind(self, arc: Arc) -> Hashable:
        """What the code of a modifier depends on."""
        if self.chooser.is_deferred(self, arc):
            return "deferred", self._is_kept(arc)
        if self._puts_piece(arc):
            return "put", self._is_kept(arc)
        return arc.action, self.rules.pieces_before(arc), self._is_kept(arc)

    def _is_kept(self, arc: Arc) -> bool:
        return self.chooser.returns_always or not self.is_safe(arc.target)

    def _puts_piece(self, arc: Arc) -> bool:
        """Whether a modifier puts a piece somewhere, by code that is the same for all pieces."""
        has_mailbox = self.program.module.layout.mailbox_bytes > 0
        is_off = isinstance(arc.action, ast.Off)
        return has_mailbox and is_off and not self.chooser.is_deferred(self, arc)

    def _beginning(self, node: int, beginnings: dict[Hashable, int]) -> int:
        key = self.region(node).function, self._members[node][0]
        return beginnings.setdefault(key, node)

    def _group_steps(self) -> list[_Steps]:
        """Find the steps that do the same and lead to the same beginnings."""
        ends = [*self._firsts.values(), len(self._all)][1:]
        counts = {node: end - self._firsts[node] for node, end in zip(self._firsts, ends)}
        groups: dict[Hashable, _Steps] = {}
        for node, *others in self._classes.values():
            for place in range(counts[node]):
                numbers = [self._firsts[member] + place for member in (node, *others)]
                arcs = [self._all[number][1] for number in numbers]
                targets = frozenset(self._beginnings[arc.target] for arc in arcs)
                key = self._kind(arcs[0]), targets
                group = groups.setdefault(key, _Steps(arcs[0], self._is_kept(arcs[0])))
                group.numbers += numbers
                group.sources.append(node)
                self._made |= dict.fromkeys(numbers, group)
        return list(groups.values())

    # Sites

    def _shares_code(self, node: int) -> bool:
        return len(self._members[node]) > 1

    def site(self, node: int) -> ir.Block:
        if not self._shares_code(node):
            return super().site(node)
        return self.later("enter", partial(self._enter, node))

    def _enter(self, node: int) -> None:
        self.b.store(constant(self._firsts[node]), self._current)
        self.b.branch(self._block(node))

    def _block(self, node: int) -> ir.Block:
        """The block of a site, which must be the current one."""
        return super().site(self._beginnings[node])

    def emit_site(self, node: int) -> None:
        if not self._shares_code(node):
            super().emit_site(node)
            return
        first, region = self._members[node][0], self.region(node)
        if not region.in_place:
            Site(self.stack, self.frame, node, region, None, self.stack.failed).evaluate()
        if first not in self._choices:
            self._choices[first] = self.later("choose", partial(self._emit_choice, first))
        self.b.branch(self._choices[first])

    def _emit_choice(self, node: int) -> None:
        region, none = self.region(node), self.chooser.way_back(self, node)
        self.choose(Site(self.stack, self.frame, node, region, None, none))

    # Steps

    def follow(self, site: Site, exit_: Exit, square: Value) -> None:
        b, number = self.b, self._numbers[site.node, exit_]
        steps = self._made[number]
        b.store(square, self.stack.square)
        if self._shares_code(site.node):
            first = b.load(self._current, typ=i64)
            b.store(b.add(first, constant(number - self._firsts[site.node])), self._step)
        elif len(steps.numbers) > 1:
            b.store(constant(number), self._step)
        if steps.is_kept:
            block = site.retry.get(exit_, site.none)
            retry = steps.retries.setdefault(block, len(steps.retries))
            if len(steps.sources) > 1:
                self.code.store(ir.Constant(i32, retry), site.top(), RETRY)
        if steps.apply is None:
            steps.apply = self.later("apply", partial(self._emit_step, steps))
        b.branch(steps.apply)

    def _emit_step(self, steps: _Steps) -> None:
        b, square = self.b, self.stack.here()
        step = constant(steps.numbers[0])
        if len(steps.numbers) > 1:
            step = b.load(self._step, typ=i64)
        number = self._look_up(steps, step, "number")
        if self._puts_piece(steps.arc):
            self.sink.on_apply(self, number, square)
            piece = self._look_up(steps, step, "piece")
            old = self.program.shared.put(self.code, b.zext(piece, i64), square)
        else:
            old = self.apply(steps.arc, number, square)
        if steps.is_kept:
            self._push_step(step, number, square, old)
        self._go_behind(steps, step)

    def _look_up(self, steps: _Steps, step: Value, what: str) -> Value:
        """Emit looking up what is known about a step, which is one of some."""
        table = self._tables[what]
        found = {table[number] for number in steps.numbers}
        return ir.Constant(i32, *found) if len(found) == 1 else self.code.look_up(32, table, step)

    def _piece(self, arc: Arc) -> int:
        pieces = self.program.game.symbols.pieces
        return pieces[arc.action.piece] if isinstance(arc.action, ast.Off) else 0

    def _push_step(self, step: Value, number: Value, square: Value, old: Value) -> None:
        """Emit saving what is needed to undo a step."""
        code, b = self.code, self.b
        frame = b.load(self.stack.top, typ=pointer)
        above = code.place(frame, self.frame)
        b.store(above, self.stack.top)
        code.store(b.trunc(step, i32), frame, STEP)
        if self.sink.keeps_paths:
            code.store(number, frame, NUMBER)
        code.store(b.trunc(square, i32), frame, SQUARE)
        code.store(old, frame, OLD)
        self.check_room_above(above)

    def _go_behind(self, steps: _Steps, step: Value) -> None:
        """Emit going to the site behind a step."""
        targets = [self._all[number][1].target for number in steps.numbers]
        if any(map(self._shares_code, targets)):
            first = self._look_up(steps, step, "first behind")
            self.b.store(self.b.zext(first, i64), self._current)
        blocks = {self._beginnings[node]: self._block(node) for node in targets}
        (_, block), *others = blocks.items()
        if others:
            number = self._look_up(steps, step, "behind")
            self.code.switch(number, block, others)
        else:
            self.b.branch(block)

    # The way back

    def way_back(self, node: int) -> ir.Block:
        members = self._members[node]
        arrivals = {
            self._made[self._numbers[arrival]]
            for member in members
            for arrival in self._reach.arrivals.get(member, [])
        }
        if len(arrivals) != 1 or not self._reach.entries.isdisjoint(members):
            return self.stack.failed
        return self._undo(arrivals.pop())

    def _undo(self, steps: _Steps) -> ir.Block:
        if steps.undo is None:
            steps.undo = self.code.block("undo")
        return steps.undo

    def finish(self) -> None:
        self.emit_work()
        for steps in self._groups:
            self.code.emit_in(self._undo(steps))
            self._emit_undo_steps(steps)
        self.code.emit_in(self.stack.failed)
        self.chooser.go_back(self)

    def go_back(self) -> None:
        top = self.b.load(self.stack.top, typ=pointer)
        self.code.jump_if(self.code.equal(top, self.stack.base), self.stack.exhausted)
        step = self.b.zext(self.code.load(i32, top, STEP - self.frame), i64)
        places = {steps: place for place, steps in enumerate(self._groups)}
        undone = [places[self._made[number]] for number in range(len(self._all))]
        nowhere = self.code.block("nowhere")
        blocks = enumerate(map(self._undo, self._groups))
        self.code.switch(self.code.look_up(32, undone, step), nowhere, blocks)
        self.code.emit_in(nowhere)
        self.b.unreachable()

    def _emit_undo_steps(self, steps: _Steps) -> None:
        code, b = self.code, self.b
        if not steps.retries:
            # Those that are safe are never undone.
            b.unreachable()
            return
        self.sink.on_undo(self)
        self.stack.check_work()
        frame = code.place(b.load(self.stack.top, typ=pointer), -self.frame)
        b.store(frame, self.stack.top)
        square, old = b.zext(code.load(i32, frame, SQUARE), i64), code.load(i64, frame, OLD)
        if self._puts_piece(steps.arc):
            self.program.shared.put(code, old, square)
        elif not self.chooser.is_deferred(self, steps.arc):
            self.program.shared.undo(self.rules, steps.arc, code, square, old)
        if any(map(self._shares_code, steps.sources)):
            step = b.zext(code.load(i32, frame, STEP), i64)
            first = self._look_up(steps, step, "first")
            b.store(b.zext(first, i64), self._current)
        several = len(steps.sources) > 1
        back = self.stack.failed if several else self.way_back(steps.sources[0])
        self.sink.before_retry(self, back)
        first_block, *others = steps.retries
        code.switch(code.load(i32, frame, RETRY), first_block, enumerate(others, 1))
