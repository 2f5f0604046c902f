"""Getting games from the catalogue and from files."""

from __future__ import annotations

from pathlib import Path

from semisplit import games
from semisplit.core.errors import InputError, UnknownName
from semisplit.core.limits import MAX_TEXT
from semisplit.game import EngineName, Game
from semisplit.language.registry import language_of


def load(game: str | Path, split: str | None = None, engine: EngineName = "native") -> Game:
    """Load a game, ready to be played.

    Args:
        game: The name of a bundled game or of its file, or the path of a description.
        split: A split strategy, like "Mod" or "ModPlus"; None leaves moves whole.
        engine: "native" compiles the game, "interpreter" plays it slowly.

    Raises:
        SemisplitError: If there is no such game or strategy, or the description is wrong.
    """
    text, name = read_description(game)
    return Game.parse(text, name, split, engine)


def read_description(game: str | Path) -> tuple[str, str]:
    """The text of a game's description and the name it has in messages."""
    if str(game) in games.names():
        return games.text(str(game)), str(game)
    path = Path(game)
    try:
        if not path.exists() and str(game) in games.file_names():
            return games.text(str(game)), str(game)
        if not (path.exists() or path.suffix or len(path.parts) > 1):
            raise UnknownName("game", str(game), games.names())
        with path.open("rb") as file:
            data = file.read(4 * MAX_TEXT + 1)
        if len(data) > 4 * MAX_TEXT:
            raise InputError(f"{path} is too large: descriptions have up to {MAX_TEXT} characters")
        text = data.decode("utf-8", language_of("", str(game)).encoding_errors)
        return language_of(text, str(game)).as_asked(text), str(game)
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a text file: byte {error.start} is not UTF-8") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"cannot read {game!r}: {error}") from error
