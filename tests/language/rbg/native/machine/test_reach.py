"""Which sites a machine reaches, and where its depth is known."""

from semisplit.language.rbg.native.analysis.graph import Arc
from semisplit.language.rbg.native.evaluate.region import HEADER, Exit, Region
from semisplit.language.rbg.native.machine.reach import Reach


def reach(targets: dict[int, list[int]], *entries: int, tracks_depths: bool = True) -> Reach:
    """The reach of a machine whose sites lead to others."""
    regions = {
        node: Region(
            function=None,
            exits=tuple(Exit(Arc(target), False, HEADER, False) for target in leading),
            frame=HEADER + 8 * len(leading),
            certain=False,
            exclusive=False,
            in_place=False,
            may_fail=False,
        )
        for node, leading in targets.items()
    }
    return Reach(entries, regions.__getitem__, lambda exit_: exit_, tracks_depths=tracks_depths)


def test_a_single_way_has_known_depths() -> None:
    found = reach({0: [1], 1: [2], 2: [], 7: [0]}, 0)
    assert found.depths == {0: 0, 1: 1, 2: 2}
    assert found.knows_all_depths
    assert found.frame == HEADER + 8


def test_where_ways_join_the_depth_is_not_known_nor_behind_it() -> None:
    found = reach({0: [1, 2], 1: [3], 2: [3], 3: [4], 4: []}, 0)
    assert found.depths == {0: 0, 1: 1, 2: 1, 3: None, 4: None}
    assert [node for node, _ in found.arrivals[3]] == [2, 1]


def test_circles_have_no_depth() -> None:
    assert reach({0: [1], 1: [1, 2], 2: []}, 0).depths == {0: 0, 1: None, 2: None}
    assert reach({0: [1], 1: [0]}, 0).depths == {0: None, 1: None}


def test_entries_begin_at_the_bottom_of_the_stack() -> None:
    found = reach({0: [], 5: [6], 6: []}, 0, 5)
    assert found.depths == {0: 0, 5: 0, 6: 1}


def test_depths_need_not_be_tracked() -> None:
    assert reach({0: [1], 1: []}, 0, tracks_depths=False).depths == {0: None, 1: None}


def test_long_ways_are_not_tracked_to_their_end() -> None:
    found = reach({node: [node + 1] if node < 30 else [] for node in range(31)}, 0)
    assert found.depths[16] == 16
    assert found.depths[17] is None
