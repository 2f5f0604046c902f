"""Playing in the terminal, through a pseudo-terminal as a person does."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import semisplit
from semisplit.agents import Look, parse_agent
from semisplit.agents.config import MctsConfig
from semisplit.core.errors import InputError, SemisplitError
from semisplit.search import Budget
from semisplit.ui.play.saved import Saved
from semisplit.ui.play.session import Session
from tests.support.command_line import run

LONGEST = 120.0
CONTROL = re.compile(r"\x1b(\[[0-9;?]*[a-zA-Z]|[=>])|\r|\x07")


class Terminal:
    """A command in a terminal: what it shows, and keys."""

    def __init__(self, *arguments: str, cwd: Path | None = None, **environment: str):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from semisplit.ui.cli.main import main; main()", *arguments],
            preexec_fn=lambda: os.login_tty(slave),
            cwd=cwd,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
        )
        os.close(slave)
        self.raw = ""

    def expect(self, text: str) -> str:
        """Wait until a text is shown, and take all up to it."""
        while text not in (shown := CONTROL.sub("", self.raw)):
            assert self._read(), f"it ended with {self.raw}"
        place = shown.index(text) + len(text)
        self.raw = shown[place:]
        return shown[:place]

    def _read(self) -> bool:
        """Wait for more to be shown; returns whether there was more."""
        if not select.select([self.master], [], [], LONGEST)[0]:
            self.process.kill()
            pytest.fail(f"nothing came after {self.raw}")
        try:
            self.raw += os.read(self.master, 1 << 16).decode(errors="replace")
        except OSError:
            return False
        return True

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C at a prompt.

        Python's line editing does not notice it between showing the prompt and waiting for keys.
        """
        status = Path(f"/proc/{self.process.pid}/stat")
        while status.read_text().rpartition(")")[2].split()[0] != "S":
            time.sleep(0.01)
        self.type("\x03")

    def end(self) -> int:
        """Wait for the end; returns the exit status."""
        while self._read():
            pass
        os.close(self.master)
        return self.process.wait(LONGEST)


def test_a_game_with_completion_squares_hint_undo_save_and_resume(tmp_path: Path) -> None:
    terminal = Terminal("play", "breakthrough", "--budget", "300sims", cwd=tmp_path)
    first = terminal.expect("white: ")
    assert "You are white" in first
    assert "2 w w w w w w w w" in first
    # A whole move, completed by the Tab key.
    terminal.type("b2-c\t\n")
    shown = terminal.expect("white: ")
    assert "b2-c3" in shown
    assert "3 . . w . ." in shown
    assert re.search(r"black plays \w\w-\w\w \(expects 0\.\d\d after 300 simulations\)", shown)
    # Square by square; on the way the pawn is in the air.
    terminal.type("g2\n")
    assert "2 w . w w w w . w" in terminal.expect("and now: ")
    assert set(terminal.expect("white: g2-").split()[:3]) == {"f3", "g3", "h3"}
    terminal.type("undo\n")
    terminal.expect("2 w . w w w w w w")
    terminal.type("g2 h3\n")
    terminal.expect("3 . . w . . . . w")
    assert "black plays" in terminal.expect("white: ")
    terminal.type("hint\n")
    assert re.search(r"0\.\d\d \w\w-\w\w \([\d,]+ visits\)", terminal.expect("white: "))
    terminal.type("save game.json\n")
    terminal.expect("semisplit play --resume game.json")
    terminal.type("undo\n")
    terminal.expect("2 w . w w w w w w")
    terminal.type("undo\n")
    terminal.expect("2 w w w w w w w w")
    terminal.type("undo\n")
    terminal.expect("nothing to take back")
    os.write(terminal.master, b"\xff\xfe\n")
    terminal.expect("is not possible here")
    terminal.type("b2-b5\n")
    terminal.expect("'b2-b5' is not possible here; did you mean 'b2-")
    terminal.type("quit\n")
    assert terminal.end() == 0

    saved = json.loads((tmp_path / "game.json").read_text())
    assert len(saved["moves"]) == 4
    resumed = Terminal("play", "--resume", "game.json", cwd=tmp_path)
    shown = resumed.expect("white: ")
    assert "black has played" in shown
    assert "3 . . w . . . . w" in shown
    resumed.type("\x04")
    assert resumed.end() == 0


