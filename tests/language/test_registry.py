"""Languages of installed packages."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from semisplit.core.errors import InputError
from semisplit.language import registry


@pytest.fixture(autouse=True)
def no_languages_are_remembered() -> Iterator[None]:
    registry.languages.cache_clear()
    yield
    registry.languages.cache_clear()


def offer(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    points = [EntryPoint("other", value, "semisplit.languages")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: points)


def test_two_languages_come_with_the_program() -> None:
    assert [one.name for one in registry.languages()] == ["rbg", "gdl"]
    assert registry.suffixes() == (".rbg", ".kif", ".gdl")


def test_what_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "no_such_package:LANGUAGE")
    with pytest.raises(InputError, match="the language 'other' cannot be loaded: No module"):
        registry.language_of("", "game.other")


def test_what_is_no_language_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "semisplit.language.registry:languages")
    with pytest.raises(InputError, match=r"'other' of semisplit\.languages has to be a Language"):
        registry.language_of("", "game.other")


def test_packages_are_not_looked_through_for_games_of_bundled_languages() -> None:
    program = (
        "import sys, semisplit; semisplit.load('chess'); semisplit.load('tic_tac_toe_gdl')\n"
        "print('importlib.metadata' in sys.modules, 'llvmlite' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False False\n", done.stderr
