"""Compiled games at the edges: unusual boards and rules, hostile rules."""

import multiprocessing
import re
from random import Random

import pytest

from semisplit import Game, SemisplitError, State, games, load
from semisplit.compiler.runtime.abi import Bundle
from semisplit.core.errors import CompileWarning, PlayLimit
from semisplit.language.interpreted import InterpretedReasoner
from semisplit.language.rbg.native.machine.program import MAX_SIZE
from semisplit.language.rbg.play.interpret import KEEPER
from tests.support.compare import check_position, compiled
from tests.support.prelude import PRELUDE
from tests.support.rules import rbg


def agree(text: str, plies: int = 4) -> None:
    """Play a random game and compare all its positions with the interpreter."""
    game = Game.parse(text, split="Mod")
    assert game.split is not None
    native = compiled(rbg(game).description, rbg(game).divided, game.split)
    rules = rbg(game).interpreter
    random = Random(text)
    position = rules.run_keeper(rules.start)
    assert native.codec.unpack(native.run_keeper(native.codec.pack(rules.start))) == position
    for _ in range(plies):
        if position.player == KEEPER:
            break
        check_position(rules, native, position, mod=True)
        moves = list(rules.moves(position))
        if not moves:
            break
        position = rules.run_keeper(random.choice(moves)[1])


def rectangle(width: int, height: int) -> str:
    return "rectangle(up,down,left,right," + ("[" + ",".join("e" * width) + "]") * height + ")"


HEADER = "#players = w(100), b(100) #pieces = e, x, o #variables = n(9)\n"
ANY = "(up* + down*)(left* + right*)"
PLACE = f"(->w {ANY} {{e}} [x] {{! (left {{x}})^2}} ->> ->b {ANY} {{e}} ->> [o])*"


@pytest.mark.parametrize(
    ("width", "height"), [(1, 1), (1, 5), (8, 8), (9, 8), (16, 8), (8, 16), (19, 17), (50, 42)]
)
def test_rectangles(width: int, height: int) -> None:
    agree(f"{HEADER}#board = {rectangle(width, height)}\n#rules = {PLACE}", plies=2)


def draughts(size: int, rows: int) -> list[str]:
    """The rows of a board with so many rows of men on each side, on the dark squares."""
    men = ["b"] * rows + ["e"] * (size - 2 * rows) + ["w"] * rows
    return [",".join(man if (x + y) % 2 else "e" for x in range(size)) for y, man in enumerate(men)]


def reversi(size: int) -> list[str]:
    """The rows of a board with four discs in the middle."""
    middle = size // 2
    discs = {(middle - 1, middle - 1): "w", (middle, middle): "w"}
    discs |= {(middle - 1, middle): "b", (middle, middle - 1): "b"}
    return [",".join(discs.get((x, y), "e") for x in range(size)) for y in range(size)]


@pytest.mark.parametrize(
    ("name", "rows", "squares"),
    [
        ("international_draughts", draughts(12, 5), 144),  # Canadian draughts
        ("english_draughts", draughts(10, 4), 100),
        ("reversi", reversi(10), 100),
        ("reversi", reversi(14), 196),
    ],
)
def test_real_games_on_larger_boards(name: str, rows: list[str], squares: int) -> None:
    board = "".join(f"[{row}]" for row in rows)
    text, count = re.subn(r"(right,)[^)]*\)", rf"\g<1>{board})", games.text(name), count=1)
    assert count == 1
    text = text.replace("most(20)", "most(30)")
    assert len(rbg(Game.parse(text)).description.board.names) == squares
    agree(text, plies=2)


def test_keeper_chooses_among_modifiers_alone() -> None:
    """Nothing but modifiers can follow, so walks through the rules pass no edge."""
    board = rectangle(3, 2)
    rules = (
        f"(->w {ANY} {{e}} [x] ->> ([o] {{x}} + [e] + [o]) ->b {ANY} {{e}} [o] ->> ([x] + [e]))*"
    )
    agree(f"{HEADER}#board = {board}\n#rules = ({rules})*")


def test_rectangle_with_holes() -> None:
    board = "rectangle(up,down,left,right,[e,,e,e][,e,e,][e,e,,e][e,e,e,e])"
    walk = "(up + down + left + right)*"
    agree(f"{HEADER}#board = {board}\n#rules = (->w {walk} {{e}} [x] ->b {walk} {{x}} [o])*")


