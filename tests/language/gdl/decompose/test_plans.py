"""Plans for puzzles, which the interpreter judges."""

from dataclasses import replace

import pytest

from semisplit import games
from semisplit.language.gdl.check.description import Description, parse
from semisplit.language.gdl.decompose.decompose import decompose_program
from semisplit.language.gdl.decompose.decomposition import TRIED, Decomposition
from semisplit.language.gdl.decompose.plans.plan import find_plan
from semisplit.language.gdl.ground.program import GroundProgram, ground
from semisplit.language.gdl.play.interpret import Interpreter, Step
from tests.language.gdl.decompose import nonograms, tiny

LONG = 1000.0


def take_apart(text: str) -> tuple[Description, GroundProgram, Decomposition]:
    description = parse(text)
    program = ground(description)
    return description, program, decompose_program(program)


def plan(text: str) -> tuple[Step, ...]:
    """A plan that was found; it is legal, and ends with the highest score."""
    description, program, found = take_apart(text)
    line = find_plan(program, found, LONG)
    assert line is not None
    interpreter = Interpreter(description)
    state = interpreter.start.fluents
    for step in line:
        assert not interpreter.is_terminal(state)
        assert step.move in interpreter.legal(state)[0]
        state = interpreter.next_state(state, (step.move,))
    assert interpreter.is_terminal(state)
    assert max(interpreter.goals(state)[0]) == 100
    return line


def shortest(text: str) -> int:
    """The length of the shortest solution, by looking at all states."""
    interpreter = Interpreter(parse(text))
    states, length = {interpreter.start.fluents}, 0
    while True:
        ended = [state for state in states if interpreter.is_terminal(state)]
        if any(100 in interpreter.goals(state)[0] for state in ended):
            return length
        length += 1
        states = {
            interpreter.next_state(state, (move,))
            for state in states.difference(ended)
            for move in interpreter.legal(state)[0]
        }


@pytest.mark.parametrize("text", [tiny.TWO_COUNTERS, tiny.PAIRS])
def test_plans_are_as_short_as_can_be(text: str) -> None:
    assert len(plan(text)) == shortest(text)


@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("asteroids_parallel", 10),
        ("blocks_world_parallel", 3),
        ("incredible", 13),
        ("lights_on_parallel", 4),
        ("nonogram_g", 13),
        ("nonogram_checkerboard_counted", 13),
        ("turtle_brain", 60),
    ],
)
def test_plans_for_bundled_puzzles(name: str, length: int) -> None:
    assert len(plan(games.text(name))) == length


def test_a_plan_for_lines_and_a_counter() -> None:
    assert len(plan(nonograms.COUNTED_MARKS)) == 13


def test_what_cannot_be_solved_has_no_plan() -> None:
    goal = "(<= (goal you 100) (true (at a 4))"
    impossible = tiny.TWO_COUNTERS.replace(goal, f"{goal} (true (at a 3))")
    assert impossible != tiny.TWO_COUNTERS
    _, program, found = take_apart(impossible)
    assert len(found.subgames) == 2
    assert find_plan(program, found, LONG) is None


def test_there_are_plans_only_for_parts_that_are_apart_for_certain() -> None:
    _, program, found = take_apart(tiny.TWO_COUNTERS)
    assert find_plan(program, found, LONG) is not None
    doubtful = replace(found, evidence=found.evidence._replace(transitions=TRIED))
    assert find_plan(program, doubtful, LONG) is None
    _, program, found = take_apart(games.text("nim"))
    assert find_plan(program, found, LONG) is None


def test_time_is_limited() -> None:
    _, program, found = take_apart(games.text("asteroids_parallel"))
    assert find_plan(program, found, 0.0) is None
