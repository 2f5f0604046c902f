"""Compiled games in GDL against the interpreter, and their playouts."""

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

import semisplit.games
from semisplit.compiler.runtime.abi import Bundle
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.compiler.runtime.reasoner import CompiledReasoner
from semisplit.compiler.runtime.target import Target
from semisplit.core.errors import CompileLimit, InputError, PlayLimit
from semisplit.language.gdl.check.description import Description, parse
from semisplit.language.gdl.ground.program import ground
from semisplit.language.gdl.native.interface import build
from semisplit.language.gdl.native.interface.build import emit
from semisplit.language.gdl.native.interface.compile import compile_game
from semisplit.language.gdl.network.circuit import build_circuit
from semisplit.language.gdl.network.schedule import evaluate, make_schedule
from semisplit.language.gdl.network.turns import find_turns
from semisplit.language.gdl.play.interpret import Interpreter, Position
from semisplit.language.gdl.text.ast import Term
from tests.support.rules import present

GAMES = {path.stem: path for path in Path(semisplit.games.__file__).parent.glob("*.kif")}
SOME = ("tic_tac_toe", "rps_well", "blocker", "connect4_3p", "buttons", "nim", "eight_puzzle")
"""Taking turns, choosing together, three roles, one role."""


@cache
def load(name: str) -> tuple[Description, Interpreter, CompiledGame]:
    text = CONNECTED if name == "connected" else GAMES[name].read_text()
    description = parse(text, name)
    compiled = compile_game(description)
    return description, Interpreter(description), compiled


CONNECTED = """
(role a) (role b)
(cell 1) (cell 2) (cell 3) (cell 4) (cell 5)
(next-to 1 2) (next-to 2 3) (next-to 3 4) (next-to 4 5) (next-to 5 1) (next-to 1 3)
(<= (beside ?x ?y) (next-to ?x ?y)) (<= (beside ?x ?y) (next-to ?y ?x))
(init (control a)) (init (stone 1))
(<= (legal ?r (put ?x)) (true (control ?r)) (cell ?x) (not (true (stone ?x))))
(<= (legal a wait) (true (control b))) (<= (legal b wait) (true (control a)))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= (next (stone ?x)) (true (stone ?x))) (<= (next (stone ?x)) (does ?r (put ?x)))
(<= (joined ?x ?x) (true (stone ?x)))
(<= (joined ?x ?z) (joined ?x ?y) (beside ?y ?z) (true (stone ?z)))
(<= (far ?x) (true (stone ?x)) (not (joined 1 ?x)))
(<= (alone ?x) (far ?x)) (<= (alone ?x) (alone ?y) (beside ?y ?x) (far ?x))
(<= full (true (stone 2)) (true (stone 3)) (true (stone 4)) (true (stone 5)))
(<= terminal full) (<= terminal (joined 2 5) (joined 3 4))
(<= (goal a 100) (joined 1 4)) (<= (goal a 40) (joined 1 3)) (<= (goal b 70) (alone ?x))
"""
"""Recursion that depends on the state, twice, and the second on the negation of the first."""


def positions(interpreter: Interpreter, random: Random, most: int) -> list[Position]:
    """Those of a random game, inside of moves, too."""
    found = [interpreter.start]
    while found[-1].player and len(found) < most:
        found.append(random.choice([*interpreter.semimoves(found[-1], mod=True)])[1])
    return found


