"""The bundled game descriptions, one file each, and their catalogue.

What is in which file: docs/architecture.md.
"""

from __future__ import annotations

from importlib.resources import files


def names() -> list[str]:
    """The names of all bundled games, sorted."""
    return sorted(
        entry.name.removesuffix(".rbg")
        for entry in files(__name__).iterdir()
        if entry.name.endswith(".rbg")
    )


def text(name: str) -> str:
    """The description of a bundled game."""
    return (files(__name__) / f"{name}.rbg").read_text(encoding="utf-8")


def title(description: str) -> str:
    """What people call a game: the first line of the comment at the top of its description."""
    first, _, _ = description.partition("\n")
    return first.removeprefix("//").strip()
