"""Which package imports which, read from the sources.

    python -m tests.support.imports

prints the picture in docs/architecture.md.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent / "src" / "semisplit"
ROOMS = ("rbg.native",)
"""Packages inside of others that count for themselves."""


def modules() -> Iterator[str]:
    """The names of all modules, without the package's own name before them."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(module: str) -> str:
    """The package a module belongs to; "" is semisplit itself."""
    inner = [room for room in ROOMS if f"{module}.".startswith(f"{room}.")]
    return inner[0] if inner else module.partition(".")[0]


def imports(module: str) -> set[str]:
    """The modules that a module imports while it runs, also those inside of functions."""
    path = ROOT.joinpath(*module.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    found: set[str] = set()
    known = set(modules())
    for node in _running(ast.parse(source.read_text())):
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


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only a type checker sees."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _running(child)


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


if __name__ == "__main__":
    print(picture())