def test_hexagon() -> None:
    board = "hexagon(NW,NE,E,SE,SW,W,[e,e,e][e,e,e,e][e,e,e,e,e][e,e,e,e][e,e,e])"
    line = "{! (NE {x})^2 + (E {x})^2 + (SE {x})^2}"
    rules = f"(->w NW* NE* E* SE* SW* {{e}} [x] {line} ->b W* SE* NE* {{e}} [o])*"
    agree(f"{HEADER}#board = {board}\n#rules = {rules}")


def test_cuboid() -> None:
    layer = "[[e,e,e,e][e,e,e,e][e,e,e,e]]"
    board = f"cuboid(up,down,left,right,front,back,{layer}{layer}{layer})"
    walk = "(front* + back*)(up* + down*)(left* + right*)"
    rules = f"(->w {walk} {{e}} [x] {{! (up front {{x}})}} ->b {walk} {{e}} [o])*"
    agree(f"{HEADER}#board = {board}\n#rules = {rules}")


def test_graph_without_any_order() -> None:
    random = Random(1)
    edges = [
        f"v{n}[e]{{a: v{random.randrange(300)}, c: v{random.randrange(300)}}}" for n in range(300)
    ]
    rules = "(->w (a + c)* {e} [x] {? (a {e})* c {x}} ->> ->b (a c)* {x} [o])*"
    agree(f"{HEADER}#board = {' '.join(edges)}\n#rules = {rules}", plies=2)


def test_many_pieces_players_and_variables() -> None:
    pieces = ", ".join(f"p{n}" for n in range(300))
    players = ", ".join(f"q{n}({n + 1})" for n in range(40))
    variables = ", ".join(f"v{n}({n})" for n in range(1, 60))
    board = "rectangle(up,down,left,right,[p0,p1,p2,p299][p17,p18,p255,p254])"
    turns = " ".join(
        f"->q{n} {ANY} {{p{n}, p255, p299}} [p{n + 200}] [$ v{n + 1}=v{n + 1}+1]" for n in range(40)
    )
    text = f"#players = {players} #pieces = {pieces} #variables = {variables} #board = {board}"
    agree(f"{text}\n#rules = ({turns})*", plies=6)


SQUARE = f"{HEADER}#board = {rectangle(4, 4)}\n"
WIDE = f"{HEADER}#board = {rectangle(10, 10)}\n"


@pytest.mark.parametrize(
    "text",
    [
        # What was put on a square is seen by tests behind a choice or a repetition.
        f"{SQUARE}#rules = ->w {ANY} {{? [x] ({{x}})* {{x}}}} ->>",
        f"{SQUARE}#rules = ->w {ANY} {{? [x] ({{! up}} + {{$ n==0}}) {{x}}}} ->>",
        f"{SQUARE}#rules = ->w {ANY} [x] ({{! up}} + {{$ n==0}}) {{x}} ->>",
        # Several pieces may have been put there.
        f"{SQUARE}#rules = ->w {ANY} ([x] + [o]) {{x}} [$ n=1] ->>",
        # A test of the board in front of a test of a piece.
        f"{WIDE}#rules = ->w {{? ({{! up}} {{e}} right)* {{! right}}}} ->>",
        f"{WIDE}#rules = ->w {{? (down {{! left}} {{e}})* {{! down}}}} ->>",
        # Ways that a walk tries one after the other: what one has found, another has not.
        f"{WIDE}#rules = (->w {ANY} {{e}} [x] ->> {{! ({{e}} up)* {{o}} up}})*",
        # Arithmetic that leaves the range of integers.
        f"{SQUARE}#rules = [$ n=9] ->w {{$ ((n*2000000000*2000000000*3)/(0-1)) > 0}} [x] ->>",
        f"{SQUARE}#rules = ->w {{$ 5/n == 0}} [x] ->w [$ n=5/(n+1)] ->>",
        # Rules that never let a player move, and turns that are over at once.
        f"{SQUARE}#rules = ->> [x]",
        f"{SQUARE}#rules = ->w {{}} [x]",
        # Longer than Python's stack is deep.
        f"{SQUARE}#rules = ->w ([x])^600 ->>",
        f"{SQUARE}#rules = ->> ([x])^600 ->w [o] ->>",
        f"{SQUARE}#rules = ->w ({{e}} right {{e}} left)^500 ->>",
        f"{SQUARE}#rules = ->w ({{? [x] up {{e}}}})^300 ->>",
        # A circle without a modifier in the keeper's move.
        f"{SQUARE}#rules = ->> ({{e}} + {{! {{e}}}} [x])* {{x}} ->w ->>",
        # The keeper's choices, in the order of the rules.
        f"{SQUARE}#rules = ->> {ANY} {{e}} [x] {{! up}} [o] ->w {ANY} {{o}} ->>",
        f"{SQUARE}#rules = ->> (right + down)* [x] {{! right}} {{! down}} ->w {ANY} {{x}} ->>",
    ],
)
def test_cases(text: str) -> None:
    agree(text)


