"""`semisplit`: the verbs, and how errors end."""

from __future__ import annotations

import atexit
import gc
import sys
import warnings
from io import TextIOWrapper

import typer

from semisplit.cli import (
    agents,
    bench,
    check,
    cluster,
    compile,
    connect,
    decompose,
    demo,
    explain,
    flat,
    format,
    games,
    ggp,
    limits,
    match,
    moves,
    perft,
    play,
    replay,
    report,
    reproduce,
    serve,
    show,
    solve,
    tournament,
    web,
)
from semisplit.cli.errors import harmless, tell_error
from semisplit.core.work import LimitReached, limited

app = typer.Typer(
    help="A general game player: board games from rules text, with moves that can be split.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.callback()(limits.limit)
for verb in (games.games, show.show, check.check, moves.moves):
    app.command()(limited()(verb))
# Some verbs limit but a part of what they do, as it is for the user to say how long they play.
app.command()(perft.perft)
app.command(name="format")(limited()(format.format_file))
app.command()(explain.explain)
app.command()(limited()(decompose.decompose))
app.command(name="compile")(limited()(compile.compile_))
app.command()(bench.bench)
app.command()(flat.flat)
app.command()(agents.agents)
app.command()(solve.solve)
app.command()(match.match)
app.command()(tournament.tournament)
app.command()(reproduce.reproduce)
app.command()(report.report)
app.command()(replay.replay)
app.command()(play.play)
app.command()(serve.serve)
app.command()(connect.connect)
app.add_typer(ggp.app)
app.add_typer(cluster.app)
app.command()(web.web)
app.command()(demo.demo)


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
        app()
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
        # Whoever read our output has seen enough.
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        print(f"error: {error.strerror or error}", file=sys.stderr)
        sys.exit(1)
