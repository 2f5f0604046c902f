"""The Tab key in the shell, by the protocol in which shells ask."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from semisplit.agents import parse_agent
from semisplit.agents.names import NAMED, SIMPLE
from semisplit.core.strategy import STRATEGIES
from semisplit.ui.cli import shell

PROGRAM = "import sys; sys.argv[0] = 'semisplit'; from semisplit.ui.cli.main import main; main()"
SHELLS = ["bash", "zsh", "fish"]


def ask(asking: str, line: str, folder: Path) -> set[str]:
    """What a shell offers at the end of a line."""
    variables = {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    if asking == "bash":
        # Bash cuts words at these signs.
        words = [part for word in line.split(" ") for part in re.findall("[@=:]+|[^@=:]+|^$", word)]
        variables = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, **variables, "_SEMISPLIT_COMPLETE": f"complete_{asking}"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    if asking == "zsh":
        return {*re.findall(r'^(?:.*\()?"(.*?)"', done.stdout, re.MULTILINE)}
    return {one.partition("\t")[0] for one in done.stdout.splitlines() if one}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("chessy.rbg", "chess.txt", "orthodox1.json", "my_other.rbg"):
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize("asking", SHELLS)
def test_verbs_options_and_games(asking: str, folder: Path) -> None:
    assert ask(asking, "semisplit rep", folder) == {"replay", "report", "reproduce"}
    assert ask(asking, "semisplit compile chess --em", folder) == {"--emit"}
    assert ask(asking, "semisplit compile chess --emit re", folder) == {"regions"}
    assert ask(asking, "semisplit perft chess 3 --split ModP", folder) == {
        "ModPlus",
        "ModPlusShift",
    }
    games = {"chess", "chess_king_capture", "chessy.rbg"}
    assert games <= ask(asking, "semisplit show chess", folder)
    assert "chess.txt" not in ask(asking, "semisplit show chess", folder)


@pytest.mark.parametrize("asking", SHELLS)
def test_names_of_agents(asking: str, folder: Path) -> None:
    # Bash replaces what stands behind the last '@', which it includes, or '='.
    def expected(begun: str, *words: str) -> set[str]:
        return {*words} if asking == "bash" else {begun + word for word in words}

    line = "semisplit match hex rollup-nodal"
    assert ask(asking, f"{line}@ModP", folder) == expected(
        "rollup-nodal", "@ModPlus", "@ModPlusShift"
    )
    strategies = expected("rollup-nodal", *map("@{}".format, STRATEGIES))
    assert ask(asking, f"{line}@", folder) == strategies
    assert {"orthodox", "orthodox1.json"} <= ask(asking, "semisplit solve hanoi --agent o", folder)
    assert "orthodox" in ask(asking, "semisplit solve hanoi --agent=o", folder)
    assert ask(asking, "semisplit solve hanoi --agent=rollup-nodal@ModPlusS", folder) == expected(
        "rollup-nodal", "@ModPlusShift"
    )


@pytest.mark.parametrize("asking", SHELLS)
def test_files_are_left_to_the_shell(asking: str, folder: Path) -> None:
    for line in ("semisplit show ./ch", "semisplit show my", "semisplit replay ch"):
        assert ask(asking, line, folder) == set()


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["semisplit", "a@M"], "a@Mod"),
        (["semisplit", "a", "@", "M"], "@Mod"),
        (["semisplit", "a", "@"], "@Mod"),
        (["semisplit", "--agent", "=", "a", "@", "M"], "@Mod"),
        (["semisplit", "--agent", "="], "a@Mod"),
    ],
)
def test_bash_may_cut_at_other_signs(
    words: list[str],
    answer: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(os, "environ", os.environ.copy())
    monkeypatch.setenv("_SEMISPLIT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    shell.run(lambda: print("a@Mod"))
    assert capsys.readouterr().out == f"{answer}\n"


def test_all_agents_that_are_offered_can_play() -> None:
    begun = ["", "orthodox+", "orthodox/", "semisplit-nodal+mast-", "rollup-nodal/", "auto@", "x+"]
    offered = {name for one in begun for name in shell.agents(one)}
    known = {"orthodox+history", "semisplit-nodal+mast-mix", "rollup-nodal/orthodox"}
    assert known | {*NAMED} <= offered
    for name in offered - {*NAMED}:
        parse_agent(name if name in SIMPLE else f"{name}@Mod")


def test_broken_names_offer_nothing() -> None:
    assert shell.agents("auto@") == shell.agents("x+") == shell.agents("groups[proximity/") == []
