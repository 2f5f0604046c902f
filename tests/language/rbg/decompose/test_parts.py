"""The parts of games in RBG, and what they mean in play."""

import json
from random import Random

import pytest

from semisplit import games
from semisplit.language.rbg.check.description import Description, parse
from semisplit.language.rbg.decompose.parts import find_parts
from semisplit.language.rbg.play.interpret import Interpreter, Position, Steps
from tests.language.rbg.decompose import boards
from tests.support.command_line import run

BOARDS = [set(range(9)), set(range(9, 18))]


@pytest.mark.parametrize("text", [boards.TWO_BOARDS, boards.LIGHTS])
def test_two_boards_are_two_games(text: str) -> None:
    found = find_parts(parse(text))
    assert [set(part.vertices) for part in found.subgames] == BOARDS
    assert not any(part.variables for part in found.subgames)


def test_what_counts_moves_is_control() -> None:
    assert find_parts(parse(boards.LIGHTS)).control == ("moves",)
    # Not in all moves, or not always in the same way.
    optional = boards.LIGHTS.replace("[$ moves=moves+1]", "([$ moves=moves+1] + {on})")
    other = boards.LIGHTS.replace("moves+1]", "moves+1] {on} + {off} [$ moves=moves+2]")
    for text in (optional, other):
        found = find_parts(parse(text))
        assert found.control == ()
        assert [part.variables for part in found.subgames] == [("moves",)]


@pytest.mark.parametrize("text", [boards.CARRYING, boards.WEIGHED, boards.BLOCKED])
def test_what_looks_at_both_boards_joins_them(text: str) -> None:
    (part,) = find_parts(parse(text)).subgames
    assert len(part.vertices) == 18


@pytest.mark.parametrize(
    ("name", "vertices"), [("tic_tac_toe", 9), ("breakthrough", 64), ("amazons", 100), ("hex", 121)]
)
def test_what_is_one_piece_stays_so(name: str, vertices: int) -> None:
    (part,) = find_parts(parse(games.text(name), name)).subgames
    assert len(part.vertices) == vertices


def visited(description: Description, number: int) -> list[Position]:
    """Positions of random play in which somebody decides."""
    interpreter, random = Interpreter(description, description.rules), Random(1)
    found: list[Position] = []
    position = interpreter.run_keeper(interpreter.start)
    while len(found) < number:
        found.append(position)
        moves = [after for _, after in interpreter.moves(position)]
        after = interpreter.run_keeper(random.choice(moves)) if moves else position
        ended = not moves or after.player == 0
        position = interpreter.run_keeper(interpreter.start) if ended else after
    return found


def moves_on(interpreter: Interpreter, position: Position, board: set[int]) -> set[Steps]:
    return {
        steps
        for steps in interpreter.list_moves(position)
        if {step.vertex for step in steps} <= board
    }


def mixtures_differ(text: str) -> bool:
    """Whether it makes a difference on one board what is on the other."""
    description = parse(text)
    interpreter = Interpreter(description, description.rules)
    positions = visited(description, 40)
    for one in positions:
        for other in positions:
            if (one.player, one.at, one.values) == (other.player, other.at, other.values):
                mixed = one._replace(pieces=one.pieces[:9] + other.pieces[9:])
                for origin, board in zip((one, other), BOARDS):
                    if moves_on(interpreter, mixed, board) != moves_on(interpreter, origin, board):
                        return True
    return False


def test_what_can_be_done_in_a_part_depends_on_nothing_else() -> None:
    assert not mixtures_differ(boards.TWO_BOARDS)
    assert not mixtures_differ(boards.LIGHTS)
    assert mixtures_differ(boards.BLOCKED)


def test_the_command() -> None:
    assert run("decompose", "tic_tac_toe").startswith("tic_tac_toe: one game\n")
    data = json.loads(run("decompose", "tic_tac_toe", "--json"))
    assert (data["kind"], data["control"], len(data["subgames"][0])) == ("one game", [], 9)
    assert run("decompose", "tic_tac_toe", "--dot").startswith("digraph {\n")
    error = run("decompose", "tic_tac_toe", "--statistical", status=1)
    assert "cannot be decomposed but by its rules: it is in RBG" in error
