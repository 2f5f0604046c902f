"""Listening for connections."""

from __future__ import annotations

import os
import socket

from semisplit.core.errors import InputError


def listen(host: str, port: int, backlog: int = 100) -> socket.socket:
    """A socket that listens.

    Args:
        host: The address to listen on.
        port: The port; 0 takes one that is free.
        backlog: How many connections may wait to be accepted.

    Raises:
        InputError: If the system refuses.
    """
    if not host:
        # To the system this would be all of its addresses.
        raise InputError("the address to listen on is empty")
    try:
        *_, address = socket.getaddrinfo(host, port, socket.AF_INET, socket.SOCK_STREAM)[0]
        listening = socket.create_server((str(address[0]), port), backlog=backlog)
    except UnicodeError as error:
        raise InputError(f"'{host}' cannot be the name of a machine") from error
    except OSError as error:
        # What Python says about a failed call repeats the address.
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror or error
        raise InputError(f"cannot listen on {host}:{port}: {reason}") from error
    # Answers are short, and must not wait for others to be sent together with them.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
