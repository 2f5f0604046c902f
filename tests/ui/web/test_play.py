"""Playing in a real browser."""

import pytest

from tests.ui.web.browser import Page


def seat(view: Page, *who: str) -> None:
    for number, one in enumerate(who, 1):
        view.choose(f"[data-testid=seat-{number}]", one)


def test_a_whole_game_by_clicks(view: Page) -> None:
    view.open("game=tic_tac_toe")
    seat(view, "person", "person")
    for square in ("b2", "a1", "a2", "c2", "b3", "b1", "c1", "a3", "c3"):
        view.square(square)
    view.until(lambda: view.text("[data-testid=status]") == "A draw.")
    assert view.text("[data-testid=moves]").split()[:2] == ["b2", "a1"]


def test_squares_light_up_and_escape_takes_a_step_back(view: Page) -> None:
    lit = "return [...document.querySelectorAll('.can')].map(one => one.dataset.square)"
    view.open("game=amazons")
    assert sorted(view.run(lit)) == ["a4", "d1", "g1", "j4"]
    view.square("d1")
    view.until(lambda: "d2" in view.run(lit))
    view.square("d2")
    view.until(lambda: "d1" in view.run(lit))
    view.press("Escape")
    view.until(lambda: "d1" not in view.run(lit))
    view.press("Escape")
    view.until(lambda: len(view.run(lit)) == 4)


def test_a_game_against_an_agent_to_its_end(view: Page) -> None:
    view.open("game=connect4")
    seat(view, "person", "random")
    click = "document.querySelector('.can')?.dispatchEvent(new Event('click', { bubbles: true }))"

    def play_on() -> bool:
        view.run(click)
        return _is_over(view)

    view.until(play_on)
    assert view.run("return document.querySelectorAll('.moves .move').length") >= 7


def _is_over(view: Page) -> bool:
    return view.text("[data-testid=status]").endswith(("won.", "draw."))


def test_two_agents_play_and_undo_takes_back(view: Page) -> None:
    view.open("game=breakthrough")
    seat(view, "random", "random")
    view.until(lambda: view.run("return document.querySelectorAll('.moves .move').length") > 3)
    seat(view, "person", "person")
    view.until(lambda: "to move" in view.text("[data-testid=status]"))
    count = "return document.querySelectorAll('.moves .move').length"
    before = view.run(count)

    def undo() -> bool:
        # A move that was on its way may still have come.
        view.press("u")
        return bool(view.run(count) < before)

    view.until(undo)


def test_a_hint_is_shown_on_the_board(view: Page) -> None:
    view.open("game=breakthrough")
    view.press("h")
    view.until(lambda: view.text(".thinking").startswith("Hint:"))
    assert view.run("return document.querySelector('.arrow polygon') !== null")


def test_the_keyboard_is_enough(view: Page) -> None:
    view.open("game=breakthrough")
    seat(view, "person", "person")
    view.run("document.querySelector('.square[tabindex=\"0\"]').focus()")
    focused = "return document.activeElement.dataset.square"
    assert view.run(focused) == "a2"
    view.press("ArrowRight")
    assert view.run(focused) == "b2"
    view.press("Enter")
    view.until(lambda: view.run("return document.querySelector('.clicked') !== null"))
    view.press("ArrowUp")
    assert view.run(focused) == "b3"
    view.press("Enter")
    view.until(lambda: view.text("[data-testid=moves]") == "b2-b3")


def test_players_who_decide_at_once(view: Page) -> None:
    view.open("game=rps_well")
    seat(view, "person", "random")
    view.click(".words button")
    view.until(lambda: view.run("return document.querySelectorAll('.moves .move').length") >= 2)


def test_a_position_is_set_up_by_clicks_and_as_text(view: Page) -> None:
    view.open("game=tic_tac_toe")
    view.press_button("Set up …")
    written = "return document.querySelector('dialog textarea')?.value"
    view.until(lambda: view.run(written))
    view.press_button("o")
    view.click('dialog [data-square="b2"]')
    view.until(lambda: "2 . o ." in view.run(written))
    view.run("document.querySelector('dialog textarea').value += ' nonsense=1'")
    view.click("dialog .primary")
    view.until(lambda: "nonsense" in view.text("dialog .problem"))
    position = "3 x o x\\n2 . o .\\n1 . . .\\n  a b c"
    view.run(f"document.querySelector('dialog textarea').value = '{position}'")
    view.click("dialog .primary")
    view.until(lambda: view.run("return document.querySelectorAll('.board .piece').length") == 4)


@pytest.mark.parametrize("game", ["hex", "connect4_3p", "nim", "go"])
@pytest.mark.parametrize("width", [400, 820])
def test_it_fits_on_small_screens(view: Page, game: str, width: int) -> None:
    view.open(f"game={game}", width, 800)
    view.until(lambda: view.run("return document.querySelector('.board svg') !== null"))
    assert view.run("return document.documentElement.scrollWidth") <= width


def test_the_address_tells_where_the_game_is(view: Page) -> None:
    view.open("game=breakthrough")
    seat(view, "person", "person")
    view.square("b2")
    view.square("b3")
    view.until(lambda: view.text("[data-testid=moves]") == "b2-b3")
    address = view.browser.current_url
    view.open(address.partition("#")[2])
    view.until(lambda: view.text("[data-testid=moves]") == "b2-b3")
