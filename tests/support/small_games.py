"""Games of any size, as texts: small ones can be solved, and their values are known."""

from __future__ import annotations

from collections.abc import Sequence


def _rectangle(rows: Sequence[str]) -> str:
    lines = "\n".join(f"    [{','.join(row)}]" for row in rows)
    return f"#board = rectangle(up,down,left,right,\n{lines})\n"


_ANY = "#anySquare = (up* + down*)(left* + right*)\n"


def _along(name: str, count: int) -> str:
    """A macro: the square lies in a row of so many squares with a piece, itself not looked at."""
    ways = []
    for behind in range(count):
        ahead = count - 1 - behind
        back = "(back {mark})" + f"^{behind}" if behind > 1 else "(back {mark})" * behind
        home = f" (forth)^{behind}" if behind > 1 else " forth" * behind
        forth = f" (forth {{mark}})^{ahead}" if ahead > 1 else " (forth {mark})" * ahead
        ways.append(f"{back}{home}{forth}".strip())
    return f"#{name}(mark; forth; back) = (" + "\n    + ".join(ways) + ")\n"


def m_n_k(width: int, height: int, count: int, *, misere: bool = False) -> str:
    """Put marks on a board; who gets so many in a row wins, or loses."""
    wins, loses = ("opponent", "me") if misere else ("me", "opponent")
    return (
        "#players = first(100), second(100)\n#pieces = e, x, o\n#variables =\n"
        + _rectangle(["e" * width] * height)
        + _ANY
        + _along("along", count)
        + f"""
#inLine(mark) =
    along(mark; up; down) + along(mark; right; left)
    + along(mark; up right; down left) + along(mark; up left; down right)
#turn(me; opponent; mark) =
    ->me anySquare {{e}}
    ->> (
        {{! inLine(mark)}} [mark]
        + {{? inLine(mark)}} [mark] [$ {wins}=100] [$ {loses}=0] ->> {{}}
    )
#rules = [$ first=50] [$ second=50] (
    turn(first; second; x)
    turn(second; first; o)
)*
"""
    )


def connect_four(width: int, height: int, count: int = 4) -> str:
    """Drop pieces into files; who gets four in a row wins."""
    return (
        "#players = first(100), second(100)\n#pieces = e, x, o\n#variables =\n"
        + _rectangle(["e" * width] * height)
        + _along("along", count)
        + f"""
#toTop = up* {{! up}}
#fall = (down {{e}})* {{! down {{e}}}}
#inLine(mark) =
    (down {{mark}})^{count - 1} + along(mark; right; left)
    + along(mark; up right; down left) + along(mark; up left; down right)
#turn(me; opponent; mark) =
    ->me toTop (left* + right*) {{e}}
    ->> fall (
        {{! inLine(mark)}} [mark]
        + {{? inLine(mark)}} [$ me=100] [$ opponent=0] ->> {{}}
    )
#rules = [$ first=50] [$ second=50] (
    turn(first; second; x)
    turn(second; first; o)
)*
"""
    )


def _race(width: int, height: int, rows: int, step: str) -> str:
    board = ["b" * width] * rows + ["e" * width] * (height - 2 * rows) + ["w" * width] * rows
    return (
        "#players = white(100), black(100)\n#pieces = e, w, b\n#variables =\n"
        + _rectangle(board)
        + _ANY
        + f"""
#turn(me; opponent; mine; theirs; forward) =
    ->me anySquare {{mine}} [e]
    {step}
    ->> [$ me=100] [$ opponent=0]
    ->> {{? forward}} [mine]
#rules = (
    turn(white; black; w; b; up)
    turn(black; white; b; w; down)
)*
"""
    )


def breakthrough(width: int, height: int, rows: int = 2) -> str:
    """Bring a pawn to the farthest row."""
    return _race(width, height, rows, "forward ({e} + (left + right) {e, theirs})")


def knightthrough(width: int, height: int, rows: int = 2) -> str:
    """Bring a knight, which jumps forward only, to the farthest row."""
    jump = "(forward^2 (left + right) + forward (left^2 + right^2)) {e, theirs}"
    return _race(width, height, rows, jump)


def hex_board(size: int) -> str:
    """Join two opposite sides of a rhombus by a chain of stones."""
    widths = [*range(1, size + 1), *range(size - 1, 0, -1)]
    rows = "\n".join(f"    [{','.join('e' * width)}]" for width in widths)
    return f"""
#players = red(100), blue(100)
#pieces = e, r, b
#variables =
#board = hexagon(NW,NE,E,SE,SW,W,
{rows})
#anyCell = (NW* + SE*)(NE* + SW*)
#neighbour = (NW + NE + E + SE + SW + W)
#touches(stone; side) = {{? (neighbour {{stone}})* {{! side}}}}
#connects(stone; side; opposite) = touches(stone; side) touches(stone; opposite)
#turn(me; opponent; stone; side; opposite) =
    ->me anyCell {{e}}
    ->> [stone] (
        {{! connects(stone; side; opposite)}}
        + {{? connects(stone; side; opposite)}} [$ me=100] ->> {{}}
    )
#rules = (
    turn(red; blue; r; NW; SE)
    turn(blue; red; b; NE; SW)
)*
"""


def three_mens_morris(*, centre: bool = True) -> str:
    """Put three stones each on nine points, then move along lines; a row of three wins.

    The lines are the rows, files and diagonals of a square. Without `centre` the first stone must
    not be put into the middle. Who cannot move loses.
    """
    ways = {
        "a3": "right:b3, down:a2, dr:b2",
        "b3": "left:a3, right:c3, down:b2",
        "c3": "left:b3, down:c2, dl:b2",
        "a2": "up:a3, down:a1, right:b2",
        "b2": "up:b3, down:b1, left:a2, right:c2, ul:a3, ur:c3, dl:a1, dr:c1",
        "c2": "up:c3, down:c1, left:b2",
        "a1": "up:a2, right:b1, ur:b2",
        "b1": "left:a1, right:c1, up:b2",
        "c1": "left:b1, up:c2, ul:b2",
    }
    board = "\n".join(f"    {point}[e]{{{edges}}}" for point, edges in ways.items())
    aside = "" if centre else "({! ul} + {$ put > 1})"
    return f"""#players = first(100), second(100)
#pieces = e, x, o
#variables = put(6)
#board =
{board}
#anyPoint = (left + right + up + down)*
#through(mark; one; other) = {{? one {{mark}}}} {{? other {{mark}}}}
#row(mark) = (
    through(mark; left; right) + through(mark; up; down)
    + through(mark; ul; dr) + through(mark; ur; dl))
#step = (left + right + up + down + ul + ur + dl + dr)
#judge(me; opponent; mark) = (
    {{! anyPoint {{mark}} row(mark)}}
    + {{? anyPoint {{mark}} row(mark)}} [$ me=100] [$ opponent=0] ->> {{}})
#place(me; opponent; mark) =
    [$ put=put+1] ->me anyPoint {{e}} {aside} [mark] ->> judge(me; opponent; mark)
#go(me; opponent; mark) =
    [$ me=0] [$ opponent=100]
    ->me anyPoint {{mark}} [e] step {{e}} [mark] ->> judge(me; opponent; mark)
#rules =
    (place(first; second; x) place(second; first; o))^3
    (go(first; second; x) go(second; first; o))*
"""
