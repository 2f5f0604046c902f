"""The Tab key in `semisplit play`."""

from __future__ import annotations

from collections.abc import Callable


def complete_with(completions: Callable[[str], list[str]]) -> None:
    """Let the Tab key complete what is typed, where the system knows how to."""
    try:
        import readline
    except ImportError:
        return

    def complete(word: str, number: int) -> str | None:
        before = readline.get_line_buffer()[: readline.get_begidx()]
        fitting = [text for text in completions(before) if text.startswith(word)]
        return fitting[number] if number < len(fitting) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    # The library that some systems have in place of GNU's needs its own command.
    editline = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")
