"""Object code kept on disk, so that a game is compiled only once.

Whoever can write to the cache can run code as its owner. Therefore directory and files belong to
the user and nobody else may write to them; anything else is not used.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite

from semisplit.compiler.runtime.abi import Bundle
from semisplit.compiler.runtime.target import Target
from semisplit.core.system import cache_folder, is_private

_ROOT = Path(__file__).parent.parent.parent


def directory() -> Path:
    """Where compiled games are kept: `$SEMISPLIT_CACHE`, or the user's cache directory."""
    if place := os.environ.get("SEMISPLIT_CACHE"):
        return Path(place)
    return cache_folder()


def own_directory(name: str = "") -> Path | None:
    """The cache, or a directory in it, made if need be; None if others may write to it."""
    place = directory() / name
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return place if all(is_private(path.stat()) for path in {place, directory()}) else None
    except OSError:
        return None


def key(compiler: str, text: str, split: str | None, bundle: Bundle, target: Target) -> str:
    """The name of a compiled game: it depends on all that its code depends on."""
    parts = (compiler, text, split, bundle.value, llvmlite.__version__, target)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@cache
def sources(*packages: str, root: Path = _ROOT) -> str:
    """A digest of packages and all that is in them, which serves as their version."""
    digest = hashlib.sha256()
    for package in packages:
        if not (root / package).is_dir():
            raise FileNotFoundError(f"there is no package {package} in {root}")
        for path in sorted((root / package).rglob("*.py")):
            digest.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def read(name: str) -> tuple[bytes, dict[str, Any]] | None:
    """The object code with a name and what is known about it, None if it is not there."""
    try:
        with (directory() / name).open("rb") as file:
            if not is_private(os.fstat(file.fileno())) or not is_private(directory().stat()):
                return None
            data = file.read()
    except OSError:
        return None
    # A file that was cut off, by a full disk perhaps, is as good as none.
    digest, _, rest = data.partition(b"\n")
    if hashlib.sha256(rest).hexdigest().encode() != digest:
        return None
    facts, _, object_code = rest.partition(b"\n")
    return object_code, json.loads(facts)


def write(name: str, object_code: bytes, facts: dict[str, Any]) -> None:
    """Keep object code. Without a place to keep it, it will be compiled again; no harm is done."""
    rest = json.dumps(facts).encode() + b"\n" + object_code
    digest = hashlib.sha256(rest).hexdigest().encode()
    place = own_directory()
    if place is None:
        return
    try:
        # Readable by the owner only; in one step, so that half a file is never read.
        descriptor, temporary = tempfile.mkstemp(dir=place)
    except OSError:
        return
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(digest + b"\n" + rest)
        Path(temporary).replace(place / name)
    except OSError:
        Path(temporary).unlink(missing_ok=True)


def forget(name: str) -> None:
    """Keep object code no longer."""
    with suppress(OSError):
        (directory() / name).unlink()
