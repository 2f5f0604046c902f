"""Texts that are kept: what the program says today is what it said when somebody read it.

`pytest tests/golden --update-golden` writes them anew; the difference is for reading.
"""

from collections.abc import Callable, Collection
from pathlib import Path

import pytest

Expect = Callable[[str, str], None]
ExpectFiles = Callable[[str, Collection[str]], None]
TEXTS = Path(__file__).parent / "texts"


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands end the process that has spent too much, which here is that of all tests."""
    monkeypatch.setattr("semisplit.ui.cli.limits.set_limits", lambda limits: None)


@pytest.fixture
def expect(request: pytest.FixtureRequest) -> Expect:
    """Compares a text with the file of that name."""

    def compare(name: str, text: str) -> None:
        file = TEXTS / name
        if request.config.getoption("update_golden"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert file.is_file(), "there is no such file yet: pytest tests/golden --update-golden"
        kept = file.read_text(encoding="utf-8")
        assert text == kept, f"{file} differs; if it should: pytest tests/golden --update-golden"

    return compare


@pytest.fixture
def expect_files(request: pytest.FixtureRequest) -> ExpectFiles:
    """Compares the names of a folder's files with those that tests read."""

    def compare(folder: str, names: Collection[str]) -> None:
        files = {file.name: file for file in (TEXTS / folder).iterdir()}
        if request.config.getoption("update_golden"):
            for left_over in {*files} - {*names}:
                files.pop(left_over).unlink()
        assert {*files} <= {*names}

    return compare