MACROS = """
#any = (up* + down*)(left* + right*)
#next = (up + down + left + right)
#toX = (next {e})* next {x}
#toO = (next {e})* next {o}
#toE = (next {o})* next {e}
#inRow(others) = ({! (left* + right*) {e, others}} + {! (up* + down*) {e, others}})
#jump(way) = way {o} [e] way {e}
#jumps = (jump(up) + jump(left) + jump(right))
"""
PATTERNS = [
    # Patterns that put pieces on squares which they look at again, or do not.
    "->w any {? [x] right left {x}} {! [x] right left {e}} [x] ->>",
    "(->w any {e} [x] {! right [o] left* {x} [o]} ->> ->b)*",
    "(->w any {! [o] next {x} [o] (up {o} [x])*} [x] ->b)*",
    "->w any {? [x] right [x] {$ x==2}} {? [$ n=n+9] (up)*} [x] ->>",
    "(->w any {! [$ n=n+5] left} [x] [$ n=n+1] ->b)*",
    "(->w any {? {e} [x] any {o} right {! {x}}} [o] ->> ->b)*",
    # The same pattern in several alternatives, behind different tests.
    "(->w any {e} [x] ->b any {e} [o] ->> any ("
    "{e} {? toX} {! toO} [x] + {e} {? toO} {! toX} [o] + {! {e}} {? toX} {! toO} [e]))*",
    "(->w any {e} ({? next {x}} [x] + {! next {x}} [o]) ({? next {x}} ->> + {! next {x}} ->b))*",
    "(->w any {e} [x] ({$ n==1} {? toE} [o] + {$ n==0} {? toE} [e] + {! toE}) [$ n=1-n] ->b)*",
    "(->w any {e} [x] right ({x} {? toE} [o] + {e} {? toE} [x] + {o} {! toE} [e]) ->b)*",
    # What follows a modifier is the same, and only what comes later differs.
    "->w any {e} ([x] right {e} [o] up {e} [x] + [x] right {e} [o] down {e} [x]) ->b",
]


@pytest.mark.parametrize("size", [(4, 4), (14, 12)])
@pytest.mark.parametrize("rules", PATTERNS)
def test_patterns(rules: str, size: tuple[int, int]) -> None:
    agree(f"{HEADER}#board = {rectangle(*size)}{MACROS}#rules = {rules}", plies=2)


LAST_STEPS = [
    # What follows the last piece put down depends on it, or on the place where it is.
    "(->w any {e} [x] ({! inRow(o)} ->> + {? inRow(o)} any {o} {! inRow(x)} ->> [e]) ->b any [o])*",
    "(->w any {e} [x] ({! next {x}} ->> + {? next {x}} next {e} ->>) ->b any {e} [o])*",
    "(->w any {e} [x] (any {x} ->> + right {e} ->> + {e} ->>) ->b any {e} [o])*",
    "(->w any {e} [x] ({$ x > 2} ->> + {$ x < 3} next {e} ->>) ->b any {e} [o])*",
    "(->w any {e, x} [o] ({? next {o}} ->> + {! next {o, e}} any {o} ->>) ->b any {o} [x])*",
    "(->w any {e} [x] (up* + left) ({x} + {e}) ->> ->b any {e} [o])*",
    "(->w any {e} [x] {? (next {x})* next {e} + next {o} {! toE}} ->> ->b any [o])*",
    # The first jump is like the others.
    "(->w any {e} [x] ->> any {e} [o] ->b any {x} [e] jumps (jumps)* {! jumps} [x])*",
]