def test_the_other_side_and_the_end_of_a_game() -> None:
    terminal = Terminal("play", "tic_tac_toe", "--side", "oplayer", "--agent", "random")
    while True:
        shown = terminal.expect(":")
        if "the game is over:" in shown:
            break
        if shown.endswith("oplayer:"):
            terminal.type("moves\n")
            free = terminal.expect("oplayer: ").split()[1]
            terminal.type(f"{free}\n")
    assert terminal.end() == 0


LEAVE = "Leave? (y)es, (s)ave and leave, (n)o: "


def test_interrupting_while_the_agent_thinks(tmp_path: Path) -> None:
    terminal = Terminal("play", "breakthrough", "--side", "black", "--budget", "60s")
    terminal.expect("expects")
    # There is nothing to lose.
    terminal.type("\x03")
    assert terminal.end() == 130

    terminal = Terminal("play", "breakthrough", "--budget", "60s", cwd=tmp_path)
    terminal.expect("white: ")
    terminal.type("b2b3\n")
    terminal.expect("expects")
    terminal.type("\x03")
    terminal.expect(LEAVE)
    terminal.type("n\n")
    # The board again, and the agent thinks again.
    terminal.expect("3 . w . .")
    terminal.expect("expects")
    terminal.type("\x03")
    terminal.expect(LEAVE)
    terminal.type("undo\n")
    terminal.expect("2 w w w w w w w w")
    terminal.expect("white: ")
    terminal.type("c2c3\n")
    terminal.expect("expects")
    terminal.type("\x03")
    terminal.expect(LEAVE)
    # What goes wrong with the answer is asked again.
    terminal.type("moves zz\n")
    terminal.expect("'zz' is not possible here")
    terminal.expect(LEAVE)
    terminal.type("hint\n")
    terminal.expect("expects")
    terminal.type("\x03")
    terminal.expect(LEAVE)
    terminal.type("y\n")
    assert terminal.end() == 130
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("again", "status"), [("\x03", 130), ("\x04", 0), ("s\n", 0)])
def test_leaving_in_the_middle_loses_no_game(again: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "tic_tac_toe-1.json").write_text("something else")
    terminal = Terminal("play", "tic_tac_toe", "--agent", "random", cwd=tmp_path)
    leave = terminal.interrupt if status else lambda: terminal.type("\x04")
    terminal.expect("xplayer: ")
    terminal.type("b2\n")
    terminal.expect("oplayer plays")
    terminal.expect("xplayer: ")
    leave()
    terminal.expect(LEAVE)
    terminal.type("n\n")
    assert "2 . x ." in terminal.expect("xplayer: ").replace("o", ".")
    leave()
    terminal.expect(LEAVE)
    leave() if again == "\x03" else terminal.type(again)
    terminal.expect("semisplit play --resume tic_tac_toe-2.json")
    assert terminal.end() == status
    assert len(Saved.read(tmp_path / "tic_tac_toe-2.json").moves) == 2


def test_a_game_is_saved_elsewhere_if_it_cannot_be_saved_here(tmp_path: Path) -> None:
    gone, other = tmp_path / "gone", tmp_path / "other"
    gone.mkdir()
    other.mkdir()
    terminal = Terminal("play", "tic_tac_toe", "--agent", "random", cwd=gone, TMPDIR=str(other))
    terminal.expect("xplayer: ")
    terminal.type("b2\n")
    terminal.expect("oplayer plays")
    terminal.expect("xplayer: ")
    gone.rmdir()
    terminal.type("\x04")
    terminal.expect(LEAVE)
    terminal.type("s\n")
    terminal.expect("cannot write")
    terminal.expect(f"semisplit play --resume {other}/tic_tac_toe-1.json")
    assert terminal.end() == 0


