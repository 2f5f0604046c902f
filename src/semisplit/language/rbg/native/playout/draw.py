"""Drawing: the chooser that takes one of the exits of a site at random."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from semisplit.compiler.emit.random import Random
from semisplit.compiler.emit.values import Value
from semisplit.language.rbg.native.evaluate.region import NOWHERE, Exit
from semisplit.language.rbg.native.machine.machine import Chooser, Machine
from semisplit.language.rbg.native.machine.site import Site


class Draw(Chooser):
    """Each square in the slots is equally likely; where a move fails, it draws again."""

    def __init__(self, random: Random):
        self.random = random

    def choose(self, machine: Machine, site: Site) -> None:
        here = machine.meet_again(site, machine.code.fall_into("draw"))
        site.retry.update(dict.fromkeys(site.region.exits, here))
        self.draw(machine, site)

    def draw(self, machine: Machine, site: Site) -> None:
        """Emit drawing one of the exits of a site, whose slots are filled."""
        exits = site.region.exits
        if len(exits) == 1 and not exits[0].is_set:
            square = site.slot(exits[0])
            machine.code.jump_if(machine.code.equal(square, NOWHERE), site.none)
            self.take_drawn(machine, site, exits[0], square)
        else:
            self.draw_among(machine, site, exits, [site.slot(exit_) for exit_ in exits])

    def draw_among(
        self, machine: Machine, site: Site, exits: Sequence[Exit], slots: Sequence[Value]
    ) -> None:
        """Emit drawing one of some exits, with what is in their slots or a part of that."""
        code, b = machine.code, machine.b
        counts = [site.count_in(exit_, slot) for exit_, slot in zip(exits, slots)]
        total = reduce(b.add, counts)
        if not any(exit_.certain and not machine.may_fail(exit_) for exit_ in exits):
            code.jump_if(code.equal(total, 0), site.none)
        number = self.random.below(total)
        for exit_, slot, count in zip(exits[:-1], slots, counts):
            with code.if_(code.less(number, count)):
                self.take_drawn(machine, site, exit_, self._nth(machine, exit_, slot, number))
            number = b.sub(number, count)
        last = self._nth(machine, exits[-1], slots[-1], number)
        self.take_drawn(machine, site, exits[-1], last)

    def _nth(self, machine: Machine, exit_: Exit, slot: Value, number: Value) -> Value:
        return machine.code.nth(slot, number) if exit_.is_set else slot

    def take_drawn(self, machine: Machine, site: Site, exit_: Exit, square: Value) -> None:
        """Emit what is done with the square that was drawn from an exit's slot."""
        if machine.may_fail(exit_):
            site.drop(exit_, square)
        self.take(machine, site, exit_, square)
