"""Positions: whole states, their moves, and what these lead to."""

from __future__ import annotations

from semisplit.compiler.runtime.abi import PLAYER
from semisplit.search.engine.layout import BUFFER, ENOUGH, FOUND, STATUS, WORK, WRITTEN
from semisplit.search.engine.toolkit.kernel import call_ahead, call_steps, copy_bytes, kernel
from semisplit.search.engine.toolkit.record import Array, address_of, i8, integers_at, part_of
from semisplit.search.multitree.kernels.memory import NONE, Workplace
from semisplit.search.multitree.kernels.trees import find_node, mix

LONG_LIST = 100
"""The reason if a position has too many moves."""


@kernel
def player_of(state: Array[i8]) -> int:
    """Who is in control in a state: a player from 1, or nobody, 0, if the game is over."""
    return integers_at(address_of(state, 0) + PLAYER)[0]


@kernel
def copy_state(s: Workplace, to: Array[i8], source: Array[i8]) -> None:
    """Copy a state."""
    copy_bytes(address_of(to, 0), address_of(source, 0), 8 * s.rules.state_words)


@kernel
def state_of(s: Workplace, position: int) -> Array[i8]:
    """The state of a position."""
    return part_of(s.memo.states, position * s.rules.state_words)


@kernel
def moves_in(s: Workplace, position: int, tree: int) -> int:
    """Where in the memo what is known about the moves of a position in a tree begins."""
    here = s.memo.positions[position]
    return here.first * s.rules.trees + tree * here.count


@kernel
def follow(s: Workplace, state: Array[i8], move: int) -> bool:
    """Make a move from a state; the state after it is `tried`. Whether no limit was hit."""
    rules, worker = s.rules, s.worker
    count, left = 0, move
    while left > 0:
        left //= rules.base
        count += 1
    left = move
    for i in range(count):
        worker.steps[count - 1 - i] = left % rules.base - 1
        left //= rules.base
    copy_state(s, worker.tried, state)
    worker.context[WORK] = rules.max_work
    steps, context = address_of(worker.steps, 0), address_of(worker.context, 0)
    call_steps(rules.apply, (address_of(worker.tried, 0), steps, count, context))
    worker.failure = worker.context[STATUS]
    return worker.failure == 0


@kernel
def list_moves(s: Workplace, state: Array[i8]) -> int:
    """List the moves of a state, and what they lead to; how many there are, if no limit was hit."""
    rules, worker, context = s.rules, s.worker, s.worker.context
    context[BUFFER] = address_of(worker.buffer, 0)
    context[ENOUGH] = rules.most_moves + 1
    context[FOUND] = context[WRITTEN] = 0
    context[WORK] = rules.max_work
    outcomes, context_place = address_of(worker.outcomes, 0), address_of(context, 0)
    call_ahead(rules.look_ahead, (address_of(state, 0), outcomes, context_place))
    worker.failure = context[STATUS]
    if context[FOUND] > rules.most_moves:
        worker.failure = LONG_LIST
    return context[FOUND]


@kernel
def listed_move(s: Workplace, place: int) -> int:
    """One of the moves that have been listed, as a number."""
    worker, move, length = s.worker, 0, s.worker.buffer[0]
    for i in range(length):
        move = move * s.rules.base + worker.buffer[place * (length + 1) + 1 + i] + 1
    return move


@kernel
def find_position(s: Workplace, depth: int, state: Array[i8]) -> int:
    """The position of a state, which is worked out if it is new; NONE if a limit was hit."""
    rules, memo = s.rules, s.memo
    bits, words = rules.first_bits, rules.bit_words
    known = _hash(s, depth, state)
    slot = known & memo.table_mask
    while memo.table[slot] != 0:
        number = memo.table[slot] - 1
        if memo.positions[number].depth == depth:
            same, other = True, state_of(s, number)
            for i in range(words):
                same = same and other[bits + i] == state[bits + i]
            if same:
                return number
        slot = (slot + 1) & memo.table_mask
    has_room = memo.position_count < memo.position_size
    if not has_room or memo.move_count + rules.most_moves > memo.move_size:
        forget(s)
        slot = known & memo.table_mask
    return _work_out(s, depth, state, slot)


