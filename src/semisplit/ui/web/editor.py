"""What is said about a description while it is being written."""

from __future__ import annotations

import re
from typing import Any

from pydantic import validate_call

from semisplit.core.diagnostics import Diagnostic
from semisplit.core.errors import RuleError
from semisplit.language.registry import format_rules, language_of, parse_rules
from semisplit.ui.render.svg import draw
from semisplit.ui.web.catalogue import Rules, read_rules
from semisplit.ui.web.worker import Service, diagnostic_json

_MEANT = re.compile(r"did you mean '([^']+)'\?")


class Editor(Service):
    """Checks descriptions."""

    @validate_call
    def do_open(self, rules: Rules) -> dict[str, str]:
        """The text of a description."""
        text, name = read_rules(rules, self.limits.folders)
        ending = language_of(text, name).suffixes[0]
        return {"text": text, "name": name if name.endswith(ending) else f"{name}{ending}"}

    @validate_call
    def do_check(self, rules: Rules) -> dict[str, Any]:
        """Errors and warnings at their places; without errors, what the board looks like."""
        text, name = read_rules(rules, self.limits.folders)
        try:
            read = parse_rules(text, name)
        except RuleError as error:
            return {"problems": [_problem(one) for one in error.diagnostics], "picture": None}
        return {
            "problems": [_problem(one) for one in read.language.warnings(read)],
            "picture": draw(read, read.start),
            "players": list(read.players),
        }

    @validate_call
    def do_format(self, rules: Rules) -> str:
        """Return the description, laid out evenly."""
        text, name = read_rules(rules, self.limits.folders)
        return format_rules(text, name)


def _problem(one: Diagnostic) -> dict[str, Any]:
    """A message, with what could be written instead."""
    meant = _MEANT.search(one.hint or "")
    return {**diagnostic_json(one), "instead": meant[1] if meant else None}
