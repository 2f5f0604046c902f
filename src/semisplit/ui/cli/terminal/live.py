"""Matches as they are played: what `match`, `tournament`, `reproduce` and `demo` show."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from semisplit.core.system import available_cores, command_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from semisplit.lab.matches.match import Match
    from semisplit.lab.matches.outcome import Outcome
    from semisplit.lab.store.database import Store, StoredGame

_HOUR = 3600.0
_WIDE = 75
"""Characters of a line that has room for a bar and the speed."""


def play_live(
    matches: Sequence[Match],
    store: Path,
    jobs: int | None,
    console: Console,
    *,
    sequential: bool = False,
    on_cluster: bool = False,
) -> list[Outcome]:
    """Play what is missing of matches, and show how it goes.

    Args:
        matches: The matches.
        store: The file where their games are kept.
        jobs: Games at a time; one per core if None.
        console: Where to show it.
        sequential: Whether to end a match when its result is decided.
        on_cluster: Whether to play on the machines of a cluster.
    """
    from semisplit.lab.matches.outcome import account
    from semisplit.lab.store.database import Store
    from semisplit.stats.evidence import LEVEL

    with closing(Store(store)) as kept, told_how_to_go_on(console):
        # All verdicts together may be wrong as often as that of a single match.
        contested = sum(match.is_duel for match in matches)
        level = LEVEL / max(1, contested) if sequential else None
        jobs = jobs or len(available_cores())
        outcomes = _play(matches, kept, jobs, level, console, on_cluster)
        return [account(one, kept) for one in outcomes]


@contextmanager
def told_how_to_go_on(console: Console) -> Iterator[None]:
    """Let Ctrl-C end the program with the command that goes on with its work."""
    try:
        yield
    except KeyboardInterrupt:
        command = command_line(["semisplit", *sys.argv[1:]])
        told = f"Stopped; this goes on where it was:\n  {command}"
        console.print(told, markup=False, soft_wrap=True)
        raise typer.Exit(130) from None


def _progress(console: Console) -> Progress:
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.table import Column

    columns: list[ProgressColumn] = [TextColumn("{task.completed}/{task.total}")]
    if console.width >= _WIDE:
        columns += [
            BarColumn(bar_width=min(40, console.width - _WIDE + 5)),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
        ]
    # What is played is never cut; it takes several lines if need be.
    about = Column(overflow="fold")
    return Progress(
        *columns,
        TextColumn("{task.description}", markup=False, table_column=about),
        console=console,
        # A game may take minutes, and a speed needs several of them.
        speed_estimate_period=_HOUR,
    )


def _play(
    matches: Sequence[Match],
    kept: Store,
    jobs: int,
    stop_level: float | None,
    console: Console,
    on_cluster: bool,
) -> list[Outcome]:
    from semisplit.lab.matches.match import decided_after, play_matches
    from semisplit.lab.matches.outcome import outcome, warn_of_others

    outcomes = [outcome(match, []) for match in matches]
    played = [0] * len(matches)

    def note(place: int, games: list[StoredGame]) -> str:
        """Keep how a match stands, and tell when it is over; returns what it is about."""
        match, before = matches[place], played[place]
        outcomes[place] = outcome(match, games, stop_level)
        is_over = decided_after(match, games, stop_level) is not None
        played[place] = match.games if is_over else min(len(games), match.games)
        if len(matches) == 1:
            return ""
        if before < match.games == played[place]:
            progress.print(f"{match}: {outcomes[place].standing}", markup=False, soft_wrap=True)
        return f"{match.key.game} "

    with _progress(console) as progress:
        stream = play_matches(matches, kept, jobs, stop_level, on_cluster=on_cluster)
        about = [note(*standing) for standing in islice(stream, len(matches))]
        for match in matches:
            if warning := warn_of_others(match, kept):
                progress.print(warning, markup=False, soft_wrap=True)
        total = sum(match.games for match in matches)
        # What has been played before is no part of the speed.
        shown = about[0] + outcomes[0].standing
        bar = progress.add_task(shown, total=total, completed=sum(played), rate="")
        for place, games in stream:
            shown = note(place, games) + outcomes[place].standing
            speed = progress.tasks[bar].speed
            rate = f"{60 * speed:.1f} games/min" if speed else ""
            progress.update(bar, completed=sum(played), description=shown, rate=rate)
    return outcomes
