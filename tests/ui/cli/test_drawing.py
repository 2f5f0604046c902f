"""What is shown of thoughts."""

import pytest

import semisplit
from semisplit.agents import make_agent, parse_agent
from semisplit.search import Budget
from semisplit.ui.cli.terminal.drawing import draw_thought


def test_thoughts_tell_which_policies_were_followed() -> None:
    agent = make_agent(parse_agent("orthodox+random+history"), semisplit.load("breakthrough"), 1)
    shown = draw_thought(agent.think(Budget(simulations=50), best=1), str).plain
    assert shown.count("follows") == 2
    assert "player 1 follows" in shown
    assert "history 0." in shown
    plain = make_agent(parse_agent("orthodox"), semisplit.load("breakthrough"), 1)
    assert "follows" not in draw_thought(plain.think(Budget(simulations=5), best=1), str).plain


@pytest.mark.parametrize("name", ["orthodox", "semisplit-nodal@Mod"])
def test_the_move_played_and_the_one_visited_most_are_named(name: str) -> None:
    differ = 0
    for seed in range(10):
        agent = make_agent(parse_agent(name), semisplit.load("breakthrough"), seed)
        thought = agent.think(Budget(simulations=500), best=1)
        assert thought.result is not None
        played, visited = str(thought.move), str(thought.result.moves[0].move)
        header, most, line, *_ = draw_thought(thought, str).plain.splitlines()
        assert header.startswith(f"{played} ")
        assert f" {visited} (" in most
        assert line.startswith(f"  expects {played}")
        differ += played != visited
    assert differ
