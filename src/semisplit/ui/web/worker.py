"""The processes in which a tab's work is done, from inside: requests come, answers go.

Rules come from pages. What they do to the memory, the processor or the compiler is felt here and
nowhere else, and when the tab is closed nothing is left of it.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from pydantic import ValidationError

from semisplit.core.child import Parent, leave
from semisplit.core.diagnostics import Diagnostic
from semisplit.core.errors import InputError, RuleError, SemisplitError
from semisplit.core.settings.validation import explain
from semisplit.core.system import stand_back
from semisplit.core.work import LimitReached, Limits, limited, set_limits

Request = dict[str, Any]


class PageLimits(NamedTuple):
    """What pages may do."""

    folders: tuple[Path, ...]
    """The folders with the files that they may read."""
    seconds: float
    """Of the processor, for a request that was not asked to take long."""
    bytes: int
    """Of memory, likewise."""


class Service:
    """Does one kind of work: a method `do_NAME` for each request."""

    niceness = 0
    """How far it stands back when the processor is busy."""
    patient = frozenset[str]()
    """Requests that limit for themselves what they take."""

    def __init__(self, page: PageChannel, limits: PageLimits):
        self.page = page
        self.limits = limits


class PageChannel:
    """Where requests arrive and from where answers are sent, each a text in JSON."""

    def __init__(self, parent: Parent[Request, str], name: str):
        self._name = name
        self._send_text = parent.send
        self.take = parent.receive
        self.peek = parent.peek

    def tell(self, event: str, what: Any) -> None:
        """Send an event, which is no answer to a request."""
        self._send({"event": event, "data": what})

    def answer(self, request: Request, result: Any) -> None:
        """Answer a request."""
        self._send({"id": request["id"], "result": result})

    def refuse(self, request: Request, error: BaseException) -> None:
        """Say why a request cannot be answered."""
        refusal: dict[str, Any] = {"id": request["id"], "error": str(error)}
        if isinstance(error, RuleError):
            first = error.diagnostics[0]
            refusal["error"] = f"{first.span}: {first.message}"
            refusal["diagnostics"] = [diagnostic_json(one) for one in error.diagnostics]
        self._send(refusal)

    def _send(self, message: Mapping[str, Any]) -> None:
        self._send_text(json.dumps({"from": self._name, **message}, allow_nan=False))


def diagnostic_json(one: Diagnostic) -> dict[str, Any]:
    """A message about a description, for the page."""
    line, column = one.position
    span = one.span
    return {
        "severity": str(one.severity),
        "message": one.message,
        "line": line,
        "column": column,
        "start": span.start,
        "end": max(span.end, span.start),
        "hint": one.hint,
        "calls": [f"in macro '{name}', called in line {at.position[0]}" for name, at in one.calls],
    }


def work(
    parent: Parent[Request, str],
    name: str,
    make: Callable[[PageChannel, PageLimits], Service],
    limits: PageLimits,
) -> None:
    """Answer requests until the process is ended."""
    page = PageChannel(parent, name)
    service = make(page, limits)
    stand_back(service.niceness)
    request: Request = {"id": 0}

    def end(reached: LimitReached) -> NoReturn:
        page.refuse(request, reached)
        leave()

    shown = ""

    def show(words: str) -> None:
        nonlocal shown
        if words != shown:
            page.tell("progress", words)
            shown = words

    def advice(limit: str) -> str:
        option = "--time-limit" if limit == "seconds" else "--memory-limit"
        return f"`semisplit {option} ... web` allows more"

    set_limits(Limits(limits.seconds, limits.bytes, show, end, advice))
    warnings.showwarning = lambda message, *_, **__: page.tell("note", str(message))
    while True:
        request = page.take()
        answer(service, request, end)


def answer(service: Service, request: Request, end: Callable[[LimitReached], NoReturn]) -> None:
    """Answer a request, or say why not."""
    page, what = service.page, request["do"]
    try:
        method = getattr(service, f"do_{what}", None)
        if method is None:
            raise InputError(f"there is no request '{what}'")
        with nullcontext() if what in service.patient else limited():
            result = method(**request["with"])
        page.answer(request, result)
    except LimitReached as reached:
        end(reached)
    except ValidationError as error:
        page.refuse(request, InputError(explain(dict(error.errors()[0]), ())))
    except SemisplitError as error:
        page.refuse(request, error)
    except (MemoryError, RecursionError) as error:
        page.refuse(request, InputError(f"this is too much for a page: {type(error).__name__}"))
