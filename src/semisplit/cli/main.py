"""`semisplit`: the verbs, and how errors end."""

from __future__ import annotations

import sys
import warnings

import typer

from semisplit.cli import (
    agents,
    bench,
    check,
    compile,
    connect,
    demo,
    explain,
    format,
    games,
    match,
    moves,
    perft,
    play,
    replay,
    reproduce,
    serve,
    show,
    tournament,
)

app = typer.Typer(
    help="A general game player: board games from rules text, with moves that can be split.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for verb in (games.games, show.show, check.check, moves.moves, perft.perft):
    app.command()(verb)
app.command(name="format")(format.format_file)
app.command()(explain.explain)
app.command(name="compile")(compile.compile_)
app.command()(bench.bench)
app.command()(agents.agents)
app.command()(match.match)
app.command()(tournament.tournament)
app.command()(reproduce.reproduce)
app.command()(replay.replay)
app.command()(play.play)
app.command()(serve.serve)
app.command()(connect.connect)
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
        return f"warning: {_harmless(message)}\n"
    return _python_format(message, category, filename, lineno, line)


# Processes that play matches import this file, too.
_python_format, warnings.formatwarning = warnings.formatwarning, _format_warning


def main() -> None:
    """Run the command line; wrong input ends in a message and exit status 1."""
    from semisplit.core.errors import RuleError, SemisplitError

    try:
        app()
    except RuleError as error:
        print(_harmless(error), file=sys.stderr)
        count = len(error.diagnostics)
        print(f"{count} error{'' if count == 1 else 's'}", file=sys.stderr)
        sys.exit(1)
    except SemisplitError as error:
        print(f"error: {_harmless(error)}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        print(f"error: {error.strerror or error}", file=sys.stderr)
        sys.exit(1)


def _harmless(error: Exception | str) -> str:
    """A message without anything that a terminal would act upon: it may quote a stranger's file."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in str(error)
    )
