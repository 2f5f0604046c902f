"""What tests know of a game that others need not know: its language, and what is there."""

from typing import TypeVar

from semisplit.game import Game
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.rbg.rules import RbgRules

T = TypeVar("T")


def rbg(game: Game) -> RbgRules:
    """The rules of a game in RBG."""
    assert isinstance(game.rules, RbgRules)
    return game.rules


def gdl(game: Game) -> GdlRules:
    """The rules of a game in GDL."""
    assert isinstance(game.rules, GdlRules)
    return game.rules


def present(value: T | None) -> T:
    """A value that is there."""
    assert value is not None
    return value
