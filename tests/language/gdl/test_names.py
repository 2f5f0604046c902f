"""Names that differ only in capital letters."""

from pathlib import Path
from random import Random

import pytest

import semisplit
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.play.interpret import Interpreter
from semisplit.language.gdl.rules import GdlRules
from semisplit.language.gdl.text.ast import Term
from semisplit.net.ggp.messages import find_move
from semisplit.net.ggp.scramble import Spelling
from tests.support.gdl import GAME

TWO = [
    # One letter.
    "(init (cell 1 K)) (init (cell 2 k)) (<= q (true (cell ?x K))) (<= r (true (cell ?x k)))",
    # Two facts that would be one.
    "(piece King) (piece king) (<= q (piece ?x) (true (at ?x)))",
    # Relations that are whole, each by itself.
    "(<= timeOut (true a)) (<= timeout (true b)) (<= q timeOut) (<= r timeout)",
    # A relation and a constant.
    "(<= Move (true a)) (<= q Move (true (is move)))",
]
ONE = [
    "(succ 1 2) (<= q (Succ 1 ?x)) (<= r (succ ?x 2))",
    "(init (at Rook 1)) (<= (next (at rook ?x)) (true (at Rook ?x)))",
    "(<= Terminal q) (<= q (True s)) (INIT a)",
    "(role X) (<= (legal x go) (true s)) (goal X 3)",
]


@pytest.mark.parametrize("rules", TWO)
def test_spellings_used_like_two_names_are_two(rules: str) -> None:
    description = parse(GAME + rules)
    assert description.names.apart
    warnings = [one.message for one in description.warnings]
    assert any("taken for different names" in warning for warning in warnings), warnings
    ignored = parse(f"{GAME}{rules}\n; case: ignored")
    assert not ignored.names.apart
    assert len(ignored.spelling) < len(description.spelling)


@pytest.mark.parametrize("rules", ONE)
def test_others_are_one(rules: str) -> None:
    assert not parse(GAME + rules).names.apart


def test_the_comment_makes_a_difference_of_all() -> None:
    rules = "(<= q (p Ace)) (<= q (p ace)) (p Ace) (<= r (P ace))"
    folded, apart = (parse(f"{GAME}{rules}{more}") for more in ("", "\n; case: sensitive"))
    assert {*apart.spelling} - {*folded.spelling} == {"Ace", "P"}


def test_two_pieces_are_two_fluents() -> None:
    text = "(role w) (init (at K)) (init (at k)) (legal w (move K)) (legal w (move k)) (goal w 1)"
    text += "(<= (next (at ?x)) (does w (move ?x))) (<= terminal (not (true (at K))))"
    rules = GdlRules(parse(text))
    game = Interpreter(rules.description)
    assert len(game.initial) == 2
    position = rules.read_position("(at K)")
    assert rules.read_position(rules.write_position(position)) == position
    assert position != rules.read_position("(at k)")
    legal = [Term("move", (Term(name),)) for name in "Kk"]
    name = rules.description.names.name
    for spelling in (Spelling(rules.description), Spelling(rules.description, Random(0))):
        for move, written in zip(legal, ("(move K)", "( MOVE k )")):
            theirs = spelling.theirs(written.replace("MOVE", "move"))
            assert find_move(spelling.ours(theirs), legal, name) == move
    assert find_move("( MOVE k )", legal, name) == legal[1]


def test_the_environment_asks_for_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_text(f"{GAME} (succ 1 2) (<= q (Succ 1 2))")
    assert "Succ" not in semisplit.load(path).rules.description.spelling  # type: ignore[attr-defined]
    monkeypatch.setenv("SEMISPLIT_CASE", "sensitive")
    assert "Succ" in semisplit.load(path).rules.description.spelling  # type: ignore[attr-defined]
