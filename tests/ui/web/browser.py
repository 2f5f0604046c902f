"""Debian's Chromium without a window, and what the tests do in it."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

_PATIENCE = 60.0
_ARGUMENTS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    "--hide-scrollbars",
)
T = TypeVar("T")


@contextmanager
def chromium() -> Iterator[Chrome]:
    """A browser; who needs one is skipped where there is none. Nothing is ever downloaded."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (binary and driver):
        pytest.skip("there is no browser: apt-get install chromium chromium-driver")
    options = ChromeOptions()
    options.binary_location = binary
    # As root in a container there is no sandbox; it is our own page.
    for argument in _ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options, Service(driver))
    try:
        yield browser
    finally:
        browser.quit()


class Page:
    """The page in a browser."""

    def __init__(self, browser: Chrome, address: str):
        self.browser = browser
        self._address = address

    def open(self, hash: str, width: int = 1280, height: int = 900) -> None:
        """Open the page anew, as the part of the address behind `#` says, in some size."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.browser.get("about:blank")
        self.browser.get(f"{self._address}#{hash}")
        self.until(lambda: self.run("return document.querySelector('main *') !== null"))

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page."""
        return self.browser.execute_script(script, *arguments)

    def until(self, ask: Callable[[], T]) -> T:
        """Wait until something is so."""
        end = time.monotonic() + _PATIENCE
        while not (answer := ask()):
            assert time.monotonic() < end, self.text("body")
            time.sleep(0.02)
        return answer

    def text(self, selector: str) -> str:
        """The text of an element."""
        found = self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)
        assert isinstance(found, str)
        return found

    def click(self, selector: str) -> None:
        """Click an element, when it is there."""
        script = """
        const found = document.querySelector(arguments[0]);
        if (!found || found.disabled) return false;
        found.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        return true;"""
        self.until(lambda: self.run(script, selector))

    def press_button(self, label: str) -> None:
        """Click a button, given by what stands on it."""
        script = """
        const all = [...document.querySelectorAll("button")];
        const found = all.find(one => one.textContent === arguments[0]);
        found?.click();
        return found !== undefined;"""
        self.until(lambda: self.run(script, label))

    def square(self, name: str) -> None:
        """Click a square that can be clicked."""
        self.click(f'[data-square="{name}"].can')

    def choose(self, selector: str, value: str) -> None:
        """Choose an option."""
        script = """
        const found = document.querySelector(arguments[0]);
        found.value = arguments[1];
        found.dispatchEvent(new Event("change", { bubbles: true }));"""
        self.run(script, selector, value)

    def press(self, key: str) -> None:
        """Press a key where the focus is."""
        script = """
        const at = document.activeElement ?? document.body;
        at.dispatchEvent(new KeyboardEvent("keydown", { key: arguments[0], bubbles: true }));"""
        self.run(script, key)

    def complaints(self) -> list[str]:
        """What the browser has complained about."""
        return [entry["message"] for entry in self.browser.get_log("browser")]  # type: ignore[no-untyped-call]
