"""The papers' notation for searches, as people type it.

    tree[-nodal | -raw][[groups]][/simulation][+mast...][+rave...][+policy...][@Strategy]
        [,name=value ...]

For example `orthodox`, `semisplit-nodal@Mod`, `rollup-nodal+mast-split@ModPlus`,
`orthodox/semisplit+mast-mix@Mod,C=0.7`. The simulation is semisplit unless the tree is orthodox, if
nothing is said. `mast` and `rave` alone are the standard variants; the others are `mast-split`,
`-join`, `-context` and `-mix`.

`mobility` and other policies let simulations follow them; of several, one is chosen for each player
and simulation, and `adaptive` is all of them. `mini` is `orthodox+adaptive`.

Groups stand in brackets: the groupings of a layer with commas, nested layers with slashes between
them, as in `semisplit[piece]@Mod` or `groups[proximity,border/piece]`, which is an orthodox tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import IntEnum
from typing import Any, TypeVar

from semisplit.core.errors import UnknownName
from semisplit.core.strategy import SplitStrategy
from semisplit.search.parallel import Merge, Method, Parallel
from semisplit.search.policies.settings import Policies, SimulationPolicy
from semisplit.search.settings import (
    BadSettings,
    Decay,
    Final,
    Groups,
    Mast,
    Policy,
    Rave,
    Settings,
    Simulation,
    Tree,
    Variant,
)

E = TypeVar("E", bound=IntEnum)
GROUPS = "groups"
"""The name of an orthodox tree with groups."""
MINI, ADAPTIVE = "mini", "adaptive"
"""The names of MINI-Player, and of the choice among all policies."""


def parse_settings(text: str) -> Settings:
    """Read settings in the papers' notation."""
    text = re.sub(rf"^{MINI}\b", f"orthodox+{ADAPTIVE}", text.strip(), flags=re.IGNORECASE)
    match = re.fullmatch(
        r"(?P<tree>[a-z]+)(-(?P<expansion>[a-z]+))?(\[(?P<groups>[\w,/ ]*)\])?"
        r"(/(?P<simulation>[a-z]+))?"
        r"(?P<heuristics>(\+[a-z-]+)*)(@(?P<split>[a-z]+))?(?P<options>([,\s]+\w+=[\w.+-]+)*)",
        text,
        re.IGNORECASE,
    )
    if match is None:
        raise BadSettings(
            f"'{text}' does not read like a search; for example 'orthodox',"
            " 'semisplit-nodal@Mod' and 'rollup-nodal+mast-split@ModPlus,C=0.7' do"
        )
    tree = _tree(match["tree"], has_groups=match["groups"] is not None)
    expansion = (match["expansion"] or "nodal").lower()
    if expansion not in ("nodal", "raw"):
        raise UnknownName("expansion", expansion, ["nodal", "raw"])
    given = match["simulation"] or usual_simulation(tree).name
    simulation = _member(Simulation, "simulation", given)
    words, policies = _policies(match["heuristics"].lower().split("+")[1:])
    mast, rave = _heuristics(words, tree)
    parts: dict[str, Any] = {"tree": tree, "simulation": simulation, "nodal": expansion == "nodal"}
    parts |= {"split": SplitStrategy.parse(match["split"])} if match["split"] else {}
    parts |= {"policies": policies} if policies else {}
    if match["groups"] is not None:
        parts["groups"] = Groups(parse_layers(match["groups"]))
    parts["exploration"] = usual_exploration(rave)
    names = re.findall(r"(\w+)=", match["options"].lower())
    if len(set(names)) < len(names):
        raise BadSettings(f"a parameter is given twice in '{text}'")
    for name, value in re.findall(r"(\w+)=([\w.+-]+)", match["options"]):
        mast, rave = _override(name, value, parts, mast, rave)
    return Settings(**parts, mast=mast, rave=rave)


def parse_layers(text: str) -> tuple[tuple[str, ...], ...]:
    """The groupings of each layer: `proximity,border/piece` are two."""
    layers = [tuple(name.strip() for name in layer.split(",")) for layer in text.split("/")]
    if not all(name for layer in layers for name in layer):
        raise BadSettings(f"a grouping is missing in '[{text}]'; for example [proximity,border]")
    return tuple(layers)


def write_layers(groups: Groups) -> str:
    """The same as text."""
    return "/".join(map(",".join, groups.layers))


def _tree(name: str, *, has_groups: bool) -> Tree:
    if name.lower() != GROUPS:
        return _member(Tree, "tree", name)
    if not has_groups:
        raise BadSettings("groups of what? For example, groups[proximity,border]")
    return Tree.ORTHODOX


def usual_simulation(tree: Tree) -> Simulation:
    """The design of simulations if only that of the tree is given."""
    return Simulation.ORTHODOX if tree == Tree.ORTHODOX else Simulation.SEMISPLIT


def usual_exploration(rave: Rave | None) -> float:
    """The constant of UCT if none is given: with RAVE the estimates see to exploring."""
    return 0.2 if rave else 0.4


def _member(kind: type[E], what: str, name: str) -> E:
    members = {member.name.lower().replace("_", "-"): member for member in kind}
    if name.lower() not in members:
        raise UnknownName(what, name, [*members, *([GROUPS] if kind is Tree else [])])
    return members[name.lower()]


