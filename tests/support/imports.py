"""Which package imports which and what each module is, read from the sources.

    python -m tests.support.imports

brings the picture in docs/architecture.md and the list of files in docs/files.md up to date.
"""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent / "src" / "semisplit"
DOCS = ROOT.parent.parent / "docs"
TOUR, FILES = DOCS / "architecture.md", DOCS / "files.md"
DIVIDED = ("compiler", "language", "net", "ui")
"""Packages whose rooms count for themselves."""
APART = ("search.cluster", "ui.render")
"""Rooms that the picture shows for themselves."""


@cache
def modules() -> list[str]:
    """The names of all modules, without the package's own name before them."""
    paths = [path.relative_to(ROOT).with_suffix("") for path in sorted(ROOT.rglob("*.py"))]
    return [".".join(part for part in path.parts if part != "__init__") for path in paths]


def package_of(module: str) -> str:
    """The package or room that a module belongs to; "" is semisplit itself."""
    first, *rest = module.split(".")
    package = first
    for part in rest:
        inner = f"{package}.{part}"
        if not (package in DIVIDED and _path(inner).is_dir()) and inner not in APART:
            break
        package = inner
    return package


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
    """The graph of the streets for Mermaid, without arrows that follow from others.

    It leaves out core, which everything imports, and the command line, which imports all.
    """

    def street(package: str) -> str:
        return package if package in APART else package.partition(".")[0]

    pairs = {(street(one), street(other)) for one, other in arrows() if one != "ui.cli"}
    pairs = {
        (one, other) for one, other in pairs if one != other and not {one, other} & {"", "core"}
    }
    far = set(pairs)
    while more := {(one, last) for one, other in far for next, last in far if next == other} - far:
        far |= more
    steps = [
        f"    {one} --> {other}"
        for one, other in sorted(pairs)
        if not any((one, middle) in far and (middle, other) in far for _, middle in far)
    ]
    return "\n".join(["graph TD", *steps])


def files() -> str:
    """A table for each package: its files, and what their first lines say."""
    lines: list[str] = []
    for folder in sorted({module.rpartition(".")[0] for module in modules() if module}):
        members = [module for module in modules() if module.rpartition(".")[0] == folder]
        plain = [module for module in members if module and not _path(module).is_dir()]
        if plain:
            lines += [
                f"## {folder.replace('.', '/') or 'semisplit'}",
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


def tour_up_to_date(page: str) -> str:
    """The architecture page with the picture as it is now."""
    return re.sub(r"(?s)(```mermaid\n).*?(\n```)", lambda m: m[1] + picture() + m[2], page)


def files_up_to_date(page: str) -> str:
    """The page of files with the list as it is now."""
    return f"{page.partition('## ')[0]}{files()}\n"


def allowed(page: str) -> set[tuple[str, str]]:
    """The arrows that the first table of the tour allows, besides those to core and of ui.cli."""
    rows = re.findall(r"(?m)^\| `([\w.]+)` \| .* \| (.*) \|$", page.partition("```")[0])
    return {(one, other) for one, others in rows for other in re.findall(r"`([\w.]+)`", others)}


if __name__ == "__main__":
    TOUR.write_text(tour_up_to_date(TOUR.read_text()))
    FILES.write_text(files_up_to_date(FILES.read_text()))
