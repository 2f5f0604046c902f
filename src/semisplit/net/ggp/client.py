"""The host's side of HTTP: one request for each connection, as hosts have always sent them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from typing import Any

import httpcore

from semisplit.core.errors import InputError

CONNECTING = 5.0
"""Seconds in which a player has to be reached."""
MOST_BYTES = 1 << 16
"""Bytes of an answer; the longest moves have some thousand."""


class PlayerFailed(Exception):
    """There is no answer of a player."""

    code = "CE"
    """What the record says of it."""


class PlayerLate(PlayerFailed):
    """It did not come in time."""

    code = "TO"


class Address:
    """Where a player is."""

    def __init__(self, text: str):
        found = re.fullmatch(
            r"(?:http://)?([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?/?", text
        )
        if found is None or not 1 <= int(found[2] or 9147) <= 65535:
            raise InputError(f"'{text}' is not the address of a player, like http://127.0.0.1:9147")
        self.host = found[1]
        self.port = int(found[2] or 9147)

    def __str__(self) -> str:
        return f"http://{self.host}:{self.port}"


async def ask(address: Address, name: str, message: str, seconds: float) -> str:
    """What a player answers.

    Args:
        address: Where it is.
        name: What it is called; may be empty.
        message: What it is asked.
        seconds: How long to wait for it.

    Raises:
        PlayerFailed: If there is no answer, or none in time.
    """
    body = message.encode()
    headers: list[tuple[str | bytes, str | bytes]] = [
        ("Accept", "text/delim"),
        ("Host", address.host),
        ("Sender", "GAMESERVER"),
        ("Receiver", name),
        ("Content-Type", "text/acl"),
        ("Content-Length", str(len(body))),
    ]
    try:
        async with (
            asyncio.timeout(seconds),
            httpcore.AsyncConnectionPool(network_backend=_OldStyle()) as pool,
            pool.stream(
                "POST",
                f"{address}/",
                headers=headers,
                content=body,
                extensions={"timeout": {"connect": CONNECTING}},
            ) as response,
        ):
            answer = b""
            async for chunk in response.aiter_stream():
                answer += chunk
                if len(answer) > MOST_BYTES:
                    raise PlayerFailed(f"sent more than {MOST_BYTES} bytes")
    except TimeoutError as error:
        raise PlayerLate(f"did not answer in {seconds:g} s") from error
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
        raise PlayerFailed(str(error) or "cannot be reached") from error
    return answer.decode("utf-8", "replace").strip()


class _OldStyle(httpcore.AnyIOBackend):
    """Connections on which requests are those of HTTP/1.0; libraries send only its successor."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect."""
        return _Stream(
            await super().connect_tcp(host, port, timeout, local_address, socket_options)
        )


class _Stream(httpcore.AsyncNetworkStream):
    def __init__(self, stream: httpcore.AsyncNetworkStream):
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send bytes, a request line with another number."""
        first_line = rb"\A(POST / HTTP/1\.)1\r\n"
        await self._stream.write(re.sub(first_line, rb"\g<1>0\r\n", buffer), timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
