"""What all processes of tabs need: it is loaded once, in the process that they are forked from."""

from importlib import import_module

from semisplit.agents import make_agent, parse_agent
from semisplit.loading import load
from semisplit.search import Budget
from semisplit.ui.web.process import SERVICES

for service in SERVICES.values():
    import_module(service.partition(":")[0])
# What is loaded when it is first needed is needed by a game of each language, and by a search. The
# first time of all, that compiles the search, which not every tab is to do.
load("tic_tac_toe_gdl").initial_state()
make_agent(parse_agent("orthodox"), load("tic_tac_toe"), seed=0).think(Budget(simulations=1))
