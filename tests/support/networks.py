"""Sums and networks of gates from the text in which they are written."""

import numpy as np

from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.ground.program import ground
from semisplit.language.gdl.ground.rows import Integers, Rows, made
from semisplit.language.gdl.network.circuit import Circuit, build_circuit
from semisplit.language.gdl.network.network import Network
from semisplit.language.gdl.network.sums import Sums

INPUTS = 6
"""Atoms 1 to 3 are fluents, 4 to 6 the moves of one role."""


def sums(text: str) -> Sums:
    """Atoms with rules: a row in each line, like `7 <- 1 ~2`, and at last the outputs."""
    rows, outputs = _read(text, "<-")
    atoms = 1 + int(max([INPUTS, *rows.owners, *(rows.literals >> 1), *(outputs >> 1)]))
    is_input = np.zeros(atoms, bool)
    is_input[1 : 1 + INPUTS] = True
    return Sums(atoms, is_input, (np.arange(4, 1 + INPUTS),), outputs, rows.tidy())


def network(text: str) -> Network:
    """Gates: one in each line, like `7 = 1 ~2`, and at last the outputs."""
    rows, outputs = _read(text, "=")
    return Network(INPUTS, rows, outputs)


def _read(text: str, sign: str) -> tuple[Rows, Integers]:
    *lines, last = text.strip().splitlines()
    parts = [line.split(sign) for line in lines]
    bodies = [[_literal(word) for word in body.split()] for _, body in parts]
    rows = made(
        np.array([int(owner) for owner, _ in parts], np.int64),
        np.array([len(body) for body in bodies], np.int64),
        np.array([literal for body in bodies for literal in body], np.int64),
    )
    return rows, np.array([_literal(word) for word in last.split()[1:]], np.int64)


def _literal(word: str) -> int:
    return 2 * int(word.removeprefix("~")) + word.startswith("~")


def circuit(rules: str) -> Circuit:
    """The circuit of a game."""
    return build_circuit(ground(parse(rules, "small")))
