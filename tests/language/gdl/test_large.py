"""Games with all their rules, as competitions have them: each position takes little work."""

from functools import cache
from pathlib import Path
from random import Random

import pytest

from semisplit.compiler.runtime.reasoner import CompiledReasoner
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.native.interface import compile
from semisplit.language.gdl.play.interpret import Interpreter, Position
from semisplit.language.gdl.text.ast import Term

LARGE = Path(__file__).parents[3] / "benchmarks" / "large"
_WORK = 150_000
"""Rows that may be looked at in one position; far less than the joins that can be avoided have."""


@cache
def interpret(name: str) -> Interpreter:
    return Interpreter(parse((LARGE / f"{name}.kif").read_text(), name), _WORK)


@pytest.mark.parametrize(("name", "moves"), [("checkers_jumps", 7), ("two_checkers", 14)])
def test_checkers_with_jumps_over_several_pieces(name: str, moves: int) -> None:
    game, random = interpret(name), Random(1)
    position: Position | None = game.start
    assert game.count_moves(game.start) == moves
    taken = set()
    for _ in range(60):
        assert position is not None
        steps = random.choice(list(game.list_moves(position)))
        taken.add(steps[0].move.name)
        position = game.follow(position, steps)
    assert {"move", "jump", "double_jump"} <= taken


def test_chess() -> None:
    game = interpret("chess")
    assert game.count_moves(game.start) == 20
    assert count(game, game.start, 2) == 400


def test_compiled_checkers_with_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile, "get_faster", lambda *_: None)
    game, random = interpret("checkers_jumps"), Random(2)
    text = (LARGE / "checkers_jumps.kif").read_text()
    compiled = CompiledReasoner(compile.compile_game(parse(text, "checkers_jumps")), game.start)
    position: Position | None = game.start
    for _ in range(40):
        assert position is not None
        moves = list(game.list_moves(position))
        assert compiled.list_moves(position) == moves
        steps = random.choice(moves)
        after = game.follow(position, steps)
        assert compiled.follow(position, steps) == after
        position = after


# Counted by many chess programs: castling, promotion, pins, checks and capturing en passant.
POSITIONS = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -": [48],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": [14, 191],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": [6, 264],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -": [44],
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3": [8],
    "7k/5Q2/6K1/8/8/8/8/8 b - -": [0],
}


@pytest.mark.parametrize(("text", "counts"), POSITIONS.items(), ids=POSITIONS)
def test_chess_positions(text: str, counts: list[int]) -> None:
    game = interpret("chess")
    position = chess_position(game, text)
    assert [count(game, position, depth) for depth in range(1, len(counts) + 1)] == counts


def count(game: Interpreter, position: Position, depth: int) -> int:
    """How many sequences of so many moves there are, without making the last ones."""
    if depth == 1:
        return game.count_moves(position)
    return sum(count(game, after, depth - 1) for _, after in game.moves(position))


def chess_position(game: Interpreter, text: str) -> Position:
    """A position of chess from the notation of Forsyth and Edwards."""
    board, side, rights, en_passant = text.split()
    players = {True: "white", False: "black"}
    fluents = {fluent("control", players[side == "w"]), fluent("idle", "0")}
    for rank, row in zip("87654321", board.split("/")):
        for number in "12345678":
            row = row.replace(number, "." * int(number))
        for file, piece in zip("abcdefgh", row, strict=True):
            colour = players[piece.isupper()][0]
            name = "empty" if piece == "." else colour + piece.lower()
            fluents.add(fluent("cell", file, rank, name))
    for right in rights.replace("-", ""):
        wing = "short" if right.lower() == "k" else "long"
        fluents.add(fluent("right", players[right.isupper()], wing))
    if en_passant != "-":
        fluents.add(fluent("en_passant", *en_passant))
    return game.begin(frozenset(fluents))


def fluent(name: str, *arguments: str) -> Term:
    return Term(name, tuple(map(Term, arguments)))
