"""The bundled game descriptions, one file each, and their catalogue.

What is in which file: docs/architecture.md.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

Ending = Literal["rbg", "kif"]
"""How the files of a language end: Regular Boardgames, the Game Description Language."""


@cache
def _catalogue() -> dict[str, str]:
    """The file of each game. If both languages have one of some name, it is that of the first."""
    entries = [entry.name.rpartition(".") for entry in files(__name__).iterdir()]
    rbg = {stem for stem, _, ending in entries if ending == "rbg"}
    gdl = {stem for stem, _, ending in entries if ending == "kif"}
    catalogue = {f"{stem}_gdl" if stem in rbg else stem: f"{stem}.kif" for stem in gdl}
    return {**catalogue, **{stem: f"{stem}.rbg" for stem in rbg}}


def names(ending: Ending | None = None) -> list[str]:
    """The names of all bundled games, or of those in one language, sorted."""
    catalogue = _catalogue().items()
    return sorted(name for name, file in catalogue if ending is None or file.endswith(ending))


def file_names() -> list[str]:
    """The names of their files, sorted."""
    return sorted(_catalogue().values())


def text(name: str) -> str:
    """The description of a bundled game, by its name or by that of its file."""
    return (files(__name__) / _catalogue().get(name, name)).read_text(encoding="utf-8")


def title(description: str) -> str:
    """What people call a game: the first line of the comment at the top of its description."""
    first, _, _ = description.partition("\n")
    return first.lstrip("/;").strip()
