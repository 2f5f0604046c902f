"""Random play, and the states that are different in it."""

import numpy as np
import pytest

from semisplit.language.gdl.decompose.play import _choose, count_distinct, distinct


@pytest.mark.parametrize("rows", [0, 1, 8, 13, 64])
def test_short_and_long_columns_are_told_apart_in_the_same_order(rows: int) -> None:
    random = np.random.default_rng(rows)
    table = random.random((rows, 200)) < 0.1
    longer = np.concatenate([table, np.zeros((80, 200), bool)])
    first = distinct(table)
    assert first.tolist() == distinct(longer).tolist()
    columns = [tuple(column) for column in table.T.tolist()]
    assert first.tolist() == [columns.index(column) for column in sorted(set(columns))]
    assert count_distinct(table) == count_distinct(longer) == len(set(columns))


def test_each_legal_move_is_chosen_as_often_and_no_other() -> None:
    legal = np.zeros((5, 3000), bool)
    legal[[0, 2, 3], 1000:] = True
    legal[4, 2000:] = True
    chosen = _choose(legal, np.count_nonzero(legal, axis=0), np.random.default_rng(1))
    assert not (chosen & ~legal).any()
    assert chosen.sum(axis=0).tolist() == [0] * 1000 + [1] * 2000
    assert chosen[:, 1000:2000].sum(axis=1).tolist() == pytest.approx([333, 0, 333, 333, 0], abs=60)
    assert chosen[:, 2000:].sum(axis=1).tolist() == pytest.approx([250, 0, 250, 250, 250], abs=60)
