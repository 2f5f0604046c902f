"""What decoupled UCT does, and where it makes sense."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semisplit.core.settings.parameters import refuse

if TYPE_CHECKING:
    from semisplit.search.settings import Settings

UNIFORM_EXPLORATION = 4.0
"""Where several players decide at once, each draws at random with this chance, divided by the root
of the node's visits. Otherwise all would explore in step: in the prisoner's dilemma both would try
to defect only together, and never learn that it pays."""


def check_simultaneous(settings: Settings) -> None:
    """Refuse what makes no sense in games in which players decide at the same time.

    No player sees what others choose, so to each player a move is a step, and all variants of MAST
    and RAVE are the same.
    """
    refuse(
        settings.splits,
        "in this game a move is already split into one step for each player who decides;"
        " only an orthodox tree with orthodox simulations can be used",
    )
    refuse(
        settings.rave is not None and settings.rave.reference > 0,
        "GRAVE does not know games in which several players decide at once; RAVE does",
    )
