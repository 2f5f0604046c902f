"""What is shown of thoughts."""

import semisplit
from semisplit.agent import make_agent, parse_agent
from semisplit.cli.drawing import draw_thought
from semisplit.search import Budget


def test_thoughts_tell_which_policies_were_followed() -> None:
    agent = make_agent(parse_agent("orthodox+random+history"), semisplit.load("breakthrough"), 1)
    shown = draw_thought(agent.think(Budget(simulations=50), best=1), str).plain
    assert shown.count("follows") == 2
    assert "player 1 follows" in shown
    assert "history 0." in shown
    plain = make_agent(parse_agent("orthodox"), semisplit.load("breakthrough"), 1)
    assert "follows" not in draw_thought(plain.think(Budget(simulations=5), best=1), str).plain
