"""Machines: code that follows the rules from modifier to modifier, with backtracking.

The code of a machine is threaded: every site, that is, every place behind a modifier, has a block
of its own, and applying a modifier jumps straight to the block of the site behind it. When nothing
is possible at a site, the machine goes back to the last choice and undoes what it has done since;
what it needs for that is on a stack of frames (see `stack`).

A machine has two parts: a `Chooser` says how to choose among the exits of a site, and a `Sink` what
to do with complete moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from llvmlite import ir

from semisplit.emit.values import Value, constant, i32, i64, pointer
from semisplit.rbg import ast
from semisplit.rbg.native.analysis.facts import GraphFacts
from semisplit.rbg.native.analysis.graph import Arc
from semisplit.rbg.native.board.relation import Relation
from semisplit.rbg.native.evaluate.region import Exit, Region
from semisplit.rbg.native.evaluate.regions import Until
from semisplit.rbg.native.machine.meetings import Meetings
from semisplit.rbg.native.machine.program import Program
from semisplit.rbg.native.machine.reach import Reach
from semisplit.rbg.native.machine.site import Site
from semisplit.rbg.native.machine.stack import NUMBER, OLD, RETRY, SQUARE, STEP, Stack
from semisplit.runtime.abi import Status

_MANY_EXITS = 4
"""Exits from which on sites share the code that chooses among them. With fewer it is short, and
processors foresee better what is chosen if each site has its own."""


class Chooser(ABC):
    """How a machine chooses among the exits of a site."""

    returns_always = False
    """Whether it comes back to every choice, or only where a move fails."""
    shares_choices = True
    """Whether sites from which the same can be chosen may share the code of the choice."""
    tracks_depths = True
    """Whether frames may lie at fixed addresses."""

    @abstractmethod
    def choose(self, machine: Machine, site: Site) -> None:
        """Emit the choice among the exits of a site, whose slots are filled."""

    def take(self, machine: Machine, site: Site, exit_: Exit, square: Value) -> None:
        """Emit what is done with a square that was chosen. The block must be ended."""
        if machine.is_leaf(exit_):
            machine.sink.complete(machine, exit_, square)
        else:
            machine.follow(site, exit_, square)

    def taken(self, machine: Machine, exit_: Exit) -> Exit | None:
        """The exit by which the machine goes to another site, None if it does not."""
        return None if machine.is_leaf(exit_) else exit_

    def only_follows(self, machine: Machine, region: Region) -> bool:
        """Whether nothing else is done at a site than to follow what is chosen."""
        return all(self.taken(machine, exit_) is exit_ for exit_ in region.exits)

    def is_deferred(self, machine: Machine, arc: Arc) -> bool:
        """Whether a modifier need not be applied to find out what follows."""
        return False

    def frame_bytes(self, machine: Machine, largest: int) -> int:
        """The size of a frame, given the largest of a region."""
        return largest

    def way_back(self, machine: Machine, node: int) -> ir.Block:
        """Where to go if nothing is possible at a site."""
        return machine.way_back(node)

    def go_back(self, machine: Machine) -> None:
        """Emit going back to the last choice."""
        machine.go_back()


class Sink:
    """What a machine does with the moves it finds, and while it looks for them."""

    keeps_paths = False
    """Whether the numbers of the modifiers on the way are needed."""
    tells_numbers = False
    """Whether they are told to callers, so that modifiers with different ones are never alike."""

    def complete(self, machine: Machine, exit_: Exit, square: Value) -> None:
        """Emit what is done with the only leaf that was chosen. The block must be ended."""
        raise NotImplementedError

    def visit(
        self, machine: Machine, site: Site, exits: Sequence[Exit], relation: Relation | None
    ) -> None:
        """Emit what is done with the leaves that follow the squares in the first exit's slot.

        Args:
            machine: The machine that has found them.
            site: Where the first exit is.
            exits: From the first exit to the leaf.
            relation: Leads from the square of the first to that of the others, if it is another.
        """
        raise NotImplementedError

    def on_apply(self, machine: Machine, number: Value, square: Value) -> None:
        """Emit what is to be done before the modifier with a number is applied."""

    def on_undo(self, machine: Machine) -> None:
        """Emit what is to be done before a modifier is undone."""

    def before_retry(self, machine: Machine, back: ir.Block) -> None:
        """Emit what is to be done when a modifier has been undone, before others are tried.

        Args:
            machine: The machine.
            back: Where to go if no others shall be tried.
        """


class Machine:
    """Emits the blocks of a machine into a function."""

    tracks_depths = True
    """Whether frames may lie at fixed addresses."""

    def __init__(
        self,
        program: Program,
        rules: GraphFacts,
        until: Until,
        stack: Stack,
        chooser: Chooser,
        sink: Sink,
        entries: Iterable[int],
        *,
        meetings: Meetings | None = None,
        first_rank: float = 0,
    ):
        """Set up a machine.

        Args:
            program: The game.
            rules: Its rules or the content of a pattern.
            until: What its regions end with.
            stack: Its stack; where that emits, the machine does, too.
            chooser: How it chooses.
            sink: What it does with moves.
            entries: The nodes where it starts.
            meetings: Where threads in lockstep wait for each other before they go to a site.
            first_rank: The rank of the first site there.
        """
        self.program = program
        self.rules = rules
        self.stack = stack
        self.code, self.b, self.context = stack.code, stack.code.b, stack.context
        self.chooser = chooser
        self.sink = sink
        self._until = until
        self._reach = Reach(
            entries,
            self.region,
            lambda exit_: chooser.taken(self, exit_),
            tracks_depths=self.tracks_depths and chooser.tracks_depths,
        )
        self.frame = chooser.frame_bytes(self, self._reach.frame)
        """The size of a frame."""
        self._unchecked = self._reach.deepest + 1 if program.lockstep else len(self._reach.depths)
        """So many frames, those of sites of known depth, are not checked for room."""
        is_shallow = program.lockstep and self._reach.knows_all_depths
        levels = 0 if is_shallow else program.levels
        program.need_frames((levels + self._unchecked + 3) * self.frame)
        self.meetings = meetings
        self._first_rank = first_rank
        self.sites: dict[int, ir.Block] = {}
        """The blocks of sites that have been asked for."""
        self._work: list[tuple[ir.Block, Callable[[], None]]] = []
        """Blocks that have been asked for and what emits them."""
        self._alike: dict[Arc, Arc] = {}
        """For each modifier the first one that is like it, see `_modifier`."""
        self._first: dict[object, Arc] = {}
        self._applied: dict[Arc, ir.Block] = {}
        """The blocks that apply a modifier."""
        self._undone: dict[Arc, ir.Block] = {}
        """The blocks that undo a modifier and go on at the site before it."""
        self._retries: dict[Arc, list[ir.Block]] = {}
        """For each modifier that may fail, where to go on afterwards."""
        self._places: dict[Arc, int] = {}
        """Their places among these modifiers."""
        self._entered: dict[int, dict[Arc, list[int]]] = {}
        """The sites from which each site is entered by each modifier, once it has been asked."""
        self._saved: dict[int, tuple[Value, Value]] = {}
        """For each known depth, variables for square and old value of the modifier before it.

        Only one site of a depth is open at a time, so they can share them.
        """
        self._choosing: dict[object, ir.Block] = {}
        """The blocks that choose, by what there is to choose from."""

    @property
    def deepest(self) -> int | None:
        """The depth of the deepest site, if all depths are known."""
        return self._reach.deepest if self._reach.knows_all_depths else None

    # Sites

    def region(self, node: int) -> Region:
        """The region of a site."""
        return self.program.regions.region(self.rules, node, self._until)

    def is_leaf(self, exit_: Exit) -> bool:
        """Whether an exit ends what the machine looks for."""
        return exit_.arc is None or isinstance(exit_.arc.action, ast.Switch)

    def is_safe(self, node: int) -> bool:
        """Whether a move can always be completed from a site."""
        return self.program.regions.is_safe(self.rules, node, self._until)

    def may_fail(self, exit_: Exit) -> bool:
        """Whether there may be no way to complete a move behind an exit."""
        arc = exit_.arc
        return arc is not None and not self.is_leaf(exit_) and not self.is_safe(arc.target)

    @property
    def turns(self) -> list[Arc]:
        """The switches behind which a player moves."""
        return self.program.game.turns(self.rules)

    def check_room(self) -> None:
        """Emit the check that there is room for frames."""
        # Where the depth is known it is not checked again.
        least, more = self._unchecked + 2, self.program.levels
        self.stack.check_room(least * self.frame, more * self.frame)

    def go(self, node: int, square: Value) -> None:
        """Emit going to a site."""
        self.b.store(square, self.stack.square)
        self.b.branch(self.site(node))

    def site(self, node: int) -> ir.Block:
        """The block of a site; the current square must be set before going there."""
        if node not in self.sites:
            block = self.later(f"site{node}", partial(self.emit_site, node))
            self.sites[node] = self.meet(block, self._rank(node))
        return self.sites[node]

    def meet(self, block: ir.Block, rank: float) -> ir.Block:
        """A block, or the way there if threads meet before they go there; low ranks go first."""
        if self.meetings is None:
            return block
        return self.meetings.at(block, self._first_rank + rank)

    def meet_again(self, site: Site, block: ir.Block) -> ir.Block:
        """The same for a block in which another exit of a site is chosen."""
        return self.meet(block, self._rank(site.node) + 0.5)

    def _rank(self, node: int) -> int:
        """The rank of a site, if threads meet."""
        return self._reach.rank(node) if self.meetings else 0

    def later(self, name: str, emit: Callable[[], None]) -> ir.Block:
        """A new block that is emitted when everything before it is."""
        block = self.code.block(name)
        self._work.append((block, emit))
        return block

    def finish(self) -> None:
        """Emit all sites that have been asked for, and the way back from failures."""
        self.emit_work()
        self.code.emit_in(self.stack.failed)
        self.chooser.go_back(self)
        # Only now it is known from where each modifier is applied.
        emitted: set[Arc] = set()
        while len(emitted) < len(self._undone):
            for arc, block in list(self._undone.items()):
                if arc not in emitted:
                    emitted.add(arc)
                    self.code.emit_in(block)
                    self._emit_undo(arc)

    def emit_work(self) -> None:
        """Emit the blocks that have been asked for."""
        while self._work:
            block, emit = self._work.pop()
            self.code.emit_in(block)
            before = len(self.b.function.blocks)
            emit()
            new = [block, *self.b.function.blocks[before:]]
            self.program.module.check_size(sum(len(each.instructions) for each in new))

    def emit_site(self, node: int) -> None:
        """Emit the code of a site here."""
        region, depth = self.region(node), self._reach.depths[node]
        none = self.chooser.way_back(self, node)
        site = Site(self.stack, self.frame, node, region, depth, none)
        if not region.in_place:
            site.evaluate()
        if depth is None and len(region.exits) >= _MANY_EXITS and self.chooser.shares_choices:
            self._share_choice(node, region)
        else:
            self.choose(site)

    def choose(self, site: Site) -> None:
        """Emit the choice among what is possible at a site."""
        if site.region.in_place:
            self.chooser.take(self, site, site.region.exits[0], self.stack.here())
        elif site.region.exits:
            self.chooser.choose(self, site)
        else:
            self.b.branch(site.none)

    def _share_choice(self, node: int, region: Region) -> None:
        """Emit the choice at a site, or going to where the same choice is made for another one.

        Pieces that jump on and on, in any direction, have one site for each direction of the last
        jump. The regions of these sites differ, but what can come next is the same.
        """
        key = tuple((e.arc, e.is_set, e.slot, e.certain, e.expected) for e in region.exits)
        is_new = key not in self._choosing
        if is_new:
            self._choosing[key] = self.code.block("choose")
        self.b.branch(self._choosing[key])
        if is_new:
            self.code.emit_in(self._choosing[key])
            site = Site(self.stack, self.frame, node, region, None, self.stack.failed)
            self.chooser.choose(self, site)

    # Modifiers

    def follow(self, site: Site, exit_: Exit, square: Value) -> None:
        """Emit applying the modifier of an exit and going on behind it."""
        arc = self._modifier(exit_)
        if self.chooser.returns_always or not self.is_safe(arc.target):
            retries = self._retries.setdefault(arc, [])
            self._places.setdefault(arc, len(self._places))
            block = site.retry.get(exit_, site.none)
            if block not in retries:
                retries.append(block)
            if self._is_entered_often(arc):
                self.code.store(ir.Constant(i32, retries.index(block)), site.top(), RETRY)
        self.b.store(square, self.stack.square)
        if arc not in self._applied:
            self._applied[arc] = self.later("take", partial(self._emit_apply, arc, site))
        self.b.branch(self._applied[arc])

    def _modifier(self, exit_: Exit) -> Arc:
        """The modifier of an exit, or the first one that does the same and leads to the same site.

        The first jump of a piece and those that follow need the same code.
        """
        arc = exit_.arc
        assert arc is not None
        if arc not in self._alike:
            self._alike[arc] = arc
            if not self.sink.tells_numbers and not self.chooser.is_deferred(self, arc):
                key = arc.action, arc.target, self.rules.pieces_before(arc)
                self._alike[arc] = self._first.setdefault(key, arc)
        return self._alike[arc]

    def _sources(self, arc: Arc) -> list[int]:
        """The sites of which a modifier is an exit."""
        if arc.target not in self._entered:
            entered = self._entered[arc.target] = {}
            for node, exit_ in self._reach.arrivals[arc.target]:
                entered.setdefault(self._modifier(exit_), []).append(node)
        return self._entered[arc.target].get(arc, [])

    def _is_entered_often(self, arc: Arc) -> bool:
        """Whether a modifier is an exit of several sites."""
        return len(self._sources(arc)) > 1

    def _emit_apply(self, arc: Arc, site: Site) -> None:
        depth = None if self._is_entered_often(arc) else site.depth
        square = self.stack.here()
        old = self.apply(arc, ir.Constant(i32, arc.number), square)
        if arc in self._retries:
            self._push(arc, replace(site, depth=depth).top(), square, old)
        self.b.branch(self.site(arc.target))

    def apply(self, arc: Arc, number: Value, square: Value) -> Value:
        """Emit applying a modifier, or one with another number; returns what undoing it needs."""
        self.sink.on_apply(self, number, square)
        if self.chooser.is_deferred(self, arc):
            return constant(0)
        return self.program.shared.apply(self.rules, arc, self.code, square)

    def _push(self, arc: Arc, frame: Value, square: Value, old: Value) -> None:
        """Emit saving what is needed to undo a modifier."""
        code, b = self.code, self.b
        above = code.place(frame, self.frame)
        b.store(above, self.stack.top)
        depth = self._reach.depths[arc.target]
        if depth is not None:
            if depth not in self._saved:
                self._saved[depth] = code.local(i64), code.local(i64)
            for variable, value in zip(self._saved[depth], (square, old)):
                b.store(value, variable)
        if self._reach.knows_all_depths:
            return
        code.store(ir.Constant(i32, self._places[arc]), frame, STEP)
        if self.sink.keeps_paths:
            code.store(ir.Constant(i32, arc.number), frame, NUMBER)
        code.store(b.trunc(square, i32), frame, SQUARE)
        if depth is None:
            code.store(old, frame, OLD)
            self.check_room_above(above)

    def check_room_above(self, frame: Value) -> None:
        """Emit the check that there is room for a frame."""
        # Sites of known depth above this one are not checked.
        end = self.code.place(frame, (self._unchecked + 1) * self.frame)
        full = self.b.icmp_unsigned(">", end, self.b.load(self.stack.end, typ=pointer))
        self.stack.give_up_if(full, Status.LONG_MOVE)

    def path_to(self, site: Site) -> list[tuple[Arc, Value]] | None:
        """The modifiers applied before a site, and their squares, if its depth is known."""
        if site.depth is None:
            return None
        path: list[tuple[Arc, Value]] = []
        node = site.node
        while depth := self._reach.depths[node]:
            ((node, exit_),) = self._reach.arrivals[node]
            assert exit_.arc is not None
            path.append((exit_.arc, self.b.load(self._saved[depth][0], typ=i64)))
        return path[::-1]

    # The way back

    def way_back(self, node: int) -> ir.Block:
        """Where to go if nothing is possible at a site: straight back if it is entered one way."""
        stack, arrivals = self.stack, self._reach.arrivals.get(node, [])
        if node in self._reach.entries:
            return stack.failed if arrivals else stack.exhausted
        arcs = {self._modifier(exit_) for _, exit_ in arrivals}
        return stack.failed if len(arcs) > 1 else self._undo_block(arcs.pop())

    def go_back(self) -> None:
        """Emit undoing the modifier of the frame below, or giving up if there is none."""
        top = self.b.load(self.stack.top, typ=pointer)
        self.code.jump_if(self.code.equal(top, self.stack.base), self.stack.exhausted)
        nowhere = self.code.block("nowhere")
        step = self.code.load(i32, top, STEP - self.frame)
        undo = ((place, self._undo_block(arc)) for arc, place in self._places.items())
        self.code.switch(step, nowhere, undo)
        self.code.emit_in(nowhere)
        self.b.unreachable()

    def _undo_block(self, arc: Arc) -> ir.Block:
        if arc not in self._undone:
            self._undone[arc] = self.code.block("undo")
        return self._undone[arc]

    def _emit_undo(self, arc: Arc) -> None:
        code, b = self.code, self.b
        if arc not in self._retries:
            # A safe modifier is never undone.
            b.unreachable()
            return
        self.sink.on_undo(self)
        self.stack.check_work()
        depth = self._reach.depths[arc.target]
        if depth is not None:
            frame = code.place(self.stack.base, (depth - 1) * self.frame)
            square, old = (b.load(variable, typ=i64) for variable in self._saved[depth])
        else:
            frame = code.place(b.load(self.stack.top, typ=pointer), -self.frame)
            square = b.zext(code.load(i32, frame, SQUARE), i64)
            old = code.load(i64, frame, OLD)
        b.store(frame, self.stack.top)
        if not self.chooser.is_deferred(self, arc):
            self.program.shared.undo(self.rules, arc, code, square, old)
        sources = set(self._sources(arc))
        back = self.way_back(sources.pop()) if len(sources) == 1 else self.stack.failed
        self.sink.before_retry(self, back)
        first, *others = self._retries[arc]
        code.switch(code.load(i32, frame, RETRY), first, enumerate(others, 1))
