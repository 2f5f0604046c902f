"""Searches in several trees in words: `mt-mcts,alpha=0.5,C=0.4`, `uct-transpositions`."""

from __future__ import annotations

import re

from semisplit.core.errors import UnknownName
from semisplit.search.multitree.settings import MultiTreeSettings
from semisplit.search.settings import BadSettings

MT_MCTS, UCT = "mt-mcts", "uct-transpositions"


def is_multitree(text: str) -> bool:
    """Whether a text names such a search."""
    return re.split(r"[,\s]", text.strip().lower(), maxsplit=1)[0] in (MT_MCTS, UCT)


def multitree_name(settings: MultiTreeSettings) -> str:
    """What such a search is called."""
    return MT_MCTS if settings.decomposed else UCT


def parse_multitree(text: str) -> MultiTreeSettings:
    """Read settings; for example `mt-mcts,alpha=0.25`."""
    name, *options = filter(None, re.split(r"[,\s]+", text.strip().lower()))
    decomposed = name == MT_MCTS
    # A single tree needs no other estimate than the score.
    values = {"c": 0.4} | ({"alpha": 0.5, "overlap": 0.0} if decomposed else {})
    given = [option.partition("=") for option in options]
    for key, _, value in given:
        if key not in values:
            raise UnknownName("parameter", key, ["C" if key == "c" else key for key in values])
        values[key] = _number(value, key)
    if len({key for key, _, _ in given}) < len(given):
        raise BadSettings(f"a parameter is given twice in '{text}'")
    alpha, overlapping = values.get("alpha", 1.0), bool(values.get("overlap"))
    return MultiTreeSettings(alpha, values["c"], decomposed, overlapping)


def _number(text: str, key: str) -> float:
    if key == "overlap":
        if text not in ("true", "false"):
            raise BadSettings(f"'{text}' is neither true nor false")
        return float(text == "true")
    try:
        return float(text)
    except ValueError:
        raise BadSettings(f"'{text}' is not a number") from None
