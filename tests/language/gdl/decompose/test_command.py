"""`semisplit decompose`."""

import json

from tests.support.command_line import run


def test_it_is_told_in_words() -> None:
    told = run("decompose", "nim")
    assert told.startswith("nim: 4 games in parallel, asynchronous\nsub-game 1: 2 fluents, 2 kinds")
    assert "control: 2 fluents that no move changes\n  (control first) (control second)\n" in told
    assert "useless: 2 moves\n  (does first noop) (does second noop)\n" in told
    assert "it is certain" in told
    assert "would have been found (95 %)" in told
    assert told.splitlines()[-1].endswith("s for grounding the rules")
    assert "it is certain" not in run("decompose", "tic_tac_toe.kif")


def test_and_for_programs() -> None:
    data = json.loads(run("decompose", "incredible", "--json"))
    assert [len(fluents) for fluents in data["subgames"]] == [9, 36]
    assert "(gold carried)" in data["subgames"][0]
    assert "(step 0)" in data["control"]
    assert "(contemplate w x)" in data["useless"]
    assert ["(does robot drop)"] in data["meta_actions"][0]
    assert data["seconds"] > 0
    assert data["evidence"]["states"] == 1024
    overlapping = json.loads(run("decompose", "nonogram_g", "--overlapping", "--json"))
    assert len(overlapping["subgames"]) == 10


def test_a_picture() -> None:
    picture = run("decompose", "incredible", "--dot")
    assert picture.startswith("digraph {")
    assert picture.count("shape=box") == 3
    assert picture.count(" -> ") == 2
    assert "robot, to no effect\\n(contemplate w w)" in picture
