"""Compiled games against the interpreter."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random

from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.compiler.runtime.target import Target
from semisplit.core.errors import PlayLimit
from semisplit.core.strategy import SplitStrategy
from semisplit.game import Game
from semisplit.language.rbg.check.description import Description
from semisplit.language.rbg.native.interface.build import emit
from semisplit.language.rbg.native.interface.compile import code_of
from semisplit.language.rbg.play.interpret import KEEPER, Interpreter, Position, switches
from semisplit.language.rbg.split.static import StaticGraph, members
from semisplit.language.rbg.text.ast import Rule
from tests.support.generate_games import generate
from tests.support.rules import rbg

_FEW = 12
"""Moves up to which all of them have to be drawn by playouts."""


class Unknown(Exception):
    """The interpreter gave up, so there is nothing to compare with."""


@contextmanager
def interpreting() -> Iterator[None]:
    """Where only the interpreter works; limits that compiled games hit are failures."""
    try:
        yield
    except PlayLimit as limit:
        raise Unknown from limit


def compiled(
    game: Description, rules: Rule, split: SplitStrategy | None, *, optimise: bool = True
) -> CompiledGame:
    """Compile rules with every index into a table checked."""
    code = code_of(emit(game, rules, split, checked=True), split)
    object_code = Target.host().object_code(code.text, optimise=optimise)
    return CompiledGame(object_code, code.facts, code.codec)


def check_position(
    rules: Interpreter, native: CompiledGame, position: Position, mod: bool | None
) -> list[Position]:
    """Compare everything that can be asked in a position; the positions after its moves."""
    state = native.codec.pack(position)
    assert native.codec.unpack(state) == position
    with interpreting():
        moves = dict(rules.moves(position))
    steps = native.codec.steps
    assert sorted(map(steps, native.moves(state))) == sorted(moves)
    assert native.count_moves(state) == len(moves)
    assert (native.count_moves(state, enough=1) > 0) == bool(moves)
    reached = dict(moves)
    if mod is not None:
        with interpreting():
            semimoves = dict(rules.semimoves(position, mod=mod))
        assert sorted(map(steps, native.semimoves(state))) == sorted(semimoves)
        reached |= semimoves
    if rules.is_nodal(position):
        after = set(moves.values()) or {position}
        for seed in range(8):
            for semisplit in [False] if mod is None else [False, True]:
                one = native.playout(state, seed, max_moves=1, semisplit=semisplit)
                assert one.moves == min(len(moves), 1)
                assert native.codec.unpack(one.final) in after
        if len(moves) <= _FEW:
            seeds = range(20 * len(moves))
            drawn = {native.playout(state, seed, max_moves=1).final for seed in seeds}
            assert set(map(native.codec.unpack, drawn)) == set(moves.values())
    for move, after_steps in list(reached.items())[:20]:
        codes = native.codec.codes(move)
        assert codes is not None
        played = native.play(state, codes)
        assert played is not None
        assert native.codec.unpack(played) == after_steps
        with suppress(Unknown):
            with interpreting():
                expected = rules.run_keeper(after_steps)
            assert native.codec.unpack(native.run_keeper(played)) == expected
    return list(reached.values())


def check_generated_game(random: Random, positions: int = 16) -> int:
    """Compare a generated game; how many positions before the interpreter gave up."""
    generated = generate(random)
    game = Game.parse(generated.text, "generated", generated.split)
    try:
        with interpreting():
            rbg(game).divided  # noqa: B018
    except Unknown:
        # Too large to be split.
        return 0
    squares = len(rbg(game).description.board.names)
    # The walks of the interpreter become longer with the board.
    max_walks = max(300, 60_000 // squares)
    # Optimising takes most of the time, and what is compared first of all is not LLVM.
    optimise = random.random() < 0.25
    return check_game(game, random, positions, max_walks, optimise=optimise)


def check_game(
    game: Game, random: Random, positions: int, max_walks: int, *, optimise: bool
) -> int:
    """Compare some positions, and one after each; how many before the interpreter gave up.

    Positions behind a switch may be set up by hand, so any pieces may be on the board.
    """
    rules = Interpreter(rbg(game).description, rbg(game).divided, max_walks)
    native = compiled(rbg(game).description, rbg(game).divided, game.split, optimise=optimise)
    mod = game.split.mod if game.split else None
    compared = 0
    for number in range(positions):
        position = set_up(game, random) if number else rules.start
        with suppress(Unknown):
            for _ in range(2):
                with interpreting():
                    expected = rules.run_keeper(position)
                assert (
                    native.codec.unpack(native.run_keeper(native.codec.pack(position))) == expected
                )
                compared += 1
                if expected.player == KEEPER:
                    break
                following = check_position(rules, native, expected, mod)
                compared += 1
                if not following:
                    break
                position = random.choice(following)
    return compared


def set_up(game: Game, random: Random) -> Position:
    """A random position behind a switch, most of its squares with the same piece or any."""
    numbers = range(len(rbg(game).description.pieces))
    usual, other = rbg(game).description.pieces.index("e"), random.random()
    pieces = tuple(
        random.choice(numbers) if random.random() < other else usual
        for _ in rbg(game).description.board.names
    )
    bounds = {**rbg(game).description.players, **rbg(game).description.variables}.values()
    values = tuple(random.choice([0, 0, random.randint(0, bound)]) for bound in bounds)
    at, player = random.choice(list(switches(rbg(game).description, rbg(game).automaton).items()))
    return Position(pieces, values, player, random.choice(vertices_behind(game, at)), at)


def vertices_behind(game: Game, at: int) -> list[int]:
    """Where play may be set up behind a switch.

    On vertices that play never comes to, split points may follow each other without an end.
    """
    board, automaton = rbg(game).description.board, rbg(game).automaton
    if game.split is None:
        return list(range(len(board.names)))
    return list(members(StaticGraph(automaton, board).live[automaton.behind(at)])) or [0]