@pytest.mark.parametrize("name", [*SOME, "connected"])
def test_moves_are_those_of_the_interpreter(name: str) -> None:
    _, interpreter, compiled = load(name)
    reasoner = CompiledReasoner(compiled, interpreter.start)
    random = Random(name)
    for position in positions(interpreter, random, 30):
        assert compiled.codec.unpack(compiled.codec.pack(position)) == position
        moves, semimoves = (
            dict(interpreter.moves(position)),
            dict(interpreter.semimoves(position, mod=True)),
        )
        assert reasoner.list_moves(position) == [*moves]
        if compiled.facts.simultaneous:
            assert reasoner.list_semimoves(position) == [*semimoves]
        assert reasoner.count_moves(position) == len(moves)
        for reached in (moves, semimoves):
            for steps in random.sample([*reached], min(5, len(reached))):
                assert reasoner.follow(position, steps) == reached[steps]
        if position.player == 0:
            state = compiled.run_keeper(compiled.codec.pack(position))
            goals = interpreter.goals(position.fluents)
            assert compiled.scores(state) == tuple(max(values, default=0) for values in goals)


@pytest.mark.parametrize("name", sorted(set(GAMES) - set(SOME)))
def test_all_games_begin_like_those_of_the_interpreter(name: str) -> None:
    """Those that are quick to reduce; others are compared by benchmarks/gdl_speed.py."""
    if name in ("checkers", "othello", "pilgrimage", "two_thirds", "farmers", "hex_9"):
        pytest.skip("takes seconds")
    _, interpreter, compiled = load(name)
    reasoner = CompiledReasoner(compiled, interpreter.start)
    for position in positions(interpreter, Random(name), 4):
        assert reasoner.list_moves(position) == [steps for steps, _ in interpreter.moves(position)]
        for steps, after in [*interpreter.semimoves(position, mod=True)][:3]:
            assert reasoner.follow(position, steps) == after


@pytest.mark.parametrize("name", ["connected", "rps_well", "tic_tac_toe"])
def test_the_circuit_says_what_the_interpreter_says(name: str) -> None:
    description, interpreter, _ = load(name)
    program = ground(description)
    circuit = build_circuit(program)
    schedule = make_schedule(circuit)
    random = Random(name)
    states = [p.fluents for p in positions(interpreter, random, 40) if not p.chosen]
    given = np.array([[f in state for state in states] for f in program.fluents])
    none = np.zeros((len(program.moves), len(states)), bool)
    values = evaluate(circuit, schedule, np.vstack([given, none]))

    def value(literal: int, state: int) -> bool:
        return bool(values[literal >> 1, state] ^ bool(literal & 1))

    for number, state in enumerate(states):
        legal = [{move} for move, x in zip(program.moves, circuit.legal) if value(x, number)]
        expected = interpreter.legal(state)
        assert legal == [{(role, move)} for role, may in enumerate(expected) for move in may]
        assert value(circuit.terminal, number) == interpreter.is_terminal(state)
        goals: list[list[int]] = [[] for _ in program.roles]
        for (role, goal, _), literal in zip(program.goals, circuit.goals):
            if value(literal, number):
                goals[role].insert(0, goal)
        assert goals == interpreter.goals(state)


def test_loops_of_two_layers_are_in_the_circuit() -> None:
    circuit = build_circuit(ground(load("connected")[0]))
    schedule = make_schedule(circuit)
    loops = [block for section in schedule for block in section if block.variables]
    assert len(circuit.network.loops) >= 2
    assert len(loops) >= 1


PERFT = {
    "tic_tac_toe": (1, 9, 72, 504),
    "incredible": (1, 21, 447, 9633),
    "queens08lg": (1, 65, 2640),
    "nonogram_g": (1, 25, 600, 12880),
    "blocker": (1, 256, 50640),
}


@pytest.mark.parametrize("name", [*PERFT])
def test_perft(name: str) -> None:
    _, interpreter, compiled = load(name)
    states = Counter([compiled.codec.pack(interpreter.start)])
    for expected in PERFT[name]:
        assert states.total() == expected
        if expected == PERFT[name][-1]:
            break
        after: Counter[bytes] = Counter()
        for state, number in states.items():
            for codes in compiled.moves(state) if compiled.player(state) else ():
                reached = compiled.play(state, codes)
                assert reached is not None
                after[reached] += number
        states = after


# Playouts


MANY = (1, 2, 3, 70, 255, 256, 257, 300, 1000)
"""Up to 256 playouts there is a lane for each; then some begin where others have ended."""


