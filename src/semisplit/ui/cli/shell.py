"""The Tab key in the shell: how words of the command line may go on.

Typer asks for this, as a variable says that a shell wants to know. Bash needs some help: it cuts
words at `@`, which is a part of the names of agents.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import typer

_QUESTION = "_SEMISPLIT_COMPLETE"
_DIVIDER = re.compile("[@=:]+")
"""What is a word of its own in Bash, even without spaces around it."""


def games(incomplete: str) -> list[str]:
    """Bundled games, and descriptions in this folder; nothing lets the shell look for files."""
    from semisplit.games import names
    from semisplit.language.registry import suffixes

    return _with_files([name for name in names() if name.startswith(incomplete)], suffixes())


def agents(incomplete: str) -> list[str]:
    """Agents with a name, those that begin like this one, and configuration files."""
    from semisplit.agents.names import NAMED, SIMPLE

    begun = re.match(".*[/+@]", incomplete)
    more = [begun[0] + part for part in _parts()[begun[0][-1]]] if begun else []
    known = [name for name in (*SIMPLE, *NAMED) if name.startswith(incomplete)]
    fitting = [name for name in more if name.startswith(incomplete) and _is_agent(name)]
    return _with_files(list(dict.fromkeys([*known, *fitting])), (".json",))


def splits(incomplete: str) -> list[str]:
    """Split strategies."""
    from semisplit.core.strategy import STRATEGIES

    return [name for name in STRATEGIES if name.startswith(incomplete)]


def passes(ctx: typer.Context, incomplete: str) -> list[str]:
    """The passes of the game that has been named before."""
    from semisplit.core.errors import SemisplitError
    from semisplit.loading import load

    # Before an option without a value, nothing is taken apart.
    for game in (ctx.params["game"], *ctx.args):
        with suppress(SemisplitError):
            if game is not None:
                rules = load(game).rules
                known = rules.language.passes(rules)
                return [one.name for one in known if one.name.startswith(incomplete)]
    return []


def experiments(incomplete: str) -> list[str]:
    """The papers' tables and figures."""
    from semisplit.lab.papers import names

    return [name for name in names() if name.startswith(incomplete)]


def _with_files(names: list[str], endings: tuple[str, ...]) -> list[str]:
    """Names and files of this folder; if no name fits, it is better to let the shell look."""
    with suppress(OSError):
        files = (path.name for path in Path().iterdir() if path.suffix in endings)
        return names and [*names, *sorted(name for name in files if " " not in name)]
    return names


def _parts() -> dict[str, list[str]]:
    """What may stand behind each sign in the name of an agent."""
    from semisplit.core.strategy import STRATEGIES
    from semisplit.search.features.policies.settings import SimulationPolicy
    from semisplit.search.features.submoves.settings import Variant
    from semisplit.search.settings import Simulation

    variants = ["" if one is Variant.STANDARD else f"-{one.name.lower()}" for one in Variant]
    statistics = [name + variant for name in ("mast", "rave", "grave") for variant in variants]
    policies = [policy.name.lower() for policy in SimulationPolicy]
    simulations = [one.name.lower() for one in Simulation]
    return {"/": simulations, "+": statistics + policies, "@": list(STRATEGIES)}


def _is_agent(name: str) -> bool:
    """Whether a name is that of an agent, perhaps with a split strategy behind it."""
    from semisplit.agents import parse_agent
    from semisplit.core.errors import SemisplitError

    for behind in ("", "@Mod"):
        with suppress(SemisplitError):
            parse_agent(name + behind)
            return True
    return False


def run(program: Callable[[], None]) -> None:
    """Run the program; if it is Bash that asks how words go on, put them together first."""
    # Lines of help that are too long would become several answers.
    os.environ.update({"COLUMNS": "10000"} if _QUESTION in os.environ else {})
    if os.environ.get(_QUESTION) != "complete_bash":
        program()
        return
    words = os.environ["COMP_WORDS"].split("\n")[: int(os.environ["COMP_CWORD"]) + 1]
    joined = _join(words)
    os.environ["COMP_WORDS"], os.environ["COMP_CWORD"] = "\n".join(joined), str(len(joined) - 1)
    answer = StringIO()
    try:
        with redirect_stdout(answer):
            program()
    finally:
        # The answer takes the place of what stands behind the last divider; an `@` belongs to that.
        option, equals, value = joined[-1].partition("=")
        begun = value if equals and option.startswith("-") else joined[-1]
        replaced = "".join(words[-2:]) if "@" in words[-2:-1] else words[-1].lstrip("=:")
        known = len(begun) - len(replaced)
        print("\n".join(line[known:] for line in answer.getvalue().splitlines()))


def _join(words: list[str]) -> list[str]:
    """Words as they were typed."""
    joined = [""]
    inside = True
    for word in words:
        is_divider = _DIVIDER.fullmatch(word) is not None
        if inside or is_divider:
            joined[-1] += word
        else:
            joined.append(word)
        inside = is_divider
    return joined
