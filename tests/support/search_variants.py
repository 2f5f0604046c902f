"""All variants of the search, and small games to try them on."""

from collections.abc import Iterator

from semisplit.core.strategy import STRATEGIES, SplitStrategy
from semisplit.search import (
    BadSettings,
    Mast,
    Rave,
    Settings,
    Simulation,
    Tree,
    Variant,
)

PAWNS = """
#players = white(100), black(100)
#pieces = e, w, b
#variables =
#board = rectangle(up,down,left,right, [b,b,b] [e,e,e] [w,w,w] [w,w,w])
#turn(me; opponent; mine; theirs; forward) =
    ->me (up* + down*)(left* + right*) {mine} [e]
    forward ({e} + (left + right) {e, theirs}) [mine]
    (
        {? forward} ->>
        + {! forward} [$ me=100] [$ opponent=0] ->> {}
    )
#rules = [$ white=50] [$ black=50] (turn(white; black; w; b; up) turn(black; white; b; w; down))*
"""
"""White's rear pawns cannot move at first; a move has up to five semimoves."""


def legal_variants(strategy: str) -> Iterator[Settings]:
    """All combinations of tree, simulation, MAST and RAVE that are not refused."""
    split = SplitStrategy.parse(strategy)
    designs = [
        (tree, simulation, nodal)
        for tree in Tree
        for simulation in Simulation
        for nodal in ((True,) if tree == Tree.ORTHODOX else (True, False))
    ]
    for tree, simulation, nodal in designs:
        orthodox = tree == Tree.ORTHODOX
        masts = [
            Mast(variant, threshold=3, in_expansion=orthodox or variant != Variant.JOIN)
            for variant in Variant
        ]
        raves = [Rave(variant, threshold=3) for variant in Variant]
        for mast in (None, *masts):
            for rave in (None, *raves):
                try:
                    yield Settings(tree, simulation, split, nodal, mast=mast, rave=rave)
                except BadSettings:
                    continue


def all_variants() -> list[Settings]:
    """Those of all split strategies; without semimoves they are all the same."""
    found = [settings for name in STRATEGIES for settings in legal_variants(name)]
    return [one for one in found if one.splits or str(one.split) == STRATEGIES[0]]


def title(settings: Settings) -> str:
    """A short name of a variant."""
    parts = [settings.tree.name, settings.simulation.name, str(settings.split)]
    parts.append("nodal" if settings.nodal else "raw")
    if settings.mast:
        parts.append(f"mast_{settings.mast.variant.name}")
    if settings.rave:
        parts.append(f"rave_{settings.rave.variant.name}")
    return "-".join(parts).lower()
