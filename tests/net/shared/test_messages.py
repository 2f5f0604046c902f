"""Messages of others as they are shown."""

from semisplit.net.shared.messages import printable, show


def test_hostile_messages_are_shown_on_one_harmless_line() -> None:
    assert printable(b"1 4") == "1 4"
    assert printable(b"\x1b[2J\n\xff") == r"\x1b[2J\n\xff"
    # A log may be in an encoding that knows only few characters.
    assert printable("\u265e".encode()) == r"\xe2\x99\x9e"


def test_long_messages_are_cut() -> None:
    assert show(b"x" * 60) == f"'{'x' * 60}'"
    assert show(b"x" * 61) == f"'{'x' * 60}...'"