@pytest.mark.parametrize("name", ["tic_tac_toe", "rps_well", "connect4_3p"])
def test_playouts_depend_on_nothing_but_what_is_asked_for(name: str) -> None:
    _, interpreter, compiled = load(name)
    start = compiled.codec.pack(interpreter.start)
    played = [compiled.playouts(start, 3, count) for count in MANY]
    assert played == [compiled.playouts(start, 3, count) for count in MANY]
    assert len({compiled.playouts(start, seed, 300) for seed in range(10)}) == 10


@pytest.mark.parametrize("name", ["tic_tac_toe", "rps_well", "connected", "connect4_3p"])
def test_playouts_end_where_the_game_does(name: str) -> None:
    _, interpreter, compiled = load(name)
    start = compiled.codec.pack(interpreter.start)
    for count in MANY:
        played = compiled.playouts(start, 3, count)
        final = compiled.codec.unpack(played.final)
        assert final == interpreter.begin(final.fluents)
        assert final.player == 0
        goals = tuple(max(values, default=0) for values in interpreter.goals(final.fluents))
        assert compiled.scores(played.final) == goals
        if count == 1:
            assert played.scores == goals


def expected(compiled: CompiledGame, state: bytes) -> np.ndarray:
    """The average of scores, their squares, and the number of moves, if all moves are random."""

    @cache
    def average(state: bytes) -> np.ndarray:
        moves = compiled.moves(state) if compiled.player(state) else []
        if not moves:
            scores = np.array(compiled.scores(state))
            return np.array([*scores, *scores**2, 0.0])
        reached = (compiled.play(state, codes) for codes in moves)
        after: np.ndarray = np.mean([average(state) for state in reached if state], 0)
        after[-1] += 1
        return after

    return average(compiled.run_keeper(state))


