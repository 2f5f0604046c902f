"""Iterations: the algorithms of the paper, as in the reference."""

from __future__ import annotations

from semisplit.compiler.runtime.abi import SCORES
from semisplit.search.engine.layout import MOVES, STATUS
from semisplit.search.engine.toolkit.kernel import call_bounds, call_playouts, kernel, ticks
from semisplit.search.engine.toolkit.random import below, draw
from semisplit.search.engine.toolkit.record import address_of, integers_at
from semisplit.search.multitree.kernels.memory import ENDS, EXPLORED, NONE, Workplace
from semisplit.search.multitree.kernels.policies import select
from semisplit.search.multitree.kernels.positions import (
    copy_state,
    find_position,
    follow,
    moves_in,
    player_of,
    sort_moves,
    state_of,
)
from semisplit.search.multitree.kernels.trees import (
    add_transition,
    find_node,
    find_transition,
    label_slot,
    set_label,
    transition_to,
)

FAILED, UNEVALUATED, EVALUATED = range(3)
"""How a selection ends: by a limit of the game, in a state to be evaluated, or with values."""
EXPANDED, KNOWN, UNKNOWN = range(1, 4)
"""How an expansion ends, if no limit is hit: it has added something, there is nothing to add, or
there is no room for it."""


@kernel
def mt_mcts(s: Workplace, iterations: int, states: int, enough: int, end: int) -> int:
    """Iterate up to a number of iterations, or of states counted in all.

    Comes back early when a line has scored enough, when the processor's clock has come to the end,
    when an iteration had to be given up, when trees contradict themselves or there may be no room
    for the next iteration. Returns how many iterations were made.
    """
    forest, begin = s.forest, ticks()
    done = 0
    while done < iterations and s.worker.states < states and iterate(s):
        done += 1
        is_solved = s.rules.prunes and forest.best_score >= enough
        if is_solved or needs_room(s) or is_doubted(s) or ticks() >= end:
            break
    s.worker.ticks += ticks() - begin
    return done


@kernel
def needs_room(s: Workplace) -> bool:
    """Whether the next iteration may need more than there is."""
    forest = s.forest
    if forest.full:
        return False
    used = max(forest.node_count, forest.transition_count, forest.situation_count)
    nodes, labels = 2 * (forest.node_count + forest.room), 2 * (forest.label_count + forest.room)
    is_full = used + forest.room > forest.capacity
    return is_full or nodes > forest.node_mask or labels > forest.label_mask


@kernel
def is_doubted(s: Workplace) -> bool:
    """Whether there have been contradictions."""
    doubts = 0
    for tree in range(s.rules.trees):
        doubts += s.forest.doubts[tree]
    return doubts > 0


@kernel
def iterate(s: Workplace) -> bool:
    """An iteration; False if it was given up because a limit of the game was hit."""
    forest, worker = s.forest, s.worker
    worker.length = worker.explored_trees = 0
    worker.first_move = NONE
    for tree in range(s.rules.trees):
        worker.revised[tree] = 0
    copy_state(s, worker.state, forest.root)
    result = selection_with_expansion(s)
    if result == FAILED or not simulation_with_back_prop(s, result == EVALUATED):
        worker.context[STATUS] = 0
        worker.abandoned += 1
        worker.failures += 1
        return False
    worker.failures = 0
    forest.iterations += 1
    return True


@kernel
def selection_with_expansion(s: Workplace) -> int:
    """Go down the trees; leaves the path, and the state or the values that were reached."""
    rules, forest, memo, worker = s.rules, s.forest, s.memo, s.worker
    position = find_position(s, forest.root_depth, worker.state)
    while position != NONE:
        here = memo.positions[position]
        if not here.known:
            expanded = expansion(s, position)
            if expanded == FAILED:
                return FAILED
            if expanded != KNOWN:
                return UNEVALUATED
        if rules.prunes:
            check_not_fully_explored(s, position)
        ends_game = here.best == rules.highest[here.player - 1] and here.steps == 1
        if rules.prunes and not ends_game:
            flag_explored(s, position)
            if worker.explored_trees == rules.trees and not _all_explored(s):
                mean_evaluation(s, position)
                return EVALUATED
            ends_game = here.going == 0
        if worker.length >= rules.max_depth:
            return UNEVALUATED
        place = draw_best_move(s, position) if ends_game else select(s, position)
        position = _advance(s, position, place)
        if position == NONE and worker.failure == 0:
            return UNEVALUATED
    return FAILED


