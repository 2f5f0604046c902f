"""The passes from text to machine code: each has a text, and what it leaves can be relied on."""

from dataclasses import replace

import numpy as np
import pytest

import semisplit
from semisplit.language.gdl.ground.program import ground
from semisplit.language.gdl.network.circuit import build_circuit
from semisplit.language.gdl.network.network import Network
from semisplit.language.gdl.network.verify import verify_network, verify_same
from semisplit.language.passes import Pass
from tests.support.command_line import run
from tests.support.rules import gdl

RBG = ["parse", "split", "automaton", "graph", "regions", "emit", "ir", "asm"]
GDL = ["parse", "normal", "ground", "fold", "reach", "group", "fold2", "cut_recursion"]
GDL += ["factor", "fold3", "reach2", "share", "flatten", "extract_pairs", "halve"]
GDL += ["emit", "ir", "asm"]


def passes(game: str, split: str | None = None) -> list[Pass]:
    rules = semisplit.load(game, split).rules
    return [*rules.language.passes(rules)]


@pytest.mark.parametrize(
    ("game", "split"),
    [("tic_tac_toe", None), ("breakthrough", "Mod"), ("reversi", "ModPlus"), ("hex", "Shift")],
)
def test_rbg(game: str, split: str | None) -> None:
    found = passes(game, split)
    assert [one.name for one in found] == RBG
    for one in found:
        assert one.text(), one.name
        one.verify()


@pytest.mark.parametrize("game", ["tic_tac_toe_gdl", "double_ttt_sync", "incredible"])
def test_gdl(game: str) -> None:
    found = passes(game)
    assert [one.name for one in found] == GDL
    for one in found:
        assert one.text(), one.name
        one.verify()


def test_a_broken_network_is_found() -> None:
    rules = gdl(semisplit.load("tic_tac_toe_gdl"))
    network = build_circuit(ground(rules.description)).network
    others = [
        replace(network, outputs=network.outputs ^ 1),
        replace(network, gates=network.gates.mapped(network.gates.literals ^ 1)),
    ]
    for other in others:
        verify_network(other)
        with pytest.raises(AssertionError):
            verify_same(network, other)
    later = replace(network, gates=network.gates.mapped(np.flip(network.gates.literals)))
    with pytest.raises(AssertionError):
        verify_network(Network(later.inputs, later.gates, later.outputs, later.loops))


def test_a_pass_is_printed_and_a_wrong_name_lists_all() -> None:
    assert "->xplayer" in run("compile", "tic_tac_toe", "--dump-after", "split")
    assert "  -> " in run("compile", "tic_tac_toe", "--dump-after", "automaton")
    assert "(true (cell 1 1 o))" in run("compile", "tic_tac_toe_gdl", "--dump-after", "ground")
    said = run("compile", "tic_tac_toe", "--dump-after", "grond", status=1)
    assert said == f"error: there is no pass 'grond'; there are {', '.join(RBG)}\n"
