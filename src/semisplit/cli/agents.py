"""`semisplit agents`: who can play."""

from __future__ import annotations

import json as json_module

from semisplit.cli.options import Json


def agents(json: Json = False) -> None:
    """List agents with a name, and how to spell others."""
    from semisplit.agent.names import NAMED, SIMPLE

    meanings = {str(name): text for name, text in SIMPLE.items()} | NAMED
    if json:
        rows = [{"agent": name, "meaning": text} for name, text in meanings.items()]
        print(json_module.dumps(rows))
        return
    width = max(map(len, meanings))
    for name, text in meanings.items():
        print(f"{name:<{width}}  {text}")
    print(
        "\nOthers are spelt in the same way: tree[-nodal|-raw][/simulation][+mast...][+rave...]"
        "[+policy...][@Strategy][,C=0.7 ...]\n"
        "A path to a .json file in the thesis' format is an agent, too."
    )