@kernel
def draw_best_move(s: Workplace, position: int) -> int:
    """One of the moves that end the game with the highest score."""
    here, moves = s.memo.positions[position], s.memo.moves
    score, count = here.best, 0
    for place in range(here.count):
        count += moves[here.first + place].outcome == score
    left, place = below(s, count), 0
    while moves[here.first + place].outcome != score or left > 0:
        left -= moves[here.first + place].outcome == score
        place += 1
    return place


@kernel
def check_not_fully_explored(s: Workplace, position: int) -> None:
    """Flag transitions that end the game here, and revise flags of those that do not."""
    forest, memo, trees = s.forest, s.memo, s.rules.trees
    for tree in range(trees):
        begin = moves_in(s, position, tree)
        end = begin + memo.open_kinds[position * trees + tree]
        for at in range(begin, end):
            going = forest.transitions[memo.kinds[at]]
            if going.flags & ENDS:
                going.flags &= ~ENDS
                s.worker.revised[tree] = s.worker.length
        for at in range(end, begin + memo.all_kinds[position * trees + tree]):
            forest.transitions[memo.kinds[at]].flags |= ENDS


@kernel
def flag_explored(s: Workplace, position: int) -> None:
    """Flag what leads here in trees in which nothing is left, and count them."""
    rules, forest, memo, worker = s.rules, s.forest, s.memo, s.worker
    worker.explored_trees = 0
    for tree in range(rules.trees):
        begin, explored = moves_in(s, position, tree), True
        for at in range(begin, begin + memo.open_kinds[position * rules.trees + tree]):
            if not forest.transitions[memo.kinds[at]].flags & EXPLORED:
                explored = False
                break
        worker.explored_trees += explored
        if worker.length == 0:
            forest.explored[tree] = explored
        elif explored:
            number = worker.path_transitions[(worker.length - 1) * rules.trees + tree]
            forest.transitions[number].flags |= EXPLORED


@kernel
def _all_explored(s: Workplace) -> bool:
    explored = 0
    for tree in range(s.rules.trees):
        explored += s.forest.explored[tree]
    return explored == s.rules.trees


@kernel
def mean_evaluation(s: Workplace, position: int) -> None:
    """The mean of all that was seen behind the nodes of a position, in each tree."""
    rules, forest, worker = s.rules, s.forest, s.worker
    for tree in range(rules.trees):
        node = s.memo.nodes[position * rules.trees + tree]
        for player in range(rules.players):
            visits, scores, potentials = 0, 0.0, 0.0
            number = forest.nodes[node].first
            while number != NONE:
                visits += forest.transitions[number].visits
                scores += forest.scores[number * rules.players + player]
                potentials += forest.potentials[number * rules.players + player]
                number = forest.transitions[number].next
            worker.scores[tree * rules.players + player] = scores / visits
            worker.potentials[tree * rules.players + player] = potentials / visits


@kernel
def expansion(s: Workplace, position: int) -> int:
    """Make a move that adds a transition to some tree, if there is one."""
    memo, worker = s.memo, s.worker
    here, count = memo.positions[position], _find_unknown(s, position)
    if count and s.forest.full:
        return UNKNOWN
    while count:
        number = below(s, count)
        place = worker.unknown[number]
        count -= 1
        worker.unknown[number] = worker.unknown[count]
        if not follow(s, state_of(s, position), memo.moves[here.first + place].move):
            return FAILED
        if update(s, position, place):
            _step(s, position, place)
            return EXPANDED
    sort_moves(s, position)
    here.known = 1
    return KNOWN