@pytest.mark.parametrize("goals_take_long", [False, True])
@pytest.mark.parametrize("count", [2, 257, 300, 5000])
def test_no_playout_counts_more_than_others(
    count: int, goals_take_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that end early must not be counted more often because others begin in their lanes."""
    monkeypatch.setattr(build, "FEW_GOALS", -1 if goals_take_long else 100)
    description, interpreter, compiled = load("tic_tac_toe")
    circuit = build_circuit(ground(description))
    emitted = emit(circuit, find_turns(circuit))
    facts = replace(compiled.facts, frame_bytes=emitted.frame.bytes)
    object_code = Target.host().object_code(emitted.text, optimise=False)
    game = CompiledGame(object_code, facts, compiled.codec)
    start = compiled.codec.pack(interpreter.start)
    mean = expected(compiled, start)
    calls = 1_000_000 // count if count > 2 else 20_000
    played = [game.playouts(start, seed, count) for seed in range(calls)]
    total = calls * count
    moves = sum(each.moves for each in played) / total
    assert abs(moves - mean[-1]) < 5 * 1.3 / total**0.5
    for role in range(2):
        score = sum(each.scores[role] for each in played) / total
        spread = (mean[2 + role] - mean[role] ** 2) ** 0.5
        assert abs(score - mean[role]) < 5 * spread / total**0.5


TAKING = """(role a) (role b) (init (control a)) (init (left 3)) (before 1 2) (before 2 3)
(<= (legal ?r (take ?n)) (true (control ?r)) (left ?n)) (left 1) (left 2) (left 3)
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= (next (left ?m)) (true (left ?n)) (before ?m ?n))
(<= (next (got ?r)) (does ?r (take 3))) (<= (next (got ?r)) (true (got ?r)))
(<= terminal (true (left 1))) (<= (goal ?r 100) (true (got ?r)))
"""


def test_states_that_cannot_be_reached_are_played_by_the_rules() -> None:
    """Nothing is proven for them; here both roles are in control."""
    description = parse(TAKING, "taking")
    compiled, interpreter = compile_game(description), Interpreter(description)
    assert not compiled.facts.simultaneous
    both = [Term("control", (Term(role),)) for role in "ab"]
    start = compiled.codec.pack(interpreter.begin(frozenset([Term("left", (Term("3"),)), *both])))
    assert len(compiled.moves(start)) == 9
    mean = expected(compiled, start)
    count = 20_000
    played = compiled.playouts(start, 1, count)
    assert abs(played.moves / count - mean[-1]) < 5 / count**0.5
    for role in range(2):
        spread = (mean[2 + role] - mean[role] ** 2) ** 0.5
        assert abs(played.scores[role] / count - mean[role]) < 5 * spread / count**0.5
    assert compiled.player(played.final) == 0


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "rps_well", "blocker", "incredible", "connect4_3p"]
)
def test_each_move_is_equally_likely(name: str) -> None:
    """By chi-square, with a chance of one in a million that it fails for nothing."""
    from scipy.stats import chi2

    _, interpreter, compiled = load(name)
    start = compiled.codec.pack(interpreter.start)
    reached = Counter(present(compiled.play(start, codes)) for codes in compiled.moves(start))
    drawn: Counter[bytes] = Counter()
    count = 60 * len(reached) + 2000
    for seed in range(count):
        # The lanes in turn: the last one that is wanted is the one whose state is seen.
        after = one_move(compiled, start, seed, 1 + seed % 256)
        drawn[after] += 1
    assert set(drawn) <= set(reached)
    total = reached.total()
    statistic = sum(
        (drawn[state] - count * ways / total) ** 2 / (count * ways / total)
        for state, ways in reached.items()
    )
    if len(reached) > 1:
        assert statistic < chi2.isf(1e-6, len(reached) - 1)


def one_move(compiled: CompiledGame, state: bytes, seed: int, count: int) -> bytes:
    """The state of the last of some playouts after one move."""
    scratch = compiled._scratch()
    scratch.context.max_moves = 1
    return compiled._play_out(scratch, state, seed, count, False).final


def test_moves_of_roles_are_drawn_independently() -> None:
    _, interpreter, compiled = load("rps_well")
    start = compiled.codec.pack(interpreter.start)
    after = Counter(one_move(compiled, start, seed, 256) for seed in range(2000))
    scores = Counter(
        frozenset(f for f in compiled.codec.unpack(state).fluents if f.name == "score")
        for state in after.elements()
    )
    # Nobody wins four of sixteen throws, and each wins six.
    assert sorted(round(number / 2000 * 16) for number in scores.values()) == [4, 6, 6]


def test_a_playout_that_does_not_end_is_given_up() -> None:
    text = "(role a) (init f) (<= (next f) (true f)) (legal a x) (legal a y) (goal a 0)"
    description = parse(text + "(<= terminal (true g))", "endless")
    compiled = compile_game(description)
    start = compiled.codec.pack(Interpreter(description).start)
    with pytest.raises(PlayLimit):
        compiled.playouts(start, 1)


def test_a_state_in_which_a_role_cannot_move_is_the_end() -> None:
    text = """(role a) (role b) (init one) (legal a go) (<= (legal b go) (true one))
    (<= (next two) (true one)) (goal a 10) (<= (goal b 90) (true two)) (<= terminal (true no))"""
    description = parse(text, "stuck")
    compiled = compile_game(description)
    interpreter = Interpreter(description)
    start = compiled.codec.pack(interpreter.start)
    played = compiled.playouts(start, 1, 300)
    assert (played.moves, played.scores) == (300, (3000, 27000))
    assert compiled.player(played.final) == 0


def test_illegal_steps_are_refused() -> None:
    _, interpreter, compiled = load("tic_tac_toe")
    reasoner = CompiledReasoner(compiled, interpreter.start)
    (first, *_), after = next(interpreter.moves(interpreter.start))
    assert reasoner.follow(after, (first,)) is None
    assert reasoner.follow(interpreter.start, (first._replace(role=2),)) is None
    assert reasoner.follow(interpreter.start, (first._replace(move=Term("fly")),)) is None


def test_a_position_that_cannot_be_is_refused() -> None:
    _, interpreter, compiled = load("tic_tac_toe")
    strange = interpreter.start._replace(fluents=frozenset([Term("cell", (Term("9"),))]))
    with pytest.raises(InputError, match=r"the rules can never make \(cell 9\) true"):
        compiled.codec.pack(strange)


def test_other_parts_are_not_there() -> None:
    with pytest.raises(CompileLimit):
        compile_game(load("tic_tac_toe")[0], bundle=Bundle.NUMBERED)


# Tables


@pytest.mark.parametrize("name", ["tic_tac_toe", "rps_well", "connected"])
@pytest.mark.parametrize("most_gates", [0, 30])
def test_interpreted_gates_play_the_same_games(name: str, most_gates: int) -> None:
    """With 30 gates some sections are compiled, and some interpreted."""
    description, interpreter, compiled = load(name)
    circuit = build_circuit(ground(description))
    emitted = emit(circuit, find_turns(circuit), most_gates)
    assert "@interpret" in emitted.text
    facts = replace(compiled.facts, frame_bytes=emitted.frame.bytes)
    object_code = Target.host().object_code(emitted.text, optimise=False)
    interpreted = CompiledGame(object_code, facts, compiled.codec)
    start = compiled.codec.pack(interpreter.start)
    assert interpreted.playouts(start, 5, 400) == compiled.playouts(start, 5, 400)
    assert interpreted.moves(start) == compiled.moves(start)


# Odd games


CROWD = (
    "".join(f"(role r{number})" for number in range(12))
    + """
