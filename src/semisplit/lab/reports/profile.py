"""What a game is like: balance, length, branching, draws, and whether thinking pays.

For designers, so it takes seconds: thousands of random games, and as many between a search and a
weaker one as there is time for.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from random import Random
from statistics import fmean, median

from semisplit.agents import parse_agent
from semisplit.core.errors import NotCompiled, PlayLimit, WorkLimit
from semisplit.core.work import doing
from semisplit.game import Game
from semisplit.lab.matches.match import Match, play_matches
from semisplit.lab.matches.outcome import Duel, Outcome, outcome, percent
from semisplit.lab.reports.document import Document, Picture, Table
from semisplit.lab.store.database import IN_MEMORY, Store
from semisplit.stats.evidence import at_fixed_length, score_interval
from semisplit.stats.records import Interval, Rounds
from semisplit.ui.render.chart import Share, draw_curve, draw_histogram, draw_shares
from semisplit.ui.render.colours import player_colours
from semisplit.ui.render.svg import draw

_MOST_GAMES = 5000
_MOST_PLIES = 2000
"""Moves whose number of alternatives is counted."""
_BINS = 30
_STRONG, _WEAK = "orthodox", "orthodox,share=0.1"
_SIMULATIONS = 300
_MOST_DUELS = 200
_DRAW = "a draw"


@dataclass(frozen=True)
class RandomGame:
    """A game that was played at random."""

    length: int
    scores: tuple[float, ...]
    """Of each player, as parts of their bounds."""


@dataclass(frozen=True)
class Profile:
    """What was found out about a game."""

    game: Game
    games: list[RandomGame]
    endless: int
    """Random games that were given up, as they did not end."""
    choices: list[list[int]]
    """The numbers of legal moves after 0, 1, 2 ... moves, in some of them."""
    duel: Outcome | None
    """A search against one that thinks a tenth of the time, if that could be played."""
    seconds: float

    @property
    def winners(self) -> dict[str, int]:
        """How often each player won, and how often nobody did."""
        players = self.game.seats
        found = Counter(_winner(self.game, one) for one in self.games)
        named = [*players, _DRAW] if len(players) > 1 and found[_DRAW] else players
        return {name: found[name] for name in named}


def _winner(game: Game, played: RandomGame) -> str:
    """Who won: with more points than others, or alone with the highest score."""
    best = max(played.scores)
    first = [name for name, score in zip(game.seats, played.scores) if score == best]
    is_won = best == 1 if len(game.seats) == 1 else len(first) == 1
    return first[0] if is_won else _DRAW


def examine(game: Game, seconds: float = 8.0) -> Profile:
    """Play a game for about some seconds, and see what it is like."""
    begin = time.perf_counter()
    game = game.split_by(None)
    with doing(f"playing {game.name} at random"):
        games, endless = _play_at_random(game, begin + 0.3 * seconds)
        choices = _count_choices(game, begin + 0.5 * seconds)
    with doing(f"letting agents play {game.name}"):
        duel = _compare(game, 0.5 * seconds)
    return Profile(game, games, endless, choices, duel, time.perf_counter() - begin)


def _play_at_random(game: Game, end: float) -> tuple[list[RandomGame], int]:
    played: list[RandomGame] = []
    endless = 0
    for game_number in range(_MOST_GAMES):
        if game_number and time.perf_counter() > end:
            break
        try:
            played.append(_random_game(game, game_number))
        except PlayLimit:
            endless += 1
    return played, endless


def _random_game(game: Game, seed: int) -> RandomGame:
    try:
        compiled = game.compiled
    except NotCompiled:
        state, random, length = game.initial_state(), Random(seed), 0
        while not state.is_terminal:
            state = state.apply(random.choice(state.moves()))
            length += 1
        return RandomGame(length, _of_seats(game, state.scores))
    start = compiled.run_keeper(compiled.codec.pack(game.rules.start))
    result = compiled.playouts(start, seed)
    return RandomGame(result.moves, _of_seats(game, result.scores))


def _of_seats(game: Game, scores: Sequence[int]) -> tuple[float, ...]:
    """The scores of those that somebody plays, as a part of their bounds."""
    bounds = [*game.rules.players.values()]
    return tuple(scores[player - 1] / bounds[player - 1] for player in game.rules.seats)


def _count_choices(game: Game, end: float) -> list[list[int]]:
    counts: list[list[int]] = []
    with suppress(NotCompiled, WorkLimit):
        seed = 0
        while not seed or time.perf_counter() < end:
            seed += 1
            for ply, count in enumerate(_choices(game, seed)):
                if ply == len(counts):
                    counts.append([])
                counts[ply].append(count)
    return counts


def _choices(game: Game, seed: int) -> Iterator[int]:
    """How many moves there are at each point of a random game."""
    compiled = game.compiled
    state = compiled.run_keeper(compiled.codec.pack(game.rules.start))
    for ply in range(_MOST_PLIES):
        count = compiled.count_moves(state) if compiled.player(state) else 0
        if not count:
            return
        yield count
        after = compiled.playout(state, seed * _MOST_PLIES + ply, max_moves=1)
        state = compiled.run_keeper(after.final)


def _compare(game: Game, seconds: float) -> Outcome | None:
    """Let a search play one that is weaker; alone, it plays for itself."""
    end = math.inf
    names = (_STRONG,) if len(game.seats) == 1 else (_STRONG, _WEAK)
    agents = tuple(map(parse_agent, names))
    try:
        match = Match(game, agents, _MOST_DUELS, f"{_SIMULATIONS}sims")
        with closing(Store(IN_MEMORY)) as store:
            for _, games in play_matches([match], store, None):
                # To load the search takes a while, and is not what is asked for.
                if games and end == math.inf:
                    end = time.perf_counter() + seconds
                # Games come in pairs with sides swapped.
                if time.perf_counter() > end and len(games) % 2 == 0:
                    break
            return outcome(match, games)
    except (NotCompiled, PlayLimit):
        return None


# The report


def report(profile: Profile, title: str) -> Document:
    """What was found out, in words, numbers and pictures."""
    game = profile.game
    start = game.initial_state()
    parts: list[Table | Picture] = [
        Picture("The beginning", "start", draw(game.rules, start.position))
    ]
    if profile.games:
        lengths = [one.length for one in profile.games]
        parts += [
            Picture("Who wins random games", "winners", _draw_winners(profile)),
            Picture("How long they are", "lengths", _draw_lengths(lengths)),
        ]
    if profile.choices:
        parts.append(Picture("How many moves there are", "branching", _draw_choices(profile)))
    parts.append(Table("Numbers", ("", ""), tuple(_numbers(profile))))
    return Document(title, tuple(_sentences(profile)), tuple(parts))


def _sentences(profile: Profile) -> Iterator[str]:
    count = len(profile.games)
    if not count:
        yield "No random game came to its end: the rules do not force one."
    elif len(profile.game.seats) == 2:
        yield _balance(profile)
    elif len(profile.game.seats) == 1:
        solved = profile.winners[profile.game.seats[0]]
        yield f"{solved:,} of {count:,} random games reach the highest score."
    if profile.endless:
        yield f"{profile.endless:,} random games were given up, as they did not end."
    if isinstance(profile.duel, Duel) and profile.duel.games:
        yield (
            f"A search scores {profile.duel.standing} % in {profile.duel.games} games against one"
            f" with a tenth of its simulations: {_depth(profile.duel)}."
        )


def _balance(profile: Profile) -> str:
    """Whether one side has it easier, as far as random games tell."""
    names, count = profile.game.seats, len(profile.games)
    scores = [fmean(one.scores[seat] for one in profile.games) for seat in (0, 1)]
    rounds = Rounds.of([(1 + one.scores[0] - one.scores[1]) / 2 for one in profile.games], 1)
    low, high = score_interval(rounds, at_fixed_length)
    if low <= 0.5 <= high:
        return f"Nothing speaks against balance in {count:,} random games."
    better = names[0] if scores[0] > scores[1] else names[1]
    return f"In {count:,} random games, {better} has an advantage."


def _depth(duel: Duel) -> str:
    low, high = duel.interval
    if low > 0.5:
        return "thinking pays"
    return "thinking seems to harm" if high < 0.5 else "whether thinking pays is open"


def _numbers(profile: Profile) -> Iterator[tuple[str, str]]:
    yield "random games", f"{len(profile.games):,}"
    if profile.games:
        lengths = [one.length for one in profile.games]
        spread = f"{min(lengths)} to {max(lengths)}"
        yield "moves in a game", f"{fmean(lengths):.1f} on average, {spread}"
        for name, wins in profile.winners.items():
            label = "draws in %" if name == _DRAW else f"won by {name} in %"
            part = percent(wins / len(profile.games), _share(wins, len(profile.games)))
            yield ("solved in %" if len(profile.game.seats) == 1 else label), part
        for seat, name in enumerate(profile.game.seats):
            mean = fmean(one.scores[seat] for one in profile.games)
            yield f"average score of {name} in %", f"{100 * mean:.1f}"
    if profile.choices:
        every = [count for counts in profile.choices for count in counts]
        yield "moves in a position", f"{fmean(every):.1f} on average, at most {max(every):,}"
        size = fmean(one.length for one in profile.games) * fmean(map(math.log10, every))
        yield "size of the game tree", f"about 10^{size:.0f}"
    if profile.duel is not None and profile.duel.games:
        budgets = _SIMULATIONS, _SIMULATIONS // 10
        for simulations, average in zip(budgets, profile.duel.averages):
            yield f"average score of a search with {simulations} simulations in %", str(average)
        yield "games of searches", f"{profile.duel.games}"
    yield "seconds", f"{profile.seconds:.1f}"


def _share(part: int, whole: int) -> Interval:
    return score_interval(Rounds((0.0, 1.0), (whole - part, part)), at_fixed_length)


def _draw_winners(profile: Profile) -> str:
    colours = player_colours(profile.game.seats)
    shares = []
    for name, wins in profile.winners.items():
        part = wins / len(profile.games)
        colour = colours[name].fill if name in colours else "#b9b2a3"
        shares.append(Share(name, part, f"{100 * part:.1f} %", colour))
    return draw_shares(shares)


def _draw_lengths(lengths: Sequence[int]) -> str:
    low, high = min(lengths), max(lengths)
    width = max(1, math.ceil((high - low + 1) / _BINS))
    counts = Counter((length - low) // width for length in lengths)
    last = (high - low) // width
    bins = [
        (low + number * width, low + (number + 1) * width, counts[number])
        for number in range(last + 1)
    ]
    return draw_histogram(bins, f"moves in a game, half of the games up to {median(lengths):g}")


def _draw_choices(profile: Profile) -> str:
    most = len(profile.choices[0])
    points = [
        (float(ply), fmean(counts))
        for ply, counts in enumerate(profile.choices)
        # At the end there are few games left, and chance has its way.
        if len(counts) >= most / 20 or ply < 2
    ]
    return draw_curve(points, "legal moves in a position, after so many moves")
