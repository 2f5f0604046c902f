"""What a decomposition has found, in words, for programs and as a picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from semisplit.language.gdl.check.description import Description
from semisplit.language.gdl.decompose.decomposition import PROVEN, SEEN, TRIED, Decomposition
from semisplit.language.gdl.decompose.picture import draw
from semisplit.language.gdl.play.interpret import Step
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term, write_terms

_CERTAIN = {
    PROVEN: "By the rules it is certain that what becomes of a sub-game depends on nothing but"
    " itself,\ncontrol and moves.",
    TRIED: "What becomes of a sub-game depended on nothing but itself, control and moves in"
    "\n{evidence.games:,} random games, though the rules mention others.",
    SEEN: "That no sub-game has an influence on another is what was seen in {evidence.states:,}"
    " moments of\n{evidence.games:,} random games, without a look at the rules for moves.",
}
_TRIED = (
    "That none decides what can be done in another was tried in {evidence.states:,} states\nof"
    " {evidence.games:,} random games, by {evidence.tests:,} changes: what shows in more than"
    " {share:.1%} of the\nstates would have been found (95 %)."
)


@dataclass(frozen=True)
class Explained:
    """A decomposition and the game that was decomposed."""

    found: Decomposition
    description: Description

    @property
    def data(self) -> dict[str, Any]:
        """Sub-games, control fluents, kinds of moves, and what this rests on."""
        found = self.found

        def write(terms: Iterable[Term]) -> list[str]:
            return [write_term(term, self.description.spelling) for term in sorted(terms)]

        return {
            "kind": found.kind,
            "control": write(found.control),
            "subgames": [write(fluents) for fluents in found.subgames],
            "useless": write(step.move for step in found.useless),
            "meta_actions": [
                [write(self._does(steps)) for steps in classes] for classes in found.meta_actions
            ],
            "evidence": found.evidence._asdict(),
            "seconds": round(found.seconds, 3),
            "grounding_seconds": round(found.grounding_seconds, 3),
        }

    def dot(self) -> str:
        """A picture in the language of Graphviz."""
        return draw(self.found, self.description)

    def _does(self, steps: Iterable[Step]) -> list[Term]:
        """Steps as what the rules call them."""
        roles = self.description.roles
        return [Term("does", (roles[step.role - 1], step.move)) for step in steps]

    def _titled(self, title: str, terms: Collection[Term]) -> list[str]:
        return [title, indent(write_terms(terms, self.description.spelling), "  ")] if terms else []

    def __str__(self) -> str:
        found = self.found
        number, evidence = len(found.subgames), found.evidence
        name = self.description.source.name
        lines = [f"{name}: {found.kind if number < 2 else f'{number} {found.kind}'}"]
        for place, (fluents, classes) in enumerate(zip(found.subgames, found.meta_actions), 1):
            kinds = _count(len(classes), "kind")
            title = f"sub-game {place}: {_count(len(fluents), 'fluent')}, {kinds} of moves"
            lines += self._titled(title, fluents)
        control = f"control: {_count(len(found.control), 'fluent')} that no move changes"
        lines += self._titled(control, found.control)
        useless = f"useless: {_count(len(found.useless), 'move')}"
        lines += self._titled(useless, self._does(found.useless))
        if number > 1:
            lines.append(_CERTAIN[evidence.transitions].format(evidence=evidence))
            if evidence.tests:
                share = 3 / max(evidence.states, 3)
                lines.append(_TRIED.format(evidence=evidence, share=share))
        seconds = f"{found.seconds:.2f} s, and {found.grounding_seconds:.2f} s"
        return "\n".join([*lines, f"{seconds} for grounding the rules"])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
