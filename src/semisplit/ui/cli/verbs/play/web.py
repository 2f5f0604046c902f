"""`semisplit web`: games in the browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from semisplit.core.errors import InputError


def web(
    context: typer.Context,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where to serve; 0 takes one that is free.")
    ] = 8000,
    host: Annotated[
        str, typer.Option(help="The address to listen on; that of this machine only by default.")
    ] = "127.0.0.1",
    folder: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder whose descriptions and stores the page may read; by default this one."
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Play, analyse, design and watch games in the browser."""
    if not all(map(find_spec, ("starlette", "uvicorn", "websockets"))):
        raise InputError("the page needs more libraries: pip install 'semisplit[web]'")
    import asyncio
    import webbrowser

    from rich.console import Console

    from semisplit.ui.web.app import serve
    from semisplit.ui.web.worker import PageLimits

    console = Console(highlight=False)
    folders = tuple(folder or [Path()])
    for one in folders:
        if not one.is_dir():
            raise InputError(f"there is no folder {one}")
    assert context.parent is not None
    limits = context.parent.params
    terms = PageLimits(folders, limits["time_limit"], int(limits["memory_limit"] * 2**30))

    def opened(address: str) -> None:
        console.print(f"The page is {address}", soft_wrap=True, markup=False)
        console.print("Who knows this address can use it. Ctrl-C ends the server.")
        if browser:
            webbrowser.open(address)

    try:
        asyncio.run(serve(host, port, terms, opened))
    except KeyboardInterrupt:
        console.print("stopped")
        raise typer.Exit(130) from None
