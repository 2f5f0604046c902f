"""Agents: their configuration, and their life during a game."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

import semisplit
from semisplit import Game
from semisplit.agents import Agent, Thought, make_agent, parse_agent
from semisplit.agents.config import MctsConfig
from semisplit.agents.files import BadConfiguration, read_config, write_config
from semisplit.agents.names import NAMED, SIMPLE
from semisplit.core.errors import InputError, PlayLimit, SemisplitError
from semisplit.search import Budget, Decay, Final, Mast, Policy, Rave, Simulation, Tree, Variant
from tests.support.agents import mcts
from tests.support.command_line import run
from tests.support.search_variants import all_variants

# As a file for the thesis' program looks.
PUBLISHED: dict[str, Any] = {
    "general": {
        "buffer_time": 150,
        "simulate_during_opp_turn": False,
        "reasoning_overhead": 1,
    },
    "algorithm": {
        "name": "MCTS",
        "tree_strategy": "semisplit",
        "simulation_strategy": "semisplit",
        "split_strategy": "ModPlus",
        "parameters": {
            "exploration_constant": 0.2,
            "max_semidepth": 50,
            "is_nodal": True,
            "greedy_choice": False,
            "final_rollup_factor": 0.9,
        },
    },
    "heuristics": [
        {
            "name": "MASTMIX",
            "parameters": {
                "epsilon": 0.3,
                "decay_factor": 0.2,
                "tree_only": False,
                "mastmix_threshold": 7,
            },
        },
        {"name": "RAVEMIX", "parameters": {"equivalence_parameter": 250, "ravemix_threshold": 10}},
    ],
}


def changed(path: str, value: object) -> str:
    """The published configuration with another value at a path; ... removes the key."""
    data = json.loads(json.dumps(PUBLISHED))
    *parts, last = path.split(".")
    place = data
    for part in parts:
        place = place[int(part) if part.isdigit() else part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return json.dumps(data)


def test_published_configurations_can_be_read() -> None:
    config = read_config(json.dumps(PUBLISHED), "published")
    settings = mcts(config).settings
    assert (config.name, config.kind, config.buffer, config.ponders) == (
        "published",
        "mcts",
        0.15,
        False,
    )
    assert (settings.tree, settings.simulation) == (Tree.SEMISPLIT, Simulation.SEMISPLIT)
    assert (str(settings.split), settings.nodal) == ("ModPlus", True)
    assert (settings.exploration, settings.max_semidepth) == (0.2, 50)
    assert (settings.final, settings.final_rollup_factor) == (Final.ROLLUP, 0.9)
    assert settings.mast == Mast(Variant.MIX, epsilon=0.3, decay_factor=0.2, threshold=7)
    assert settings.rave == Rave(Variant.MIX, equivalence=250, threshold=10)


def test_names_are_read_in_any_case_and_mod_is_the_usual_strategy() -> None:
    config = read_config(changed("algorithm.split_strategy", ""), "x")
    assert str(mcts(config).settings.split) == "Mod"
    config = read_config(changed("algorithm.tree_strategy", "SemiSplit"), "x")
    assert mcts(config).settings.tree == Tree.SEMISPLIT


@pytest.mark.parametrize(
    ("tree", "simulation", "variant"),
    [
        ("orthodox", "orthodox", Variant.STANDARD),
        ("orthodox", "semisplit", Variant.JOIN),
        ("semisplit", "semisplit", Variant.STANDARD),
        ("semisplit", "orthodox", Variant.SPLIT),
    ],
)
def test_tgrave_is_what_fits_the_tree(tree: str, simulation: str, variant: Variant) -> None:
    data = json.loads(changed("heuristics", []))
    data["algorithm"] |= {"tree_strategy": tree, "simulation_strategy": simulation}
    data["algorithm"]["parameters"]["greedy_choice"] = True
    parameters = {"equivalence_parameter": 250, "ref": 50}
    data["heuristics"] = [{"name": "TGRAVE", "parameters": parameters}]
    config = read_config(json.dumps(data), "x")
    assert mcts(config).settings.rave == Rave(variant, reference=50)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "x is not JSON"),
        ("[]", "x: the file has to be keys with values, not"),
        (changed("algorithm.tree_strategy", ...), "algorithm.tree_strategy is missing"),
        (changed("general.buffer_time", -1), "general.buffer_time: input should be greater"),
        (changed("general.buffer_time", "100"), "buffer_time: input should be a valid int"),
        (
            changed("general.bufer_time", 1),
            "general.bufer_time is not known; did you mean 'buffer_",
        ),
        (changed("algorithm.name", "AlphaBeta"), "algorithm.name: input should be 'mcts'"),
        (
            changed("algorithm.tree_strategy", "splitt"),
            "tree_strategy: there is no 'splitt",
        ),
        (changed("algorithm.split_strategy", "Mud"), "no split strategy 'Mud'; did you mean 'Mod'"),
        (
            changed("algorithm.parameters.is_nodal", 1),
            "parameters.is_nodal: input should be a valid",
        ),
        (
            changed("heuristics.0.name", "MASD"),
            r"heuristics.0.name: there is no heuristic 'MASD'; did you mean 'mast'",
        ),
        (changed("heuristics", [{"name": "MAST"}] * 2), "1.name: there is a heuristic of this"),
        (changed("heuristics.0.parameters.ref", 3), "0.parameters.ref is not known"),
        (changed("heuristics.0.parameters.epsilon", 2), "epsilon: input should be less than"),
        (
            changed("heuristics.0.parameters.policy", "x"),
            "parameters.policy: there is no 'x', only",
        ),
        (
            changed("heuristics.0.parameters.mix_threshold", 7),
            "parameters.mix_threshold is not known; did you mean 'mastmix_threshold'",
        ),
        (
            changed("heuristics.1.parameters.mix_threshold", 7),
            "parameters.mix_threshold is not known; did you mean 'ravemix_threshold'",
        ),
        (changed("heuristics.1.name", "RAVEJOIN"), "RAVE-join needs an orthodox tree"),
        (changed("algorithm.tree_strategy", "rollup"), "final roll-up selection needs a semisplit"),
    ],
)
def test_bad_configurations_are_refused_with_key_and_reason(text: str, reason: str) -> None:
    with pytest.raises(BadConfiguration, match=reason):
        read_config(text, "x")


def test_what_is_optional_may_be_missing() -> None:
    whole = read_config(json.dumps(PUBLISHED), "x")
    for path in (
        "general",
        "general.simulate_during_opp_turn",
        "general.reasoning_overhead",
        "algorithm.simulation_strategy",
        "algorithm.parameters.exploration_constant",
    ):
        assert mcts(read_config(changed(path, ...), "x")).settings == mcts(whole).settings
    assert read_config(changed("general.buffer_time", ...), "x").buffer is None
    for name in ("orthodox", "semisplit-nodal@Mod", "rollup-nodal@Mod"):
        algorithm = {"name": "MCTS", "tree_strategy": name.partition("-")[0]}
        assert read_config(json.dumps({"algorithm": algorithm}), name) == parse_agent(name)
        heuristics = [{"name": "MASTCONTEXT"}, {"name": "RAVECONTEXT"}]
        short = read_config(json.dumps({"algorithm": algorithm, "heuristics": heuristics}), name)
        tree, at, split = name.partition("@")
        other = parse_agent(f"{tree}+mast-context+rave-context{at}{split}")
        assert mcts(short).settings == mcts(other).settings
    for name in ("mt-mcts", "auto"):
        assert read_config(json.dumps({"algorithm": {"name": name}}), name) == parse_agent(name)


def test_all_variants_survive_being_written() -> None:
    for settings in all_variants():
        config = MctsConfig("x", settings=settings)
        again = read_config(json.dumps(write_config(config)), "x")
        # Where nothing is split, the strategy is not written.
        assert mcts(again).settings.mast == settings.mast
        assert mcts(again).settings.rave == settings.rave
        assert not settings.splits or again == config


def test_all_parameters_survive_being_written() -> None:
    config = parse_agent(
        "semisplit-raw+mast-mix+rave-context@ModShift,C=0.7,MSF=2,difference=0.25,final=robust,FRF=0.5"
        ",policy=gibbs,epsilon=0.1,temperature=0.5,decay=batch,factor=0.9,batch=50,treeonly=true"
        ",expansion=false,threshold=3,k=100,ref=20,expand=children"
    )
    assert mcts(config).settings.mast == Mast(
        Variant.MIX, Policy.GIBBS, 0.1, 0.5, Decay.BATCH, 0.9, 50, True, False, 3
    )
    again = read_config(json.dumps(write_config(config)), config.name)
    assert again == config


@pytest.mark.parametrize(
    ("notation", "tree"),
    [
        ("groups[proximity,border/piece],x=7,above=20,share=0.25", "groups"),
        ("semisplit-raw[start]+mast-split@Mod", "semisplit"),
        ("groups[border],expand=81", "groups"),
    ],
)
def test_groups_survive_being_written(notation: str, tree: str) -> None:
    config = parse_agent(notation)
    written = write_config(config)
    assert written["algorithm"]["tree_strategy"] == tree
    assert read_config(json.dumps(written), notation) == config


def test_a_tree_of_groups_needs_groups() -> None:
    with pytest.raises(BadConfiguration, match="needs groupings"):
        read_config(changed("algorithm.tree_strategy", "groups"), "x")


def test_an_agent_uses_its_share_of_a_budget() -> None:
    agent = make_agent(parse_agent("orthodox,share=0.25"), semisplit.load("tic_tac_toe"), seed=1)
    assert agent.think(Budget(simulations=400)).simulations == 100


def test_agents_in_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(PUBLISHED))
    assert parse_agent(str(path)).name == "mine"
    with pytest.raises(InputError, match="cannot read"):
        parse_agent(str(tmp_path / "missing.json"))


def test_named_agents_are_listed() -> None:
    printed = run("agents")
    rows = json.loads(run("agents", "--json"))
    assert [row["agent"] for row in rows] == [*SIMPLE, *NAMED]
    assert all(name in printed for name in (*SIMPLE, *NAMED))
    for name in NAMED:
        assert parse_agent(name).searches
    with pytest.raises(SemisplitError, match="did you mean 'orthodox'"):
        parse_agent("orthodx")


# Playing


@pytest.mark.parametrize(
    "name", ["random", "flat-mc", "orthodox", "semisplit-nodal+mast-split@Mod"]
)
def test_agents_play_a_game(name: str) -> None:
    game = semisplit.load("tic_tac_toe")
    agents = [make_agent(parse_agent(name), game, seed) for seed in (1, 2)]
    state = game.initial_state()
    while not state.is_terminal:
        thought = agents[state.player - 1].think(Budget(simulations=30))
        assert thought.move in state.moves()
        assert thought.simulations == (0 if name == "random" else 30)
        state = state.apply(thought.move)
        for agent in agents:
            agent.play(thought.move)
            assert agent.state.position == state.position


def test_flat_monte_carlo_shares_out_evenly_and_finds_a_win() -> None:
    game = semisplit.load("tic_tac_toe")
    agent = make_agent(parse_agent("flat-mc"), game, 1)
    for move in ("a1", "b2", "a2", "c2"):
        agent.play(agent.state.parse_move(move))
    thought = agent.think(Budget(simulations=500))
    assert str(thought.move) == "a3"
    assert thought.score == 1.0
    assert agent.think(Budget(states=300)).states >= 300
    assert agent.think(Budget(seconds=0.05)).simulations > 10


def test_agents_are_repeatable() -> None:
    def moves(name: str, seed: int) -> list[str]:
        agent = make_agent(parse_agent(name), semisplit.load("hex_9x9"), seed)
        seen = []
        for _ in range(3):
            thought = agent.think(Budget(simulations=50))
            seen.append(str(thought.move))
            agent.play(thought.move)
        return seen

    for name in ("random", "flat-mc", "orthodox+mast+rave"):
        assert moves(name, 1) == moves(name, 1)
        assert moves(name, 1) != moves(name, 2)


def look(agent: Agent) -> Thought:
    """What an agent thinks on the way."""
    seen: list[Thought] = []
    agent.think(Budget(simulations=3000), watch=lambda look: seen.append(look(3)))
    return seen[-1] if seen else agent.think(Budget(simulations=1), best=1)


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("breakthrough", "orthodox"),
        ("breakthrough", "semisplit-raw@Mod"),
        ("breakthrough", "groups[border],final=robust"),
        ("breakthrough", "orthodox,threads=2,parallel=root,merge=majority"),
        ("rps_well", "orthodox"),
        ("hanoi", "orthodox"),
        ("nonogram_g", "mt-mcts"),
        ("nim", "mt-mcts"),
        ("tic_tac_toe", "mt-mcts"),
    ],
)
def test_the_line_that_is_expected_begins_with_the_move(game: str, name: str) -> None:
    loaded, config = semisplit.load(game), parse_agent(name)
    # With few simulations many moves are as good as each other.
    for simulations in (1, 20, 400):
        for seed in range(4):
            agent = make_agent(config, loaded, seed)
            for thought in (agent.think(Budget(simulations=simulations), best=3), look(agent)):
                assert thought.result is not None
                assert thought.result.variation[0] == thought.move


def test_pondering_grows_the_tree_during_the_opponents_turn() -> None:
    game = semisplit.load("breakthrough")
    config = MctsConfig("thinker", ponders=True)
    agent = make_agent(config, game, 1)
    agent.wait(Budget(seconds=1))
    time.sleep(0.3)
    agent.play(agent.state.moves()[0])
    thought = agent.think(Budget(simulations=1))
    assert thought.result is not None
    assert thought.result.nodes > 100
    idle = make_agent(MctsConfig("idle"), game, 1)
    idle.wait(Budget(seconds=1))
    assert idle.think(Budget(simulations=1)).simulations == 1


def test_overhead_is_a_handicap_and_changes_nothing_else() -> None:
    def think(overhead: int, notation: str) -> tuple[str, int]:
        data = write_config(parse_agent(notation))
        data["general"]["reasoning_overhead"] = overhead
        config = read_config(json.dumps(data), "x")
        thought = make_agent(config, semisplit.load("breakthrough"), 1).think(
            Budget(simulations=200)
        )
        return str(thought.move), thought.states

    for notation in ("orthodox", "orthodox+mast", "semisplit-nodal+mast-split@Mod"):
        assert think(1, notation) == think(3, notation)


def test_moves_with_too_many_semimoves_are_given_up() -> None:
    text = """
