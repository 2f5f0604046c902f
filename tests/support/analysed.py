"""Small rules and what the compiler's analyses say about them, as text."""

from textwrap import dedent

from semisplit.language.rbg.native.analysis.facts import GameFacts
from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.analysis.text import Printer
from tests.support.prelude import description


def analysed(rules: str) -> tuple[GameFacts, Printer]:
    """What is known about rules on the small board of the prelude."""
    parsed = description(rules)
    game = GameFacts(parsed, parsed.rules)
    return game, Printer(game)


def modifier(game: GameFacts, number: int) -> Arc:
    return game.graph.modifiers[number - 1]


def text(block: str) -> str:
    return dedent(block).strip("\n")
