"""Decompositions made by hand."""

from collections.abc import Callable, Hashable

from semisplit.game import Game
from semisplit.language.gdl.native.interface.codec import GdlCodec
from semisplit.language.gdl.play.interpret import Position
from semisplit.language.gdl.text.ast import Term


def subgames(game: Game, names: dict[str, int]) -> list[int]:
    """Sub-games of fluents with some names, as bits of a state."""
    return _masks(game, lambda fluent: names.get(fluent.name))


def rows(game: Game) -> list[int]:
    """The rows of a nonogram."""
    return _masks(game, lambda fluent: fluent.arguments[1])


def boards(game: Game, place: int) -> list[int]:
    """The boards of a game whose fluents name them with an argument."""
    return _masks(game, lambda one: one.arguments[place] if len(one.arguments) > place else None)


def whole(game: Game) -> list[int]:
    """The game as one piece."""
    facts = game.compiled.facts
    return [(1 << 8 * facts.state_bytes) - (1 << 8 * facts.bits)]


def _masks(game: Game, group_of: Callable[[Term], Hashable]) -> list[int]:
    codec = game.compiled.codec
    assert isinstance(codec, GdlCodec)
    groups: dict[Hashable, set[Term]] = {}
    for fluent in codec.fluents:
        groups.setdefault(group_of(fluent), set()).add(fluent)
    groups.pop(None, None)
    states = [codec.pack(Position(frozenset(one), (), 0)) for one in groups.values()]
    return [int.from_bytes(state, "little") for state in states]


def start_of(game: Game) -> bytes:
    """The first state."""
    return game.compiled.run_keeper(game.compiled.codec.pack(game.rules.start))


def final_states(game: Game, number: int) -> list[bytes]:
    """The ends of some games played at random."""
    state = start_of(game)
    return [game.compiled.playouts(state, seed).final for seed in range(number)]
