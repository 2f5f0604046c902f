"""The bundled game descriptions, one file each, and their catalogue.

What is in which file: docs/files.md.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_SECOND = {"rbg": "", "kif": "_gdl"}
"""How files end, and what is behind the name of a game if there is one with an earlier ending."""


@cache
def _catalogue() -> dict[str, str]:
    """The file of each game."""
    stems = [entry.name.rpartition(".")[::2] for entry in files(__name__).iterdir()]
    catalogue: dict[str, str] = {}
    for ending, behind in _SECOND.items():
        for stem in [stem for stem, found in stems if found == ending]:
            catalogue[stem + behind if stem in catalogue else stem] = f"{stem}.{ending}"
    return catalogue


def names(ending: str | None = None) -> list[str]:
    """The names of all bundled games, or of those whose files end in some way, sorted."""
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