def test_the_board_is_turned_for_who_plays_from_above() -> None:
    terminal = Terminal("play", "breakthrough", "--side", "black", "--budget", "20sims")
    shown = terminal.expect("white plays")
    assert shown.index("1 w w w w w w w w") < shown.index("8 b b b b b b b b")
    assert "  h g f e d c b a" in shown
    terminal.expect("black: ")
    terminal.type("turn\n")
    shown = terminal.expect("black: ")
    assert shown.index("8 b b b b b b b b") < shown.index("1 w w w w w w w w")
    assert "  a b c d e f g h" in shown
    terminal.type("quit\n")
    assert terminal.end() == 0


def test_undo_takes_back_one_square() -> None:
    terminal = Terminal("play", "amazons", "--agent", "random")
    terminal.expect("white: ")
    terminal.type("d1 d7\n")
    terminal.expect("and now: ")
    terminal.expect("white: d1-d7-")
    terminal.type("undo\n")
    assert " 1 . . . . . . w . . ." in terminal.expect("and now: ")
    assert "d9" in terminal.expect("white: d1-").split()
    terminal.type("undo\n")
    assert " 1 . . . w . . w . . ." in terminal.expect("white: ")
    terminal.type("undo\n")
    terminal.expect("nothing to take back")
    terminal.type("quit\n")
    assert terminal.end() == 0


def test_many_moves_are_told_square_by_square() -> None:
    terminal = Terminal("play", "amazons", "--agent", "random")
    terminal.expect("white: ")
    terminal.type("moves\n")
    assert "a4 (544)" in terminal.expect("2,176 moves; 'moves a4' lists those after a4")
    terminal.expect("white: ")
    terminal.type("moves d1\n")
    assert "d7 (28)" in terminal.expect("544 moves; 'moves d1 d9' lists those after d1 d9")
    terminal.expect("white: ")
    terminal.type("moves d1d7\n")
    moves = re.findall(r"d1-d7-\w+", terminal.expect("white: "))
    assert len(moves) == len(set(moves)) == 28
    terminal.type("moves d2\n")
    terminal.expect("'d2' is not possible here")
    terminal.type("quit\n")
    assert terminal.end() == 0

    terminal = Terminal("moves", "amazons")
    assert "g1 (544)" in terminal.expect("--from 'a4' lists those after a4")
    assert terminal.end() == 0
    terminal = Terminal("moves", "amazons", "--from", "d1-d7")
    terminal.expect("white has 28 moves")
    assert terminal.end() == 0


def test_programs_get_all_moves() -> None:
    assert len(re.findall(r"\w+-\w+-\w+", run("moves", "amazons"))) == 2176
    listed = json.loads(run("moves", "amazons", "--from", "d1", "--json"))["moves"]
    assert len(listed) == 544
    assert all(one["move"].startswith("d1-") for one in listed)
    assert "'d2' is not possible here" in run("moves", "amazons", "--from", "d2", status=1)
    assert "without --split" in run("moves", "amazons", "--from", "d1", "--split", "Mod", status=2)


def test_from_a_pipe_it_ends_with_the_input() -> None:
    assert "xplayer: " in run("play", "tic_tac_toe", "--agent", "random")


def test_the_command_that_goes_on_can_be_copied(tmp_path: Path) -> None:
    path = tmp_path / "my game.json"
    output = run("play", "tic_tac_toe", "--agent", "random", stdin=f"save {path}\n")
    assert f"--resume '{path}'" in output.replace("\n", "")


def test_wrong_usage() -> None:
    assert "give either a game or --resume FILE" in run("play", status=2)


# Sessions and files


def make_session(side: str = "xplayer", agent: str = "random") -> Session:
    game = semisplit.load("tic_tac_toe")
    return Session(game, parse_agent(agent), side, Budget(simulations=20))


def test_undo_goes_back_to_the_persons_last_decision() -> None:
    session = make_session("oplayer", "orthodox")
    assert not session.undo()
    for _ in range(4):
        session.play(session.think(lambda thought: None).move)
    assert session.state.player_name == "xplayer"
    assert session.undo()
    assert len(session.moves) == 3
    assert session.is_persons_turn
    assert session.undo()
    assert len(session.moves) == 1
    assert session.think(lambda thought: None).move in session.state.moves()
    assert not session.undo()
    assert len(session.moves) == 1


