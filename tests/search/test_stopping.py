"""When a run is over, without anything to search."""

import time

import pytest

from semisplit.search import Budget
from semisplit.search.stopping import (
    ENDLESS,
    SLICE,
    Run,
    Solution,
    Stopper,
    StopRequest,
    iterations,
    slices,
    stopper_of,
)


def work(run: Run, *stoppers: Stopper) -> list[int]:
    """Make all simulations that each slice allows, but at most a hundred; how many these are."""
    made = []
    for part in slices(stoppers, run, None):
        made.append(min(part.simulations, 100, 1 + part.states // 10))
        run.simulations += made[-1]
        run.states += 10 * made[-1]
    return made


@pytest.mark.parametrize(
    ("budget", "made"),
    [
        (Budget(simulations=250), [100, 100, 50]),
        (Budget(states=1205), [100, 21]),
        (Budget(simulations=0), [1]),
        (Budget(states=0), [1]),
        (Budget(seconds=0), [100]),
        (Budget(seconds=1, buffer=2), [100]),
    ],
)
def test_a_budget_ends_a_run(budget: Budget, made: list[int]) -> None:
    run = Run()
    assert work(run, stopper_of(budget, run)) == made


def test_slices_end_with_the_time() -> None:
    run = Run()
    part = next(slices([stopper_of(Budget(seconds=SLICE / 2), run)], run, None))
    assert part.end == run.begin + SLICE / 2
    assert part.deadline == part.end + SLICE
    assert (part.simulations, part.states) == (ENDLESS, ENDLESS)


def test_whatever_is_due_first_ends_a_run() -> None:
    run = Run()
    both = stopper_of(Budget(simulations=70), run), stopper_of(Budget(states=300), run)
    assert work(run, *both) == [31]
    assert work(Run(is_solved=True), Solution(), *both) == []


def test_a_request_waits_for_something_to_be_tried() -> None:
    request, run = StopRequest(), Run()
    request.make()
    assert not request.is_due(run)
    assert work(run, request) == [100]
    assert request.is_due(run)
    request.forget()
    assert not request.is_due(run)


def test_pauses_are_between_slices() -> None:
    run, request, pauses = Run(), StopRequest(), []

    def pause() -> None:
        pauses.append(run.simulations)
        if len(pauses) == 3:
            request.make()

    for _ in iterations([request], run, pause):
        run.simulations += 1
        time.sleep(SLICE)
    assert pauses == [1, 2, 3]
