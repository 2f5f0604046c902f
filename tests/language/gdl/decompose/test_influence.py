"""What has an influence on which fluents."""

from semisplit import games
from semisplit.language.gdl.check.description import parse
from semisplit.language.gdl.decompose.influence import find_control, find_options
from semisplit.language.gdl.decompose.play import play
from semisplit.language.gdl.decompose.structure import Structure
from semisplit.language.gdl.ground.program import ground
from semisplit.language.gdl.text.notation import read_terms


def test_what_a_fluent_can_become_depends_on_what_makes_moves_legal() -> None:
    structure = Structure(ground(parse(games.text("blocker"), "blocker")))
    control = find_control(structure)
    assert not control.any()
    options = find_options(structure, play(structure, 0), control, 0)
    known = {"cell", "crosser", "blocker", "1", "2"}
    mine, yours, other = (
        structure.program.fluents.index(fluent)
        for fluent in read_terms("(cell 1 1 crosser) (cell 1 1 blocker) (cell 1 2 blocker)", known)
    )
    # Both may mark the cell at once; then it is not the crosser's, but it could have been.
    assert options.depends[mine, yours]
    assert options.depends[yours, mine]
    assert not options.depends[mine, other]
    # Given the moves, each cell depends on itself.
    assert structure.fluents_of(structure.next)[mine].nonzero()[0].tolist() == [mine]
