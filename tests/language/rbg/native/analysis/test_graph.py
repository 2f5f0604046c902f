"""The graph of sites: text before, text after."""

from semisplit import games
from semisplit.core.components import components
from semisplit.language.rbg.check.description import parse
from semisplit.language.rbg.native.analysis.expression import PatternTest
from semisplit.language.rbg.native.analysis.facts import GameFacts
from semisplit.language.rbg.play.automaton import build_automaton
from tests.support.analysed import analysed, text


def test_parts_without_modifiers_are_one_arc() -> None:
    game, printer = analysed("->w (up + down) {e} ([x] + left {o} [e] + right {o} + left {x}) ->b")
    assert printer.graph(game.rules) == text("""
        0:
          -> 2    #1 ->w
        1: blind
        2: blind
          -> 3    (up + down) {e}
        3: {e}
          -> 4    #2 [x]
          -> 5    left {o}
          -> 4    right {o} + left {x}
        4: blind
          -> 1    #4 ->b
        5: {o}
          -> 4    #3 [e]
        """)


def test_stars_with_modifiers_are_circles() -> None:
    game, printer = analysed("->w (left [x])* ->b")
    assert printer.graph(game.rules) == text("""
        0:
          -> 2    #1 ->w
        1: blind
        2: blind
          -> 4    nothing
          -> 3    nothing
        3:
          -> 1    #3 ->b
        4:
          -> 6    left
        5: {x} blind
          -> 3    nothing
          -> 4    nothing
        6:
          -> 5    #2 [x]
        """)


def test_patterns_have_graphs_of_their_own_without_numbers() -> None:
    game, printer = analysed("->w {? left [x] right left {x}} [x] ->b")
    test = game.graph.arcs[2][0].expression
    assert isinstance(test, PatternTest)
    assert printer.expression(test) == "{? left [x] right left {x}}"
    assert printer.graph(game.pattern(test.rule.body)) == text("""
        0:
          -> 2    left
        1: end {x}
        2:
          -> 3    [x]
        3: {x}
          -> 1    right left {x}
        """)


def test_numbers_are_those_of_the_automaton() -> None:
    for name in games.names("rbg"):
        description = parse(games.text(name), name)
        automaton = build_automaton(description.rules)
        graph = GameFacts(description, description.rules).graph
        assert [arc.action for arc in graph.modifiers] == [e.action for e in automaton.modifiers]
        assert [arc.number for arc in graph.modifiers] == [e.number for e in automaton.modifiers]


def test_components_come_sources_first() -> None:
    graph = {0: [1], 1: [2, 3], 2: [1], 3: [4], 4: []}
    found = [sorted(component) for component in components([0], graph.__getitem__)]
    assert found == [[0], [1, 2], [3], [4]]
