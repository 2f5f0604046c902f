"""Random games of two players on tiny boards, in RBG: putting, moving and taking pieces."""

from __future__ import annotations

from random import Random

_SCORES = (0, 25, 50, 75, 100)
_ENDS = (
    "{{$ {me} == {own}}}",
    "{{? anySquare {{{me}}} right {{{me}}}}}",
    "{{? anySquare {{{me}}} up {{{me}}}}}",
    "{{! anySquare {{{other}}}}}",
    "{{? anySquare {{{me}}} {{! up}}}}",
)
_MOVES = (
    "anySquare {{e}} [{me}]",
    "anySquare {{{me}}} [e] (left + right + up + down) {{e}} [{me}]",
    "anySquare {{{me}}} [e] right {{e, {other}}} [{me}]",
    # A lifted piece may have nowhere to go.
    "anySquare {{{me}}} [e] (up + down) ({{e}} + {{{other}}} right {{e}}) [{me}]",
    "anySquare {{{other}}} {{? (left + right) {{{me}}}}} [e]",
    "[$ t=t+1]",
    # The piece that moved last goes on.
    "{{{other}}} (left + up) {{e}} [{me}]",
)


def board_game(random: Random) -> str:
    """A game; its positions may come again."""
    width, height = random.choice([(2, 2), (3, 1), (4, 1), (3, 2)])
    cells = [random.choice("eeab") for _ in range(width * height)]
    rows = "\n".join(
        f"    [{','.join(cells[row * width : (row + 1) * width])}]" for row in range(height)
    )
    moves = random.sample(_MOVES, random.randint(1, 3))
    turns = ""
    for player, me, other in (("first", "a", "b"), ("second", "b", "a")):
        move = " + ".join(move.format(me=me, other=other) for move in moves)
        end = random.choice(_ENDS).format(me=me, other=other, own=random.randint(1, 3))
        hold = "! " if end.startswith("{?") else "? "
        opposite = "{" + hold + end[2:] if end[1] in "?!" else end.replace("==", "!=")
        first, second = random.choice(_SCORES), random.choice(_SCORES)
        turns += (
            f"    ->{player} ({move}) ->>"
            f" ({opposite} + {end} [$ first={first}] [$ second={second}] ->> {{}})\n"
        )
    start = random.choice(_SCORES), random.choice(_SCORES)
    return f"""#players = first(100), second(100)
#pieces = e, a, b
#variables = t(2)
#board = rectangle(up,down,left,right,
{rows})
#anySquare = (up* + down*)(left* + right*)
#rules = [$ first={start[0]}] [$ second={start[1]}] (
{turns})*
"""
