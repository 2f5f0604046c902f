"""What is said in General Game Playing, both ways.

Everything that is read here comes from somebody else and may be anything at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term
from semisplit.net.shared.messages import BadMessage, printable, read_seconds, show

AVAILABLE, BUSY, READY, DONE, ABORTED = "available", "busy", "ready", "done", "aborted"
NOTHING = "nil"
"""In place of a move, if there is none."""
_TOKEN = re.compile(r";[^\n\r]*|[()]|[^ \t\n\r\f\v\ufeff();]+")
_NEEDLESS = re.compile(r"\(([^ ()]+)\)")
_LONGEST_NAME = 200


@dataclass(frozen=True)
class Info:
    """Who are you, and are you free?"""


@dataclass(frozen=True)
class Ping:
    """The same in older programs, which want to know only the latter."""


@dataclass(frozen=True)
class Preview:
    """Here are rules that may be played later."""


@dataclass(frozen=True)
class Start:
    """A match begins."""

    match: str
    role: str
    rules: str
    """The text of a description."""
    start_clock: float
    """Seconds to get ready."""
    play_clock: float
    """Seconds for each move."""


@dataclass(frozen=True)
class Play:
    """What is your move, after these of all roles?"""

    match: str
    moves: tuple[str, ...]
    """Empty if there have been none."""
    parts: tuple[str, ...] = field(default=(), compare=False)
    """The same as it was written, which in GDL-II is something else (see `write_percepts`)."""


@dataclass(frozen=True)
class Stop:
    """The match is over, after these moves."""

    match: str
    moves: tuple[str, ...]
    parts: tuple[str, ...] = field(default=(), compare=False)
    """The same as it was written."""


@dataclass(frozen=True)
class Abort:
    """The match is broken off."""

    match: str


Message: TypeAlias = Info | Ping | Preview | Start | Play | Stop | Abort


def read_message(text: str) -> Message:
    """What a host says.

    Raises:
        BadMessage: If it means nothing.
    """
    word, *rest = elements(text) or [""]
    match word.lower(), rest:
        case "info", _:
            return Info()
        case "ping", _:
            return Ping()
        case "preview", _:
            return Preview()
        case "start", [name, role, rules, start_clock, play_clock, *_] if rules.startswith("("):
            clocks = (read_seconds(clock.encode()) for clock in (start_clock, play_clock))
            return Start(_name(name), _name(role), rules[1:-1], *clocks)
        case "play", [name, *moves]:
            return Play(_name(name), _moves(moves), tuple(moves))
        case "stop", [name, *moves]:
            return Stop(_name(name), _moves(moves), tuple(moves))
        case "abort", [name, *_]:
            return Abort(_name(name))
    raise BadMessage(f"{show(text.encode())} is not a message of General Game Playing")


def elements(text: str) -> list[str]:
    """The expressions in the outermost parentheses of a text, or a single word, as they stand.

    The last parentheses may be missing: some hosts count characters where bytes are meant.
    """
    found: list[str] = []
    depth = begin = 0
    for token in _TOKEN.finditer(text):
        match token.group():
            case "(":
                depth += 1
                if depth == 2:
                    begin = token.start()
            case ")":
                depth -= 1
                if depth == 1:
                    found.append(text[begin : token.end()])
                elif depth <= 0:
                    return found
            case word if word.startswith(";"):
                pass
            case word if depth == 0:
                return [word]
            case word if depth == 1:
                found.append(word)
    if depth > 1:
        raise BadMessage(f"{show(text.encode())} has parentheses that are not closed")
    return found


def _moves(expressions: list[str]) -> tuple[str, ...]:
    """The moves of a list, which may lack its parentheses."""
    if len(expressions) == 1:
        (only,) = expressions
        if only.startswith("("):
            return tuple(elements(only))
        return () if only.lower() == NOTHING else (only,)
    return tuple(expressions)


def _name(text: str) -> str:
    if text.startswith("(") or len(text) > _LONGEST_NAME:
        raise BadMessage(f"{show(text.encode())} is not a name")
    return text


# Moves


def spaced(text: str) -> str:
    """A term with spaces inside of its parentheses, as others write it."""
    return text.replace("(", "( ").replace(")", " )")


def find_move(
    text: str, legal: Iterable[Term], name: Callable[[str], str] = str.lower
) -> Term | None:
    """The legal move that a text means, whatever its spaces; a function has names of spellings."""
    moves = {write_term(move): move for move in legal}
    return moves.get(_plain(text, name))


def _plain(text: str, name: Callable[[str], str]) -> str:
    """A term as we write it."""
    words = " ".join(name(token) for token in _TOKEN.findall(text) if not token.startswith(";"))
    return _NEEDLESS.sub(r"\1", words.replace("( ", "(").replace(" )", ")"))


# What a host says


def write_start(name: str, role: str, rules: Iterable[str], start: int, play: int) -> str:
    """The beginning of a match."""
    return f"( START {name} {role} ({''.join(f'{rule} ' for rule in rules)}) {start} {play})"


def write_play(name: str, moves: Sequence[str], word: str = "PLAY") -> str:
    """A question for a move; with `STOP` the end of a match."""
    listed = f"({''.join(f'{move} ' for move in moves)})" if moves else "NIL"
    return f"( {word} {name} {listed} )"


def write_percepts(
    name: str, number: int, own: str, percepts: Sequence[str], word: str = "PLAY"
) -> str:
    """The same for a player that does not see all.

    Args:
        name: The match.
        number: How many moves were made.
        own: What the player has done in the last one, as it was counted; empty if there is none.
        percepts: What it has seen of it.
        word: What is said.
    """
    listed = f"({''.join(f'{percept} ' for percept in percepts)})" if number else "NIL"
    return f"( {word} {name} {number} {own or 'NIL'} {listed} )"


INFO = "( INFO )"


def write_abort(name: str) -> str:
    """The end of a match that is not over."""
    return f"( ABORT {name} )"


# What a player says


def write_info(name: str, status: str) -> str:
    """An answer to `INFO`."""
    return f"( ( name {name} ) ( status {status} ) ( species simulation ) )"


@dataclass(frozen=True)
class Introduction:
    """What a player has said of itself."""

    name: str = ""
    """In printable ASCII."""
    status: str = ""


def read_info(text: str) -> Introduction:
    """An answer to `INFO`; what cannot be understood is left out."""
    try:
        parts = elements(text)
        if len(parts) == 1 and not parts[0].startswith("("):
            return Introduction(status=parts[0].lower())
        said = {
            word.lower(): "".join(values) for word, *values in filter(None, map(elements, parts))
        }
    except BadMessage:
        return Introduction()
    name = printable(said.get("name", "")[:_LONGEST_NAME].encode())
    return Introduction(name, said.get("status", "").lower())
