"""Opening the tree of a search node by node, whatever its shape."""

import pytest

import semisplit
from semisplit.agents import parse_agent
from semisplit.agents.agent import make_search
from semisplit.core.errors import SemisplitError
from semisplit.search import Budget
from semisplit.search.result import Branch

AGENTS = {
    "orthodox": "breakthrough",
    "orthodox,threads=2,parallel=root": "breakthrough",
    "semisplit-nodal@Mod": "breakthrough",
    "rollup-nodal@Mod": "breakthrough",
    "groups[proximity,border]": "breakthrough",
    "mt-mcts": "double_ttt_sync",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_children_were_visited_no_more_often_than_their_parents(agent: str) -> None:
    search = make_search(parse_agent(agent), semisplit.load(AGENTS[agent]), seed=1)
    search.run(Budget(simulations=2000))
    path: list[str] = []
    visits = 10_000
    while branches := search.tree.branches(path):
        assert len({branch.name for branch in branches}) == len(branches)
        if path:
            assert sum(branch.visits for branch in branches) <= visits
        best = branches[0]
        assert best.visits == max(branch.visits for branch in branches)
        assert all(0 <= branch.score <= 1 for branch in branches)
        assert best.is_open == bool(search.tree.branches([*path, best.name]))
        path.append(best.name)
        visits = best.visits
    assert len(path) > 2


def test_branches_are_moves_semimoves_groups_or_trees() -> None:
    def names(agent: str) -> list[str]:
        search = make_search(parse_agent(agent), semisplit.load(AGENTS[agent]), seed=1)
        search.run(Budget(simulations=500))
        return [branch.name for branch in search.tree.branches()]

    assert "b2-b3" in names("orthodox")
    assert "b2-" in names("semisplit-nodal@Mod")
    assert set(names("groups[proximity,border]")) == {"[near]", "[border]", "[other]"}
    assert names("mt-mcts") == ["[sub-game 1]", "[sub-game 2]"]


@pytest.mark.parametrize("agent", ["orthodox", "mt-mcts"])
def test_a_branch_that_is_not_there(agent: str) -> None:
    search = make_search(parse_agent(agent), semisplit.load(AGENTS[agent]), seed=1)
    search.run(Budget(simulations=50))
    with pytest.raises(SemisplitError, match="no branch"):
        search.tree.branches(["nonsense"])


def test_a_fresh_tree_has_no_branches() -> None:
    search = make_search(parse_agent("orthodox"), semisplit.load("breakthrough"), seed=1)
    assert search.tree.branches() == list[Branch]()
