"""Games in which several players move at once."""

from pathlib import Path
from typing import Any

import pytest

from semisplit import Game, play_match
from semisplit.agents import parse_agent
from semisplit.agents.agent import RandomAgent
from semisplit.agents.config import MctsConfig
from semisplit.core.errors import InputError
from semisplit.lab.matches import play
from semisplit.lab.matches.play import play_game
from semisplit.search import Budget
from tests.support.command_line import run

PENNIES = """
; Matching pennies, three times: left wants equal ones.
(role left) (role right) (init (step 0)) (init (won 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(side heads) (side tails)
(<= (legal ?who ?side) (role ?who) (side ?side))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= equal (does left ?side) (does right ?side))
(<= (next (won ?n)) (true (won ?m)) (succ ?m ?n) equal)
(<= (next (won ?n)) (true (won ?n)) (not equal))
(<= terminal (true (step 3)))
(value 0 0 100) (value 1 40 60) (value 2 60 40) (value 3 100 0)
(<= (goal left ?x) (true (won ?n)) (value ?n ?x ?y))
(<= (goal right ?y) (true (won ?n)) (value ?n ?x ?y))
"""
pytestmark = pytest.mark.filterwarnings("ignore::semisplit.core.errors.CompileWarning")


def test_nobody_knows_what_others_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.parse(PENNIES, "pennies.kif")
    seen: list[tuple[str, int]] = []

    class Spy(RandomAgent):
        def think(self, budget: Budget, **options: Any) -> Any:
            assert self.state.is_nodal
            assert self.state.deciders == (1, 2)
            seen.append((self.config.name, len(self.state.moves())))
            return super().think(budget, **options)

    monkeypatch.setattr(
        play, "make_agent", lambda config, game, seed, player, budget: Spy(config, game, seed)
    )
    played = play_game(game, [MctsConfig("a"), MctsConfig("b")], [1, 2], Budget(simulations=1))
    assert played.failure is None
    assert seen == [("a", 4), ("b", 4)] * 3
    assert [turn.player for turn in played.turns] == [1, 2] * 3
    equal = sum(a.move == b.move for a, b in zip(played.turns[::2], played.turns[1::2]))
    assert played.scores[0] == [0.0, 0.4, 0.6, 1.0][equal]
    assert sum(played.scores) == 1


def test_each_player_tries_its_own_part() -> None:
    """Right is better off with tails whatever left does, and the other way round."""
    text = """
    (role left) (role right) (init new)
    (side heads) (side tails)
    (<= (legal ?who ?side) (role ?who) (side ?side) (true new))
    (<= (next (chosen ?who ?side)) (does ?who ?side))
    (<= terminal (true (chosen left ?side)))
    (<= (goal left 100) (true (chosen left heads))) (<= (goal left 0) (true (chosen left tails)))
    (<= (goal right 100) (true (chosen right tails)))
    (<= (goal right 0) (true (chosen right heads)))
    """
    flat = parse_agent("flat-mc")
    played = play_game(Game.parse(text, "own.kif"), [flat, flat], [1, 2], Budget(simulations=40))
    assert [turn.text for turn in played.turns] == ["heads", "tails"]
    assert played.scores == (1.0, 1.0)


def test_a_match_can_be_shown_again(tmp_path: Path) -> None:
    path, store = tmp_path / "pennies.kif", tmp_path / "games.db"
    path.write_text(PENNIES)
    ended = play_match(path, ["random", "flat-mc"], games=2, budget="10sims", store=store)
    assert ended.games == 2
    shown = run("replay", str(store), "1")
    assert "2. right" in shown
    assert "6. right" in shown
    assert "nobody" in shown


def test_agents_that_split_are_refused() -> None:
    with pytest.raises(InputError, match=r"pennies\.kif cannot be split by Mod"):
        play_match(Game.parse(PENNIES, "pennies.kif"), ["random", "semisplit@Mod"], games=2)
