"""Games that were saved, to be gone on with."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from semisplit.core.errors import IllegalMove, InputError
from semisplit.ui.play.session import Session

_MAX_SIZE = 1 << 24


class Saved(BaseModel):
    """All it takes to go on with a game: its rules are there in full."""

    model_config = ConfigDict(extra="forbid", strict=True)

    format: Literal[1] = 1
    game: str
    """What the game is called."""
    rules: str
    agent: str
    side: str
    budget: str
    moves: list[str]
    """As on the wire."""

    def write(self, path: Path) -> None:
        """Write a file, which is complete or not there at all; only saved games are replaced."""
        new = Path(f"{path}.new")
        try:
            if path.is_file():
                Saved.read(path)
            new.write_text(self.model_dump_json(indent=1) + "\n", encoding="utf-8")
            new.replace(path)
        except (OSError, ValueError) as error:
            with suppress(OSError, ValueError):
                new.unlink()
            raise InputError(f"cannot write {path}: {_reason(error)}") from error

    @staticmethod
    def read(path: Path) -> Saved:
        """Read a file that was written by `write`."""
        try:
            with path.open("rb") as file:
                data = file.read(_MAX_SIZE + 1)
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read {path}: {_reason(error)}") from error
        if len(data) > _MAX_SIZE:
            raise InputError(f"{path} is too large for a saved game")
        try:
            return Saved.model_validate_json(data)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "it"
            reason = f"{place}: {first['msg']}"
            raise InputError(f"{path} is not a saved game: {reason}") from error

    def replay(self, session: Session) -> None:
        """Make the moves that were saved."""
        for number, move in enumerate(self.moves, 1):
            try:
                session.play(session.state.parse_move(move))
            except IllegalMove as error:
                raise InputError(f"move {number} of the saved game: {error}") from error
            if not session.state.is_nodal:
                raise InputError(f"move {number} of the saved game is not a whole move")


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error
