"""Which package imports which and what each module is, read from the sources.

    python -m tests.support.imports

brings the picture and the list of files in docs/architecture.md up to date.
"""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent / "src" / "semisplit"
PAGE = ROOT.parent.parent / "docs" / "architecture.md"
ROOMS = ("rbg.native", "rbg.language", "gdl.native", "gdl.language")
"""Packages and modules inside of others that count for themselves."""


@cache
def modules() -> list[str]:
    """The names of all modules, without the package's own name before them."""
    paths = [path.relative_to(ROOT).with_suffix("") for path in sorted(ROOT.rglob("*.py"))]
    return [".".join(part for part in path.parts if part != "__init__") for path in paths]


def package_of(module: str) -> str:
    """The package a module belongs to; "" is semisplit itself."""
    inner = [room for room in ROOMS if f"{module}.".startswith(f"{room}.")]
    return inner[0] if inner else module.partition(".")[0]


@cache
def imports(module: str) -> set[str]:
    """The modules that a module imports, also inside of functions and for type checkers only."""
    path = _path(module)
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    found: set[str] = set()
    known = set(modules())
    for node in ast.walk(ast.parse(source.read_text())):
        match node:
            case ast.Import(names=names):
                targets = [name.name for name in names]
            case ast.ImportFrom(module=str(base), names=names):
                targets = [f"{base}.{name.name}" for name in names]
            case _:
                continue
        for target in targets:
            if target.partition(".")[0] != "semisplit":
                continue
            name = target.partition(".")[2]
            # What is imported from a module is part of it.
            while name and name not in known:
                name = name.rpartition(".")[0]
            found.add(name)
    return found


def arrows() -> set[tuple[str, str]]:
    """All pairs of packages of which the first imports the second."""
    pairs = {(package_of(one), package_of(other)) for one in modules() for other in imports(one)}
    return {(one, other) for one, other in pairs if one != other}


def picture() -> str:
    """The graph for Mermaid, without core, which everything imports, and cli, which imports all."""
    lines = ["graph TD"]
    for one, other in sorted(arrows()):
        if one not in ("cli", "") and other not in ("core", ""):
            lines.append(f"    {one} --> {other}")
    return "\n".join(lines)


def files() -> str:
    """A table for each package: its files, and what their first lines say."""
    lines: list[str] = []
    for folder in sorted({module.rpartition(".")[0] for module in modules() if module}):
        members = [module for module in modules() if module.rpartition(".")[0] == folder]
        plain = [module for module in members if module and not _path(module).is_dir()]
        if plain:
            lines += [
                f"### {folder.replace('.', '/') or 'semisplit'}",
                "",
                "| file | |",
                "|---|---|",
            ]
            lines += [f"| `{one.rpartition('.')[2]}.py` | {_first_line(one)} |" for one in plain]
            lines.append("")
    return "\n".join(lines).rstrip()


def _path(module: str) -> Path:
    return ROOT.joinpath(*module.split("."))


def _first_line(module: str) -> str:
    text = ast.get_docstring(ast.parse(_path(module).with_suffix(".py").read_text()))
    assert text, f"{module} does not say what it is"
    return text.partition("\n")[0]


def up_to_date(page: str) -> str:
    """The architecture page with the picture and the list of files as they are now."""
    page = re.sub(r"(?s)(```mermaid\n).*?(\n```)", lambda m: m[1] + picture() + m[2], page)
    before, title, rest = page.partition("## Every file\n\n")
    introduction = rest.partition("\n\n")[0]
    return f"{before}{title}{introduction}\n\n{files()}\n"


def allowed(page: str) -> set[tuple[str, str]]:
    """The arrows that the first table of the page allows, besides those to core and of cli."""
    rows = re.findall(r"(?m)^\| `([\w.]+)` \| .* \| (.*) \|$", page.partition("```")[0])
    return {(one, other) for one, others in rows for other in re.findall(r"`([\w.]+)`", others)}


if __name__ == "__main__":
    PAGE.write_text(up_to_date(PAGE.read_text()))
