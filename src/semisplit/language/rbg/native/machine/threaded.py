"""Threaded machines: every site has a block of its own.

Applying a modifier jumps straight to the block of the site behind it; there is nothing to look up.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from llvmlite import ir

from semisplit.compiler.emit.values import Value, i32, i64, pointer
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.evaluate.region import Exit
from semisplit.language.rbg.native.machine.machine import Machine
from semisplit.language.rbg.native.machine.site import Site
from semisplit.language.rbg.native.machine.stack import NUMBER, OLD, RETRY, SQUARE, STEP


class ThreadedMachine(Machine):
    """A machine with code for each of its sites."""

    def set_up(self) -> None:
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

    def finish(self) -> None:
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

    # Modifiers

    def follow(self, site: Site, exit_: Exit, square: Value) -> None:
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

    def path_to(self, site: Site) -> list[tuple[Arc, Value]] | None:
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
        # Straight back if it is entered one way.
        stack, arrivals = self.stack, self._reach.arrivals.get(node, [])
        if node in self._reach.entries:
            return stack.failed if arrivals else stack.exhausted
        arcs = {self._modifier(exit_) for _, exit_ in arrivals}
        return stack.failed if len(arcs) > 1 else self._undo_block(arcs.pop())

    def go_back(self) -> None:
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
