"""Searches in several trees in words: `mt-mcts,alpha=0.5,C=0.4`, `uct-transpositions`."""

from __future__ import annotations

import re

from semisplit.core.settings.parameters import BadSettings, read_options
from semisplit.search.multitree.settings import MultiTreeSettings

MT_MCTS, UCT = "mt-mcts", "uct-transpositions"


def is_multitree(text: str) -> bool:
    """Whether a text names such a search."""
    return re.split(r"[,\s]", text.strip().lower(), maxsplit=1)[0] in (MT_MCTS, UCT)


def multitree_name(settings: MultiTreeSettings) -> str:
    """What such a search is called."""
    return MT_MCTS if settings.decomposed else UCT


def parse_multitree(text: str) -> MultiTreeSettings:
    """Read settings; for example `mt-mcts,alpha=0.25`."""
    name, *options = filter(None, re.split(r"[,\s]+", text.strip()))
    given = read_options([MultiTreeSettings], options)[MultiTreeSettings]
    if name.lower() == MT_MCTS:
        return MultiTreeSettings(**given)
    if strange := given.keys() - {"exploration"}:
        raise BadSettings(f"{UCT} has a single tree, which needs no {min(strange)}")
    return MultiTreeSettings(alpha=1.0, decomposed=False, **given)


def write_multitree(settings: MultiTreeSettings) -> str:
    """Settings as text, which `parse_multitree` reads."""
    name = multitree_name(settings)
    return ",".join([name, *settings.differences(parse_multitree(name))])
