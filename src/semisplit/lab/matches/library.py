"""Matches for programs: what `import semisplit` offers of the lab."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from semisplit.agents import AgentConfig, parse_agent
from semisplit.core.errors import InputError
from semisplit.game import Game
from semisplit.lab.matches.match import LENGTH, Match, play_matches
from semisplit.lab.matches.outcome import Outcome, account, outcome
from semisplit.lab.store.database import IN_MEMORY, Store
from semisplit.loading import load


def play_match(
    game: Game | str | Path,
    agents: Sequence[AgentConfig | str],
    games: int = LENGTH,
    budget: str = "500ms",
    *,
    seed: int = 0,
    jobs: int | None = None,
    store: Path | str | None = None,
) -> Outcome:
    """Play a match.

    >>> from semisplit import play_match
    >>> ended = play_match("tic_tac_toe", ["flat-mc", "random"], games=20, budget="50sims")
    >>> ended.score > 0.5, ended.verdict
    (True, 'better')
    >>> ended.games, len(ended.averages)
    (20, 2)

    Args:
        game: The game, the name of a bundled one, or the path of a description.
        agents: As many as the game has players, or two who share the seats; configurations, or
            names as `semisplit agents` lists them.
        games: How many games.
        budget: For each move, like "500ms", "10000sims" or "100000states".
        seed: Another seed gives other games.
        jobs: Games at a time, each in a process of its own; these import the main program, so it
            has to be guarded by `if __name__ == "__main__"`. None plays in this process.
        store: A file for the games, from which a match goes on; None keeps nothing.

    Returns:
        How it ended: `averages` has the average score of each agent with its 95 % interval. With
        two agents it is a `Duel`, with `score`, `interval` and `verdict` of the first one, too.

    Raises:
        SemisplitError: If something given is not right, or the store cannot be used.
    """
    loaded = game if isinstance(game, Game) else load(game)
    configs = (one if isinstance(one, AgentConfig) else parse_agent(one) for one in agents)
    match = Match(loaded, tuple(configs), games, budget, seed)
    if jobs is not None and jobs < 1:
        raise InputError(f"at least 1 game has to be played at a time, not {jobs}")
    with closing(Store(Path(store or IN_MEMORY))) as kept:
        *_, (_, played) = play_matches([match], kept, jobs)
        return account(outcome(match, played), kept)
