"""Documents of tables and pictures, to be read as one HTML file or as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path

from semisplit.core.errors import InputError

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
  color: #222; background: #fff }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; display: block; overflow-x: auto }
th, td { padding: 0.2rem 0.8rem; border-bottom: 1px solid #ddd; text-align: left;
  font-variant-numeric: tabular-nums; white-space: nowrap }
svg { max-width: 100%; height: auto }
.better, .agrees { color: #007a53 }
.worse, .differs { color: #b3470a }
.note { color: #666 }
"""


@dataclass(frozen=True)
class Table:
    """Rows of text under a header."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Picture:
    """A drawing."""

    title: str
    name: str
    """Of its file, where it has one of its own."""
    svg: str


@dataclass(frozen=True)
class Document:
    """A report."""

    title: str
    paragraphs: tuple[str, ...]
    parts: tuple[Table | Picture, ...]

    @property
    def html(self) -> str:
        """As one page."""
        return "".join(_html(self))

    def write(self, folder: Path) -> Path:
        """Write it as `report.html`, which is returned, and as `report.md` with pictures."""
        path = folder / "report.html"
        write_file(path, self.html.encode())
        write_file(folder / "report.md", "".join(_markdown(self)).encode())
        for part in self.parts:
            if isinstance(part, Picture):
                write_file(folder / f"{part.name}.svg", part.svg.encode())
        return path


def write_file(path: Path, content: bytes) -> None:
    """Write a file completely or, should the disk be full, leave what is there."""
    aside = path.with_name(f"{path.name}.new")
    try:
        aside.write_bytes(content)
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink()
        raise InputError(
            f"cannot write {path}: {error.strerror}; the games are in the store, and the same"
            " command writes it later"
        ) from error


def _html(document: Document) -> Iterator[str]:
    title = escape(document.title)
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    for paragraph in document.paragraphs:
        yield f"<p>{escape(paragraph)}</p>\n"
    for part in document.parts:
        yield f"<h2>{escape(part.title)}</h2>\n"
        if isinstance(part, Picture):
            yield f"{part.svg}\n"
        else:
            yield from _html_table(part)
    yield "</body>\n</html>\n"


def _html_table(table: Table) -> Iterator[str]:
    header = "".join(f"<th>{escape(cell)}</th>" for cell in table.header)
    yield f"<table>\n<thead><tr>{header}</tr></thead>\n<tbody>\n"
    for row in table.rows:
        yield f"<tr>{''.join(map(_html_cell, row))}</tr>\n"
    yield "</tbody>\n</table>\n"
    if table.note:
        yield f'<p class="note">{escape(table.note)}</p>\n'


def _html_cell(cell: str) -> str:
    is_verdict = cell in ("better", "worse", "agrees", "differs")
    return f'<td class="{cell}">{cell}</td>' if is_verdict else f"<td>{escape(cell)}</td>"


def _markdown(document: Document) -> Iterator[str]:
    yield f"# {_line(document.title)}\n"
    for paragraph in document.paragraphs:
        yield f"\n{_line(paragraph)}\n"
    for part in document.parts:
        yield f"\n## {_line(part.title)}\n\n"
        if isinstance(part, Picture):
            yield f"![{_line(part.title)}]({part.name}.svg)\n"
        else:
            yield from _markdown_table(part)


def _line(text: str) -> str:
    """Text in one line, which is no HTML."""
    return escape(" ".join(text.split()), quote=False)


def _markdown_table(table: Table) -> Iterator[str]:
    for row in (table.header, ("---",) * len(table.header), *table.rows):
        yield f"| {' | '.join(_line(cell).replace('|', '/') for cell in row)} |\n"
    if table.note:
        yield f"\n{_line(table.note)}\n"
