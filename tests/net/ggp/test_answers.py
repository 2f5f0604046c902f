"""Which of the answers of two processes is given, and when."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from semisplit.agents import Thought, parse_agent
from semisplit.game import Move
from semisplit.net.ggp.messages import Play, Start
from semisplit.net.ggp.mind import Answer, Begin, Continue, Refusal, Tells, Told
from semisplit.net.ggp.player import Player
from semisplit.net.ggp.process import Minds
from tests.support.ggp_peers import RULES

THOUGHT = Thought(Move((), "x"), 1.0, 1, 1, 0.1)
CLOCK, MARGIN = 1.0, 0.5
Script = Callable[[Begin | Continue], Tells]


class Scripted:
    """A process that answers what a function makes of a question."""

    def __init__(self, script: Script):
        self._script = script

    def attend(self, hear: Callable[[Tells], None], mourn: Callable[[], None]) -> None:
        self._hear = hear

    def tell(self, what: Told) -> None:
        if isinstance(what, (Begin, Continue)):
            asyncio.get_running_loop().call_soon(self._hear, self._script(what))

    def end(self) -> None:
        """Nothing has to be ended."""


class Scripts:
    """The processes of one match."""

    def __init__(self, first: Script, searching: Script):
        processes: Any = Scripted(first), Scripted(searching)
        self._minds = Minds(*processes)

    async def warm_up(self) -> None:
        """Nothing has to be loaded."""

    def prepare(self) -> Minds:
        return self._minds

    def take(self) -> Minds:
        return self._minds


def play(first: Script, searching: Script) -> tuple[str, float]:
    """The answer after one move of each role, and the seconds until then."""

    async def ask() -> tuple[str, float]:
        player = Player(parse_agent("flat-mc"), margin=MARGIN)
        pool: Any = Scripts(first, searching)
        player._pool = pool
        await player.prepare()
        now = asyncio.get_running_loop().time
        assert await player._answer(Start("m", "left", RULES, 0.1, CLOCK), now()) == "ready"
        begin = time.monotonic()
        move = await player._answer(Play("m", ("a", "b")), now())
        return move, time.monotonic() - begin

    return asyncio.run(ask())


def any_move(told: Begin | Continue) -> Answer:
    return Answer(told.question, f"any{told.question}", told.question)


def thought_out(told: Begin | Continue) -> Answer:
    return Answer(told.question, f"good{told.question}", told.question, thought=THOUGHT)


def at_the_beginning(answer: Script) -> Script:
    """Nothing but notes about later positions."""
    return lambda told: answer(told) if told.question == 0 else Refusal(-1, "", ends=False)


def test_a_thought_out_move_is_better_than_any() -> None:
    assert play(any_move, thought_out)[0] == "good1"


def test_a_thought_out_move_needs_no_other_to_be_in_time() -> None:
    """The process that has any legal move at hand may be busy with rules that take for ever."""
    move, seconds = play(at_the_beginning(any_move), thought_out)
    assert move == "good1"
    assert seconds < CLOCK


def test_any_move_is_better_than_a_thought_about_an_earlier_position() -> None:
    assert play(any_move, at_the_beginning(thought_out))[0] == "any1"


def test_a_late_answer_to_an_earlier_question_does_not_count() -> None:
    def late(told: Begin | Continue) -> Answer:
        return Answer(0, "late", 0, thought=THOUGHT)

    assert play(any_move, late)[0] == "any1"
