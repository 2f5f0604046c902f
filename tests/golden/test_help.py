"""The help of each verb."""

from collections.abc import Iterator

import pytest
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from semisplit.ui.cli.main import app
from tests.golden.conftest import Expect, ExpectFiles


def verbs(group: object, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The program, its verbs, and theirs."""
    yield before
    if isinstance(group, TyperGroup):
        for name, command in group.commands.items():
            yield from verbs(command, (*before, name))


VERBS = list(verbs(get_command(app)))


def file_of(verb: tuple[str, ...]) -> str:
    return f"{'-'.join(('semisplit', *verb))}.txt"


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_help(verb: tuple[str, ...], expect: Expect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = CliRunner().invoke(app, [*verb, "--help"], prog_name="semisplit")
    assert shown.exit_code == 0
    expect(f"help/{file_of(verb)}", shown.output)


def test_each_text_is_one_of_a_verb(expect_files: ExpectFiles) -> None:
    expect_files("help", [*map(file_of, VERBS)])
