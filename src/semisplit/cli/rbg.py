"""For verbs that speak of what only games in the Regular Boardgames language have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semisplit.core.errors import InputError

if TYPE_CHECKING:
    from semisplit.game import Game
    from semisplit.rbg.language import RbgRules


def rbg_rules(game: Game) -> RbgRules:
    """The rules of a game, which must be in that language."""
    from semisplit.rbg.language import RbgRules

    if not isinstance(game.rules, RbgRules):
        raise InputError(f"{game.name} is not a game in the Regular Boardgames language")
    return game.rules