@kernel
def _find_unknown(s: Workplace, position: int) -> int:
    """List the moves that have no label in some tree; how many these are."""
    trees, memo, worker = s.rules.trees, s.memo, s.worker
    here = memo.positions[position]
    for tree in range(trees):
        _look_up(s, position, tree)
    count = 0
    for place in range(here.count):
        for tree in range(trees):
            if memo.transitions[moves_in(s, position, tree) + place] == NONE:
                worker.unknown[count] = place
                count += 1
                break
    return count


@kernel
def _look_up(s: Workplace, position: int, tree: int) -> None:
    """Look for the transitions of moves in a tree, if there are labels that were not seen yet."""
    memo, at = s.memo, position * s.rules.trees + tree
    node, here, begin = memo.nodes[at], memo.positions[position], moves_in(s, position, tree)
    if memo.seen[at] == s.forest.nodes[node].labels:
        return
    memo.seen[at] = s.forest.nodes[node].labels
    for place in range(here.count):
        if memo.transitions[begin + place] == NONE:
            found = find_transition(s, node, memo.moves[here.first + place].move)
            memo.transitions[begin + place] = found


@kernel
def update(s: Workplace, position: int, place: int) -> bool:
    """Label transitions with a move that leads to `tried`; whether there is a new one."""
    rules, forest, memo = s.rules, s.forest, s.memo
    here, situation, is_new, doubts = memo.positions[position], NONE, False, False
    move = memo.moves[here.first + place].move
    for tree in range(rules.trees):
        target = find_node(s, tree, here.depth + 1, s.worker.tried)
        at = moves_in(s, position, tree) + place
        known = memo.transitions[at]
        if known != NONE and forest.transitions[known].target == target:
            continue
        if situation == NONE:
            situation = _add_situation(s, position)
        node = memo.nodes[position * rules.trees + tree]
        if known != NONE:
            _doubt(s, tree, node, move, situation)
            doubts = True
        transition = transition_to(s, node, target)
        if transition == NONE:
            transition = add_transition(s, node, target, here.count)
            s.worker.revised[tree] = s.worker.length
            is_new = True
        if known == NONE and memo.seen[position * rules.trees + tree] == forest.nodes[node].labels:
            memo.seen[position * rules.trees + tree] += 1
        set_label(s, node, move, transition, situation)
        memo.transitions[at] = transition
    if doubts:
        _forget_transitions(s, position)
    return is_new


@kernel
def _add_situation(s: Workplace, position: int) -> int:
    """Note down the nodes of a position."""
    trees, number = s.rules.trees, s.forest.situation_count
    s.forest.situation_count += 1
    for tree in range(trees):
        s.forest.situations[number * trees + tree] = s.memo.nodes[position * trees + tree]
    return number


@kernel
def _doubt(s: Workplace, tree: int, node: int, move: int, now: int) -> None:
    """The same sub-state and move give two results: it depends on what differs besides."""
    forest, trees = s.forest, s.rules.trees
    then = forest.labels[label_slot(s, node, move)].situation
    differs = 0
    for other in range(trees):
        if forest.situations[then * trees + other] != forest.situations[now * trees + other]:
            differs |= 1 << other
    forest.suspects[tree] &= differs
    forest.doubts[tree] += 1


@kernel
def _forget_transitions(s: Workplace, position: int) -> None:
    """Look labels up again in all positions but one, as some of them have changed."""
    memo, trees = s.memo, s.rules.trees
    for other in range(memo.position_count):
        here = memo.positions[other]
        here.known = 0
        for at in range(here.first, here.first + here.count):
            memo.moves[at].after = NONE
        if other != position:
            for tree in range(trees):
                memo.seen[other * trees + tree] = NONE
            for at in range(here.first * trees, (here.first + here.count) * trees):
                memo.transitions[at] = NONE