@pytest.mark.parametrize("size", [(3, 3), (9, 8)])
@pytest.mark.parametrize("rules", LAST_STEPS)
def test_every_move_is_drawn(rules: str, size: tuple[int, int]) -> None:
    text = f"{HEADER}#board = {rectangle(*size)}{MACROS}#rules = {rules}"
    agree(text)
    game = Game.parse(text, split="Mod")
    native, interpreter = game.compiled, rbg(game).interpreter
    state = native.run_keeper(native.codec.pack(interpreter.start))
    for ply in range(5):
        after = [position for _, position in interpreter.moves(native.codec.unpack(state))]
        seeds = range(20 * len(after))
        drawn = {native.playout(state, seed, max_moves=1).final for seed in seeds}
        assert set(map(native.codec.unpack, drawn)) == set(after)
        if not after:
            break
        state = native.run_keeper(native.playout(state, ply, max_moves=1).final)


def test_no_moves_after_the_end() -> None:
    game = load("breakthrough")
    native = game.compiled
    start = native.run_keeper(native.codec.pack(game.reasoner.start))
    final = native.playouts(start, 1).final
    for move in native.moves(start):
        assert native.play(final, move) is None
    assert native.moves(final) == []


@pytest.mark.parametrize("split", ["Mod", "Plus"])
@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("->w ([x] [o])* {} ->>", "more than 5000 modifiers"),
        ("->w {? ([x] [o])* {}} ->>", "more than 5000 modifiers"),
        ("->> ([x] [o])* {} ->w", "more than 5000 modifiers"),
        ("->> (->>)* {}", "the keeper made 100000 moves in a row"),
        ("->w (([x] + [o] + [e]) ([x] + [o]) right)^30 {} ->>", "takes too long"),
    ],
)
def test_endless_rules_are_stopped(
    rules: str, message: str, split: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("semisplit.compiler.runtime.scratch.MAX_WORK", 100_000)
    board = rectangle(40, 1)
    game = Game.parse(f"{HEADER}#board = {board}\n#rules = {rules}", split=split)
    native = game.compiled
    begin = native.codec.pack(game.reasoner.start)
    with pytest.raises(PlayLimit, match=message):
        native.moves(native.run_keeper(begin))
    with pytest.raises(PlayLimit, match=message):
        native.playouts(native.run_keeper(begin), 1, semisplit=True)


def test_rules_too_large_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MAX_SIZE, Bundle.GAME, 10_000)
    many = " + ".join(["up [x] down [o] {x} left"] * 1000)
    game = Game.parse(f"{PRELUDE}#rules = ->w ({many}) ->>", "huge")
    with pytest.warns(CompileWarning, match="huge are too large to be compiled; play goes on"):
        state = game.initial_state()
    assert isinstance(game.reasoner, InterpretedReasoner)
    assert state.player_name == "w"


@pytest.mark.parametrize(
    "limits", [["emit.large._LARGE"], ["runtime.target._LARGE", "runtime.target._HUGE"]]
)
def test_large_rules(limits: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules are compiled in other ways if they are large; here all of them are."""
    for limit in limits:
        monkeypatch.setattr(f"semisplit.compiler.{limit}", 0)
    agree(f"{HEADER}#board = {rectangle(9, 9)}\n#rules = {PLACE}")
    jump = "(up {x} [e] up {e} + left {x} [e] left {e})"
    agree(f"{PRELUDE}#rules = (->w {ANY} {{e}} {jump} ({jump})* [x] ->b {ANY} {{e}} [x] ->w)*")


@pytest.mark.parametrize("count", [0, -1])
def test_number_of_playouts(count: int) -> None:
    native = load("tic_tac_toe").compiled
    with pytest.raises(ValueError, match="at least one"):
        native.playouts(native.codec.pack(load("tic_tac_toe").reasoner.start), 1, count)


def test_unknown_engine() -> None:
    with pytest.raises(SemisplitError, match="there is no engine 'fast'"):
        load("tic_tac_toe", engine="fast")  # type: ignore[arg-type]


def test_long_sequences_of_modifiers() -> None:
    """LLVM has passes that give up on these, and the process with them."""
    text = f"""
#players = w(1), b(1)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right, [e,e])
#rules = (->w {"[e] " * 400} [x] ->b [e])*
"""
    state = Game.parse(text, "sequence", "Mod").initial_state()
    (move,) = state.moves()
    assert len(move.steps) == 402
    assert state.apply(move).player_name == "b"


def test_forked_processes_do_not_share_memory() -> None:
    state = load("breakthrough").initial_state()
    expected = len(state.moves())
    with multiprocessing.get_context("fork").Pool(4) as pool:
        counts = pool.map(_count_often, [state] * 4)
    assert counts == [{expected}] * 4


def _count_often(state: State) -> set[int]:
    return {len(State(state.game, state.position).moves()) for _ in range(500)}
