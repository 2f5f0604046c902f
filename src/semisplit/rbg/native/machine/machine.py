"""Machines: code that follows the rules from modifier to modifier, with backtracking.

The code of a machine is threaded: every site, that is, every place behind a modifier, has a block
of its own, and applying a modifier jumps straight to the block of the site behind it. When nothing
is possible at a site, the machine goes back to the last choice and undoes what it has done since.

What it needs for that is on a stack of frames. A frame holds

    int32 step    which modifier was applied, numbered as the machine was emitted
    int32 retry   where to go on if it fails
    int32 number  the modifier's number in the rules, if the machine keeps paths
    int32 square  where it was applied
    int64 old     what is needed to undo it
    slots         what else can be done at the site (see `region`)

Subclasses say how to choose among the exits of a site, and what to do when a move is complete.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from llvmlite import ir

from semisplit.core.limits import MAX_MOVE_LENGTH
from semisplit.emit.code import Code, Value, constant, i32, i64, pointer
from semisplit.emit.context import ContextCode
from semisplit.rbg import ast
from semisplit.rbg.native.analysis.graph import Graph, Step
from semisplit.rbg.native.evaluate.region import NOWHERE, Exit, Region
from semisplit.rbg.native.evaluate.regions import RegionKind
from semisplit.rbg.native.machine.program import Program
from semisplit.runtime.abi import Status

_MAX_DEPTH = 16
"""Depths up to which they are kept track of; each takes variables of the function."""
_MANY_EXITS = 4
"""Exits from which on sites share the code that chooses among them. With fewer it is short, and
processors foresee better what is chosen if each site has its own."""
STEP, RETRY, NUMBER, SQUARE, OLD = 0, 4, 8, 12, 16


class Machine(ABC):
    """Emits the blocks of a machine into a function."""

    returns_always = False
    """Whether the machine comes back to every choice, or only where a move fails."""
    keeps_paths = False
    """Whether the numbers of the modifiers on the way are needed."""
    tells_numbers = False
    """Whether they are told to callers, so that modifiers with different ones are never alike."""

    def __init__(
        self,
        program: Program,
        graph: Graph,
        code: Code,
        context: Value,
        frames: Value,
        kind: RegionKind,
    ):
        """Set up a machine.

        Args:
            program: The game.
            graph: Its rules or the content of a pattern.
            code: Where to emit; its builder is at the entry of the function.
            context: Limits and counters of the caller.
            frames: Where frames may be written.
            kind: What its regions end with.
        """
        self.program = program
        self.graph = graph
        self.code = code
        self.b = code.b
        self.context = ContextCode(code, context)
        self._kind = kind
        self._frames = frames
        self._top = code.local(pointer)
        self._square = code.local(i64)
        self._frames_end = code.local(pointer)
        self.b.store(frames, self._top)
        self._sites: dict[int, ir.Block] = {}
        self._work: list[tuple[ir.Block, Callable[[], None]]] = []
        """Blocks that have been asked for and what emits them."""
        self._alike: dict[Step, Step] = {}
        """For each modifier the first one that is like it, see `_modifier`."""
        self._first: dict[object, Step] = {}
        self._taken: dict[Step, ir.Block] = {}
        """The blocks that apply a modifier."""
        self._undone: dict[Step, ir.Block] = {}
        """The blocks that undo a modifier and go on at the site before it."""
        self._retries: dict[Step, list[ir.Block]] = {}
        """For each modifier that may fail, where to go on afterwards."""
        self._places: dict[Step, int] = {}
        """Their places among these modifiers."""
        self._frame = 0
        self._arrivals: dict[int, list[tuple[int, Exit]]] = {}
        """The sites and exits from which each site is entered."""
        self._entered: dict[int, dict[Step, list[int]]] = {}
        """The same by modifiers, once it has been asked for."""
        self._depths: dict[int, int | None] = {}
        self._saved: dict[int, tuple[Value, Value]] = {}
        """For each known depth, variables for square and old value of the modifier before it.

        Only one site of a depth is open at a time, so they can share them.
        """
        self._depth: int | None = None
        """The depth of the site that is being emitted, if it is always the same."""
        self._node = 0
        """The site that is being emitted."""
        self.retry: dict[Exit, ir.Block] = {}
        """Where to go on choosing at a site after one of its exits has failed."""
        self._choosing: dict[object, ir.Block] = {}
        """The blocks that choose, by what there is to choose from."""
        self._stops: dict[Status, ir.Block] = {}
        """For each limit, where to go if it is hit."""
        self.failed = self.b.append_basic_block("failed")
        self.none = self.failed
        """Where to go if nothing is possible at the site that is being emitted."""
        self.exhausted = self.b.append_basic_block("exhausted")
        self.limited = self.b.append_basic_block("limited")

    # To be defined by each kind of machine

    @abstractmethod
    def choose(self, node: int, region: Region) -> None:
        """Emit the choice among the exits of a site, whose slots are in the frame on top."""

    @abstractmethod
    def complete(self, exit_: Exit, square: Value) -> None:
        """Emit what happens at a leaf. The block must be ended."""

    def is_leaf(self, exit_: Exit) -> bool:
        """Whether an exit ends what this machine looks for."""
        return exit_.step is None or isinstance(exit_.step.action, ast.Switch)

    # Emitting

    def region(self, node: int) -> Region:
        """The region of a site."""
        return self.program.regions.region(self.graph, node, self._kind)

    def reserve(self, nodes: Iterable[int]) -> None:
        """Look at all sites that can be reached from some nodes, where the machine starts."""
        self._entries = set(nodes)
        seen = set(self._entries)
        work = list(seen)
        while work:
            node = work.pop()
            region = self.region(node)
            self._frame = max(self._frame, region.frame + self.spare_bytes())
            for exit_ in map(self.taken, region.exits):
                if exit_ is None or exit_.step is None:
                    continue
                target = exit_.step.target
                self._arrivals.setdefault(target, []).append((node, exit_))
                if target not in seen:
                    seen.add(target)
                    work.append(target)
        for node in seen:
            self._find_depth(node)
        self.program.need_frames((MAX_MOVE_LENGTH + len(seen)) * self._frame)

    def spare_bytes(self) -> int:
        """Room in a frame behind the slots of the region."""
        return 0

    def _find_depth(self, node: int) -> None:
        """Find out how many frames are below that of a site, if there is only one way to it."""
        path = []
        depth: int | None = None
        while node not in self._depths:
            self._depths[node] = None
            path.append(node)
            arrivals = self._arrivals.get(node, [])
            if node in self._entries or len(arrivals) != 1:
                depth = 0 if node in self._entries and not arrivals else None
                break
            node = arrivals[0][0]
            if len(path) == MAX_MOVE_LENGTH // 2:
                break
        else:
            depth = _above(self._depths[node])
        for node in reversed(path):
            self._depths[node] = depth
            depth = _above(depth)

    def check_room(self) -> None:
        """Emit the check that there is room for frames."""
        # Where the depth is known it is not checked again.
        least = (len(self._depths) + 2) * self._frame
        end = self.code.place(self._frames, least)
        memory_end = self.context.load("frames_end", pointer)
        self.limit_if(self.b.icmp_unsigned(">", end, memory_end), Status.LONG_MOVE)
        longest = self.code.place(self._frames, least + MAX_MOVE_LENGTH * self._frame)
        shorter = self.b.icmp_unsigned("<", longest, memory_end)
        self.b.store(self.b.select(shorter, longest, memory_end), self._frames_end)

    def limit_if(self, condition: Value, status: Status) -> None:
        """Emit giving up with a status under a condition."""
        if status not in self._stops:
            self._stops[status] = self.b.append_basic_block("stop")
            with self.b.goto_block(self._stops[status]):
                self.context.store("status", constant(status))
                self.b.branch(self.limited)
        onward = self.b.append_basic_block("onward")
        self.b.cbranch(condition, self._stops[status], onward)
        self.b.position_at_end(onward)

    def taken(self, exit_: Exit) -> Exit | None:
        """The exit by which this machine goes to another site, None if it does not."""
        return None if self.is_leaf(exit_) else exit_

    def site(self, node: int) -> ir.Block:
        """The block of a site; the current square must be set before going there."""
        if node not in self._sites:
            self._sites[node] = self.later(f"site{node}", lambda: self._emit_site(node))
        return self._sites[node]

    def later(self, name: str, emit: Callable[[], None]) -> ir.Block:
        """A new block that is emitted when everything before it is."""
        block = self.b.append_basic_block(name)
        self._work.append((block, emit))
        return block

    def go(self, node: int, square: Value) -> None:
        """Emit going to a site."""
        self.b.store(square, self._square)
        self.b.branch(self.site(node))

    def finish(self) -> None:
        """Emit all sites that have been asked for, and the way back from failures."""
        self.emit_work()
        self._emit_failed()
        # Only now it is known from where each modifier is applied.
        emitted: set[Step] = set()
        while len(emitted) < len(self._undone):
            for step, block in list(self._undone.items()):
                if step not in emitted:
                    emitted.add(step)
                    self.b.position_at_end(block)
                    self._emit_undo(step)

    def emit_work(self) -> None:
        """Emit the blocks that have been asked for."""
        while self._work:
            block, emit = self._work.pop()
            self.b.position_at_end(block)
            before = len(self.b.function.blocks)
            emit()
            new = [block, *self.b.function.blocks[before:]]
            self.program.check_size(sum(len(each.instructions) for each in new))

    def _emit_site(self, node: int) -> None:
        region = self.region(node)
        self._node, self._depth = node, self._depths[node]
        self.none = self._way_back(node)
        if region.in_place:
            self.take(region.exits[0], self.b.load(self._square, typ=i64))
        elif not region.exits:
            self.b.branch(self.none)
        else:
            self.evaluate(region)
            self.choose_once(node, region)

    def choose_once(self, node: int, region: Region) -> None:
        """Emit the choice at a site, or going to where the same choice is made for another one.

        Pieces that jump on and on, in any direction, have one site for each direction of the last
        jump. The regions of these sites differ, but what can come next is the same.
        """
        if self._depth is not None or len(region.exits) < _MANY_EXITS:
            self.choose(node, region)
            return
        self.none = self.failed
        key = tuple((e.step, e.is_set, e.slot, e.certain, e.expected) for e in region.exits)
        is_new = key not in self._choosing
        if is_new:
            self._choosing[key] = self.b.append_basic_block("choose")
        self.b.branch(self._choosing[key])
        if is_new:
            self.b.position_at_end(self._choosing[key])
            self.choose(node, region)

    def _way_back(self, node: int) -> ir.Block:
        """Where to go if nothing is possible at a site: straight back if it is entered one way."""
        arrivals = self._arrivals.get(node, [])
        if node in self._entries:
            return self.failed if arrivals else self.exhausted
        steps = {self._modifier(exit_) for _, exit_ in arrivals}
        return self.failed if len(steps) > 1 else self._undo_block(steps.pop())

    def evaluate(self, region: Region) -> None:
        """Emit filling the slots of a region in the frame on top."""
        square = self.b.load(self._square, typ=i64)
        self.b.call(region.function, [self.code.state, square, self.top(), self.context.base])
        if region.changing:
            self._check_status()

    def _check_status(self) -> None:
        limited = self.b.icmp_signed("!=", self.context.load("status"), constant(Status.OK))
        onward = self.b.append_basic_block("onward")
        self.b.cbranch(limited, self.limited, onward)
        self.b.position_at_end(onward)

    def top(self) -> Value:
        """The address of the frame of the site that is being emitted."""
        if self._depth is not None:
            return self.code.place(self._frames, self._depth * self._frame)
        return self.b.load(self._top, typ=pointer)

    def take(self, exit_: Exit, square: Value) -> None:
        """Emit applying a modifier and going on behind it, or the end of a move."""
        if self.is_leaf(exit_):
            self.complete(exit_, square)
            return
        step = self._modifier(exit_)
        if self.returns_always or not self.is_safe(step.target):
            retries = self._retries.setdefault(step, [])
            self._places.setdefault(step, len(self._places))
            block = self.retry.get(exit_, self.none)
            if block not in retries:
                retries.append(block)
            if self._is_entered_often(step):
                self.code.store(ir.Constant(i32, retries.index(block)), self.top(), RETRY)
        self.b.store(square, self._square)
        if step not in self._taken:
            depth = self._depth
            self._taken[step] = self.later("take", lambda: self._emit_take(step, depth))
        self.b.branch(self._taken[step])

    def _modifier(self, exit_: Exit) -> Step:
        """The modifier of an exit, or the first one that does the same and leads to the same site.

        The first jump of a piece and those that follow need the same code.
        """
        step = exit_.step
        assert step is not None
        if step not in self._alike:
            self._alike[step] = step
            if not self.tells_numbers and not self.is_deferred(step):
                key = step.action, step.target, self.program.possible(self.graph, step)
                self._alike[step] = self._first.setdefault(key, step)
        return self._alike[step]

    def _sources(self, step: Step) -> list[int]:
        """The sites of which a modifier is an exit."""
        if step.target not in self._entered:
            entered = self._entered[step.target] = {}
            for node, exit_ in self._arrivals[step.target]:
                entered.setdefault(self._modifier(exit_), []).append(node)
        return self._entered[step.target].get(step, [])

    def _is_entered_often(self, step: Step) -> bool:
        """Whether a modifier is an exit of several sites."""
        return len(self._sources(step)) > 1

    def _emit_take(self, step: Step, depth: int | None) -> None:
        self._depth = None if self._is_entered_often(step) else depth
        square = self.b.load(self._square, typ=i64)
        old = self.apply(step, square)
        if step in self._retries:
            self._push(step, square, old)
        self.b.branch(self.site(step.target))

    def apply(self, step: Step, square: Value) -> Value:
        """Emit applying a modifier; returns what is needed to undo it."""
        if self.is_deferred(step):
            return constant(0)
        return self.program.shared.apply(self.graph, step, self.code, square)

    def is_deferred(self, step: Step) -> bool:
        """Whether a modifier need not be applied to find out what follows."""
        return False

    def is_safe(self, node: int) -> bool:
        """Whether a move can always be completed from a site."""
        return self.program.regions.is_safe(self.graph, node, self._kind)

    def _push(self, step: Step, square: Value, old: Value) -> None:
        """Emit saving what is needed to undo a modifier."""
        frame = self.top()
        above = self.code.place(frame, self._frame)
        self.b.store(above, self._top)
        depth = self._depths[step.target]
        if depth is not None:
            if depth not in self._saved:
                self._saved[depth] = self.code.local(i64), self.code.local(i64)
            for place, value in zip(self._saved[depth], (square, old)):
                self.b.store(value, place)
        if None not in self._depths.values():
            return
        self.code.store(ir.Constant(i32, self._places[step]), frame, STEP)
        if self.keeps_paths:
            self.code.store(ir.Constant(i32, step.number), frame, NUMBER)
        self.code.store(self.b.trunc(square, i32), frame, SQUARE)
        if depth is None:
            self.code.store(old, frame, OLD)
            # Sites of known depth above this one are not checked.
            end = self.code.place(above, (len(self._depths) + 1) * self._frame)
            full = self.b.icmp_unsigned(">", end, self.b.load(self._frames_end, typ=pointer))
            self.limit_if(full, Status.LONG_MOVE)

    def _emit_failed(self) -> None:
        """Go back to the frame below and undo its modifier, or give up if there is none."""
        b = self.b
        b.position_at_end(self.failed)
        top = b.load(self._top, typ=pointer)
        back = b.append_basic_block("back")
        b.cbranch(b.icmp_unsigned("==", top, self._frames), self.exhausted, back)
        b.position_at_end(back)
        nowhere = b.append_basic_block("nowhere")
        cases = b.switch(self.code.load(i32, top, STEP - self._frame), nowhere)
        for step, place in self._places.items():
            cases.add_case(ir.Constant(i32, place), self._undo_block(step))
        b.position_at_end(nowhere)
        b.unreachable()

    def _undo_block(self, step: Step) -> ir.Block:
        if step not in self._undone:
            self._undone[step] = self.b.append_basic_block("undo")
        return self._undone[step]

    def _emit_undo(self, step: Step) -> None:
        b = self.b
        if step not in self._retries:
            # A safe modifier is never undone.
            b.unreachable()
            return
        left = b.sub(self.context.load("work"), constant(1))
        self.context.store("work", left)
        self.limit_if(b.icmp_signed("<", left, constant(0)), Status.MUCH_WORK)
        depth = self._depths[step.target]
        if depth is not None:
            frame = self.code.place(self._frames, (depth - 1) * self._frame)
            square, old = (b.load(place, typ=i64) for place in self._saved[depth])
        else:
            frame = self.code.place(b.load(self._top, typ=pointer), -self._frame)
            square = b.zext(self.code.load(i32, frame, SQUARE), i64)
            old = self.code.load(i64, frame, OLD)
        b.store(frame, self._top)
        if not self.is_deferred(step):
            self.program.shared.undo(self.graph, step, self.code, square, old)
        sources = set(self._sources(step))
        self.before_retry(self._way_back(sources.pop()) if len(sources) == 1 else self.failed)
        retries = self._retries[step]
        again = b.switch(self.code.load(i32, frame, RETRY), retries[0])
        for number, retry in enumerate(retries[1:], 1):
            again.add_case(ir.Constant(i32, number), retry)

    def before_retry(self, back: ir.Block) -> None:  # noqa: B027
        """Emit what is to be done when a modifier has been undone, before others are tried.

        Args:
            back: Where to go if no others shall be tried.
        """

    # Slots

    def slot(self, exit_: Exit) -> Value:
        """The content of an exit's slot."""
        kind = self.code.set_type if exit_.is_set else i64
        return self.code.load(kind, self.top(), exit_.slot)

    def options(self, exit_: Exit) -> Value:
        """How many squares are in an exit's slot."""
        if exit_.is_set:
            return self.code.count(self.slot(exit_))
        possible = self.b.icmp_signed("!=", self.slot(exit_), constant(NOWHERE))
        return self.b.zext(possible, i64)

    def drop(self, exit_: Exit, square: Value) -> None:
        """Remove a square from an exit's slot."""
        if not exit_.is_set:
            self.code.store(constant(NOWHERE), self.top(), exit_.slot)
            return
        word = constant(0) if self.code.words == 1 else self.b.lshr(square, constant(6))
        base = self.code.place(self.top(), exit_.slot)
        address = self.code.element(base, i64, word, self.code.words)
        bit = self.b.shl(constant(1), self.b.and_(square, constant(63)))
        rest = self.b.and_(self.b.load(address, typ=i64, align=8), self.b.not_(bit))
        self.b.store(rest, address, align=8)


def _above(depth: int | None) -> int | None:
    """The depth of a site above one of some depth, if it is kept track of."""
    return None if depth in (None, _MAX_DEPTH) else depth + 1
