"""A comment line in a description that says which fluents are the board.

For example:

    ; board: (cell ?x ?y ?piece)

`?x` or `?column` counts columns from the left, `?y` rows from below, `?row` rows from above, and
`?board` tells several boards apart. All other arguments together are the piece; without any, the
fluent's name is. Several such fluents have a board each. `hexagon` before them leans the columns;
`none` draws nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from semisplit.core.source import Source, Span

_COMMENT = re.compile(r"^[ \t]*;+[ \t]*board:[ \t]*(.*?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_FLUENT = re.compile(r"\(([^()]*)\)")
_COLUMN, _ROW, _BOARD = ("?x", "?column"), ("?y", "?row"), ("?board",)


@dataclass(frozen=True)
class Cells:
    """The fluents of one name that say what lies where; places are numbers of arguments."""

    name: str
    arity: int
    column: int
    row: int
    board: int | None = None
    from_above: bool = False
    """Whether rows are counted from above."""

    @property
    def words(self) -> list[int]:
        """The arguments that tell what lies there."""
        return [i for i in range(self.arity) if i not in (self.column, self.row, self.board)]


class BoardComment:
    """The comment line about the board, if a description has one."""

    def __init__(self, source: Source):
        found = _COMMENT.search(source.text)
        self.span = Span(source, *found.span(1)) if found else None
        text = found[1].casefold() if found else ""
        self.is_hexagonal = text.startswith("hexagon")
        read = [_read(words.split()) for words in _FLUENT.findall(text)]
        self.cells = [cells for cells in read if cells]
        """The fluents that it names."""
        besides = _FLUENT.sub("", text).strip()
        self.is_understood = all(read) and besides in (("", "hexagon") if read else ("none",))


def _read(words: list[str]) -> Cells | None:
    column, row, board = (
        [i for i, word in enumerate(words[1:]) if word in names]
        for names in (_COLUMN, _ROW, _BOARD)
    )
    if not (len(column) == len(row) == 1 and len(board) <= 1):
        return None
    over = board[0] if board else None
    return Cells(words[0], len(words) - 1, column[0], row[0], over, "?row" in words)
