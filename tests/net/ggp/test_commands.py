"""`semisplit ggp` as a user runs it."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from semisplit.net.ggp.records import Records
from tests.support.command_line import run
from tests.support.ggp_peers import LONGEST, until

SEMISPLIT = [sys.executable, "-c", "from semisplit.ui.cli.main import main; main()"]


@contextmanager
def player(name: str) -> Iterator[str]:
    """A player; gives its address."""
    command = [*SEMISPLIT, "ggp", "play", "--port", "0", "--agent", "random", "--name", name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line.startswith(f"{name} waits for matches at http://127.0.0.1:")
            yield line.split()[-1]
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=LONGEST)
        finally:
            process.kill()
        assert process.returncode == 130
        assert rest.splitlines()[-1] == "stopped"
        # A match in all its lines: its beginning, moves, and its end.
        assert "s to get ready" in rest
        assert ": 1. " in rest
        assert ": the match is over, " in rest


def test_a_series_goes_on_after_the_host_was_killed(tmp_path: Path) -> None:
    with player("alpha") as one, player("beta") as two:
        arguments = ["ggp", "host", "tic_tac_toe.kif", "--player", one, "--player", two]
        arguments += ["--start-clock", "5", "--play-clock", "5", "--record", str(tmp_path)]
        arguments += ["--scramble", "--games"]
        with subprocess.Popen([*SEMISPLIT, *arguments, "1000"]) as process:
            until(lambda: any(tmp_path.glob("tic_tac_toe.2.*.json")))
            process.kill()
        before = [*Records(tmp_path)]
        games = len(before) + 1
        told = run(*arguments, str(games))
        after = {record.match_id: record for record in Records(tmp_path)}
    finished = [record for record in before if record.is_completed]
    assert finished
    assert all(after[record.match_id] == record for record in finished)
    numbers = sorted(record.game_number for record in after.values() if record.is_completed)
    assert numbers == [*range(games)]
    assert f"{len(finished) + 1} games: alpha " in told
    assert told.splitlines()[-1].startswith(f"{games} games: alpha ")


def test_what_is_wrong_is_told_in_a_sentence() -> None:
    missing = ["--player", "http://127.0.0.1:1"]
    assert "needs 2 players, not 1" in run("ggp", "host", "connect4_7", *missing, status=1)
    assert "splits moves" in run("ggp", "play", "--agent", "semisplit-nodal@Mod", status=1)
    told = run("ggp", "play", "--host", "192.0.2.1", "--port", "0", status=1)
    assert "error: cannot listen on 192.0.2.1:0" in told


def test_without_the_libraries_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from semisplit.core.errors import InputError
    from semisplit.ui.cli.verbs.network import ggp

    monkeypatch.setattr(ggp, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'semisplit\[net\]'"):
        ggp.play()