#players = w(1)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right, [e,e,e,e])
#rules = ->w ((left* + right*) {e} [x])* {! (left* + right*) {e}} ->> {}
"""
    data = write_config(parse_agent("semisplit@Mod"))
    data["algorithm"]["parameters"]["max_semidepth"] = 2
    agent = make_agent(read_config(json.dumps(data), "x"), Game.parse(text, "fill"), 1)
    with pytest.raises(PlayLimit, match="more semimoves than max_semidepth, 2, allows"):
        agent.think(Budget(simulations=1))
    assert make_agent(parse_agent("semisplit@Mod"), Game.parse(text, "fill"), 1).think(
        Budget(simulations=1)
    )


@pytest.mark.parametrize(
    "notation",
    [
        "orthodox,threads=4,loss=3,lock=true",
        "semisplit@Mod,threads=2,parallel=root,merge=raw",
        "orthodox,parallel=leaf,playouts=16,batch=4",
    ],
)
def test_what_is_done_at_the_same_time_survives_being_written(notation: str) -> None:
    config = parse_agent(notation)
    assert read_config(json.dumps(write_config(config)), config.name) == config


def test_what_is_done_at_the_same_time_is_checked() -> None:
    data = write_config(parse_agent("orthodox"))
    assert "parallel" not in data["algorithm"]
    data["algorithm"]["parallel"] = {"method": "rooted"}
    with pytest.raises(BadConfiguration, match="method: there is no 'rooted'"):
        read_config(json.dumps(data), "x")
    data["algorithm"]["parallel"] = {"threads": 1000}
    with pytest.raises(
        BadConfiguration, match="threads: input should be less than or equal to 256, not 1000"
    ):
        read_config(json.dumps(data), "x")
