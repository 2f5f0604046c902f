"""What is wrong with a file of settings, in words."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from typing import Any

from semisplit.core.errors import did_you_mean
from semisplit.core.settings.schema import CHOICE


def explain(error: Mapping[str, Any], known: Iterable[str]) -> str:
    """One of pydantic's errors as the path of the key and the reason.

    Args:
        error: The error.
        known: The keys that could have been meant by an unknown one.
    """
    path = ".".join(str(part) for part in error["loc"]) or "the file"
    if error["type"] == "missing":
        return f"{path} is missing"
    if error["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        meant = did_you_mean(str(error["loc"][-1]), sorted(known))
        return f"{path} is not known" + (f"; did you mean '{meant}'?" if meant else "")
    found = reprlib.repr(error["input"])
    if error["type"] in ("model_type", "dataclass_type", "dict_type"):
        return f"{path} has to be keys with values, not {found}"
    if error["type"] == CHOICE:
        return f"{path}: {error['msg']}"
    reason = error["msg"][0].lower() + error["msg"][1:]
    return f"{path}: {reason}, not {found}"
