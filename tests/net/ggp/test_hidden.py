"""Matches in which players are told what they see: GDL-II on the wire."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack

import pytest

import semisplit
from semisplit.core.errors import SemisplitError
from semisplit.game import Game
from semisplit.language.gdl.percepts import is_percept, percepts
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Term
from semisplit.language.gdl.text.notation import write_term
from semisplit.net.ggp.client import Address
from semisplit.net.ggp.hidden import HiddenCourse
from semisplit.net.ggp.host import Host, Terms
from semisplit.net.ggp.messages import Play, find_move, read_message, spaced, write_percepts
from semisplit.net.ggp.records import MatchRecord
from tests.support.ggp_peers import playing


def gdl_rules(name: str) -> GdlRules:
    rules = semisplit.load(name, engine="interpreter").rules
    assert isinstance(rules, GdlRules)
    return rules


def play(game: Game, agents: Sequence[str], terms: Terms) -> list[MatchRecord]:
    with ExitStack() as stack:
        ports = [stack.enter_context(playing(agent)) for agent in agents]
        addresses = [Address(f"127.0.0.1:{port}") for port in ports]
        return asyncio.run(Host(game, addresses, terms, seed=1).play())


@pytest.mark.parametrize(
    ("name", "agents", "terms"),
    [
        ("monty_hall", ["orthodox"], Terms(4, 2, scramble=True)),
        ("kuhn_poker", ["random", "random"], Terms(4, 2, games=2, scramble=True)),
        ("hidden_rps", ["random", "random"], Terms(4, 2)),
        ("krieg_tic_tac_toe", ["random", "random"], Terms(4, 2)),
        ("pig", ["random", "random"], Terms(4, 2)),
    ],
)
def test_all_answers_are_legal(name: str, agents: list[str], terms: Terms) -> None:
    game = semisplit.load(name, engine="interpreter")
    assert isinstance(game.rules, GdlRules)
    interpreter, roles = game.rules.interpreter, game.rules.description.roles
    for record in play(game, agents, terms):
        assert record.is_completed
        assert not any(map(any, record.errors)), record.errors
        state = interpreter.initial
        for number, moves in enumerate(record.moves, 1):
            joint = [find_move(move, may) for move, may in zip(moves, interpreter.legal(state))]
            state = interpreter.next_state(state, tuple(move for move in joint if move is not None))
            assert len(record.states[number]) == sum(not is_percept(fluent) for fluent in state)
            if game.rules.hides:
                seen = [[spaced(write_term(one)) for one in percepts(state, r)] for r in roles]
                assert record.percepts[number] == seen
        assert record.goal_values == list(game.rules.scores(interpreter.begin(state)))


def test_the_host_tells_nobody_what_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, str]] = []

    async def listen(address: Address, name: str, message: str, seconds: float) -> str:
        told.append((str(address), message))
        word = message.split()[1]
        if word == "INFO":
            return "( ( name x ) ( status available ) )"
        return "( write rock )" if word == "PLAY" else "ready"

    monkeypatch.setattr("semisplit.net.ggp.host.ask", listen)
    game = semisplit.load("hidden_rps", engine="interpreter")
    addresses = [Address("127.0.0.1:1"), Address("127.0.0.1:2")]
    asyncio.run(Host(game, addresses, Terms(1, 1), seed=1).play())
    for address, name in zip(map(str, addresses), ("red", "blue")):
        first, second, stop = [m for to, m in told if to == address and "INFO" not in m][1:]
        match = first.split()[2]
        assert first == f"( PLAY {match} 0 NIL NIL )"
        own = "( write rock )" if name == "red" else "noop"
        assert second == f"( PLAY {match} 1 {own} (turn ) )"
        assert stop.startswith(f"( STOP {match} 2 ")
        assert "( shows red rock )" in stop


def test_percepts_are_written_and_read() -> None:
    text = write_percepts("m", 3, "( try 1 2 )", ["taken", "( shows red rock )"])
    assert text == "( PLAY m 3 ( try 1 2 ) (taken ( shows red rock ) ) )"
    message = read_message(text)
    assert isinstance(message, Play)
    assert message.parts == ("3", "( try 1 2 )", "(taken ( shows red rock ) )")


@pytest.mark.parametrize(
    "told",
    [
        # As later hosts of Dresden write it, and as the first ones did.
        ("( PLAY m 0 NIL NIL )", "( PLAY m 1 (try 2 2) (marked) )", "( PLAY m 2 noop (turn) )"),
        ("( PLAY m NIL )", "( PLAY m (marked) )", "( PLAY m ( turn ) )"),
        ("(PLAY m ())", "(play m (MARKED))", "(PLAY m TURN)"),
    ],
)
@pytest.mark.parametrize("repeats", [1, 2])
def test_both_forms_of_the_protocol_are_understood(told: tuple[str, ...], repeats: int) -> None:
    rules = gdl_rules("krieg_tic_tac_toe")
    course = HiddenCourse(rules, 0, 1, believes=True)
    answers = (None, "( try 2 2 )", "noop")
    if repeats > 1 and "m 0" not in told[0]:
        return  # Nothing in them tells that it is asked again.
    for message, answer in zip(told, answers):
        read = read_message(message)
        assert isinstance(read, Play)
        for _ in range(repeats):
            course.tell(read.parts, answer)
            assert all(course.catch_up())
    assert course.made == 2
    legal = {write_term(move) for move in course.moves().found}
    assert "(try 2 2)" not in legal
    assert len(legal) == 8


def test_what_makes_no_sense_is_refused_and_forgotten() -> None:
    course = HiddenCourse(gdl_rules("krieg_tic_tac_toe"), 0, 1, believes=True)
    for number, percept in enumerate(("(nonsense)", "((", "?x", "(marked ?x)"), 1):
        course.tell((str(number), "(try 2 2)", f"({percept})"), "(try 2 2)")
        with pytest.raises(SemisplitError):
            list(course.catch_up())
    assert len(course.moves().found) == 9


def test_an_impossible_percept_still_leaves_legal_moves() -> None:
    course = HiddenCourse(gdl_rules("krieg_tic_tac_toe"), 0, 1, believes=True)
    course.tell(("1", "(try 2 2)", "(turn)"), "(try 2 2)")
    assert all(course.catch_up())
    assert course.moves().found
    assert Term("nonsense") not in course.moves().found
