"""How errors are printed."""

from __future__ import annotations

import sys


def tell_error(error: BaseException) -> None:
    """Print an error in one sentence."""
    print(f"error: {harmless(error)}", file=sys.stderr)


def harmless(message: object) -> str:
    """A message without anything that a terminal would act upon: it may quote a stranger's file."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in str(message)
    )
