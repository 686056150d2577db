"""Checks of a site: its pages, what they say, and that every link leads somewhere."""

from collections.abc import Iterable
from urllib.parse import urljoin, urlsplit

from contracts.app_spec import AppSpec
from proving.check import Check, Trial, expect, expect_status, shown
from proving.html_reader import Page
from proving.page_checks import check_look, check_readable, check_text
from proving.page_door import get_page


def site_checks(spec: AppSpec) -> Iterable[Check]:
    yield Check("home", "The home page opens at the site's address", _home)
    yield Check("texts", "Every page shows all of its text", _texts)
    yield Check("navigation", "Every page leads to all the others, wherever the site is put", _navigation)
    yield Check("links", "Every link and everything that a page needs leads somewhere", _links)
    yield Check("readable", "Every page has a language, a title, a description and one heading", _readable)
    words = (
        "Pages follow the system's dark mode, with a button to switch"
        if spec.dark_mode
        else "Pages are light and run no scripts"
    )
    yield Check("look", words, _look)


def _files(spec: AppSpec) -> list[str]:
    return [f"{page.slug}.html" for page in spec.pages]


def _home(trial: Trial) -> None:
    index = next(page for page in trial.spec.pages if page.slug == "index")
    for path in ("/", "/index.html"):
        check_text(get_page(trial, path), index, path, trial.spec.title)


def _texts(trial: Trial) -> None:
    for page in trial.spec.pages:
        path = f"/{page.slug}.html"
        check_text(get_page(trial, path), page, path, trial.spec.title)


def _navigation(trial: Trial) -> None:
    for file in _files(trial.spec):
        page = get_page(trial, f"/{file}")
        for other in _files(trial.spec):
            there = other in page.navigation or (other == "index.html" and {"./", "."} & set(page.navigation))
            expect(there, f"the navigation of `{file}` should lead to `{other}`; it leads to {shown(page.navigation)}")


def _inside(page: Page) -> list[str]:
    """What the page links to or needs on the site itself."""
    found = [href for href, _ in page.links] + page.assets
    return [one for one in found if one and not urlsplit(one).scheme and not urlsplit(one).netloc]


def _links(trial: Trial) -> None:
    seen: set[str] = set()
    for file in _files(trial.spec):
        page = get_page(trial, f"/{file}")
        expect(page.links, f"`{file}` should link to something")
        for target in _inside(page):
            expect(
                not target.startswith("/"),
                f"`{file}` links to `{shown(target)}`, which is lost when the site is put elsewhere",
            )
            parts = urlsplit(urljoin(f"/{file}", target))
            if parts.fragment and parts.path in {f"/{file}", ""}:
                expect(parts.fragment in page.ids, f"`{file}` links to `#{shown(parts.fragment)}`, which is not there")
            if parts.path not in seen:
                seen.add(parts.path)
                expect_status(trial.send("GET", parts.path), 200, f"`{target}`, to which `{file}` links,")


def _readable(trial: Trial) -> None:
    for file in _files(trial.spec):
        page = get_page(trial, f"/{file}")
        check_readable(page, file)
        expect(page.description, f"`{file}` should have a description")


def _look(trial: Trial) -> None:
    for file in _files(trial.spec):
        page = get_page(trial, f"/{file}")
        expect(trial.spec.dark_mode or not page.scripts, f"`{file}` runs a script, and needs none")
    path = "/index.html"
    page = get_page(trial, path)
    styled = any(urlsplit(asset).path.endswith("style.css") for asset in page.assets)
    expect(styled, "`index.html` should use `style.css`")
    check_look(trial, path, page, trial.send("GET", path).text)
