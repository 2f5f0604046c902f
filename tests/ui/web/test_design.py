"""Designing in a real browser."""

from tests.support.pages import Tab
from tests.ui.web.browser import Page


def type_instead(view: Page, old: str, new: str) -> None:
    script = """
    const field = document.querySelector(".source");
    field.value = field.value.replace(arguments[0], arguments[1]);
    field.dispatchEvent(new Event("input", { bubbles: true }));"""
    view.run(script, old, new)


def test_an_error_is_shown_at_its_place_and_mended_by_a_click(view: Page) -> None:
    view.open("view=design&game=breakthrough")
    view.until(lambda: "No problems" in view.text(".problems"))
    type_instead(view, "->me anySquare", "->me anySqare")
    view.until(lambda: "undeclared name 'anySqare'" in view.text(".problems"))
    assert view.text(".squiggle") == "anySqare"
    assert view.run("return document.querySelector('[data-testid=play-it]').disabled")
    view.click("[data-testid=instead]")
    view.until(lambda: "No problems" in view.text(".problems"))
    assert "->me anySquare" in view.run("return document.querySelector('.source').value")


def test_what_was_written_is_played_at_once(view: Page) -> None:
    view.open("view=design&game=tic_tac_toe")
    view.until(lambda: "No problems" in view.text(".problems"))
    type_instead(view, "[e,e,e]", "[x,e,e]")
    view.until(lambda: view.run("return document.querySelectorAll('.preview .piece').length") == 1)
    view.click("[data-testid=play-it]")
    view.until(lambda: "to move" in view.text("[data-testid=status]"))
    view.until(lambda: view.run("return document.querySelectorAll('.board .piece').length") == 1)


def test_gdl_has_colours_and_errors_too(view: Page) -> None:
    view.open("view=design&game=tic_tac_toe_gdl")
    view.until(lambda: "No problems" in view.text(".problems"))
    assert view.run("return document.querySelector('.colours .variable') !== null")
    type_instead(view, "(role ", "(roll ")
    view.until(
        lambda: "1" in view.text(".problems") and "No problems" not in view.text(".problems")
    )


def test_a_report_with_pictures(view: Page) -> None:
    view.open("view=design&game=tic_tac_toe")
    view.until(lambda: "No problems" in view.text(".problems"))
    view.click("[data-testid=examine]")
    view.until(lambda: "random games" in view.text(".report"))
    assert view.run("return document.querySelectorAll('.report .chart').length") == 3


def test_colours_lie_exactly_under_what_is_typed(view: Page) -> None:
    view.open("view=design&game=chess")
    view.until(lambda: view.run("return document.querySelector('.source').value") != "")
    same = """
    const [field, colours] = [".source", ".colours"].map(one => document.querySelector(one));
    const style = one => ["fontSize", "lineHeight", "fontFamily", "padding", "tabSize"].map(
      key => getComputedStyle(one)[key]).join();
    return [style(field) === style(colours), colours.textContent === field.value + "\\n"];"""
    assert view.run(same) == [True, True]


def test_texts_of_pages_are_checked_where_they_can_do_no_harm(page: Tab) -> None:
    wrong = page.ask("editor", "check", rules={"name": "x.rbg", "text": "#players = "})
    assert wrong["problems"][0]["severity"] == "error"
    assert wrong["picture"] is None
    odd = page.ask("editor", "check", rules={"name": "<b>.kif", "text": "(role <script>)"})
    assert odd["problems"]
    told = page.refused("editor", "check", rules={"name": "x.rbg", "text": "x" * 300_000})
    assert "262144" in told