(init on) (<= (next on) (true on) (true off)) (thing 0) (thing 1) (thing 2) (thing 3) (thing 4)
(<= (legal ?r (take ?x ?y ?z)) (role ?r) (thing ?x) (thing ?y) (thing ?z) (true on))
(<= (goal ?r 50) (role ?r)) (<= terminal (not (true on)))
"""
)


def test_joint_moves_are_counted_without_listing_them() -> None:
    """125 moves of each of 12 roles: as many as a number can say."""
    description = parse(CROWD, "crowd")
    compiled, interpreter = compile_game(description), Interpreter(description)
    assert compiled.count_moves(compiled.codec.pack(interpreter.start)) == 2**62
    assert interpreter.count_moves(interpreter.start) == 125**12
    after = interpreter.follow(
        interpreter.start, next(interpreter.list_moves(interpreter.start))[:9]
    )
    assert after is not None
    assert compiled.count_moves(compiled.codec.pack(after)) == 125**3


def test_a_game_in_which_nobody_can_ever_move() -> None:
    description = parse(
        "(role a) (init f) (goal a 7) (<= terminal (true f)) (<= (legal a x) (true g))", "over"
    )
    compiled = compile_game(description)
    start = compiled.codec.pack(Interpreter(description).start)
    assert compiled.playouts(start, 1, 10)[1:4] == (0, 0, (70,))
    assert compiled.moves(start) == []


def test_a_game_of_two_that_is_over_before_it_begins() -> None:
    text = """(role a) (role b) (init f) (<= terminal (true f)) (<= (next f) (true f))
    (legal a x) (legal a y) (legal b x) (goal a 7) (goal b 9)"""
    description = parse(text, "over")
    compiled = compile_game(description)
    start = compiled.codec.pack(Interpreter(description).start)
    assert compiled.playouts(start, 1, 10)[1:4] == (0, 0, (70, 90))


def test_a_game_without_a_fluent() -> None:
    description = parse("(role a) (legal a x) (goal a 7) (<= terminal (not (true f)))", "bare")
    compiled = compile_game(description)
    start = compiled.codec.pack(Interpreter(description).start)
    assert compiled.playouts(start, 1, 10)[1:4] == (0, 0, (70,))
