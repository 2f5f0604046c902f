"""Seats of agents in the games of a match.

Games come in *rounds*, in which every agent sits on every seat once: with as many agents as seats a
round has a game for each seat, as everybody moves on by one; two agents who share more seats play
two games, and take over each other's seats in the second. So no agent has an advantage by its
seats, whatever these are worth, and rounds, unlike games, are alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product

Seating = tuple[int, ...]
"""Which agent, counted from 0, sits on each seat."""
_ALL_ORDERS = 5
"""Up to so many agents sit in all orders: 120."""
_ALL_SHARES = 7
"""Up to so many seats are shared by two agents in all ways: 126."""


def seating(agents: int, seats: int, number: int) -> Seating:
    """Who sits where in a game, given by its number in the match, from 0."""
    turns = _turns(agents, seats)
    return turns[number % len(turns)]


@cache
def _turns(agents: int, seats: int) -> list[Seating]:
    """All seatings, round by round; after the last one they start again."""
    return list(_orders(seats) if agents == seats else _shares(seats))


def _orders(seats: int) -> Iterator[Seating]:
    """One agent on each seat: every order, and from each all rotations; else only these."""
    first = tuple(range(1, seats))
    for others in permutations(first) if seats <= _ALL_ORDERS else [first]:
        yield from _rotations((0, *others))


def _shares(seats: int) -> Iterator[Seating]:
    """Two agents: every way with both of them at the table; else half of it, rotated."""
    if seats <= _ALL_SHARES:
        shares = [(0, *others) for others in product((0, 1), repeat=seats - 1) if any(others)]
    else:
        shares = list(_rotations(tuple(2 * seat // seats for seat in range(seats))))
    for share in shares:
        yield share
        yield tuple(1 - agent for agent in share)


def _rotations(order: Seating) -> Iterator[Seating]:
    for shift in range(len(order)):
        yield order[len(order) - shift :] + order[: len(order) - shift]
