"""What is loaded before a clock runs."""

import subprocess
import sys

import pytest

THINK = """
import sys
from numba.core.dispatcher import Dispatcher
import numba
import semisplit
from semisplit.agents import make_agent, parse_agent
from semisplit.agents.warm import warm_up
from semisplit.search import Budget

def refuse(*arguments, **named):
    raise AssertionError("something is loaded or compiled when a clock runs")

for place in range(1, len(sys.argv), 2):
    config = parse_agent(sys.argv[place])
    warm_up(config)
    compile, cfunc = Dispatcher.compile, numba.cfunc
    Dispatcher.compile = numba.cfunc = refuse
    agent = make_agent(config, semisplit.load(sys.argv[place + 1]), 1)
    agent.think(Budget(simulations=50))
    Dispatcher.compile, numba.cfunc = compile, cfunc
"""


@pytest.mark.parametrize(
    "pairs",
    [
        ("mini", "tic_tac_toe.kif", "orthodox+mast+rave", "rps_well", "mt-mcts", "nonogram_g"),
        # An agent that was only told to choose searches puzzles in several trees.
        ("auto", "nonogram_g"),
        ("auto", "tic_tac_toe.kif"),
    ],
)
def test_nothing_is_loaded_when_a_clock_runs(pairs: tuple[str, ...]) -> None:
    subprocess.run([sys.executable, "-c", THINK, *pairs], check=True)
