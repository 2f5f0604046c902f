"""Listening, and why it may fail."""

import socket

import pytest

from semisplit.core.errors import InputError
from semisplit.net.shared.listening import listen


def test_a_free_port_is_taken() -> None:
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            pass
        with pytest.raises(InputError, match=f"^cannot listen on 127.0.0.1:{port}: [^()]*in use$"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "message"),
    [
        ("", "the address to listen on is empty"),
        ("x..y", "'x..y' cannot be the name of a machine"),
        ("x" * 70, "cannot be the name of a machine"),
        ("192.0.2.1", "^cannot listen on 192.0.2.1:0: [^()]*$"),
        ("no.such.host.invalid", "^cannot listen on no.such.host.invalid:0: [^()]*$"),
    ],
)
def test_where_it_is_impossible_to_listen(host: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        listen(host, 0)
