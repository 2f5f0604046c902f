"""Access to the server: only by the address with its token, and from pages of its own."""

from __future__ import annotations

import ipaddress
import secrets

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    # Nothing but our own files, and no script in them but modules: names in rules are no code.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
_REFUSAL = "This address is not complete. Please use the one that `semisplit web` has printed.\n"


def new_token() -> str:
    """Return a part of the address that cannot be guessed."""
    return secrets.token_urlsafe(18)


class Guard:
    """Lets only those in who come by the address with the token, and from nowhere else.

    A page of another site does not know the token; if it finds a name that leads here (DNS
    rebinding), that name is none of ours; and its WebSockets tell where they come from.
    """

    def __init__(self, application: ASGIApp, token: str, names: frozenset[str]):
        """Stand before an application.

        Args:
            application: What is guarded; paths begin behind the token for it.
            token: The first part of all paths.
            names: The names of this machine that may be asked for, besides numerical addresses.
        """
        self._application = application
        self._prefix = f"/{token}"
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        headers = Headers(scope=scope)
        if not self._is_welcome(scope, headers):
            await _refuse(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(key.encode(), value.encode()) for key, value in _HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        inner = {**scope, "root_path": scope.get("root_path", "") + self._prefix}
        await self._application(inner, receive, send_guarded)

    def _is_welcome(self, scope: Scope, headers: Headers) -> bool:
        host, origin = headers.get("host", ""), headers.get("origin")
        path = scope["path"][: len(self._prefix) + 1]
        knows_token = secrets.compare_digest(path.encode(), f"{self._prefix}/".encode())
        is_ours = origin == f"http://{host}" or (origin is None and scope["type"] == "http")
        return knows_token and is_ours and self._is_known(host)

    def _is_known(self, host: str) -> bool:
        name = host.rpartition(":")[0] if host[-1:].isdigit() and ":" in host else host
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return name in self._names
        return True


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
    else:
        await PlainTextResponse(_REFUSAL, 403)(scope, receive, send)
