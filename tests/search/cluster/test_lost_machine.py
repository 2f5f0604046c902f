"""Two machines, which are network namespaces of this one, and the link between them."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from semisplit.lab.matches.play import GRACE
from semisplit.search.cluster import machines
from tests.support import cluster_player
from tests.support.rules import present

HERE, THERE = f"here{os.getpid()}", f"there{os.getpid()}"
# Clusters are known by their addresses when they are stopped, whatever the namespace.
ADDRESSES = {HERE: f"10.77.{os.getpid() % 256}.1", THERE: f"10.77.{os.getpid() % 256}.2"}
LONGEST = 120.0
SEMISPLIT = [sys.executable, "-c", "from semisplit.ui.cli.main import main; main()"]


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@pytest.fixture
def link() -> Iterator[None]:
    """Both machines, connected."""
    with ExitStack() as stack:
        try:
            for name in ADDRESSES:
                ip("netns", "add", name)
                stack.callback(ip, "netns", "del", name)
            ends = ["veth0", "netns", HERE, "type", "veth", "peer", "veth0", "netns", THERE]
            ip("link", "add", *ends)
            for name, address in ADDRESSES.items():
                ip("-n", name, "addr", "add", f"{address}/24", "dev", "veth0")
                for device in ("lo", "veth0"):
                    ip("-n", name, "link", "set", device, "up")
        except (OSError, CalledProcessError) as error:
            pytest.skip(f"there are no network namespaces ({error})")
        yield


@contextmanager
def machine(name: str, *arguments: str) -> Iterator[Path]:
    """A machine of a cluster; gives its folder, whose path has to be short."""
    folder = Path(tempfile.mkdtemp(prefix="semisplit-test-", dir="/tmp"))
    try:
        with run(name, folder, *SEMISPLIT, "cluster", "start", *arguments) as done:
            assert done.wait(LONGEST) == 0
        yield folder
    finally:
        with run(name, folder, *SEMISPLIT, "cluster", "stop") as done:
            assert done.wait(LONGEST) == 0
        shutil.rmtree(folder)


def run(name: str, folder: Path, *command: str) -> subprocess.Popen[str]:
    """A process on a machine."""
    return subprocess.Popen(
        ["ip", "netns", "exec", name, *command],
        env=os.environ | {machines.FOLDER: str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_machine_that_is_lost_and_comes_back(link: None) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(machine(HERE, "--host", ADDRESSES[HERE]))
        address, token = (first / "address").read_text(), (first / "token").read_text()
        stack.enter_context(machine(THERE, "--join", address, "--token", token))
        code = [sys.executable, "-m", cluster_player.__name__]
        player = stack.enter_context(run(HERE, first, *code, "orthodox,cluster=limited,workers=2"))
        stack.callback(player.kill)
        asked, answers = present(player.stdin), present(player.stdout)

        def until_note(note: str) -> None:
            end = time.monotonic() + LONGEST
            told = ""
            while told != note:
                assert time.monotonic() < end
                asked.write("\n")
                asked.flush()
                told, late = json.loads(answers.readline())
                assert late < GRACE

        until_note("")
        ip("-n", THERE, "link", "set", "veth0", "down")
        until_note("1 of 2 workers are missing")
        ip("-n", THERE, "link", "set", "veth0", "up")
        until_note("")