@kernel
def _step(s: Workplace, position: int, place: int) -> None:
    """Go on along a move to `tried`."""
    trees, worker, length = s.rules.trees, s.worker, s.worker.length
    worker.path_moves[length] = s.memo.moves[s.memo.positions[position].first + place].move
    if length == 0:
        worker.first_move = place
    for tree in range(trees):
        to = length * trees + tree
        worker.path_nodes[to] = s.memo.nodes[position * trees + tree]
        worker.path_transitions[to] = s.memo.transitions[moves_in(s, position, tree) + place]
    worker.length += 1
    copy_state(s, worker.state, worker.tried)


@kernel
def _advance(s: Workplace, position: int, place: int) -> int:
    """Make a move; the position after it, NONE if a limit was hit or the game is over."""
    memo, worker = s.memo, s.worker
    worker.failure = 0
    at = memo.positions[position].first + place
    after = memo.moves[at].after
    if after != NONE:
        copy_state(s, worker.tried, state_of(s, after))
        _step(s, position, place)
        return after
    if not follow(s, state_of(s, position), memo.moves[at].move):
        return NONE
    update(s, position, place)
    _step(s, position, place)
    if player_of(worker.state) == 0:
        return NONE
    forgotten = memo.forgotten
    after = find_position(s, s.forest.root_depth + worker.length, worker.state)
    if memo.forgotten == forgotten:
        memo.moves[at].after = after
    return after


@kernel
def simulation_with_back_prop(s: Workplace, evaluated: bool) -> bool:
    """Evaluate the state that was reached, unless that is done, and pass on the evaluation."""
    rules, forest, worker = s.rules, s.forest, s.worker
    trees, players = rules.trees, rules.players
    worker.moves = 0
    if not evaluated and not _evaluate(s):
        return False
    worker.states += worker.length + worker.moves
    for step in range(worker.length):
        for tree in range(trees):
            number = worker.path_transitions[step * trees + tree]
            transition = forest.transitions[number]
            if step < worker.revised[tree]:
                transition.flags &= ~EXPLORED
            forest.nodes[worker.path_nodes[step * trees + tree]].visits += 1
            transition.visits += 1
            for player in range(players):
                at, value = number * players + player, tree * players + player
                forest.scores[at] += worker.scores[value]
                forest.potentials[at] += worker.potentials[value]
    if worker.first_move != NONE:
        forest.root_visits[worker.first_move] += 1
        for player in range(players):
            forest.root_scores[worker.first_move * players + player] += worker.scores[player]
    forest.deepest = max(forest.deepest, worker.length)
    return True


@kernel
def _evaluate(s: Workplace) -> bool:
    """Find the values of the state that was reached, by a playout if the game is not over."""
    rules, forest, worker = s.rules, s.forest, s.worker
    context = address_of(worker.context, 0)
    copy_state(s, worker.final, worker.state)
    final = address_of(worker.final, 0)
    is_over = player_of(worker.state) == 0
    seed = worker.random
    if not is_over:
        seed = draw(s)
        begin = ticks()
        worker.context[MOVES] = 0
        call_playouts(rules.playouts, (final, seed, 1, address_of(worker.sums, 0), context))
        worker.simulation_ticks += ticks() - begin
        worker.moves = worker.context[MOVES]
        worker.failure = worker.context[STATUS]
        if worker.failure != 0:
            return False
    points = integers_at(final + SCORES)
    if rules.prunes and points[0] > forest.best_score:
        forest.best_score, forest.best_length = points[0], worker.length
        forest.best_iteration = forest.iterations + 1
        for i in range(worker.length):
            forest.best_moves[i] = worker.path_moves[i]
        copy_state(s, forest.best_state, worker.state)
        forest.best_seed, forest.best_playout = seed, worker.moves
    if rules.bounds:
        known, found = address_of(rules.known, 0), address_of(worker.bounds, 0)
        call_bounds(rules.bounds, (final, known, rules.trees, found, context))
    for tree in range(rules.trees):
        for player in range(rules.players):
            at, highest = tree * rules.players + player, rules.highest[player]
            possible = worker.bounds[at] if rules.bounds else points[player]
            if possible < highest:
                forest.limits[at] = 1
            worker.scores[at] = points[player] / highest
            worker.potentials[at] = possible / highest
    return True
