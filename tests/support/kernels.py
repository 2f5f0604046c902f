"""Compile what searches need, before tests do it in several processes at the same time.

python -m tests.support.kernels
"""

from semisplit.search.engine.load import load_kernels
from semisplit.search.features.policies.compiling import (
    FUNCTIONS,
    address_of_playouts,
    address_of_policy,
)
from semisplit.search.multitree.kernels.load import load_kernels as load_multitree_kernels

if __name__ == "__main__":
    load_kernels()
    load_multitree_kernels()
    address_of_playouts()
    for functions in FUNCTIONS.values():
        address_of_policy(functions.evaluate)
        address_of_policy(functions.learn)
