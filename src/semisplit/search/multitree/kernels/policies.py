"""The local policy of each sub-game, and the global one: votes and expected earnings."""

from __future__ import annotations

import math

from semisplit.search.kernels.kernel import kernel
from semisplit.search.kernels.portable import logarithm
from semisplit.search.kernels.random import below
from semisplit.search.multitree.kernels.memory import EXPLORED, NONE, Workplace


@kernel
def select(s: Workplace, position: int) -> int:
    """Let each player who decides choose a step; the place of the move that results."""
    memo, worker = s.memo, s.worker
    here = memo.positions[position]
    if here.steps == 1:
        _each_move(s, position)
        return worker.options[_choose(s, position, here.player)]
    divisor = 1
    for _ in range(here.steps - 1):
        divisor *= s.rules.base
    move = 0
    for _ in range(here.steps):
        player = _each_step(s, position, divisor)
        option = _choose(s, position, player)
        one = memo.moves[here.first + worker.options[option]].move
        move = move * s.rules.base + one // divisor % s.rules.base
        divisor //= s.rules.base
    place = 0
    while memo.moves[here.first + place].move != move:
        place += 1
    return place


@kernel
def is_going(s: Workplace, position: int, place: int) -> bool:
    """Whether a move may be selected: alone, a player does not need those that end the game."""
    here = s.memo.positions[position]
    return not s.rules.prunes or s.memo.moves[here.first + place].outcome < 0


@kernel
def _each_move(s: Workplace, position: int) -> None:
    """Each move is an option."""
    worker = s.worker
    worker.option_count = 0
    for place in range(s.memo.positions[position].count):
        if is_going(s, position, place):
            _add_option(s, place)


@kernel
def _add_option(s: Workplace, place: int) -> None:
    worker = s.worker
    worker.options[worker.option_count] = worker.option_ends[worker.option_count] = place
    worker.next_moves[place] = NONE
    worker.option_count += 1


@kernel
def _each_step(s: Workplace, position: int, divisor: int) -> int:
    """Each step of a player, given by its place in moves, is an option; returns the player."""
    rules, memo, worker = s.rules, s.memo, s.worker
    here = memo.positions[position]
    worker.option_count = 0
    for place in range(here.count):
        step = memo.moves[here.first + place].move // divisor % rules.base
        option = 0
        while option < worker.option_count:
            first = memo.moves[here.first + worker.options[option]].move
            if first // divisor % rules.base == step:
                break
            option += 1
        if option == worker.option_count:
            _add_option(s, place)
        else:
            worker.next_moves[worker.option_ends[option]] = place
            worker.option_ends[option] = place
            worker.next_moves[place] = NONE
    code = memo.moves[here.first].move // divisor % rules.base - 1
    player = 1
    while code >= rules.step_ends[player - 1]:
        player += 1
    return player


@kernel
def _choose(s: Workplace, position: int, player: int) -> int:
    """The option that a player chooses."""
    for option in range(s.worker.option_count):
        s.worker.votes[option] = 0
    for tree in range(s.rules.trees):
        local_select_policy(s, position, tree, player)
    return global_select_policy(s, player)


@kernel
def local_select_policy(s: Workplace, position: int, tree: int, player: int) -> None:
    """Vote for the best options of a player in one sub-game; see the reference."""
    worker = s.worker
    node = s.memo.nodes[position * s.rules.trees + tree]
    reach = logarithm(float(max(1, s.forest.nodes[node].visits)))
    s.forest.stamps += 1
    left = False
    for option in range(worker.option_count):
        _assess(s, position, tree, option, player, reach)
        left = left or not worker.explored[option]
    best = -1.0
    for option in range(worker.option_count):
        if not (left and worker.explored[option]):
            best = max(best, worker.merits[option])
    for option in range(worker.option_count):
        if not (left and worker.explored[option]) and worker.merits[option] == best:
            worker.votes[option] += 1


@kernel
def _assess(s: Workplace, position: int, tree: int, option: int, player: int, reach: float) -> None:
    """Find the merit and the mean of an option, and whether it is fully explored."""
    rules, forest, worker = s.rules, s.forest, s.worker
    first = s.memo.positions[position].first
    place = worker.options[option]
    number = s.memo.transitions[(first + place) * rules.trees + tree]
    transition = forest.transitions[number]
    if worker.next_moves[place] == NONE:
        if transition.stamp != forest.stamps:
            transition.stamp = forest.stamps
            at = number * rules.players + player - 1
            visits, scores = transition.visits, forest.scores[at]
            transition.merit = _merit(s, visits, scores, forest.potentials[at], reach)
            transition.mean = scores / max(1, visits)
        worker.merits[option] = transition.merit
        worker.means[option * rules.trees + tree] = transition.mean
        worker.explored[option] = transition.flags & EXPLORED
        return
    visits, scores, potentials, explored = 0, 0.0, 0.0, EXPLORED
    # Stamps tell which transitions have been counted.
    forest.stamps += 1
    while place != NONE:
        number = s.memo.transitions[(first + place) * rules.trees + tree]
        transition = forest.transitions[number]
        if transition.stamp != forest.stamps:
            transition.stamp = forest.stamps
            visits += transition.visits
            scores += forest.scores[number * rules.players + player - 1]
            potentials += forest.potentials[number * rules.players + player - 1]
            explored &= transition.flags
        place = worker.next_moves[place]
    worker.merits[option] = _merit(s, visits, scores, potentials, reach)
    worker.means[option * rules.trees + tree] = scores / max(1, visits)
    worker.explored[option] = explored


@kernel
def _merit(s: Workplace, visits: int, scores: float, potentials: float, reach: float) -> float:
    if visits == 0:
        return math.inf
    alpha = s.rules.alpha
    mean = alpha * (scores / visits) + (1.0 - alpha) * (potentials / visits)
    return mean + s.rules.exploration * math.sqrt(reach / visits)


@kernel
def global_select_policy(s: Workplace, player: int) -> int:
    """Of the options that most sub-games vote for, one with the highest expected earnings."""
    rules, worker = s.rules, s.worker
    needed = True
    for tree in range(rules.trees):
        needed = needed and s.forest.limits[tree * rules.players + player - 1] != 0
    most = 0
    for option in range(worker.option_count):
        most = max(most, worker.votes[option])
    best, tied = -1.0, 0
    for option in range(worker.option_count):
        if worker.votes[option] == most:
            earnings = 0.0 if worker.explored_trees else _expected_earnings(s, option, needed)
            worker.merits[option] = earnings
            if earnings > best:
                best, tied = earnings, 0
            if earnings == best:
                tied += 1
    left = below(s, tied)
    for option in range(worker.option_count):
        if worker.votes[option] == most and worker.merits[option] == best:
            if left == 0:
                return option
            left -= 1
    return NONE


@kernel
def _expected_earnings(s: Workplace, option: int, needed: bool) -> float:
    """The product of the scores in all sub-games if each is needed, otherwise their sum."""
    trees = s.rules.trees
    earnings = 1.0 if needed else 0.0
    for tree in range(trees):
        mean = s.worker.means[option * trees + tree]
        earnings = earnings * mean if needed else earnings + mean
    return earnings
