"""Games on two boards in one description."""

_SIZE = 3
_STEPS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


def _board(piece: str) -> str:
    """Two squares of cells; `other` leads from each cell to the same one of the other square."""
    lines = []
    for board, other in (("a", "b"), ("b", "a")):
        for x in range(_SIZE):
            for y in range(_SIZE):
                edges = [f"other:{other}{x}{y}"]
                for label, (dx, dy) in _STEPS.items():
                    if 0 <= x + dx < _SIZE and 0 <= y + dy < _SIZE:
                        edges.append(f"{label}:{board}{x + dx}{y + dy}")
                lines.append(f"{board}{x}{y}[{piece}]{{{', '.join(edges)}}}")
    return "\n".join(lines)


_WALK = "#any = (up* + down*)(left* + right*)other*\n"

TWO_BOARDS = f"""
#players = white(100), black(100)
#pieces = e, x, o
#variables =
#board = {_board("e")}
{_WALK}
#line(mark; forth; back) = (back {{mark}})* (forth {{mark}})^2
#inLine(mark) = line(mark; up; down) + line(mark; right; left)
    + line(mark; up right; down left) + line(mark; up left; down right)
#turn(me; you; mark) = ->me any {{e}} ->> [mark] (
    {{! inLine(mark)}} + {{? inLine(mark)}} [$ me=100] [$ you=0] ->> {{}})
#rules = [$ white=50] [$ black=50] (turn(white; black; x) turn(black; white; o))*
"""
"""Tic-tac-toe on two boards; each move is on one of them, and the first line wins."""

LIGHTS = f"""
#players = player(100)
#pieces = off, on
#variables = moves(20)
#board = {_board("off")}
{_WALK}
#flip = ({{off}} [on] + {{on}} [off])
#press = flip ((up flip down) + {{! up}}) ((right flip left) + {{! right}})
#rules = (->player any press {{$ moves < 20}} [$ moves=moves+1] ->>)*
"""
"""Two boards of lamps: pressing one changes those above it and beside it, too."""

CARRYING = TWO_BOARDS.replace("[mark] (", "[mark] (other {e} [mark] other + {mark}) (")
"""The same, but for that one may mark the same cell of the other board, too, if that is empty."""

WEIGHED = TWO_BOARDS.replace("{e} ->>", "{e} ({? other {e}} + {? other {x,o}}) ->>")
"""The same, but for that it is asked in vain what is on the other board."""

BLOCKED = TWO_BOARDS.replace("{e} ->>", "{e} {? other {e}} ->>")
"""The same, but for that the same cell of the other board has to be empty."""
