"""Playing at random to find what cannot be seen in the rules: whether they are a game at all."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from semisplit.core.errors import PlayLimit
from semisplit.core.steps import NOBODY
from semisplit.core.work import doing
from semisplit.language.gdl.play.interpret import Position, Steps
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term

if TYPE_CHECKING:
    from semisplit.language.gdl.rules import GdlRules

_MOST_GAMES = 10_000
_LONGEST = 10_000
"""Steps after which a game is said not to end."""
_SHOWN = 12
"""Moves that are told to say where something happened."""


@dataclass
class Trial:
    """What happened in random games."""

    games: int = 0
    """Those that came to an end."""
    steps: int = 0
    faults: list[str] = field(default_factory=list)
    """What must not happen, each with one way to it."""


def try_out(rules: GdlRules, seconds: float, games: int = _MOST_GAMES) -> Trial:
    """Play at random for so many seconds or games, whichever is over first.

    Every player must have a move in each state that is not terminal, and one goal in the end. What
    `base` and `input` list, if they do, must include all that happens. What players may do, and
    whether the game is over, must follow from what they have seen.
    """
    trial, random, told, followed = Trial(), Random(0), set[str](), _Followed(rules)
    end = time.perf_counter() + seconds
    with doing(f"playing {rules.source.name} at random"):
        while trial.games < games and time.perf_counter() < end:
            history: list[Steps] = []
            try:
                for position in _play(rules, random, history, end):
                    for fault in (*_faults(rules, position), *followed.faults(position, history)):
                        if fault not in told:
                            trial.faults.append(f"{fault}, {_where(rules, history)}")
                        told.add(fault)
                    trial.games += position.player == NOBODY
            except PlayLimit as limit:
                trial.faults.append(f"{limit}, {_where(rules, history)}")
                break
            finally:
                trial.steps += len(history)
            if len(history) == _LONGEST:
                trial.faults.append(f"a game has not ended after {_LONGEST:,} steps")
                break
    return trial


def _play(rules: GdlRules, random: Random, history: list[Steps], end: float) -> Iterator[Position]:
    """The positions of a random game, whose moves are added to its history."""
    position: Position | None = rules.start
    while position is not None:
        yield position
        choosing = rules.interpreter.choosing(position.fluents)
        if not choosing or len(history) == _LONGEST or time.perf_counter() > end:
            return
        history.append(tuple(random.choice(steps) for steps in choosing))
        position = rules.interpreter.follow(position, history[-1])


def _faults(rules: GdlRules, position: Position) -> Iterator[str]:
    """What is wrong in a position."""
    game, state = rules.interpreter, position.fluents
    model = game.model(state)
    roles = list(zip(rules.players, rules.description.roles, game.legal(state)))
    if base := model["base"].rows:
        for fluent in sorted(fluent for fluent in state if (fluent,) not in base):
            yield f"fluent {write_term(fluent)} is not among those of 'base'"
    if listed := model["input"].rows:
        for name, role, moves in roles:
            for move in moves:
                if (role, move) not in listed:
                    yield f"move {write_term(move)} of {name} is not among those of 'input'"
    if game.is_terminal(state):
        for number, (name, goals) in enumerate(zip(rules.players, game.goals(state)), 1):
            if len(goals) != 1 and number != rules.chance:
                found = " and ".join(map(str, goals)) if goals else "no goal"
                yield f"{name} gets {found} in the end"
    else:
        for name, _, moves in roles:
            if not moves:
                yield f"{name} has no legal move"


class _Followed:
    """What follows from what players have done and seen, as far as it was met."""

    def __init__(self, rules: GdlRules):
        self._rules = rules
        self._seen: dict[int, tuple[Hashable, ...]] = {}
        """What each player has done and seen in this game, by number."""
        self._known: dict[tuple[Hashable, ...], tuple[bool, list[Term]]] = {}
        """For what a player has seen whether the game was over, and what it could do."""

    def faults(self, position: Position, history: Sequence[Steps]) -> Iterator[str]:
        """What was different before, although a player has seen the same."""
        rules = self._rules
        if not rules.hides:
            return
        is_over, legal = rules.interpreter.is_terminal(position.fluents), rules.interpreter.legal
        for player in rules.seats:
            seen = self._seen[player] if history else ()
            if history:
                seen += (rules.part(history[-1], player), rules.view(position, player))
            self._seen[player] = seen
            now = is_over, [] if is_over else legal(position.fluents)[player - 1]
            before = self._known.setdefault((player, *seen), now)
            name = [*rules.players][player - 1]
            if before[0] != is_over:
                yield f"whether the game is over does not follow from what {name} has seen"
            elif before != now:
                yield f"what {name} may do does not follow from what it has seen"


def _where(rules: GdlRules, history: list[Steps]) -> str:
    if not history:
        return "at the start"
    if len(history) > _SHOWN:
        return f"after {len(history)} moves"
    return f"after {', '.join(rules.write_moves([steps])[steps] for steps in history)}"
