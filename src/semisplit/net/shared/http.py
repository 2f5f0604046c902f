"""A server of HTTP."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp


@asynccontextmanager
async def serving(
    application: ASGIApp, listening: socket.socket, **options: Any
) -> AsyncIterator[asyncio.Task[None]]:
    """Answer requests as long as a block is executed, which gets the task that does so.

    Args:
        application: What answers.
        listening: Where requests come from.
        options: More for uvicorn.
    """
    server = _Server(
        uvicorn.Config(
            application,
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            **options,
        )
    )
    task = asyncio.create_task(server.serve([listening]))
    try:
        yield task
    finally:
        server.should_exit = True
        await task


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whatever runs the event loop."""
        yield
