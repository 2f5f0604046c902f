"""Decompositions as pictures, in the language of Graphviz."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.decompose.decomposition import Decomposition
from semisplit.language.gdl.play.interpret import Step
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term

_SHOWN = 12
"""So many fluents or moves are named."""


def draw(decomposition: Decomposition, description: Description) -> str:
    """Sub-games as boxes, and the moves of each role by the sub-games that they act in."""

    def label(title: str, terms: Iterable[Term]) -> str:
        texts = [write_term(term, description.spelling) for term in sorted(terms)]
        if len(texts) > _SHOWN:
            texts[_SHOWN - 1 :] = [f"... ({len(texts)} in all)"]
        lines = [title, *texts]
        return "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)

    lines = ["digraph {", "  rankdir=LR;"]
    for number, fluents in enumerate(decomposition.subgames, 1):
        lines.append(f'  game{number} [shape=box, label="{label(f"sub-game {number}", fluents)}"];')
    if decomposition.control:
        text = label("control", decomposition.control)
        lines.append(f'  control [shape=box, style=dashed, label="{text}"];')
    where: dict[Step, list[int]] = defaultdict(list)
    for number, classes in enumerate(decomposition.meta_actions, 1):
        for step in frozenset[Step]().union(*classes):
            where[step].append(number)
    groups: dict[tuple[int, tuple[int, ...]], list[Term]] = defaultdict(list)
    for step in sorted({*where, *decomposition.useless}):
        groups[step.role, tuple(where[step])].append(step.move)
    for place, ((role, games), moves) in enumerate(sorted(groups.items())):
        name = write_term(description.roles[role - 1], description.spelling)
        title = name if games else f"{name}, to no effect"
        lines.append(f'  moves{place} [shape=ellipse, label="{label(title, moves)}"];')
        lines += [f"  moves{place} -> game{number};" for number in games]
    return "\n".join([*lines, "}"])
