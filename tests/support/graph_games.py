"""Random games of two players on small graphs, as texts: a token goes from node to node.

There are circles, ways meet, and scores are of any kind. In RBG each node belongs to a player, who
decides where the token goes next, so that a player may move several times in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_SCORES = (0, 25, 50, 75, 100)
_LABELS = "abc"


def rbg_graph(random: Random) -> str:
    """A game in RBG; a move is one step, or two, of which the first may lead into a dead end."""
    size, ends = random.randint(4, 12), random.randint(1, 3)
    nodes = [f"v{number}" for number in range(size)]
    pieces = [random.choice("xy") for _ in nodes]
    for number in range(ends):
        pieces[-1 - number] = f"e{number}"
    # Labels are known if some node has them.
    edges = [_edges(random, nodes, _LABELS), *(_edges(random, nodes) for _ in nodes[1:])]
    board = "\n".join(
        f"    {node}[{piece}]{{{leaving}}}" for node, piece, leaving in zip(nodes, pieces, edges)
    )
    step = " + ".join(_LABELS)
    deciding = ", ".join(sorted({piece for piece in pieces if piece in "xy"}) or ["x"])
    move = f"({step})"
    if random.random() < 0.5:
        move = f"({step}) [$ t=1] ({step}) {{{deciding}, {', '.join(_ends(ends))}}}"
    finals = "\n    ".join(
        f"+ {{{end}}} [$ first={random.choice(_SCORES)}]"
        f" [$ second={random.choice(_SCORES)}] ->> {{}}"
        for end in _ends(ends)
    )
    known = ", ".join(["x", "y", *_ends(ends)])
    return f"""#players = first(100), second(100)
#pieces = {known}
#variables = t(1)
#board =
{board}
#rules = (
    {{x}} ->first {move} ->>
    + {{y}} ->second {move} ->>
    {finals}
)*
"""


def _ends(count: int) -> list[str]:
    return [f"e{number}" for number in range(count)]


def _edges(random: Random, nodes: list[str], labels: Sequence[str] = ()) -> str:
    labels = labels or random.sample(_LABELS, random.randint(1, len(_LABELS)))
    return ", ".join(f"{label}: {random.choice(nodes)}" for label in labels)


def gdl_graph(random: Random) -> str:
    """A game in GDL, in which players move in turn."""
    size = random.randint(4, 12)
    nodes = [f"v{number}" for number in range(size)]
    lines = ["(role first)", "(role second)", "(init (at v0))", "(init (control first))"]
    ends = set(random.sample(nodes[1:], random.randint(1, 3)))
    for node in nodes:
        if node in ends:
            lines.append(f"(<= terminal (true (at {node})))")
            lines += [
                f"(<= (goal {role} {random.choice(_SCORES)}) (true (at {node})))"
                for role in ("first", "second")
            ]
            continue
        others = random.sample(nodes, random.randint(1, 3))
        lines += [f"(edge {node} {other})" for other in others]
    lines += [
        "(<= (legal ?r (go ?to)) (true (control ?r)) (true (at ?n)) (edge ?n ?to))",
        "(<= (legal first noop) (true (control second)))",
        "(<= (legal second noop) (true (control first)))",
        "(<= (next (at ?to)) (does ?r (go ?to)))",
        "(<= (next (control second)) (true (control first)))",
        "(<= (next (control first)) (true (control second)))",
    ]
    return "\n".join(lines) + "\n"
