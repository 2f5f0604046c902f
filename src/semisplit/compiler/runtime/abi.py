"""The interface of compiled games: functions that C programs and Numba can call.

Every compiled game, of whatever language, exports these functions. `state` points to memory of a
size that is known when the game is compiled, `context` to a `Context`. All numbers are
native-endian. A state begins with

    int32  at       where in the rules it is: 0 at their start, otherwise up to the language
    int32  player   who is to move: a player from 1, or nobody (in RBG the keeper), 0
    int32           up to the language
    int32  scores   those of the players, in declared order

and the rest belongs to the language. A *step*, an element of moves, is a code: a number from 0
below the number of codes of the game, so that statistics of steps fit into plain arrays. The first
codes may be *silent*: they mark where a move is split, and change nothing (the dots of RBG).

    void run_keeper(state, context)
        Makes the keeper's moves if he is in control. Afterwards a player is, or the keeper is
        stuck and the game is over.

    void list_moves(state, context)
    void list_semimoves(state, context)            only with a split strategy (*)
        Writes the moves, or the semimoves of the split strategy, of a state in which a player is
        in control into the context's buffer: for each the number of its steps, then their codes,
        all int32.
        Counts them in `found` and their bytes in `written`; if these are more than the buffer has,
        the rest is missing. Without a buffer (NULL) they are only counted. Ends early when
        `enough` have been found. Unless it is NULL, `places` gets the place of each in the buffer,
        an int32 that counts int32s; it must have room for `enough` of them.

    void list_actions(state, context)              only with Mod (*)
        Does what `list_semimoves` does, faster: as semimoves are single steps, it writes their
        codes and nothing else, and counts them in `found`. The buffer must have room for all codes
        of the game.

    int32 play(state, steps, count, context)
        Makes steps, given as codes, without the keeper's moves. Returns 1 if the rules allow them;
        otherwise 0, and the state is left somewhere on the way.

    int32 apply(state, steps, count, context)
        Makes the steps, at least one, of a move or semimove that has been listed for this state,
        then the keeper's moves. Returns 1 if the state is nodal now, otherwise 0.

    void orthodox_playouts(state, seed, count, sums, context)
    void semisplit_playouts(state, seed, count, sums, context)    only with a split strategy (*)
        Makes `count` playouts, at least one, from a nodal state in which a player is in control or
        the game is over. Playout i takes its random numbers from seed + i. Adds the final scores
        to the array `sums` of int64, one per player; moves and states to the counters of the
        context. The state becomes the final state of the last playout. What `buffer` and `places`
        point to stays as it is.

    void batch_playouts(states, number, seeds, count, sums, context)    only if there are lanes
        Makes `count` playouts, at least one, from each of a number of states, at least one, that
        follow each other in memory; otherwise like `orthodox_playouts`. Adds the final scores to
        the array `sums` of int64, one per state and player, those of a state behind each other.
        The array `seeds` of uint64 has a seed for each state. Together they decide all playouts, so
        those from a state depend on the others, too; a single state is played as by
        `orthodox_playouts` if it has a lane for each playout. What the states become is not said.
        Games without lanes play no faster at once: callers make a call for each state.

    void apply_each(state, moves, count, states, context)               only if there are lanes
        Makes `count` moves, from one to as many as there are lanes, each in a state of its own that
        is like the given one, which is nodal; then the keeper's moves. Moves are as `list_moves`
        writes them, behind each other. So are the states after them.

    void guided_playouts(state, seed, count, sums, context)       only if asked for
        Does what `semisplit_playouts` does, but draws only with the chance `epsilon` among all
        semimoves, otherwise among those with the best score. `scores` has a real number of 32 bits,
        0 or more, for each player and code, those of a player behind each other; behind the last
        one there must be room for 64 more. Each step is written down where `trace` points to: its
        code, the player, and what it completes (see `End`), all int32. Afterwards `trace` points
        behind them. Gives up when more than a move is written behind `trace_end`.

    void list_numbers(state, context)                             only if asked for
    int32 apply_number(state, steps, count, context)
        Do what `list_actions` and `apply` do, with whole moves that are numbers. Guided playouts
        that come with them also draw whole moves, and take the numbers for codes.

    void look_ahead(state, outcomes, context)           only in games that can be decomposed
        Does what `list_moves` does, which must not need more than the buffer has, and writes an
        int32 for each move and player: the final score if the move ends the game, otherwise -1.

    void bounds(state, known, count, scores, context)   only in games that can be decomposed
        What may be said about the end of the game by who sees only a part of a state in which it
        is over. Of a state's bits (see `Facts`) `known` has 256 bits each, which tell which of
        256 onlookers see it. Writes an int32 for each of the first `count` of them and each
        player: the highest score that is possible.

(*) or if several players may decide at once: then a semimove is the step of one of them.

Nothing is allocated, nothing global is written: calls with different states and contexts may run
at the same time. A call that hits a limit leaves its reason in the context's `status`.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum, StrEnum, auto

AT, PLAYER, SCORES = 0, 4, 12
"""Where in a state these are."""


class Status(IntEnum):
    """How a call into compiled code ended."""

    OK = 0
    LONG_MOVE = 1
    """A move or a pattern applies too many modifiers."""
    MUCH_WORK = 2
    """Looking for moves took too long."""
    LONG_KEEPER = 3
    """The keeper moved too often in a row."""
    LONG_GAME = 4
    """A playout had too many moves."""
    LEFT = 6
    """A GPU leaves playouts to the processor."""
    NO_GPU = 5
    """A GPU did not make the playouts it was asked for."""


class Bundle(StrEnum):
    """Which functions of a game are compiled together."""

    GAME = auto()
    """Those that always are."""
    GUIDED = auto()
    """Guided playouts with semimoves."""
    NUMBERED = auto()
    """Those for moves as numbers."""
    THREADS = auto()
    """Playouts as one of many threads makes them, for GPUs (see `Job`)."""


class End(IntEnum):
    """What a step completes."""

    NOTHING = 0
    SEMIMOVE = 1
    MOVE = 2


class Context(ctypes.Structure):
    """Memory that callers hand to compiled code."""

    _fields_ = [
        ("status", ctypes.c_int64),
        ("work", ctypes.c_int64),  # failures left until a search for moves is given up
        ("max_work", ctypes.c_int64),  # how many there are for each playout
        ("frames", ctypes.c_void_p),  # memory to work in
        ("frames_end", ctypes.c_void_p),
        ("groups", ctypes.c_void_p),  # memory for orthodox playouts
        ("max_moves", ctypes.c_int64),  # moves after which a playout is given up
        ("moves", ctypes.c_int64),  # moves made in playouts
        ("states", ctypes.c_int64),  # states visited in playouts, dead ones included
        ("buffer", ctypes.c_void_p),  # where moves are written
        ("buffer_end", ctypes.c_void_p),
        ("places", ctypes.c_void_p),  # where their places in the buffer are written
        ("enough", ctypes.c_int64),  # moves after which no more are looked for
        ("skip", ctypes.c_int64),  # moves that are counted but not written
        ("found", ctypes.c_int64),  # moves found
        ("written", ctypes.c_int64),  # bytes that they take
        ("epsilon", ctypes.c_int64),  # of guided playouts, times 2^53
        ("scores", ctypes.c_void_p),
        ("trace", ctypes.c_void_p),
        ("trace_end", ctypes.c_void_p),
        # Variables of playouts. As variables of their functions they would be carried along
        # through thousands of blocks, which takes LLVM more time than the memory takes us.
        ("last_move", ctypes.c_int64),
        ("earlier", ctypes.c_int64),
        ("is_last", ctypes.c_int64),
        ("resume", ctypes.c_int64),
        ("leaf", ctypes.c_int64),
        ("square", ctypes.c_int64),
        ("length", ctypes.c_int64),
        # What playouts follow that are not the game's own:
        ("guide", ctypes.c_void_p),
    ]

    FIELDS = tuple(field[0] for field in _fields_)


class Job(ctypes.Structure):
    """Playouts from many states that many threads share among them, in pieces."""

    _fields_ = [
        ("next", ctypes.c_int64),  # the piece that the next thread takes
        ("pieces", ctypes.c_int64),
        ("states", ctypes.c_void_p),  # behind each other
        ("seeds", ctypes.c_void_p),  # for each state a uint64
        ("count", ctypes.c_int64),  # playouts from each state
        ("length", ctypes.c_int64),  # of a piece: playouts from the same state
        ("max_moves", ctypes.c_int64),  # moves after which a playout is given up
        ("max_work", ctypes.c_int64),  # failures after which it is
        ("results", ctypes.c_void_p),  # for each state: a status, moves, states, scores; all int64
    ]

    FIELDS = tuple(field[0] for field in _fields_)


THREAD_LANES = 32
"""Games that a thread makes at once, if those of a game have lanes. Pieces of a job have as many or
more, if there are."""

Function = tuple[type | None, tuple[type, ...]]
_pointer, _int32, _int64, _seed = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64
_LIST: Function = (None, (_pointer, _pointer))
_STEPS: Function = (_int32, (_pointer, _pointer, _int64, _pointer))
_PLAYOUTS: Function = (None, (_pointer, _seed, _int64, _pointer, _pointer))
FUNCTIONS: dict[str, Function] = {
    "run_keeper": _LIST,
    "list_moves": _LIST,
    "play": _STEPS,
    "apply": _STEPS,
    "orthodox_playouts": _PLAYOUTS,
}
"""Result and arguments of the functions that every game has."""
SPLIT_FUNCTIONS: dict[str, Function] = {
    "list_semimoves": _LIST,
    "semisplit_playouts": _PLAYOUTS,
}
"""Result and arguments of the functions that need a split strategy."""
LANE_FUNCTIONS: dict[str, Function] = {
    "batch_playouts": (None, (_pointer, _int64, _pointer, _int64, _pointer, _pointer)),
    "apply_each": (None, (_pointer, _pointer, _int64, _pointer, _pointer)),
}
"""Result and arguments of the functions of games that play many states at once."""
MOD_FUNCTIONS: dict[str, Function] = {"list_actions": _LIST}
"""Result and arguments of the functions that need a split strategy with Mod."""
GUIDED_FUNCTIONS: dict[str, Function] = {"guided_playouts": _PLAYOUTS}
"""Result and arguments of the functions of `Bundle.GUIDED`."""
DECOMPOSED_FUNCTIONS: dict[str, Function] = {
    "look_ahead": (None, (_pointer, _pointer, _pointer)),
    "bounds": (None, (_pointer, _pointer, _int64, _pointer, _pointer)),
}
"""Result and arguments of the functions of games that can be decomposed."""
NUMBERED_FUNCTIONS: dict[str, Function] = {
    "list_numbers": _LIST,
    "apply_number": _STEPS,
    "guided_playouts": _PLAYOUTS,
}
"""Result and arguments of the functions of `Bundle.NUMBERED`, if moves can be numbered."""
