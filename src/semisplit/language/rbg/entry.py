"""Regular Boardgames as one language among others; what it needs is loaded when it is needed."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from semisplit.language.language import Language

if TYPE_CHECKING:
    from semisplit.core.diagnostics import Diagnostic
    from semisplit.core.work import Stage
    from semisplit.language.answers import (
        BoardDetails,
        Explanation,
        SemimoveTree,
        SplitExplanation,
        Summary,
    )
    from semisplit.language.passes import Pass
    from semisplit.language.rbg.rules import RbgRules
    from semisplit.language.rules import Reasoner


class _Rbg(Language["RbgRules"]):
    name = "rbg"
    title = "RBG"
    group = "Regular Boardgames"
    suffixes = (".rbg",)

    def begins(self, text: str) -> bool:
        return text.lstrip("\ufeff \t\r\n\f\v").startswith(("#", "//", "/*"))

    def parse(self, text: str, name: str) -> RbgRules:
        from semisplit.language.rbg.check.description import parse
        from semisplit.language.rbg.rules import RbgRules

        return RbgRules(parse(text, name))

    def warnings(self, rules: RbgRules) -> Sequence[Diagnostic]:
        from semisplit.language.rbg.lint import check

        return check(rules.description)

    def format(self, text: str, name: str) -> str:
        from semisplit.language.rbg.text.format import format_text

        return format_text(text, name)

    def summary(self, rules: RbgRules) -> Summary:
        from semisplit.language.answers import Summary
        from semisplit.language.rbg.split.straight import straightness

        description, geometry = rules.description, rules.description.board.geometry
        most = straightness(description.rules)
        data = {
            "players": list(description.players),
            "pieces": list(description.pieces),
            "variables": list(description.variables),
            "board": geometry.shape,
            "vertices": len(description.board.names),
            "modifiers": len(rules.automaton.modifiers),
            "nodes": len(rules.automaton.edges),
            "modifiers_per_move": int(most) if math.isfinite(most) else None,
        }
        bound = f"at most {most:.0f}" if math.isfinite(most) else "no fixed number of"
        lines = [
            f"{len(description.players)} players, {len(description.pieces)} pieces,"
            f" {len(description.variables)} variables,"
            f" {geometry.shape} of {len(description.board.names)} vertices",
            f"automaton of {data['nodes']} nodes with {data['modifiers']} modifiers,"
            f" {bound} offs and assignments in a move",
        ]
        return Summary(data, lines)

    def details(self, rules: RbgRules) -> BoardDetails:
        from semisplit.language.answers import BoardDetails

        return BoardDetails(rules.description.variables, rules.description.board.edges)

    def perft(
        self, rules: RbgRules, reasoner: Reasoner | None, depth: int, stage: Stage
    ) -> dict[str, Any]:
        from semisplit.compiler.runtime.reasoner import CompiledReasoner
        from semisplit.language.rbg.native.interface.count import perft as native_perft
        from semisplit.language.rbg.play.count import perft

        if isinstance(reasoner, CompiledReasoner):
            compiled = reasoner.compiled
            result = native_perft(compiled, compiled.codec.pack(rules.start), depth, stage)
        else:
            mod = rules.strategy.mod if rules.strategy else None
            result = perft(rules.interpreter, rules.start, depth, mod=mod, stage=stage)
        return result._asdict()

    def semimove_tree(self, rules: RbgRules, move: int) -> SemimoveTree:
        from semisplit.language.rbg.play.count import semimove_tree

        assert rules.strategy is not None
        return semimove_tree(rules.interpreter, rules.start, move, mod=rules.strategy.mod)

    def explain_split(self, rules: RbgRules, seconds: float) -> SplitExplanation:
        from semisplit.language.rbg.explain import explain_split

        return explain_split(rules, seconds)

    def decompose(
        self, rules: RbgRules, seed: int, *, overlapping: bool, statistical: bool
    ) -> Explanation:
        from semisplit.core.work import doing
        from semisplit.language.rbg.decompose.explain import Explained
        from semisplit.language.rbg.decompose.parts import find_parts

        if overlapping or statistical:
            self._cannot(rules.source.name, "be decomposed but by its rules")
        begin = time.perf_counter()
        with doing(f"decomposing {rules.source.name}"):
            found = find_parts(rules.description)
        return Explained(found, rules.description, time.perf_counter() - begin)

    def passes(self, rules: RbgRules) -> Sequence[Pass]:
        from semisplit.language.rbg.passes import passes

        return passes(rules)


LANGUAGE = _Rbg()