@kernel
def _hash(s: Workplace, depth: int, state: Array[i8]) -> int:
    known = mix(0, depth)
    for i in range(s.rules.bit_words):
        known = mix(known, state[s.rules.first_bits + i])
    return known


@kernel
def _enlarge_table(s: Workplace) -> None:
    """Use twice as much of the table."""
    memo = s.memo
    for slot in range(memo.table_mask + 1):
        memo.table[slot] = 0
    memo.table_mask = 2 * memo.table_mask + 1
    for number in range(memo.position_count):
        slot = _hash(s, memo.positions[number].depth, state_of(s, number)) & memo.table_mask
        while memo.table[slot] != 0:
            slot = (slot + 1) & memo.table_mask
        memo.table[slot] = number + 1


@kernel
def forget(s: Workplace) -> None:
    """Begin again without any position."""
    memo = s.memo
    memo.position_count = memo.move_count = 0
    memo.forgotten += 1
    for slot in range(memo.table_mask + 1):
        memo.table[slot] = 0


@kernel
def _work_out(s: Workplace, depth: int, state: Array[i8], slot: int) -> int:
    """Add a position: its moves, and what they lead to."""
    rules, memo, worker = s.rules, s.memo, s.worker
    count = list_moves(s, state)
    if worker.failure != 0:
        return NONE
    number = memo.position_count
    memo.position_count += 1
    memo.table[slot] = number + 1
    copy_state(s, state_of(s, number), state)
    here = memo.positions[number]
    here.depth, here.first = depth, memo.move_count
    here.count, here.steps = count, worker.buffer[0]
    here.player = player_of(state)
    here.known = here.going = 0
    here.best = -1
    memo.move_count += here.count
    for i in range(here.count):
        one = memo.moves[here.first + i]
        one.move = listed_move(s, i)
        one.outcome = worker.outcomes[i * rules.players + here.player - 1]
        one.after = NONE
        here.going += one.outcome < 0
        here.best = max(here.best, one.outcome)
    for i in range(here.first * rules.trees, memo.move_count * rules.trees):
        memo.transitions[i] = NONE
    for tree in range(rules.trees):
        memo.nodes[number * rules.trees + tree] = find_node(s, tree, depth, state)
        memo.seen[number * rules.trees + tree] = 0
    if 2 * memo.position_count > memo.table_mask:
        _enlarge_table(s)
    return number


@kernel
def sort_moves(s: Workplace, position: int) -> None:
    """List the options of a position, and sort all moves, in each tree, by their transitions."""
    memo, trees = s.memo, s.rules.trees
    here = memo.positions[position]
    here.options = 0
    for place in range(here.count):
        if _is_option(s, position, place):
            memo.options[here.first + here.options] = place
            here.options += 1
    for tree in range(trees):
        at, count = moves_in(s, position, tree), 0
        for option in range(here.options):
            kind = _find_kind(s, at, count, memo.options[here.first + option])
            memo.kind_of[at + option] = kind
            count = max(count, kind + 1)
        memo.open_kinds[position * trees + tree] = count
        if here.options < here.count:
            for place in range(here.count):
                if not _is_option(s, position, place):
                    count = max(count, _find_kind(s, at, count, place) + 1)
        memo.all_kinds[position * trees + tree] = count


@kernel
def _is_option(s: Workplace, position: int, place: int) -> bool:
    """Whether a move may be selected: alone, a player does not need those that end the game."""
    here = s.memo.positions[position]
    return not s.rules.prunes or s.memo.moves[here.first + place].outcome < 0


@kernel
def _find_kind(s: Workplace, at: int, count: int, place: int) -> int:
    """The kind of a move, which may be a new one behind the others."""
    memo, kind = s.memo, 0
    transition = memo.transitions[at + place]
    while kind < count and memo.kinds[at + kind] != transition:
        kind += 1
    memo.kinds[at + kind] = transition
    return kind
