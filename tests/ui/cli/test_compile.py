"""`semisplit compile --emit`: each stage on the way to machine code as text."""

import re
from pathlib import Path

from tests.support.command_line import run

RULES = """#players = w(100), b(100)
#pieces = e, x
#variables =
#board = rectangle(up,down,left,right,[e,x,e])
#rules = (->w (left* + right*) {x} [e] left {e} [x] ->b)*
"""


def stage(tmp_path: Path, name: str) -> str:
    path = tmp_path / "small.rbg"
    path.write_text(RULES)
    return run("compile", str(path), "--emit", name)


def test_the_graph_says_what_is_known(tmp_path: Path) -> None:
    graph = stage(tmp_path, "graph")
    assert "3 squares in 1 words" in graph
    assert re.search(r"^\d+: \{x\}\n  -> \d+ +#2 \[e\]$", graph, re.MULTILINE)
    assert re.search(r"^\d+: \{e\} blind\n  -> \d+ +left \{e\}$", graph, re.MULTILINE)
    assert "behind #2 [e], before it is there:\n  left if left {e}: #3 [x]\n" in graph


def test_regions_say_what_can_come_next(tmp_path: Path) -> None:
    regions = stage(tmp_path, "regions")
    begins = r"^region\d+: from \d+ until modifier: \d+ instructions"
    lifting = rf"{begins}\n   24 set of about 1: #2 \[e\] -> \d+$"
    handing_over = rf"{begins}, certain, exclusive, in place\n   24 square, certain: #4 ->b -> \d+$"
    assert re.search(lifting, regions, re.MULTILINE)
    assert re.search(handing_over, regions, re.MULTILINE)