def test_sides_are_players_of_the_game() -> None:
    with pytest.raises(SemisplitError, match="no player 'xplaer'; did you mean 'xplayer'"):
        make_session("xplaer")
    with pytest.raises(SemisplitError, match="no player '2'; there are xplayer, oplayer"):
        make_session("2")


def test_an_agent_that_was_interrupted_goes_on_where_the_game_is() -> None:
    game = semisplit.load("tic_tac_toe")
    session = Session(game, parse_agent("orthodox"), "xplayer", Budget(seconds=30))
    session.play(session.state.parse_move("b2"))

    def interrupt(_: Look) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session.think(interrupt)
    session.play(session.state.parse_move("a3"))
    with pytest.raises(KeyboardInterrupt):
        session.think(interrupt)
    assert [str(move) for move in session.moves] == ["b2", "a3"]
    seen = []

    def note(look: Look) -> None:
        seen.append(look(1).move)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session.think(note)
    assert seen[0] in session.state.moves()


def test_an_agent_that_ponders_is_stopped_by_undo() -> None:
    game = semisplit.load("tic_tac_toe")
    session = Session(game, MctsConfig("x", ponders=True), "xplayer", Budget(seconds=0.1))
    session.play(session.state.moves()[0])
    assert session.undo()


def saved(**changes: Any) -> dict[str, Any]:
    text = semisplit.games.text("tic_tac_toe")
    data = {"format": 1, "game": "mine", "rules": text, "agent": "random", "side": "xplayer"}
    return {**data, "budget": "1s", "moves": ["1 4", "2 10"], **changes}


def test_saved_games_survive(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    Saved(**saved()).write(path)
    again = Saved.read(path)
    assert again == Saved(**saved())
    session = make_session()
    again.replay(session)
    assert [str(move) for move in session.moves] == ["a3", "b3"]
    assert os.listdir(tmp_path) == ["game.json"]
    with pytest.raises(InputError, match="cannot write /no/where: No such file"):
        again.write(Path("/no/where"))
    for folder in (tmp_path, Path("."), Path("/"), Path("x\0y")):
        with pytest.raises(InputError, match="cannot write"):
            again.write(folder)
    assert os.listdir(tmp_path) == ["game.json"]
    with pytest.raises(InputError, match="cannot read /no/where: No such file"):
        Saved.read(Path("/no/where"))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is not a saved game"),
        (b"\xff\xfe", "is not a saved game"),
        (b"[]", "is not a saved game"),
        (json.dumps(saved(format=2)).encode(), "format: "),
        (json.dumps(saved(moves="1 4")).encode(), "moves: "),
        (json.dumps(saved(extra=1)).encode(), "extra: "),
        (b" " * (1 << 25), "too large for a saved game"),
    ],
)
def test_what_is_no_saved_game(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason):
        Saved.read(path)
    # So it may be something else that is still needed.
    with pytest.raises(InputError, match=reason):
        Saved(**saved()).write(path)
    assert path.read_bytes() == content


def test_saved_moves_are_checked(tmp_path: Path) -> None:
    with pytest.raises(SemisplitError, match="move 2 of the saved game: '1 10' is not a legal"):
        Saved(**saved(moves=["1 4", "1 10"])).replay(make_session())
    game = semisplit.load("breakthrough")
    session = Session(game, parse_agent("random"), "white", Budget(simulations=20))
    with pytest.raises(InputError, match="move 1 of the saved game is not a whole move"):
        Saved(**saved(moves=["57 2"])).replay(session)


@pytest.mark.parametrize("key", ["game", "rules", "agent", "side", "budget", "moves", "\x1b[2J"])
def test_saved_games_do_not_reach_the_terminal(key: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    hostile: dict[str, Any] = {key: ["\x1b[2J"] if key == "moves" else "\x1b[2J\x9b2J"}
    if key == "game":
        hostile["rules"] = "wrong"
    path.write_text(json.dumps(saved(**hostile)))
    output = run("play", "--resume", str(path), status=1)
    assert "[2J" in output
    assert not {"\x1b", "\x9b"} & set(output)