def _policies(words: list[str]) -> tuple[list[str], Policies | None]:
    """What else there is among some words, and the policies that simulations follow."""
    members = {policy.name.lower(): policy for policy in SimulationPolicy}
    rest = [word for word in words if word not in members and word != ADAPTIVE]
    if ADAPTIVE in words:
        return rest, Policies()
    found = tuple(members[word] for word in words if word in members)
    return rest, Policies(found) if found else None


def _heuristics(words: list[str], tree: Tree) -> tuple[Mast | None, Rave | None]:
    mast, rave = None, None
    for word in words:
        name, _, variant = word.partition("-")
        kind = _member(Variant, "variant", variant or "standard")
        if (name == "mast" and mast) or (name in ("rave", "grave") and rave):
            raise BadSettings(f"there can be only one {name.upper()}")
        if name == "mast":
            # Whole moves are no help in choosing semimoves.
            in_expansion = kind != Variant.JOIN or tree == Tree.ORTHODOX
            mast = Mast(kind, in_expansion=in_expansion)
        elif name == "rave":
            rave = Rave(kind)
        elif name == "grave":
            rave = Rave(kind, reference=50)
        else:
            policies = [policy.name.lower() for policy in SimulationPolicy]
            raise UnknownName("heuristic", name, ["mast", "rave", "grave", ADAPTIVE, *policies])
    return mast, rave


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadSettings(f"'{text}' is not a number") from None


def _whole(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text):
        raise BadSettings(f"'{text}' is not a whole number of up to nine digits")
    return int(text)


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "false", "1", "0"):
        raise BadSettings(f"'{text}' is neither true nor false")
    return text.lower() in ("true", "1")


_Reader = Callable[[str], Any]
_SEARCH: Mapping[str, tuple[str, _Reader]] = {
    "c": ("exploration", _number),
    "msf": ("min_simulations_factor", _number),
    "difference": ("min_score_difference", _number),
    "final": ("final", lambda text: _member(Final, "final selection", text)),
    "frf": ("final_rollup_factor", _number),
    "share": ("share", _number),
    "expand": ("expansion_threshold", lambda x: None if x.lower() == "children" else _whole(x)),
}
_PARALLEL: Mapping[str, tuple[str, _Reader]] = {
    "threads": ("threads", _whole),
    "parallel": ("method", lambda text: _member(Method, "parallel method", text)),
    "loss": ("loss", _whole),
    "lock": ("locked", _flag),
    "merge": ("merge", lambda text: _member(Merge, "way to merge", text)),
    "playouts": ("playouts", _whole),
    "batch": ("batch", _whole),
    "gpu": ("gpu", _flag),
}
_GROUPS: Mapping[str, tuple[str, _Reader]] = {
    "x": ("threshold", _whole),
    "above": ("least", _whole),
}
_POLICIES: Mapping[str, tuple[str, _Reader]] = {
    "chance": ("chance", _number),
    "sample": ("sample", _whole),
    "ucb": ("exploration", _number),
}
_MAST: Mapping[str, tuple[str, _Reader]] = {
    "policy": ("policy", lambda text: _member(Policy, "policy", text)),
    "epsilon": ("epsilon", _number),
    "temperature": ("temperature", _number),
    "decay": ("decay", lambda text: _member(Decay, "decay", text)),
    "factor": ("decay_factor", _number),
    "batch": ("batch", _whole),
    "treeonly": ("tree_only", _flag),
    "expansion": ("in_expansion", _flag),
    "threshold": ("threshold", _number),
}
_RAVE: Mapping[str, tuple[str, _Reader]] = {
    "k": ("equivalence", _number),
    "ref": ("reference", _whole),
    "ravethreshold": ("threshold", _whole),
}


def _override(
    name: str, value: str, parts: dict[str, Any], mast: Mast | None, rave: Rave | None
) -> tuple[Mast | None, Rave | None]:
    """Change one parameter."""
    key = name.lower()
    if key in _SEARCH:
        field, read = _SEARCH[key]
        parts[field] = read(value)
    elif key in _GROUPS:
        if "groups" not in parts:
            raise BadSettings(f"'{name}' belongs to groups, which are not used")
        field, read = _GROUPS[key]
        parts["groups"] = replace(parts["groups"], **{field: read(value)})
    elif key in _POLICIES:
        if "policies" not in parts:
            raise BadSettings(f"'{name}' belongs to policies of simulations, which are not used")
        field, read = _POLICIES[key]
        parts["policies"] = replace(parts["policies"], **{field: read(value)})
    elif key in _PARALLEL and not (key in _MAST and mast):
        # MAST has batches of its own, and never those of leaves.
        field, read = _PARALLEL[key]
        parts["parallel"] = replace(parts.get("parallel", Parallel()), **{field: read(value)})
    elif key in _MAST:
        if mast is None:
            raise BadSettings(f"'{name}' belongs to MAST, which is not used")
        field, read = _MAST[key]
        mast = replace(mast, **{field: read(value)})
    elif key in _RAVE:
        if rave is None:
            raise BadSettings(f"'{name}' belongs to RAVE, which is not used")
        field, read = _RAVE[key]
        rave = replace(rave, **{field: read(value)})
    else:
        known = [*_SEARCH, *_PARALLEL, *_GROUPS, *_POLICIES, *_MAST, *_RAVE]
        raise UnknownName("parameter", name, known)
    return mast, rave
