"""`semisplit`: the verbs, and how errors end."""

from __future__ import annotations

import atexit
import gc
import sys
import warnings
from collections.abc import Callable
from io import TextIOWrapper
from typing import Any

import typer
from typer.core import TyperGroup

from semisplit.core.work import LimitReached
from semisplit.ui.cli import limits, shell
from semisplit.ui.cli.errors import harmless, tell_error
from semisplit.ui.cli.verbs.experiment import (
    agents,
    demo,
    flat,
    match,
    replay,
    reproduce,
    tournament,
)
from semisplit.ui.cli.verbs.machine import bench, cluster, compile
from semisplit.ui.cli.verbs.network import connect, ggp, serve
from semisplit.ui.cli.verbs.play import games, moves, play, show, solve, web
from semisplit.ui.cli.verbs.write import check, decompose, explain, format, perft, report

_LONG = 200
"""Characters of a verb's help, which may take several lines."""

_VERBS: dict[str, dict[str, Callable[..., None]]] = {
    "Play": {
        "play": play.play,
        "web": web.web,
        "games": games.games,
        "show": show.show,
        "moves": moves.moves,
        "solve": solve.solve,
    },
    "Write games": {
        "check": check.check,
        "format": format.format_file,
        "perft": perft.perft,
        "explain": explain.explain,
        "decompose": decompose.decompose,
        "report": report.report,
    },
    "Experiment": {
        "demo": demo.demo,
        "agents": agents.agents,
        "match": match.match,
        "tournament": tournament.tournament,
        "reproduce": reproduce.reproduce,
        "replay": replay.replay,
        "flat": flat.flat,
    },
    "General Game Playing": {"serve": serve.serve, "connect": connect.connect},
    "Machines": {"compile": compile.compile_, "bench": bench.bench},
}
"""What one wants, and the verbs for it."""


class _ByPurpose(TyperGroup):
    """The program, in whose help verbs stand under what they are for.

    Typer could do this by itself, but on narrow terminals it cuts names.
    """

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for purpose in _VERBS:
            with formatter.section(purpose):
                verbs: list[Any] = [*self.commands.values()]
                formatter.write_dl(
                    (one.name, one.get_short_help_str(_LONG))
                    for one in verbs
                    if one.rich_help_panel == purpose
                )


app = typer.Typer(
    cls=_ByPurpose,
    help="A general game player: board games from rules text, with moves that can be split.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.callback()(limits.limit)
for purpose, verbs in _VERBS.items():
    for name, verb in verbs.items():
        app.command(name, rich_help_panel=purpose)(verb)
app.add_typer(ggp.app, rich_help_panel="General Game Playing")
app.add_typer(cluster.app, rich_help_panel="Machines")


def _format_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    line: str | None = None,
) -> str:
    """Warnings that are written for users, in one line; all others as Python writes them."""
    from semisplit.core.errors import CompileWarning

    if issubclass(category, CompileWarning):
        return f"warning: {harmless(message)}\n"
    return _python_format(message, category, filename, lineno, line)


# Processes that play matches import this file, too.
_python_format, warnings.formatwarning = warnings.formatwarning, _format_warning


def main() -> None:
    """Run the command line; wrong input ends in a message and exit status 1."""
    from semisplit.core.errors import RuleError, SemisplitError

    # Python looks twice for garbage before it ends, which takes seconds where much is left.
    atexit.register(gc.freeze)
    if isinstance(sys.stdout, TextIOWrapper):
        # What its encoding lacks, which on Windows may be much, is written as an escape.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        shell.run(app)
    except LimitReached as reached:
        limits.end(reached)
    except RuleError as error:
        print(harmless(error), file=sys.stderr)
        count = len(error.diagnostics)
        print(f"{count} error{'' if count == 1 else 's'}", file=sys.stderr)
        sys.exit(1)
    except SemisplitError as error:
        tell_error(error)
        sys.exit(1)
    except BrokenPipeError:
        # The program that read our output has ended.
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        print(f"error: {error.strerror or error}", file=sys.stderr)
        sys.exit(1)
