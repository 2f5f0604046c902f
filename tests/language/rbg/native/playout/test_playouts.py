"""Playouts: what each block calls, and what it changes of the state and the context."""

from semisplit.compiler.runtime.abi import Bundle
from tests.support.analysed import text
from tests.support.emitted import emitted, function_outline, function_text

RULES = "->w {e} [x] ->b {o} [e] left [o] ->w"
ARGUMENTS = ("state", "seed", "context")


def test_playouts_are_repeated_from_copies_of_a_state() -> None:
    arguments = ("state", "seed", "count", "scores", "context")
    found = function_text(emitted(RULES), "orthodox_playouts", *arguments)
    assert found == text("""
        entry:
          a = new variable 7
          go to repeat
        repeat:
          b = either 0 from entry, l from onward
          llvm.memcpy.p0.p0.i64(a, state, 56, 0)
          c = seed + b
          orthodox_playout(a, c, context)
          d = context.status
          e = d != 0
          if e go to end else onward
        end:
          llvm.memcpy.p0.p0.i64(state, a, 56, 0)
          ret
        onward:
          f = a[12]
          g = scores
          h = g + f
          scores := h
          i = a[16]
          j = scores[8]
          k = j + i
          scores[8] := k
          l = b + 1
          m = l < count
          if m go to repeat else end
        """)


def test_orthodox_playouts_go_through_all_moves_and_make_one() -> None:
    found = function_outline(emitted(RULES), "orthodox_playout", *ARGUMENTS)
    assert found == text("""
        entry: context.work, context.last_move, context.earlier
        exhausted: context.is_last
        make: context.earlier, context.states
        stop: context.status
        site2: region3()
        site5: region5()
        site1: region2()
        site7: region6()
        undo: context.work
        onward.1: context.resume, context.is_last
        onward.2: context.resume, context.is_last
        stop.1: context.status
        end: context.earlier
        end.1.endif: context.leaf
        end.1.endif.if: context.square
        end.1.endif.else: context.square
        end.1.endif.endif: context.length
        body.2: act()
        move: act()
        move.1: act()
        hand_over: state.at, state.player, state.vertex, context.moves
        hand_over.1: state.at, state.player, state.vertex, context.moves
        stop.2: context.status
        """)


def test_semisplit_playouts_draw_step_by_step() -> None:
    found = function_outline(emitted(RULES, "Mod"), "semisplit_playout", *ARGUMENTS)
    assert found == text("""
        entry: context.work, context.last_move
        stop: context.status
        site2: region3()
        site5: region5()
        site1: region2()
        take: context.states, state.o, state.e
        site7: region6()
        undo: context.work
        take.1: context.states, state.e, state.x, state.o
        hand_over: context.states, state.at, state.player, state.vertex, context.moves
        stop.1: context.status
        take.2: context.states, state.e, state.x
        hand_over.1: context.states, state.at, state.player, state.vertex, context.moves
        stop.2: context.status
        onward.7: state.e, state.o
        """)


def test_without_mod_semimoves_are_listed_and_one_is_drawn() -> None:
    game = emitted("->w {e} . [x] ->b {e} . [o] ->w", "Dots")
    found = function_outline(game, "semisplit_playout", *ARGUMENTS)
    assert found == text("""
        entry: context.places, context.work, context.last_move
        enter: context.frames, context.found, context.written, context.buffer, context.buffer_end,
          context.enough, list_semimoves()
        nodal: context.moves
        over: context.frames, context.buffer, context.buffer_end, context.places, context.enough,
          context.skip
        end.2: context.states, context.frames, context.found, context.written, context.buffer,
          context.buffer_end, context.skip, context.enough, list_semimoves()
        onward.4: context.frames, play()
        nodal.if: context.status
        nodal.endif: context.frames, run_keeper()
        """)


def test_guided_playouts_note_what_they_play() -> None:
    found = function_outline(emitted(RULES, "Mod", Bundle.GUIDED), "guided_playout", *ARGUMENTS)
    assert found == text("""
        entry: context.work, context.last_move
        stop: context.status
        site2: region5()
        site5: region2()
        site1: region7()
        take: context.states, state.o, state.e
        site7: region3()
        undo: context.work
        take.1: context.states, state.e, state.x, state.o
        hand_over: context.trace
        stop.1: context.status
        onward.3: context.states, state.at, state.player, state.vertex, context.moves
        take.2: context.states, state.e, state.x
        hand_over.1: context.trace
        onward.6: context.states, state.at, state.player, state.vertex, context.moves
        stop.2: context.status
        onward.9: state.e, state.o
        """)


def test_threads_meet_where_turns_begin() -> None:
    found = function_outline(emitted(RULES, "Mod", Bundle.THREADS), "games")
    assert found == text("""
        hub: lowest()
        turn: most()
        site2: region5()
        site5: region2()
        site1: region7()
        site7: region3()
        """)
