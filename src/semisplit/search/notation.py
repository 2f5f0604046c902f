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
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from semisplit.core.errors import UnknownName
from semisplit.core.settings.parameters import BadSettings, Component, member, name_of, read_options
from semisplit.core.strategy import SplitStrategy
from semisplit.search.features.groups.settings import Groups
from semisplit.search.features.policies.settings import Policies, SimulationPolicy
from semisplit.search.features.settings import Heuristic
from semisplit.search.parallel.settings import Parallel
from semisplit.search.settings import Settings, Simulation, Tree, heuristics

_OPTION = re.compile(r"\w+=[\w.+-]+")
HEURISTICS = heuristics()
"""Those that may stand in the notation, by the names of fields of `Settings`."""
_NAMES: Mapping[type[Component], str] = {
    **{kind: kind.words[0].upper() for kind in HEURISTICS.values()},
    Groups: "groups of moves",
    Policies: "policies of simulations",
}
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
    design = match["simulation"] or usual_simulation(tree).name
    simulation = member(Simulation, "simulation", design)
    words, policies = _policies(match["heuristics"].lower().split("+")[1:])
    groups = None if match["groups"] is None else Groups(parse_layers(match["groups"]))
    parts: dict[str, Any] = {
        **_heuristics(words, tree),
        "groups": groups,
        "policies": policies,
    }
    used = {type(part): name for name, part in parts.items() if part}
    unused = {kind: name for kind, name in _NAMES.items() if kind not in used}
    # MAST has batches of its own, and never those of leaves.
    given = read_options([Settings, *used, Parallel], _OPTION.findall(match["options"]), unused)
    return Settings(
        tree,
        simulation,
        SplitStrategy.parse(match["split"]) if match["split"] else None,
        nodal=expansion == "nodal",
        parallel=Parallel(**given[Parallel]),
        **{"exploration": usual_exploration(has_rave="rave" in parts), **given[Settings]},
        **{name: part and replace(part, **given[type(part)]) for name, part in parts.items()},
    )


def write_settings(settings: Settings) -> str:
    """Settings in the papers' notation, which `parse_settings` reads."""
    head = _write_head(settings)
    usual = parse_settings(head)
    options = settings.differences(usual)
    for name, part in settings.parts.items():
        options += part.differences(getattr(usual, name))
    return ",".join([head, *options])


def _write_head(settings: Settings) -> str:
    """What stands before the parameters."""
    words = [name_of(settings.tree)]
    if not settings.nodal:
        words.append("-raw")
    if settings.groups:
        words.append(f"[{write_layers(settings.groups)}]")
    if settings.simulation != usual_simulation(settings.tree):
        words.append(f"/{name_of(settings.simulation)}")
    words += [f"+{heuristic.word}" for heuristic in settings.heuristics]
    if settings.policies:
        among = settings.policies.among
        is_all = among == Policies().among
        words += [f"+{ADAPTIVE}"] if is_all else [f"+{name_of(policy)}" for policy in among]
    if settings.split:
        words.append(f"@{settings.split}")
    return "".join(words)


def parse_layers(text: str) -> tuple[tuple[str, ...], ...]:
    """The groupings of each layer: `proximity,border/piece` are two."""
    layers = [tuple(name.strip() for name in layer.split(",")) for layer in text.split("/")]
    if not all(name for layer in layers for name in layer):
        raise BadSettings(f"a grouping is missing in '[{text}]'; for example [proximity,border]")
    return tuple(layers)


def write_layers(groups: Groups) -> str:
    """Write layers of groups as text, which `parse_layers` reads."""
    return "/".join(map(",".join, groups.layers))


def _tree(name: str, *, has_groups: bool) -> Tree:
    if name.lower() != GROUPS:
        return member(Tree, "tree", name, more=[GROUPS])
    if not has_groups:
        raise BadSettings("groups of what? For example, groups[proximity,border]")
    return Tree.ORTHODOX


def usual_simulation(tree: Tree) -> Simulation:
    """The design of simulations if only that of the tree is given."""
    return Simulation.ORTHODOX if tree == Tree.ORTHODOX else Simulation.SEMISPLIT


def usual_exploration(*, has_rave: bool) -> float:
    """The constant of UCT if none is given: with RAVE, estimates make the search explore."""
    return 0.2 if has_rave else 0.4


def _policies(words: list[str]) -> tuple[list[str], Policies | None]:
    """What else there is among some words, and the policies that simulations follow."""
    members = {policy.name.lower(): policy for policy in SimulationPolicy}
    rest = [word for word in words if word not in members and word != ADAPTIVE]
    if ADAPTIVE in words:
        return rest, Policies()
    found = tuple(members[word] for word in words if word in members)
    return rest, Policies(found) if found else None


def _heuristics(words: list[str], tree: Tree) -> dict[str, Heuristic]:
    found: dict[str, Heuristic] = {}
    for word in words:
        begin = word.partition("-")[0]
        name = next((name for name, kind in HEURISTICS.items() if begin in kind.words), None)
        if name is None:
            known = [word for kind in HEURISTICS.values() for word in kind.words]
            policies = [policy.name.lower() for policy in SimulationPolicy]
            raise UnknownName("heuristic", begin, [*known, ADAPTIVE, *policies])
        made = HEURISTICS[name].from_word(word, splits_tree=tree != Tree.ORTHODOX)
        if name in found:
            raise BadSettings(f"there can be only one {begin.upper()}")
        found[name] = made
    return found
