"""Limits of all languages that keep hostile or mistaken rules from eating time and memory.

They are far above what real games need. Each language has more of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from semisplit.core.errors import WorkLimit

MAX_TEXT = 256 * 1024
"""Characters of a description."""
MAX_ERRORS = 20
"""Errors reported in one run; further ones are usually consequences."""
MAX_MOVE_LENGTH = 5_000
"""Steps in one move during play."""
MAX_LISTED_MOVES = 1_000_000
"""Moves of one position that are listed, unless more are asked for."""
MAX_KEEPER_MOVES = 100_000
"""Moves in a row that no player chooses."""
MAX_MOVES = 100_000
"""Moves after which a simulation is given up."""


class Allowance:
    """Work that may be done, counted in some unit."""

    def __init__(self, most: int, message: str):
        self.left = most
        """How much is left."""
        self._message = message

    def spend(self, work: int) -> None:
        """Count some work.

        Raises:
            WorkLimit: If it is too much, all in all.
        """
        self.left -= work
        if self.left < 0:
            raise WorkLimit(self._message)

    def attempt(self, most: int, act: Callable[[], None]) -> bool:
        """Do something for which only a part of what is left may be spent.

        Returns:
            Whether that was enough; else nothing was spent.
        """
        before = self.left
        self.left = part = min(most, before)
        try:
            act()
        except WorkLimit:
            if part == before or self.left >= 0:
                raise
            self.left = before
            return False
        self.left += before - part
        return True
