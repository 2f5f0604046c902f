"""Matches as they are played: what `match`, `tournament`, `reproduce` and `demo` show."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from semisplit.lab.match import Match, Outcome
    from semisplit.lab.statistics import Record
    from semisplit.lab.store import Store, StoredGame

_HOUR = 3600.0


def play_live(
    matches: Sequence[Match],
    store: Path,
    jobs: int | None,
    console: Console,
    *,
    sequential: bool = False,
) -> list[Outcome]:
    """Play what is missing of matches, and show how it goes.

    Args:
        matches: The matches.
        store: The file where their games are kept.
        jobs: Games at a time; one per core if None.
        console: Where to show it.
        sequential: Whether to end a match when its result is decided.
    """
    from semisplit.lab.store import Store
    from semisplit.lab.workers import available_cores

    with closing(Store(store)) as kept, told_how_to_go_on(console):
        test = _is_decided if sequential else None
        return _play(matches, kept, jobs or len(available_cores()), test, console)


@contextmanager
def told_how_to_go_on(console: Console) -> Iterator[None]:
    """Let Ctrl-C end the program with the command that goes on with its work."""
    try:
        yield
    except KeyboardInterrupt:
        command = shlex.join(["semisplit", *sys.argv[1:]])
        told = f"Stopped; this goes on where it was:\n  {command}"
        console.print(told, markup=False, soft_wrap=True)
        raise typer.Exit(130) from None


# The same records are asked about again after every game.
@cache
def _is_decided(record: Record) -> bool:
    from semisplit.lab.statistics import decided

    return decided(record) is not None


def _progress(console: Console) -> Progress:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.completed}/{task.total}"),
        BarColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
        console=console,
        # A game may take minutes, and a speed needs several of them.
        speed_estimate_period=_HOUR,
    )


def _play(
    matches: Sequence[Match],
    kept: Store,
    jobs: int,
    is_decided: Callable[[Record], bool] | None,
    console: Console,
) -> list[Outcome]:
    from semisplit.lab.match import decided_after, outcome, play_matches

    outcomes = [outcome(match, []) for match in matches]
    played = [0] * len(matches)

    def note(place: int, games: list[StoredGame]) -> str:
        """Keep how a match stands; returns it in words."""
        match, before = matches[place], played[place]
        outcomes[place] = outcome(match, games, is_decided)
        is_over = decided_after(games, match.games, is_decided) is not None
        played[place] = match.games if is_over else min(len(games), match.games)
        now = outcome(match, games).score
        if len(matches) == 1:
            return now
        if before < match.games == played[place]:
            progress.print(f"{match}: {outcomes[place].score}", markup=False, soft_wrap=True)
        return f"{match.key.game} {now}"

    with _progress(console) as progress:
        stream = play_matches(matches, kept, jobs, is_decided)
        shown = [note(*standing) for standing in islice(stream, len(matches))]
        total = sum(match.games for match in matches)
        # What has been played before is no part of the speed.
        bar = progress.add_task(shown[0], total=total, completed=sum(played), rate="")
        for standing in stream:
            description = note(*standing)
            speed = progress.tasks[bar].speed
            rate = f"{60 * speed:.1f} games/min" if speed else ""
            progress.update(bar, completed=sum(played), description=description, rate=rate)
    return outcomes
