"""Object code on disk: whose it is, what it depends on, what if it is damaged."""

import stat
from pathlib import Path

import pytest

from semisplit import Game
from semisplit.compiler.runtime import cache
from semisplit.compiler.runtime.compiled import CompiledGame
from semisplit.language.rbg.check.description import parse
from semisplit.language.rbg.native.interface.compile import compile_game, object_name
from tests.support.imports import imports
from tests.support.prelude import PRELUDE


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEMISPLIT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


TINY = f"{PRELUDE}#rules = ->w up [x] ->>"


def moves_of(game: CompiledGame) -> int:
    position = Game.parse(TINY).rules.interpreter.start
    return len(game.moves(game.run_keeper(game.codec.pack(position))))


def test_cache_belongs_to_its_owner(own_cache: Path) -> None:
    compile_game(parse(TINY))
    (file,) = own_cache.iterdir()
    assert stat.S_IMODE(own_cache.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.stat().st_mtime_ns
    assert moves_of(compile_game(parse(TINY))) == 0
    assert file.stat().st_mtime_ns == before


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_cache_others_can_write_to_is_not_used(own_cache: Path, mode: int) -> None:
    own_cache.mkdir()
    own_cache.chmod(mode)
    compile_game(parse(TINY))
    assert list(own_cache.iterdir()) == []


def test_damaged_cache_is_not_used(own_cache: Path) -> None:
    compile_game(parse(TINY))
    (file,) = own_cache.iterdir()
    whole = file.read_bytes()
    for damaged in (b"", whole[:-10], whole[:200] + b"?" + whole[201:]):
        file.write_bytes(damaged)
        assert cache.read(file.name) is None
        assert moves_of(compile_game(parse(TINY))) == 0
    assert file.read_bytes() == whole


def test_new_sources_make_a_new_version(tmp_path: Path) -> None:
    room = tmp_path / "rbg" / "native" / "machine"
    room.mkdir(parents=True)
    versions = {cache.sources("rbg", root=tmp_path)}
    for file, text in [("a.py", "x"), ("a.py", "y"), ("b.py", "y"), ("../c.py", "")]:
        (room / file).write_text(text)
        cache.sources.cache_clear()
        versions.add(cache.sources("rbg", root=tmp_path))
    assert len(versions) == 5
    cache.sources.cache_clear()
    with pytest.raises(FileNotFoundError, match="no package moved"):
        cache.sources("moved", root=tmp_path)


def test_every_package_a_game_is_compiled_with_is_part_of_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the compiler imports is in the packages whose digest is the version."""
    named: list[str] = []

    def note(*packages: str) -> str:
        named.extend(packages)
        return ""

    monkeypatch.setattr(cache, "sources", note)
    object_name("", None)
    needed = {"language.rbg.native.interface.compile"}
    while new := {other for one in needed for other in imports(one)} - needed:
        needed |= new
    assert len(needed) > 50
    folders = tuple(f"{name}/" for name in named)
    assert not [one for one in needed if not one.replace(".", "/").startswith(folders)]


def test_cache_that_cannot_be_written(own_cache: Path) -> None:
    own_cache.write_text("not a directory")
    assert moves_of(compile_game(parse(TINY))) == 0
