"""Games on the machines of a cluster: as many at a time as there are places for workers."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import islice
from typing import Any

from semisplit.core.errors import InputError
from semisplit.lab.matches.play import Played, lost_by, play_game
from semisplit.lab.matches.workers import PATIENCE, Task, reason
from semisplit.search.cluster.machines import BOARD, connect

_TRIES = 3
"""How often a game is begun again after its process was lost; machines may go at any time."""
_FAREWELL = 1.0
"""Seconds after a lost game when its process ends, as an agent in it does not."""


def places() -> int:
    """How many games can be played at a time."""
    found = int(connect().cluster_resources().get(BOARD, 0))
    if not found:
        raise InputError("the cluster has no place for workers; `semisplit cluster start` has some")
    return found


def play_on_cluster(tasks: Iterator[Task]) -> Iterator[tuple[Task, Played]]:
    """Play games; gives each of them when it is over.

    The next task is asked for when there is a place for it.

    Raises:
        InputError: If a game cannot be begun.
    """
    ray = connect()
    play = ray.remote(_play).options(num_cpus=0, resources={BOARD: 1}, max_retries=_TRIES - 1)

    def begin(count: int) -> dict[Any, Task]:
        return {play.remote(task): task for task in islice(tasks, count)}

    waiting = begin(places())
    try:
        while waiting:
            ready, _ = ray.wait(list(waiting))
            for answer in ready:
                task = waiting.pop(answer)
                yield task, _result(ray, answer, task)
            # Machines may have joined or gone meanwhile.
            waiting |= begin(max(1, places()) - len(waiting))
    finally:
        for answer in waiting:
            ray.cancel(answer, force=True)


def _result(ray: Any, answer: Any, task: Task) -> Played:
    try:
        played: Played = ray.get(answer)
        return played
    except ray.exceptions.RayTaskError as error:
        raise InputError(reason(error.cause)) from error
    except ray.exceptions.RayError as error:
        draw = 0.5 if len(task.agents) > 1 else 0.0
        how = f"its process was lost {_TRIES} times ({type(error).__name__})"
        return Played((), (draw,) * len(task.agents), how)


def _play(task: Task) -> Played:
    """Play a game, unless an agent does not come back."""
    played: Future[Played] = Future()
    turn = [1, time.monotonic() + 1e9]

    def on_turn(player: int, seconds: float | None) -> None:
        turn[:] = [player, time.monotonic() + (1e9 if seconds is None else seconds + PATIENCE)]

    def run() -> None:
        try:
            game = play_game(task.game, task.agents, task.seeds, task.budget, on_turn)
            played.set_result(game)
        except Exception as error:
            played.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    while True:
        try:
            return played.result(timeout=1.0)
        except TimeoutError:
            if time.monotonic() > turn[1]:
                threading.Timer(_FAREWELL, os._exit, [1]).start()
                how = "failed: its time was up long ago"
                return lost_by(int(turn[0]), how, task.game, task.agents)
