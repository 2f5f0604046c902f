"""The errors semisplit raises on purpose; their messages are written for users."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from semisplit.core.diagnostics import Diagnostic

_FEW = 8
"""Up to so many names are all listed."""


class SemisplitError(Exception):
    """Root of all errors with which semisplit answers wrong input."""


class RuleError(SemisplitError):
    """A game description is wrong. Holds every error found in it, in order of position."""

    def __init__(self, diagnostics: Sequence[Diagnostic]):
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(diagnostic.render() for diagnostic in self.diagnostics)


class UnknownName(SemisplitError):
    """A name given by the user (a game, a split strategy, a vertex ...) does not exist."""

    def __init__(self, what: str, name: str, known: Iterable[str]):
        message = f"there is no {what} '{name}'"
        known = list(known)
        if suggestion := did_you_mean(name, known):
            message += f"; did you mean '{suggestion}'?"
        if 0 < len(known) <= _FEW:
            message += f"{' There' if suggestion else '; there'} are {', '.join(known)}"
        super().__init__(message)


class InputError(SemisplitError):
    """A file cannot be read, or text that is not a game description cannot be understood."""


class IllegalMove(SemisplitError):
    """A move was asked for that is not legal in the state."""


class PlayLimit(SemisplitError):
    """Play was stopped because the rules lead into a move or a game without an end."""


class WorkLimit(PlayLimit):
    """Looking for the moves of a position was given up because it took too long."""


class ManyMoves(PlayLimit):
    """A position has more moves than are wanted."""

    def __init__(self, most: int):
        self.most = most
        super().__init__(f"there are more than {most:,} moves in this position")


class NotCompiled(SemisplitError):
    """There is no machine code of a game; code that can do without it warns and goes on."""

    def warn(self, consequence: str) -> None:
        """Say, once, that it goes on without the code."""
        warnings.warn(f"{self}; {consequence}", CompileWarning, stacklevel=1)


class CompileLimit(NotCompiled):
    """Rules are too large to be compiled in a reasonable time."""


class CompileError(NotCompiled):
    """LLVM did not take the code of a game: a fault of semisplit, not of the rules."""

    def __init__(self, game: str, reason: str):
        self.game = game
        self.reason = reason
        super().__init__(game, reason)

    def __str__(self) -> str:
        first = self.reason.strip().partition("\n")[0]
        return (
            f"semisplit failed to compile {self.game} ({first}), though nothing is wrong with its"
            " rules: please report this, with the description"
        )


class CompileWarning(UserWarning):
    """A game could not be compiled, and play goes on without."""


def did_you_mean(name: str, known: Iterable[str], similar: float | None = None) -> str | None:
    """The known name most similar to a misspelt one, if any is similar enough."""
    by_folded = {candidate.casefold().replace("_", ""): candidate for candidate in known}
    folded = name.casefold().replace("_", "")
    # One wrong letter of two is half of the name.
    cutoff = similar or (0.5 if len(folded) <= 3 else 0.6)
    close = get_close_matches(folded, by_folded, n=1, cutoff=cutoff)
    return by_folded[close[0]] if close else None
