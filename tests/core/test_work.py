"""Every command on every text comes to an end, and says why if it is not the result.

How long all commands take on all texts is measured by `benchmarks/hostile_input.py`.
"""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from semisplit import Game
from semisplit.core.errors import ManyMoves
from semisplit.core.work import Stage, doing, limited
from semisplit.language.rbg.native.interface.count import perft as native_perft
from semisplit.language.rbg.play.count import perft
from tests.support import hostile_gdl
from tests.support.commands import COMMANDS, run
from tests.support.hostile import NASTY
from tests.support.prelude import PRELUDE, game
from tests.support.rules import rbg

TEXTS = {**NASTY, **hostile_gdl.NASTY}
SAMPLES = [
    [(command, text) for text in texts for command in COMMANDS]
    for texts in (NASTY, hostile_gdl.NASTY)
]
for sample in SAMPLES:
    Random(0).shuffle(sample)


@pytest.mark.parametrize(("command", "text"), [*SAMPLES[0][:9], *SAMPLES[1][:5]])
def test_commands_on_nasty_texts_end(command: str, text: str) -> None:
    end = run(COMMANDS[command], TEXTS[text], None, "--time-limit", "1", "--memory-limit", "1")
    assert end.fault is None, end.said
    # Between two looks at the memory it may become a little more.
    assert end.megabytes < 1500


def test_a_limit_says_what_was_done_and_how_to_raise_it(tmp_path: Path) -> None:
    text = NASTY["board of 10x1000"]
    end = run(COMMANDS["moves"], text, tmp_path, "--time-limit", "3")
    assert end.status == 1
    assert end.said == (
        "error: compiling game.rbg (10,000 vertices, 3 pieces, 1 variables, 14 actions) takes more"
        " than 3 s of processor time; `semisplit --time-limit 9 ...` allows more\n"
    )
    end = run(COMMANDS["moves"], text, tmp_path, "--memory-limit", "0.03")
    assert end.status == 1
    assert end.said.endswith(
        " takes more than 0.03 GB of memory; `semisplit --memory-limit 0.06 ...` allows more\n"
    )
    assert not any(path.is_file() for path in tmp_path.iterdir())


@pytest.mark.parametrize("command", ["flat", "moves"])
def test_whatever_reads_a_description_is_limited(command: str) -> None:
    end = run(COMMANDS[command], NASTY["board of 10x1000"], None, "--time-limit", "1")
    assert end.status == 1
    assert "takes more than 1 s of processor time" in end.said


def test_a_terminal_shows_what_is_done(tmp_path: Path) -> None:
    text = tmp_path / "game.rbg"
    text.write_text(NASTY["board of 10x1000"])
    ours, theirs = os.openpty()
    program = "from semisplit.ui.cli.main import main; main()"
    command = ["--time-limit", "4", "moves", str(text)]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *command], stdout=subprocess.DEVNULL, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    with suppress(OSError):
        while more := os.read(ours, 1000):
            shown += more
    os.close(ours)
    assert process.wait(60) == 1
    assert f"\r\x1b[2Kcompiling {text}"[:79] in shown.decode()
    assert "\r\x1b[2Kerror: compiling" in shown.decode()


PROGRAM = """
import hashlib, sys, time
from semisplit.ui.cli.limits import limit
from semisplit.ui.cli.main import main
from semisplit.core.work import LimitReached, charge, doing, limited
limit(0.2, 2)
def compute():
    while True:
        pass
class Slow:
    def __del__(self):
        while time.process_time() < begin + 0.4:
            pass
begin = time.process_time()
with limited(), doing("working"):
    try:
        {work}
    except LimitReached as reached:
        print(f"interrupted: {{reached}}")
        sys.exit(3)
"""


@pytest.mark.parametrize(
    ("work", "status", "begin"),
    [
        ("compute()", 3, "interrupted: working takes more than 0.2 s"),
        # Another process has worked for it.
        ("charge(0.3); time.sleep(60)", 3, "interrupted: working takes more than 0.2 s"),
        # What is raised there is lost.
        ("Slow(); compute()", 3, "interrupted: working takes more than 0.2 s"),
        # Python cannot be interrupted in it.
        ("hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)", 1, "error: working takes more"),
    ],
)
def test_python_is_interrupted_and_other_code_is_ended(work: str, status: int, begin: str) -> None:
    command = [sys.executable, "-c", PROGRAM.format(work=work)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == status
    assert (done.stdout + done.stderr).startswith(begin)


def test_what_a_process_had_in_memory_before_is_not_counted() -> None:
    program = """
from semisplit.ui.cli.limits import limit
from semisplit.core.work import limited
before = bytes(700 * 2**20).replace(b"\\0", b"x")
limit(60, 0.6)
with limited():
    import time
    time.sleep(0.5)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_work_is_not_limited_unless_a_program_says_so() -> None:
    with limited(-1e9), doing("working") as stage:
        assert stage.words == "working"


def test_hostile_rules_of_a_manager() -> None:
    program = "from semisplit.ui.cli.main import main; main()"
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        port = str(server.getsockname()[1])
        command = ["--time-limit", "2", "connect", "127.0.0.1", port, "--agent", "random"]
        client = subprocess.Popen(
            [sys.executable, "-c", program, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        connection, _ = server.accept()
        with connection:
            rules = NASTY["board of 10x1000"].encode()
            connection.sendall(b"1.000000\0" + rules + b"\0" + b"1\0")
            connection.settimeout(60)
            assert connection.recv(100) == b""
        _, said = client.communicate(timeout=60)
    assert client.returncode == 1
    assert "error: compiling rules (10,000 vertices" in said
    assert "--time-limit 6" in said


def test_moves_are_listed_up_to_a_number(tmp_path: Path) -> None:
    for engine in ("native", "interpreter"):
        played = Game.parse(f"{PRELUDE}#rules = ->w ([x] + [o] + [e])^5 ->>", engine=engine)
        state = played.initial_state()
        with pytest.raises(ManyMoves, match="more than 242 moves"):
            state.moves(242)
        assert len(state.moves(243)) == 243
    said = run(COMMANDS["moves"], NASTY["10^9 moves"], tmp_path).said
    assert said == "error: w has more than 100,000 moves here; --limit raises the number\n"
    few = run(("moves", "FILE", "--limit", "3"), NASTY["queens on 12x12"], tmp_path)
    assert few.said == "error: w has more than 3 moves here; --limit raises the number\n"


def test_counting_tells_how_far_it_is() -> None:
    played = game("(->w ([x] + [o] + [e]) ->b ([x] + [o]))*")
    stage = Stage("")
    result = native_perft(
        played.compiled, played.compiled.codec.pack(played.reasoner.start), 2, stage
    )
    assert stage.words == "counted 4 leaves below 2 of 3 first moves"
    slow = Stage("")
    rules = rbg(played).interpreter
    assert perft(rules, rules.start, 2, stage=slow) == result
    assert slow.words == stage.words
