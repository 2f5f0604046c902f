"""Every example in README and docs/ is run and gives what is printed there."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import semisplit

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SEMISPLIT = [sys.executable, "-c", "from semisplit.ui.cli.main import main; main()"]


def blocks(page: Path, language: str) -> list[tuple[str, str]]:
    """The code blocks of a page in a language: what follows its name, and the code."""
    return [
        (info, code) for name, info, code in BLOCK.findall(page.read_text()) if name == language
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all descriptions that the pages show as files."""
    path = tmp_path_factory.mktemp("docs")
    for page in PAGES:
        for info, code in [*blocks(page, "rbg"), *blocks(page, "kif")]:
            (path / info.removeprefix(" file=")).write_text(code)
    return path


def commands(page: Path) -> list[tuple[str, str]]:
    """Each command of a page with the output shown below it."""
    sessions = (code for _, code in blocks(page, "console"))
    return [
        (command, expected)
        for session in sessions
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE)
    ]


@pytest.mark.parametrize(
    ("command", "expected"), [example for page in PAGES for example in commands(page)]
)
def test_console(command: str, expected: str, folder: Path) -> None:
    verb, *arguments = command.split()
    assert verb == "semisplit"
    done = subprocess.run(
        [*SEMISPLIT, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # The search may have to be compiled first.
        timeout=300,
    )
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert checker.check_output(expected, done.stdout, flags), done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python(page: Path) -> None:
    code = "\n".join(code for _, code in blocks(page, "python"))
    test = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), 0)
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0


def test_package_docstring() -> None:
    assert doctest.testmod(semisplit).failed == 0
    assert doctest.testmod(semisplit).attempted > 0
