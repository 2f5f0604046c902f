"""The command line, run as a user runs it."""

import subprocess
import sys


def run(*arguments: str, status: int = 0, stdin: str = "") -> str:
    """What a command prints; it must end with the given exit status and without a traceback."""
    command = [sys.executable, "-c", "from semisplit.ui.cli.main import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, input=stdin, timeout=300)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if status == 0 else done.stdout + done.stderr
