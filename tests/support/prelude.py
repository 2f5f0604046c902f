"""The small game on which the conformance vectors and generated rules are played."""

from semisplit.game import Game
from semisplit.language.rbg.check.description import Description, parse

PRELUDE = """#players = w(100), b(50)
#pieces = e, x, o
#variables = t(3), u(7)
#board = rectangle(up,down,left,right,[e,x,o][e,,e])
"""
"""Vertices 1 to 5 hold e, x, o, e, e; there is a hole below vertex 2."""


def description(rules: str) -> Description:
    return parse(f"{PRELUDE}#rules = {rules}")


def game(rules: str, split: str | None = None) -> Game:
    return Game.parse(f"{PRELUDE}#rules = {rules}", split=split)


def wires(rules: str) -> set[str]:
    """The legal moves of the first player to move, as on the wire."""
    moves = [move.wire for move in game(rules).initial_state().moves()]
    assert len(moves) == len(set(moves))
    return set(moves)
