"""`semisplit format`: an even layout."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from semisplit.core.work import limited


@limited()
def format_file(
    file: Annotated[Path, typer.Argument(help="A description; '-' reads it and prints it.")],
    check: Annotated[bool, typer.Option("--check", help="Only say if it would change.")] = False,
) -> None:
    """Lay out a description evenly, in place; what it says does not change."""
    from semisplit import read_description
    from semisplit.core.errors import InputError
    from semisplit.language.registry import format_rules

    if str(file) == "-":
        print(format_rules(sys.stdin.read(), "<stdin>"), end="")
        return
    if not file.is_file():
        raise InputError(f"cannot format {file}: it is not a file")
    text, name = read_description(file.absolute())
    formatted = format_rules(text, name)
    if formatted == text:
        print(f"{file} is well laid out")
    elif check:
        print(f"{file} would change")
        sys.exit(1)
    else:
        try:
            file.write_text(formatted, encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot write {file}: {error.strerror}") from error
        print(f"{file} is laid out anew")
