"""The parts of a game in RBG, in words, for programs and as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill
from typing import Any

from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.decompose.parts import Part, Parts


@dataclass(frozen=True)
class Explained:
    """Parts, and the game that was taken apart."""

    found: Parts
    description: Description
    seconds: float

    @property
    def data(self) -> dict[str, Any]:
        """Sub-games and control, as names of vertices and variables."""
        return {
            "kind": self._kind,
            "control": list(self.found.control),
            "subgames": [self._names(part) for part in self.found.subgames],
            "seconds": round(self.seconds, 3),
        }

    @property
    def _kind(self) -> str:
        number = len(self.found.subgames)
        return f"{number} games" if number > 1 else "one game"

    def _names(self, part: Part) -> list[str]:
        return [*(self.description.board.names[one] for one in part.vertices), *part.variables]

    def dot(self) -> str:
        """A picture in the language of Graphviz: a node for each sub-game."""
        lines = [
            f'  part{place} [shape=box, label="{" ".join(self._names(part))}"];'
            for place, part in enumerate(self.found.subgames, 1)
        ]
        return "\n".join(["digraph {", *lines, "}"])

    def __str__(self) -> str:
        lines = [f"{self.description.source.name}: {self._kind}"]
        for place, part in enumerate(self.found.subgames, 1):
            counted = [_count(len(part.vertices), "vertex", "vertices")]
            if part.variables:
                counted.append(_count(len(part.variables), "variable", "variables"))
            lines.append(f"sub-game {place}: {', '.join(counted)}")
            names = " ".join(self._names(part))
            lines.append(fill(names, 100, initial_indent="  ", subsequent_indent="  "))
        if self.found.control:
            lines.append(f"control: {' '.join(self.found.control)}")
        if len(self.found.subgames) > 1:
            lines.append(
                "Wherever the rules are, what is written in a sub-game depends on nothing else, by"
                " what is tested\non all ways to it. The search does not make use of that."
            )
        return "\n".join([*lines, f"{self.seconds:.2f} s"])


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
