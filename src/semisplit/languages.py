"""The rules languages there are."""

from __future__ import annotations

from semisplit.core.rules import Rules


def parse_rules(text: str, name: str = "<string>") -> Rules:
    """Read a description.

    Args:
        text: The description.
        name: What to call it in messages, usually its path.

    Raises:
        RuleError: With all errors found.
    """
    from semisplit.rbg.description import parse
    from semisplit.rbg.language import RbgRules

    return RbgRules(parse(text, name))
