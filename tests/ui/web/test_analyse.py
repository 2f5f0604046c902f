"""Analysing in a real browser."""

from tests.ui.web.browser import Page


def test_bars_move_while_the_agent_thinks(view: Page) -> None:
    view.open("view=analyse&game=breakthrough")
    numbers = ".numbers"
    view.until(lambda: "simulations" in view.text(numbers))
    before = view.text(numbers)
    view.until(lambda: view.text(numbers) != before)
    assert view.run("return document.querySelectorAll('.bar').length") == 12
    assert view.run("return document.querySelectorAll('.line .move').length") > 1


def test_the_expected_line_is_shown_on_the_board(view: Page) -> None:
    view.open("view=analyse&game=breakthrough")
    view.until(lambda: view.run("return document.querySelectorAll('.line .move').length") > 1)
    second = "document.querySelectorAll('.line .move')[1]"
    view.run(f"{second}.dispatchEvent(new PointerEvent('pointerenter'))")
    view.until(lambda: view.run("return document.querySelectorAll('.board .last').length") > 1)


def test_the_tree_is_opened_node_by_node(view: Page) -> None:
    view.open("view=analyse&game=breakthrough")
    view.until(lambda: "simulations" in view.text(".numbers"))
    view.run("document.querySelector('details').open = true")
    view.click(".toggle")
    view.until(lambda: view.run("return document.querySelector('.tree ul .node') !== null"))
    assert "-" in view.text(".tree .name")


def test_two_agents_side_by_side(view: Page) -> None:
    view.open("view=analyse&game=breakthrough")
    view.click("[data-testid=compare]")
    view.until(lambda: view.run("return document.querySelectorAll('.panel').length") == 2)
    view.until(lambda: "simulations" in view.text(".panel:last-child .numbers"))


def test_a_click_on_the_board_is_analysed_next(view: Page) -> None:
    view.open("view=analyse&game=breakthrough")
    view.until(lambda: "simulations" in view.text(".numbers"))
    view.square("b2")
    view.square("b3")
    view.until(lambda: "Black to move" in view.text("[data-testid=status]"))
    view.until(lambda: view.text(".bar .name")[:1] in "abcdefgh" and "7" in view.text(".bars"))


def test_the_score_over_a_game(view: Page) -> None:
    view.open("view=analyse&game=tic_tac_toe")
    for square in ("b2", "a1"):
        view.square(square)
        view.until(lambda square=square: square in view.text("[data-testid=moves]"))  # type: ignore[misc]
    view.press_button("Analyse the game")
    view.until(lambda: view.run("return document.querySelectorAll('.curve .value').length") == 3)


def test_an_agent_that_does_not_exist_is_told(view: Page) -> None:
    view.open("view=analyse&game=breakthrough")
    view.choose("[data-testid=agent-1]", "orthodx")
    view.until(lambda: "did you mean 'orthodox'" in view.text("#notice"))
