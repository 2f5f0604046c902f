"""Where chance nodes make no sense."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semisplit.core.settings.parameters import refuse

if TYPE_CHECKING:
    from semisplit.search.settings import Settings


def check_chance(settings: Settings) -> None:
    """Refuse what would let chance choose its moves, in games in which some are drawn by lot."""
    refuse(
        settings.groups is not None,
        "in this game chance has moves, and their groups would not be as likely as they are large",
    )
    refuse(
        settings.rolls_up,
        "in this game chance has moves, and a tree that is rolled up would hide them",
    )
    refuse(
        settings.policies is not None,
        "in this game chance has moves, and policies of simulations would choose them",
    )
    refuse(
        settings.solver is not None,
        "in this game chance has moves, and the solver would take it for an opponent",
    )
