"""Whose pieces are whose, as far as a description tells."""

from __future__ import annotations

from collections import defaultdict

from semisplit.core.board.diagram import empty_piece
from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.play.automaton import Automaton, build_automaton
from semisplit.language.rbg.text.ast import Off, On, Shift, Switch

_MOST = 100_000
"""Places in the rules that are looked at; hostile ones may have more, and then colours are missing.
"""


def owners(description: Description) -> dict[str, str]:
    """The player to whom each piece belongs; pieces of nobody, or of unknown sides, are missing.

    Moves begin with a piece of the player's own: it is taken up or put down, or the keeper does it
    for the player. Where that tells nothing, like of territory in go that is marked at the end,
    names do: `W` is white's.
    """
    empty = empty_piece(description.pieces)
    beginners = _beginners(build_automaton(description.rules), empty)
    found = {}
    for piece in description.pieces:
        candidates = beginners[False].get(piece) or beginners[True].get(piece, set())
        if len(candidates) != 1:
            candidates = {name for name in description.players if _are_alike(piece, name)}
        if len(candidates) == 1 and piece != empty:
            found[piece] = candidates.pop()
    return found


def _are_alike(piece: str, player: str) -> bool:
    piece, player = piece.casefold(), player.casefold()
    return player.startswith(piece) or piece.startswith(player)


def _beginners(automaton: Automaton, empty: str | None) -> tuple[dict[str, set[str]], ...]:
    """For each piece the players whose moves can begin with it; secondly, if the keeper does it."""
    found: tuple[dict[str, set[str]], ...] = defaultdict(set), defaultdict(set)
    # Where nobody has changed the board yet, whether the keeper would, and which pieces may be on
    # the vertex.
    stack: list[tuple[int, str, bool, frozenset[str]]] = [
        (edge.target, edge.action.player, False, frozenset())
        for edge in automaton.modifiers
        if isinstance(edge.action, Switch) and edge.action.player
    ]
    seen = set(stack)
    while stack and len(seen) < _MOST:
        node, player, by_keeper, here = stack.pop()
        for edge in automaton.edges[node]:
            match edge.action:
                case Off(piece):
                    for touched in here if piece == empty else {piece}:
                        found[by_keeper][touched].add(player)
                    continue
                case Switch(other) if other:
                    continue
                case Shift():
                    following = (edge.target, player, by_keeper, frozenset[str]())
                case On(pieces):
                    following = (edge.target, player, by_keeper, pieces)
                case Switch():
                    following = (edge.target, player, True, here)
                case _:
                    following = (edge.target, player, by_keeper, here)
            if following not in seen:
                seen.add(following)
                stack.append(following)
    return found
