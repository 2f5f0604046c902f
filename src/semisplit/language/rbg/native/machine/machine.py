"""Machines: code that follows the rules from modifier to modifier, with backtracking.

A machine goes from site to site: from one place behind a modifier to the next. When nothing is
possible at a site, it goes back to the last choice and undoes what it has done since; what it needs
for that is on a stack of frames (see `stack`).

A machine has two parts: a `Chooser` says how to choose among the exits of a site, and a `Sink` what
to do with complete moves. There are two kinds, `threaded` ones and those that work with `tables`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from llvmlite import ir

from semisplit.compiler.emit.values import Value, constant, pointer
from semisplit.compiler.runtime.abi import Status
from semisplit.language.rbg.native.analysis.facts import GraphFacts
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.board.relation import Relation
from semisplit.language.rbg.native.evaluate.region import Exit, Region
from semisplit.language.rbg.native.evaluate.regions import Until
from semisplit.language.rbg.native.machine.meetings import Meetings
from semisplit.language.rbg.native.machine.program import Program
from semisplit.language.rbg.native.machine.reach import Reach
from semisplit.language.rbg.native.machine.site import Site
from semisplit.language.rbg.native.machine.stack import Stack
from semisplit.language.rbg.text import ast

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


class Machine(ABC):
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
        self._choosing: dict[object, ir.Block] = {}
        """The blocks that choose, by what there is to choose from."""
        self.set_up()

    @abstractmethod
    def set_up(self) -> None:
        """Make what the kind of machine needs besides."""

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
        """Return a block, or the way there, that chooses another exit of a site (see `meet`)."""
        return self.meet(block, self._rank(site.node) + 0.5)

    def _rank(self, node: int) -> int:
        """The rank of a site, if threads meet."""
        return self._reach.rank(node) if self.meetings else 0

    def later(self, name: str, emit: Callable[[], None]) -> ir.Block:
        """A new block that is emitted when everything before it is."""
        block = self.code.block(name)
        self._work.append((block, emit))
        return block

    @abstractmethod
    def finish(self) -> None:
        """Emit all sites that have been asked for, and the way back from failures."""

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

    @abstractmethod
    def follow(self, site: Site, exit_: Exit, square: Value) -> None:
        """Emit applying the modifier of an exit and going on behind it."""

    def apply(self, arc: Arc, number: Value, square: Value) -> Value:
        """Emit applying a modifier, or one with another number; returns what undoing it needs."""
        self.sink.on_apply(self, number, square)
        if self.chooser.is_deferred(self, arc):
            return constant(0)
        return self.program.shared.apply(self.rules, arc, self.code, square)

    def check_room_above(self, frame: Value) -> None:
        """Emit the check that there is room for a frame."""
        # Sites of known depth above this one are not checked.
        end = self.code.place(frame, (self._unchecked + 1) * self.frame)
        full = self.b.icmp_unsigned(">", end, self.b.load(self.stack.end, typ=pointer))
        self.stack.give_up_if(full, Status.LONG_MOVE)

    def path_to(self, site: Site) -> list[tuple[Arc, Value]] | None:
        """The modifiers applied before a site, and their squares, if its depth is known."""
        return None

    # The way back

    @abstractmethod
    def way_back(self, node: int) -> ir.Block:
        """Where to go if nothing is possible at a site."""

    @abstractmethod
    def go_back(self) -> None:
        """Emit undoing the modifier of the frame below, or giving up if there is none."""
