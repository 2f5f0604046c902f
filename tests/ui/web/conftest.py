from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.support.pages import Tab, serving, tab
from tests.ui.web.browser import Page, chromium


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder whose files pages may read."""
    outer = tmp_path_factory.mktemp("web")
    inner = outer / "chosen"
    inner.mkdir()
    return inner


@pytest.fixture(scope="package")
def address(folder: Path) -> Iterator[str]:
    """The address of a page."""
    with serving(folder) as found:
        yield found


@pytest.fixture
def page(address: str) -> Iterator[Tab]:
    """A tab."""
    with tab(address) as opened:
        yield opened


@pytest.fixture(scope="package")
def browser() -> Iterator[Chrome]:
    """The browser that all tests share."""
    with chromium() as found:
        yield found


@pytest.fixture
def view(browser: Chrome, address: str) -> Iterator[Page]:
    """The page in the browser, which has nothing to complain about."""
    shown = Page(browser, address)
    yield shown
    assert shown.complaints() == []
