"""What pages may open: bundled games, and descriptions and stores in chosen folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from semisplit import games
from semisplit.agents.names import NAMED, SIMPLE
from semisplit.core.errors import UnknownName
from semisplit.core.limits import MAX_TEXT
from semisplit.game import Game
from semisplit.language.registry import language_of, languages, suffixes
from semisplit.loading import read_description

_STORES = (".db", ".sqlite")
_MOST_FILES, _MOST_FOLDERS = 500, 2000
_DEEPEST = 3
"""Folders inside of folders that are looked into."""


class Rules(BaseModel):
    """A game as a page names it: one of the catalogue, or with its description."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(max_length=1000)
    text: str | None = Field(None, max_length=MAX_TEXT)


def catalogue(folders: tuple[Path, ...]) -> dict[str, Any]:
    """All that a page offers."""
    bundled = [_bundled(name) for name in games.names()]
    own = [_entry(name, name, "") for name in rules(folders)]
    return {
        "games": [*own, *sorted(bundled, key=lambda game: game["title"].casefold())],
        "agents": {**SIMPLE, **NAMED},
        "languages": [{"name": one.name, "group": one.group} for one in languages()],
        "suffixes": suffixes(),
    }


def _bundled(name: str) -> dict[str, str]:
    text = games.text(name)
    return _entry(name, games.title(text) or name, text)


def _entry(name: str, title: str, text: str) -> dict[str, str]:
    return {"name": name, "title": title, "language": language_of(text, name).name}


def rules(folders: tuple[Path, ...]) -> dict[str, Path]:
    """The descriptions in folders, by the names that pages know."""
    return _files(folders, suffixes())


def stores(folders: tuple[Path, ...]) -> dict[str, Path]:
    """The stores in folders, by the names that pages know."""
    return _files(folders, _STORES)


def read_rules(wanted: Rules, folders: tuple[Path, ...]) -> tuple[str, str]:
    """The text and the name of a game."""
    if wanted.text is not None:
        return wanted.text, wanted.name
    if wanted.name in games.names():
        return games.text(wanted.name), wanted.name
    # Only what is listed is opened, so no name leads elsewhere.
    own = rules(folders)
    if wanted.name not in own:
        raise UnknownName("game", wanted.name, [*own, *games.names()])
    text, _ = read_description(own[wanted.name])
    return text, wanted.name


def load_game(wanted: Rules, folders: tuple[Path, ...]) -> Game:
    """A game, ready to be played."""
    return Game.parse(*read_rules(wanted, folders))


def _files(folders: tuple[Path, ...], endings: tuple[str, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder in folders:
        for path in _inside(folder.resolve(), endings):
            found.setdefault(str(path.relative_to(folder.resolve())), path)
            if len(found) == _MOST_FILES:
                return found
    return found


def _inside(folder: Path, endings: tuple[str, ...]) -> Iterator[Path]:
    """The files below a folder; links may lead out of it, so they are not followed."""
    for here, inner, names in islice(os.walk(folder), _MOST_FOLDERS):
        deep = len(Path(here).relative_to(folder).parts)
        inner[:] = sorted(one for one in inner if deep < _DEEPEST and not one.startswith("."))
        for name in sorted(names):
            path = Path(here, name)
            if path.suffix.lower() in endings and path.is_file() and not path.is_symlink():
                yield path
