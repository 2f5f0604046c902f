"""How long commands may take: the options, and what is shown meanwhile."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from typing import Annotated, Literal, NoReturn

import typer

from semisplit.core.work import LimitReached, Limits, set_limits
from semisplit.ui.cli.errors import harmless, tell_error

CASE = "SEMISPLIT_CASE"
"""The environment variable that says how names in GDL are read (see `language.gdl.names`)."""
_SECONDS, _GIGABYTES = 20.0, 2.0
_WIDTH = 80
"""Characters of a line on terminals that do not know it."""


def _show_version(wanted: bool) -> None:
    from semisplit import __version__

    if wanted:
        print(f"semisplit {__version__}")
        raise typer.Exit


def limit(
    time_limit: Annotated[
        float,
        typer.Option(
            min=0.1,
            metavar="SECONDS",
            envvar="SEMISPLIT_TIME_LIMIT",
            help="Processor time for work on a description that was not asked to take long.",
        ),
    ] = _SECONDS,
    memory_limit: Annotated[
        float,
        typer.Option(
            min=0.01,
            metavar="GB",
            envvar="SEMISPLIT_MEMORY_LIMIT",
            help="Memory for such work.",
        ),
    ] = _GIGABYTES,
    case: Annotated[
        Literal["sensitive", "ignored"] | None,
        typer.Option(
            metavar="WORD",
            envvar=CASE,
            help="`sensitive` or `ignored`: whether names in GDL that differ in capital letters are"
            " different; if it is not said, the rules tell.",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Set what holds for all commands; the help of the program stands in its place."""
    if case is not None:
        # Other processes read rules, too.
        os.environ[CASE] = case

    def advice(limit: str) -> str:
        option = "--time-limit" if limit == "seconds" else "--memory-limit"
        more = 3 * time_limit if limit == "seconds" else 2 * memory_limit
        return f"`semisplit {option} {more:g} ...` allows more"

    set_limits(Limits(time_limit, int(memory_limit * 2**30), _Progress().show, end, advice))


class _Progress:
    """One line on the terminal that says what is being done."""

    def __init__(self) -> None:
        self._terminal = sys.stderr
        self._line = ""

    def show(self, words: str) -> None:
        """Show other words, or nothing."""
        # Code that takes over the terminal shows by itself what it does.
        is_free = sys.stderr is self._terminal and self._terminal.isatty()
        if is_free and words != self._line:
            width = os.get_terminal_size(self._terminal.fileno()).columns or _WIDTH
            self._terminal.write(f"\r\x1b[2K{harmless(words)[: width - 1]}")
            self._terminal.flush()
            self._line = words


_ending = threading.Lock()


def end(reached: LimitReached) -> NoReturn:
    """Tell that work was given up, and end at once: to give back all memory would take a while."""
    # Of the main thread and the one that watches it the second one waits for the end.
    _ending.acquire()
    with suppress(OSError):
        sys.stdout.flush()
    tell_error(reached)
    sys.stderr.flush()
    os._exit(1)
