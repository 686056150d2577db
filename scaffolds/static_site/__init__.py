"""Sites: pages of text with one look, no scripts but for the theme button, and nothing to install."""

import re
from pathlib import Path
from typing import Any

from contracts.app_spec import AppSpec, Migration, Page
from scaffolds import looks
from scaffolds.base import html_text, render

FOLDER = Path(__file__).parent
LINKS = re.compile(
    r"(?P<url>https?://[^\s<>\"']*[^\s<>\"'.,;:!?)\]])|(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b)",
    re.IGNORECASE,
)
LONGEST_DESCRIPTION = 155


def generate(spec: AppSpec, migrations: tuple[Migration, ...] = ()) -> dict[str, str]:
    """The files of a site. It keeps nothing, so there is nothing to migrate."""
    pages = sorted(spec.pages, key=lambda page: page.slug != "index")
    names = {page.slug: _menu_name(page, spec) for page in pages}
    files = {
        f"{page.slug}.html": render(FOLDER, "page.html.j2", **_page(page, spec), names=names, pages=pages)
        for page in pages
    }
    files["style.css"] = looks.style(spec, "hero", "prose", *(("buttons",) if len(pages) > 1 else ()))
    files["favicon.svg"] = looks.favicon(spec)
    if spec.dark_mode:
        files["theme.js"] = looks.theme_script()
    headings = {f"{page.slug}.html": _heading(page, spec) for page in pages}
    files["tests/test_site.py"] = render(FOLDER, "test_site.py.j2", spec=spec, headings=headings)
    files["README.md"] = render(FOLDER, "README.md.j2", spec=spec, names=names)
    return dict(sorted(files.items()))


def _page(page: Page, spec: AppSpec) -> dict[str, Any]:
    return {
        "spec": spec,
        "page": page,
        "heading": _heading(page, spec),
        "tab": spec.title if page.slug == "index" else f"{page.title} – {spec.title}",
        "description": _description(page, spec),
        "button": looks.theme_button(10),
        "paragraphs": paragraphs,
    }


def _heading(page: Page, spec: AppSpec) -> str:
    """A home page that is only called so has the name of the site."""
    return spec.title if page.slug == "index" and page.title.casefold() == "home" else page.title


def _menu_name(page: Page, spec: AppSpec) -> str:
    return "Home" if page.slug == "index" and page.title == spec.title else page.title


def _description(page: Page, spec: AppSpec) -> str:
    """For search engines: the beginning of a page, or what the site is."""
    text = " ".join(next((section.text for section in page.sections if section.text.strip()), "").split())
    if page.slug == "index" or not text:
        return spec.summary
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    cut = text[: LONGEST_DESCRIPTION - 1]
    return (cut.rpartition(" ")[0] or cut).rstrip(" ,;:.") + "…"


def paragraphs(text: str) -> list[str]:
    """HTML of a text, one for each run of lines; addresses in it become links."""
    blocks = re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip())
    return ["<br>".join(_linked(line.strip()) for line in block.splitlines()) for block in blocks if block.strip()]


def _linked(line: str) -> str:
    made, after = "", 0
    for found in LINKS.finditer(line):
        target = found[0] if found["url"] else f"mailto:{found[0]}"
        made += html_text(line[after : found.start()])
        made += f'<a href="{html_text(target)}">{html_text(found[0])}</a>'
        after = found.end()
    return made + html_text(line[after:])
