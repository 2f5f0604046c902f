"""The processes in which a tab's work is done, as seen from the server.

Where systems allow it, they are forked from one that has loaded everything and never starts a
thread, so they begin in milliseconds and share its memory.
"""

from __future__ import annotations

from importlib import import_module

from semisplit.core.child import Child, Parent
from semisplit.core.child.background import BackgroundChild
from semisplit.core.system import server_context
from semisplit.ui.web.worker import PageLimits, Request, work

SERVICES = {
    "board": "semisplit.ui.web.board:Board",
    "left": "semisplit.ui.web.thinker:Thinker",
    "right": "semisplit.ui.web.thinker:Thinker",
    "editor": "semisplit.ui.web.editor:Editor",
    "report": "semisplit.ui.web.report:Reporter",
    "watch": "semisplit.ui.web.watch:Watcher",
}
"""The processes that a tab may have, and what they are."""
_PRELOAD = "semisplit.ui.web.preload"
_context = server_context()


def prepare() -> None:
    """Load what all processes need, once; where each begins from nothing, have it compiled."""
    if _context.get_start_method() == "forkserver":
        _context.set_forkserver_preload([_PRELOAD])
    first = _context.Process(target=import_module, args=(_PRELOAD,))
    first.start()
    first.join()


def _run(parent: Parent[Request, str], name: str, limits: PageLimits) -> None:
    module, _, kind = SERVICES[name].partition(":")
    work(parent, name, getattr(import_module(module), kind), limits)


def start(name: str, limits: PageLimits) -> BackgroundChild[str, Request]:
    """Start a process of a tab."""
    return BackgroundChild(Child(_run, name, limits, context=_context))
