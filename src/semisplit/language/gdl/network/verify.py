"""What passes guarantee: sums and networks are well formed, and networks compute the same."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np

from semisplit.language.gdl.ground.rows import Rows
from semisplit.language.gdl.network.network import Network
from semisplit.language.gdl.network.sums import Sums

_BITS = 256
"""Inputs that networks are compared with."""


def verify_sums(sums: Sums) -> None:
    """All literals are those of atoms, and no input has rows."""
    _verify_rows(sums.rows, sums.atoms)
    assert np.all(sums.outputs >> 1 < sums.atoms)
    assert not np.any(sums.is_input[sums.rows.owners])
    for loop in sums.loops:
        assert np.all(sums.is_input[loop])


def verify_network(network: Network) -> None:
    """Gates are numbered behind the inputs, and each only depends on earlier nodes."""
    gates, first = network.gates, 1 + network.inputs
    nodes = first + len(gates)
    _verify_rows(gates, nodes)
    assert np.array_equal(gates.owners, np.arange(first, nodes))
    assert np.all(gates.counts > 0)
    assert np.all(gates.literals >> 1 < gates.owners[gates.numbers])
    assert np.all(network.outputs >> 1 < nodes)
    for loop in network.loops:
        assert np.all((loop > 0) & (loop < first))


def verify_same(before: Network, after: Network) -> None:
    """Both have the same outputs for random inputs."""
    assert before.inputs == after.inputs
    assert _outputs(before) == _outputs(after)


def _verify_rows(rows: Rows, atoms: int) -> None:
    assert rows.starts[0] == 0
    assert rows.starts[-1] == len(rows.literals)
    assert len(rows.starts) == len(rows) + 1
    assert np.all(rows.counts >= 0)
    assert np.all((rows.owners >= 0) & (rows.owners < atoms))
    assert np.all((rows.literals >= 0) & (rows.literals >> 1 < atoms))


def _outputs(network: Network) -> list[int]:
    random, everywhere = Random(0), (1 << _BITS) - 1
    values = [0, *(random.getrandbits(_BITS) for _ in range(network.inputs))]

    def value(literal: int) -> int:
        return values[literal >> 1] ^ (everywhere if literal & 1 else 0)

    starts = network.gates.starts.tolist()
    literals = network.gates.literals.tolist()
    for start, end in pairwise(starts):
        held = everywhere
        for literal in literals[start:end]:
            held &= value(literal)
        values.append(held)
    return [value(literal) for literal in network.outputs.tolist()]
