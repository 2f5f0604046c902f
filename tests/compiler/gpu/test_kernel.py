"""Kernels as text, which needs no GPU."""

from __future__ import annotations

import re

import pytest

import semisplit
from semisplit.compiler.gpu import driver
from semisplit.compiler.gpu.driver import Device, GpuError
from semisplit.compiler.gpu.kernel import Ptx, emit_ptx, gpu_target
from semisplit.compiler.runtime.abi import Bundle, Status
from semisplit.language.rbg.native.interface.compile import emit_threads
from tests.support.ptx import translate
from tests.support.rules import rbg
from tests.support.threads import rules_of, run_code, start_of


def ptx_of(game: str, split: str | None, levels: int = 16) -> Ptx:
    return emit_ptx(rules_of(game, split).emit_threads(levels), gpu_target(90))


def local_bytes(ptx: Ptx) -> int:
    """The memory of a thread beside its registers."""
    return sum(int(size) for size in re.findall(r"\.local .*__local_depot\d+\[(\d+)\]", ptx.text))


@pytest.mark.parametrize(("game", "split"), [("breakthrough", "Mod"), ("hex", None)])
def test_kernels_are_one_function(game: str, split: str | None) -> None:
    text = ptx_of(game, split).text
    assert ".target sm_90" in text
    assert re.findall(r"\.entry (\w+)", text) == ["kernel"]
    assert ".func" not in text
    assert text.count("{") == text.count("}")
    # Labels that are jumped to are there.
    labels = set(re.findall(r"^(\$L__BB\w+):", text, re.MULTILINE))
    assert set(re.findall(r"bra(?:\.uni)?\s+(\$L__BB\w+);", text)) <= labels


@pytest.mark.parametrize(
    ("game", "split"),
    [("amazons", None), ("connect4", "Plus"), ("gomoku_standard", "Mod"), ("reversi", "Mod")],
)
def test_kernels_play_the_games_of_the_processor(game: str, split: str | None) -> None:
    rules, seeds = rules_of(game, split), [*range(8)]
    compiled, start = rules.compile(Bundle.GAME), start_of(rules)
    rows = run_code(translate(ptx_of(game, split).text), rules, seeds)
    for seed, row in zip(seeds, rows):
        played = compiled.playouts(start, seed, semisplit=split is not None)
        assert tuple(row) == (Status.OK, played.moves, played.states, *played.scores)


def test_known_depths_need_no_memory() -> None:
    assert local_bytes(ptx_of("breakthrough", "Mod")) == 0
    assert local_bytes(ptx_of("hex", "Mod")) == 0


def test_memory_grows_with_levels() -> None:
    few, many = (local_bytes(ptx_of("english_draughts", "Mod", levels)) for levels in (4, 64))
    assert 0 < few < many < 64 * 1024


def test_large_games_meet_in_blocks() -> None:
    assert ptx_of("breakthrough", "Mod").threads < ptx_of("reversi", "Mod").threads


def test_tables_have_elements_of_a_word() -> None:
    # For GPUs LLVM puts wider elements closer to each other than it looks for them.
    rules = rbg(semisplit.load("go_13x13", "Plus"))
    assert "x i192]" not in emit_threads(rules.description, rules.divided, rules.strategy, 16)


def test_old_devices_are_refused() -> None:
    with pytest.raises(GpuError, match=r"compute capability 7\.5; playouts need 8\.0"):
        gpu_target(75)
    assert gpu_target(120) == gpu_target(90)


def test_without_a_driver_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "_LIBRARIES", ("libno_such_library.so",))
    with pytest.raises(GpuError, match="NVIDIA's driver is not installed on this computer"):
        Device()
