"""The verbs and the script that measure compiled games."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.yardstick import cpu_name

from tests.support.command_line import run

ROOT = Path(__file__).parent.parent.parent.parent
KEYS = {
    "game",
    "mode",
    "nodal_states_per_s",
    "all_states_per_s",
    "playouts_per_s",
    "mean_depth",
    "compile_s_cold",
    "compile_s_cached",
}
YARDSTICK = """
#include <stdio.h>
int main(void) { puts("breakthrough 2000000\\namazons 500000"); return 0; }
"""
REFERENCE = """game,mode,ratio_to_yardstick
ticTacToe,Mod,0.5
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of our own."""
    place = tmp_path / "cache"
    monkeypatch.setenv("SEMISPLIT_CACHE", str(place))
    return place


def test_bench() -> None:
    rows = json.loads(run("bench", "tic_tac_toe", "--seconds", "0.05", "--json"))
    assert [(row["game"], row["mode"]) for row in rows] == [
        ("tic_tac_toe", "orthodox"),
        ("tic_tac_toe", "Mod"),
    ]
    for row in rows:
        assert row.keys() == KEYS
        assert all(row[key] > 0 for key in KEYS - {"game", "mode"})
        assert row["mean_depth"] == pytest.approx(7.63, abs=0.1)
        depth = row["nodal_states_per_s"] / row["playouts_per_s"]
        assert depth == pytest.approx(row["mean_depth"], rel=0.05)
    # Every move is one semimove here.
    assert all(row["all_states_per_s"] == row["nodal_states_per_s"] for row in rows)


def test_bench_as_a_table(tmp_path: Path) -> None:
    file = tmp_path / "mine.rbg"
    file.write_text(
        "#players = w(1), b(1)\n#pieces = e, x\n#variables =\n"
        "#board = rectangle(up,down,left,right,[e,e])\n"
        "#rules = ->w ({e} + right) [x] ->b [e] ->> {x} ->>\n"
    )
    table = run("bench", str(file), "--split", "modplus", "--seconds", "0")
    head, *rows = table.splitlines()
    assert head.split()[:3] == ["game", "mode", "nodal/s"]
    assert [row.split()[:2] for row in rows] == [[str(file), "orthodox"], [str(file), "ModPlus"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bench", "tic_tac_toe", "ches"], "there is no game 'ches'; did you mean 'chess'?"),
        (["bench", "chess", "--split", "Mud"], "there is no split strategy 'Mud'"),
        (["compile", "ches"], "there is no game 'ches'; did you mean 'chess'?"),
    ],
)
def test_wrong_input(arguments: list[str], message: str) -> None:
    said = run(*arguments, status=1)
    assert message in said
    assert len(said.splitlines()) == 1


def test_a_game_without_an_end(tmp_path: Path) -> None:
    file = tmp_path / "endless.rbg"
    file.write_text(
        "#players = w(1)\n#pieces = e\n#variables =\n"
        "#board = rectangle(up,down,left,right,[e])\n#rules = (->w {e})*\n"
    )
    said = run("bench", str(file), status=1)
    assert "error: the game did not end after" in said


def test_compile(cache: Path) -> None:
    said = run("compile", "tic_tac_toe", "--split", "Mod")
    assert len(said.splitlines()) == 1
    assert said.startswith("tic_tac_toe, split Mod: ")
    assert str(cache) in said
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        ("ir", ("define void @list_moves(", "define void @orthodox_playouts(")),
        ("asm", ("list_moves:", "orthodox_playouts:")),
    ],
)
def test_emitted_code(form: str, lines: tuple[str, ...]) -> None:
    code = run("compile", "tic_tac_toe", "--emit", form)
    assert all(line in code for line in lines)


@pytest.mark.skipif(
    not shutil.which("gcc") or not hasattr(os, "sched_setaffinity"), reason="needs Linux and gcc"
)
@pytest.mark.parametrize("processor", [cpu_name(), "PDP-11"])
def test_speed_beside_a_yardstick(tmp_path: Path, processor: str) -> None:
    source, reference = tmp_path / "yardstick.c", tmp_path / "reference.csv"
    source.write_text(YARDSTICK)
    reference.write_text(REFERENCE)
    output = tmp_path / "speed.md"
    files = [f"--yardstick={source}", f"--reference={reference}", f"--output={output}"]
    files.append(f"--reference-processor={processor}")
    options = ["--runs", "1", "--seconds", "0.05", "tic_tac_toe"]
    command = [sys.executable, "-m", "benchmarks.speed", *files, *options]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60)
    report = output.read_text()
    assert str(tmp_path) not in report
    row = next(line for line in report.splitlines() if line.startswith("| tic_tac_toe |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    millions, ratio, known, times = cells[1:5]
    assert float(ratio.split()[0]) == pytest.approx(float(millions) / 2, rel=0.02)
    if processor == "PDP-11":
        assert (known, times) == ("-", "-")
        assert "the reference was measured on PDP-11, this is" in report
        return
    assert known == "0.5"
    assert float(times) == pytest.approx(float(ratio.split()[0]) / 0.5, rel=0.02)
