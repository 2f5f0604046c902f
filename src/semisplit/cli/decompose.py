"""`semisplit decompose`: the sub-games of a game."""

from __future__ import annotations

import json as json_module
from collections.abc import Collection, Iterable
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semisplit.cli.options import Game, Json
from semisplit.core.errors import InputError

if TYPE_CHECKING:
    from semisplit.gdl.ast import Term
    from semisplit.gdl.decompose.decomposition import Decomposition
    from semisplit.gdl.description import Description
    from semisplit.gdl.interpret import Step


def decompose(
    game: Game,
    overlapping: Annotated[
        bool, typer.Option("--overlapping", help="A fluent may be in several sub-games.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of the random play that is observed.")] = 0,
    dot: Annotated[bool, typer.Option("--dot", help="Print a picture for Graphviz.")] = False,
    json: Json = False,
) -> None:
    """Find the games that a game in GDL is made of."""
    import semisplit
    from semisplit.gdl.decompose.decompose import decompose
    from semisplit.gdl.decompose.picture import draw
    from semisplit.gdl.language import GdlRules

    rules = semisplit.load(game).rules
    if not isinstance(rules, GdlRules):
        raise InputError(f"{game} cannot be decomposed: it is not in GDL")
    found = decompose(rules.description, seed, overlapping=overlapping)
    if dot:
        print(draw(found, rules.description))
    elif json:
        print(json_module.dumps(_data(found, rules.description)))
    else:
        _tell(game, found, rules.description)


def _data(found: Decomposition, description: Description) -> dict[str, Any]:
    from semisplit.gdl.notation import write_term

    def write(terms: Iterable[Term]) -> list[str]:
        return [write_term(term, description.spelling) for term in sorted(terms)]

    return {
        "kind": found.kind,
        "control": write(found.control),
        "subgames": [write(fluents) for fluents in found.subgames],
        "useless": write(step.move for step in found.useless),
        "meta_actions": [
            [write(_does(steps, description)) for steps in classes]
            for classes in found.meta_actions
        ],
        "evidence": found.evidence._asdict(),
        "seconds": round(found.seconds, 3),
        "grounding_seconds": round(found.grounding_seconds, 3),
    }


def _does(steps: Iterable[Step], description: Description) -> list[Term]:
    """Steps as what the rules call them."""
    from semisplit.gdl.ast import Term

    return [Term("does", (description.roles[step.role - 1], step.move)) for step in steps]


def _tell(game: str, found: Decomposition, description: Description) -> None:
    from semisplit.gdl.notation import write_terms

    def tell(title: str, terms: Collection[Term]) -> None:
        if terms:
            print(title)
            print(indent(write_terms(terms, description.spelling), "  "))

    number, evidence = len(found.subgames), found.evidence
    print(f"{game}: {found.kind if number < 2 else f'{number} {found.kind}'}")
    for place, (fluents, classes) in enumerate(zip(found.subgames, found.meta_actions), 1):
        kinds = _count(len(classes), "kind")
        tell(f"sub-game {place}: {_count(len(fluents), 'fluent')}, {kinds} of moves", fluents)
    tell(f"control: {_count(len(found.control), 'fluent')} that no move changes", found.control)
    tell(f"useless: {_count(len(found.useless), 'move')}", _does(found.useless, description))
    if number > 1:
        share = 3 / max(evidence.states, 3)
        print(
            "By the rules it is certain that what becomes of a sub-game depends on nothing but"
            " itself,\ncontrol and moves. That none decides what can be done in another was tried"
            f" in {evidence.states:,} states\nof {evidence.games:,} random games, by"
            f" {evidence.tests:,} changes: what shows in more than {share:.1%} of the\nstates"
            " would have been found (95 %)."
        )
    print(f"{found.seconds:.2f} s, and {found.grounding_seconds:.2f} s for grounding the rules")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
