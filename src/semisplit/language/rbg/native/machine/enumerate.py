"""Going through all moves: the chooser that comes back to every choice.

Moves that differ in one square are found together: a group is the squares in the slot of an exit,
behind which everything is certain.
"""

from __future__ import annotations

from dataclasses import replace

from semisplit.compiler.emit.values import Value, constant, i64
from semisplit.language.rbg.native.analysis.change import alternatives
from semisplit.language.rbg.native.analysis.expression import Expression
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.analysis.transpose import Way, Ways
from semisplit.language.rbg.native.evaluate.region import NOWHERE, Exit, Region
from semisplit.language.rbg.native.machine.machine import Chooser, Machine
from semisplit.language.rbg.native.machine.site import Site
from semisplit.language.rbg.text import ast

_COST_PER_SQUARE = 4
"""What it may cost per square to evaluate a condition on all squares at once."""


class Enumerate(Chooser):
    """Visits every way to a leaf; the exits of a site one after another, low squares first."""

    returns_always = True

    def __init__(self) -> None:
        self._others: dict[Exit, Exit] = {}
        """For exits behind which some ways are fixed, those that lead to the other ways."""

    def choose(self, machine: Machine, site: Site) -> None:
        code = machine.code
        for exit_ in site.region.exits:
            here = code.fall_into("exit")
            if exit_.is_set:
                site.retry[exit_] = machine.meet_again(site, here)
            if self.visit_groups(machine, site, exit_):
                other = self.taken(machine, exit_)
                if other is not None:
                    self._take_others(machine, site, other)
            else:
                self._visit_sure(machine, site, exit_)
                self._next_square(machine, site, exit_)
        machine.b.branch(site.none)

    def visit_groups(self, machine: Machine, site: Site, exit_: Exit) -> bool:
        """Emit visiting the groups that are found at an exit; returns whether there are any."""
        exits = self.until_leaf(machine, exit_)
        if exits:
            machine.sink.visit(machine, site, exits, None)
            return True
        transposed = self._transposed(machine, exit_)
        if transposed is None:
            return False
        for way in transposed.fixed:
            self._visit_way(machine, site, exit_, way)
        return True

    def until_leaf(self, machine: Machine, exit_: Exit) -> list[Exit]:
        """The exits from one to a leaf, if all that follow are certain and on the same square.

        There is no need to apply these modifiers to know that the move can be completed.
        """
        exits = [exit_]
        while not machine.is_leaf(exits[-1]):
            arc = exits[-1].arc
            assert arc is not None
            region = machine.region(arc.target)
            if not region.in_place or region.exits[0] in exits:
                return []
            exits.append(region.exits[0])
        return exits

    def _transposed(self, machine: Machine, exit_: Exit) -> Ways | None:
        """The ways to the last squares of moves, if it pays to take them one by one."""
        arc, rules = exit_.arc, machine.rules
        if arc is None or not exit_.is_set or not self._is_followed_by_leaves(machine, arc):
            return None
        found = rules.ways(arc)
        if found is None or len(found.fixed) > exit_.expected:
            return None
        if found.others and (not found.fixed or rules.is_blind(arc.target)):
            return None
        return found

    def _visit_way(self, machine: Machine, site: Site, exit_: Exit, way: Way) -> None:
        """Visit the moves of all pieces that can go a way."""
        spare = replace(exit_, slot=site.region.frame)
        site.fill(spare, site.slot(exit_))
        self._keep(machine, site, spare, way.condition)
        assert exit_.arc is not None
        relation = None if way.relation.is_identity else way.relation
        for last in machine.region(exit_.arc.target).exits:
            if last.arc is way.modifier:
                exits = [spare, *self.until_leaf(machine, last)]
                machine.sink.visit(machine, site, exits, relation)

    def _take_others(self, machine: Machine, site: Site, other: Exit) -> None:
        """Emit going on from the squares of a slot from where there are other than fixed ways."""
        assert other.arc is not None
        arcs = machine.rules.graph.arcs[other.arc.target]
        expressions = [arc.expression for arc in arcs if arc.expression]
        self._keep(machine, site, other, alternatives([(e,) for e in expressions]))
        site.retry[other] = machine.code.fall_into("others")
        self._next_square(machine, site, other)

    def _keep(self, machine: Machine, site: Site, exit_: Exit, condition: Expression) -> None:
        """Keep only those squares in a slot from which an expression leads somewhere."""
        code, shared, slot = machine.code, machine.program.shared, site.slot(exit_)
        if condition.cost > _COST_PER_SQUARE * exit_.expected:
            kept = shared.filtered(slot, condition, code)
        else:
            kept = code.both(slot, shared.matching(condition, code))
        site.fill(exit_, code.as_set(kept))

    def frame_bytes(self, machine: Machine, largest: int) -> int:
        # One more slot, for a part of what is in another.
        return largest + 8 * machine.code.words

    def _visit_sure(self, machine: Machine, site: Site, exit_: Exit) -> None:
        """Visit at once all squares from which the move certainly can be completed.

        The others stay in the slot.
        """
        enough = self._sufficient(machine, exit_)
        if enough is None:
            return
        assert exit_.arc is not None
        code = machine.code
        sure = machine.program.shared.matching(enough, code)
        slot = site.slot(exit_)
        exits = self.until_leaf(machine, machine.region(exit_.arc.target).exits[0])
        spare = Exit(exit_.arc, True, site.region.frame, certain=False)
        site.fill(spare, code.as_set(code.both(slot, sure)))
        site.fill(exit_, code.as_set(code.without(slot, sure)))
        machine.sink.visit(machine, site, [spare, *exits], None)
        site.retry[exit_] = code.fall_into("unsure")

    def _sufficient(self, machine: Machine, exit_: Exit) -> Expression | None:
        """What is enough to complete a move behind a square of an exit, if anything is known."""
        arc = exit_.arc
        assert arc is not None
        following = machine.region(arc.target).exits
        if not exit_.is_set or not isinstance(arc.action, ast.Off) or len(following) != 1:
            return None
        if following[0].is_set or not self.until_leaf(machine, following[0]):
            return None
        return machine.rules.sufficient(arc.target)

    def only_follows(self, machine: Machine, region: Region) -> bool:
        return super().only_follows(machine, region) and not any(
            self._sufficient(machine, exit_) for exit_ in region.exits
        )

    def _next_square(self, machine: Machine, site: Site, exit_: Exit) -> None:
        """Take the lowest square left in a slot; go on behind this code if there is none."""
        code = machine.code
        if exit_.is_set and code.words > 2:
            self._next_in_words(machine, site, exit_)
            return
        slot = site.slot(exit_)
        if exit_.is_set:
            with code.if_(code.unequal(slot, 0)):
                site.fill(exit_, code.without_lowest(slot))
                self.take(machine, site, exit_, code.lowest(slot))
        else:
            with code.if_(code.unequal(slot, NOWHERE)) as done:
                # There is no other square to come back for.
                site.retry[exit_] = machine.meet_again(site, done)
                self.take(machine, site, exit_, slot)

    def _next_in_words(self, machine: Machine, site: Site, exit_: Exit) -> None:
        """Go to the next square, looking at one word of the slot after the other."""
        b, code = machine.b, machine.code
        slot = code.place(site.top(), exit_.slot)
        with code.repeat(constant(0)) as loop:
            (number,) = loop.variables
            offset = b.shl(number, constant(3))
            word = code.load(i64, slot, offset)
            with code.if_(code.unequal(word, 0)):
                code.store(code.without_lowest(word), slot, offset)
                square = b.add(b.shl(number, constant(6)), code.lowest_bit(word))
                self.take(machine, site, exit_, square)
            following = b.add(number, constant(1))
            loop.again_unless(code.equal(number, code.words - 1), following)

    def take(self, machine: Machine, site: Site, exit_: Exit, square: Value) -> None:
        exits = self.until_leaf(machine, exit_)
        if exits:
            # As the only exit of a site, of which the slot has not been filled.
            site.fill(exit_, square)
            machine.sink.visit(machine, site, exits, None)
            machine.b.branch(site.none)
        else:
            machine.follow(site, exit_, square)

    def taken(self, machine: Machine, exit_: Exit) -> Exit | None:
        if self.until_leaf(machine, exit_):
            return None
        transposed = self._transposed(machine, exit_)
        if transposed is None:
            return exit_
        if not transposed.others:
            return None
        if exit_ not in self._others:
            assert exit_.arc is not None
            node = machine.rules.add_site(transposed.others)
            self._others[exit_] = replace(exit_, arc=replace(exit_.arc, target=node))
        return self._others[exit_]

    def is_deferred(self, machine: Machine, arc: Arc) -> bool:
        if any(exit_.arc is arc for exit_ in self._others.values()):
            return True
        return self._is_followed_by_leaves(machine, arc) and machine.rules.is_blind(arc.target)

    def _is_followed_by_leaves(self, machine: Machine, arc: Arc) -> bool:
        """Whether a piece is put down before the last squares of moves.

        Elsewhere it could be seen by what follows further modifiers.
        """
        exits = machine.region(arc.target).exits
        return isinstance(arc.action, ast.Off) and all(
            self.until_leaf(machine, exit_) for exit_ in exits
        )


def go_to_turn(machine: Machine) -> None:
    """Emit going to the site of whose turn it is, and all that is reached from there.

    Goes on where everything has been visited.
    """
    stack, code = machine.stack, machine.code
    machine.check_room()
    machine.b.store(code.square(), stack.square)
    turns = ((switch.number, machine.site(switch.target)) for switch in machine.turns)
    code.switch(code.at(), stack.exhausted, turns)
    machine.finish()
    code.emit_in(stack.exhausted)
