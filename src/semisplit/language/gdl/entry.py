"""The Game Description Language as one among others; what it needs is loaded when it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from semisplit.language.language import Language

if TYPE_CHECKING:
    from semisplit.core.diagnostics import Diagnostic
    from semisplit.language.answers import Explanation, Summary, Trial
    from semisplit.language.gdl.rules import GdlRules
    from semisplit.language.passes import Pass


class _Gdl(Language["GdlRules"]):
    name = "gdl"
    title = "GDL"
    group = "General Game Playing"
    suffixes = (".kif", ".gdl")
    # Collections have comments in all kinds of encodings.
    encoding_errors = "replace"

    def begins(self, text: str) -> bool:
        return text.lstrip("\ufeff \t\r\n\f\v").startswith(("(", ";"))

    def as_asked(self, text: str) -> str:
        from semisplit.language.gdl.names import as_asked

        return as_asked(text)

    def parse(self, text: str, name: str) -> GdlRules:
        from semisplit.language.gdl.check.description import parse
        from semisplit.language.gdl.rules import GdlRules

        return GdlRules(parse(text, name))

    def warnings(self, rules: GdlRules) -> Sequence[Diagnostic]:
        return rules.description.warnings

    def format(self, text: str, name: str) -> str:
        from semisplit.language.gdl.text.format import format_text

        return format_text(text, name)

    def summary(self, rules: GdlRules) -> Summary:
        from semisplit.language.answers import Summary

        description, start = rules.description, rules.start
        relations = {clause.head.name for clause in description.clauses}
        legal = rules.interpreter.legal(start.fluents)
        data: dict[str, Any] = {
            "players": list(rules.players),
            "rules": len(description.rules),
            "relations": len(relations),
            "fluents": len(start.fluents),
            "moves": {name: len(moves) for name, moves in zip(rules.players, legal)},
        }
        lines = [
            f"{len(rules.seats)} players{' and chance' if rules.chance else ''},"
            f" {len(description.rules)} rules, {len(relations)} relations",
            f"{len(start.fluents)} fluents at the start, where "
            + ", ".join(f"{name} has {count}" for name, count in data["moves"].items())
            + " legal moves",
        ]
        return Summary(data, lines)

    def try_out(self, rules: GdlRules, seconds: float) -> Trial:
        from semisplit.language.gdl.trial import try_out

        return try_out(rules, seconds)

    def explain_network(self, rules: GdlRules) -> Explanation:
        from semisplit.language.gdl.network.explain import explain

        return explain(rules.description)

    def decompose(
        self, rules: GdlRules, seed: int, *, overlapping: bool, statistical: bool
    ) -> Explanation:
        from semisplit.language.gdl.decompose.decompose import decompose
        from semisplit.language.gdl.decompose.explain import Explained

        found = decompose(rules.description, seed, overlapping=overlapping, statistical=statistical)
        return Explained(found, rules.description)

    def passes(self, rules: GdlRules) -> Sequence[Pass]:
        from semisplit.language.gdl.passes import passes

        return passes(rules)


LANGUAGE = _Gdl()
