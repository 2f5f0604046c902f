"""What is said to each kind of mistake, as it is shown."""

import sys
from pathlib import Path

import pytest

from semisplit.ui.cli.main import main
from tests.golden.conftest import Expect, ExpectFiles
from tests.support.gdl import GAME
from tests.support.prelude import PRELUDE

FILES = {
    "binary.rbg": "\xff\xfe",
    "broken.json": '{"kind": "mcts"',
    "clash.rbg": PRELUDE + "#up(a) = a\n#rules = ->w up {e} ->>",
    "dead.rbg": PRELUDE + "#rules = up",
    "empty.rbg": "",
    "endless.rbg": PRELUDE + "#rules = ->w ({e} [e])* {x} ->> {}",
    "forms.kif": f"{GAME}\n(p ?x\n(<= (q ?x) (not (r ?x)))",
    "macro.rbg": PRELUDE + "#m(a) = a\n#rules = ->w m(up; down) ->>",
    "mistakes.rbg": PRELUDE + "#rules = ->w {z} foo ->>\n",
    "other.json": '{"kind": "mcts", "colour": "blue"}',
    "section.rbg": "#players = w(100)\n#pieces = e\n#rules = ->w",
    "store.db": "this is no database",
    "syntax.rbg": PRELUDE + "#rules = ->w (up + ",
    "tournament.toml": "agents = 5\n",
    "unsafe.kif": f"{GAME}\n(<= (legal you ?x) (true s))",
}
MISTAKES = {
    "agent-conflict": "match tic_tac_toe orthodox/semisplit random",
    "agent-file-broken": "match tic_tac_toe broken.json random",
    "agent-file-missing": "match tic_tac_toe nowhere.json random",
    "agent-file-unknown-key": "match tic_tac_toe other.json random",
    "agent-number": "match tic_tac_toe orthodox,C=much random",
    "agent-parameter": "match tic_tac_toe orthodox,D=1 random",
    "agent-range": "match tic_tac_toe orthodox,C=-1 random",
    "agent-unknown": "match tic_tac_toe ortodox random",
    "agent-unknown-grouping": "match tic_tac_toe groups[colour] random",
    "agent-unknown-strategy": "match tic_tac_toe orthodox@Mud random",
    "agent-without-semimoves": "match tic_tac_toe.kif semisplit@Mod random",
    "budget": "match tic_tac_toe random random --budget 3parsecs",
    "file-binary": "show binary.rbg",
    "file-empty": "show empty.rbg",
    "file-missing": "show nowhere.rbg",
    "file-is-a-folder": "show .",
    "games-none": "match tic_tac_toe random random --games 0",
    "move-illegal": "moves tic_tac_toe z9",
    "move-similar": "moves breakthrough a2-a4",
    "option-unknown": "show tic_tac_toe --colour red",
    "argument-missing": "perft tic_tac_toe",
    "depth-negative": "perft tic_tac_toe -- -1",
    "endless-move": "moves endless.rbg",
    "game-unknown": "show breaktrough",
    "game-without-subgames": "decompose breakthrough --statistical",
    "experiment-unknown": "reproduce thesis-9.9",
    "rules-gdl-forms": "check forms.kif",
    "rules-gdl-unsafe": "check unsafe.kif",
    "rules-rbg-clash": "check clash.rbg",
    "rules-rbg-macro": "check macro.rbg",
    "rules-rbg-names": "check mistakes.rbg",
    "rules-rbg-section": "check section.rbg",
    "rules-rbg-syntax": "check syntax.rbg",
    "rules-rbg-warning": "check dead.rbg",
    "solve-players": "solve connect4_3p",
    "split-gdl": "moves tic_tac_toe.kif --split Mod",
    "split-unknown": "moves tic_tac_toe --split Mdo",
    "store-broken": "match tic_tac_toe random random --games 2 --store store.db",
    "store-missing": "replay nowhere.db 1",
    "tournament-broken": "tournament tournament.toml",
    "verb-unknown": "mvoes tic_tac_toe",
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_message(
    kind: str,
    expect: Expect,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="latin-1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "argv", ["semisplit", *MISTAKES[kind].split()])
    try:
        main()
        status: object = 0
    except SystemExit as ended:
        status = ended.code
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    expect(f"errors/{kind}.txt", f"$ semisplit {MISTAKES[kind]}\n{out}{err}[{status}]\n")


def test_each_text_is_one_of_a_mistake(expect_files: ExpectFiles) -> None:
    expect_files("errors", [f"{kind}.txt" for kind in MISTAKES])
