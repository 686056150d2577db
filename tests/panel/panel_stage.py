"""A person at a browser with the panel open, in front of a real service."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.web.live import Live

PHONE, LAPTOP = 390, 1440
HEIGHTS = {PHONE: 844, LAPTOP: 900}
GRAVE = {"serious", "critical"}
SECONDS = 60_000
"""How long a person would wait for something to show up, in milliseconds; a busy machine gets all of it."""
EXPECTED = re.compile(
    r"Failed to load resource: (net::ERR_(CONNECTION_(REFUSED|RESET)|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)"
    r"|the server responded with a status of 4\d\d)"
)
"""What a browser itself writes down about answers that the panel deals with."""
STILL = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame(); await frame();
  const ends = document.getAnimations().filter(one => one.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.all(ends.map(one => one.finished.catch(() => undefined)));
  await frame();
}"""
"""Waits for transitions that are under way; what turns for ever is left turning."""


@dataclass
class Seat:
    """One open tab."""

    page: Page
    origin: str
    complaints: list[str] = field(default_factory=list)
    """What the browser or a script complained about, broken rules of the page's policy among it."""

    def open(self, path: str = "/") -> "Seat":
        self.page.goto(f"{self.origin}{path}")
        return self

    def connected(self) -> "Seat":
        """Wait until events arrive."""
        expect(self.page.locator("[data-link=live]").first).to_be_attached(timeout=SECONDS)
        return self

    def sees(self, words: str, **options: Any) -> None:
        shown = self.page.get_by_text(words, **options).filter(visible=True)
        expect(shown.first).to_be_visible(timeout=SECONDS)

    def press(self, name: str, *, role: Any = "button", exact: bool = False) -> None:
        self.page.get_by_role(role, name=name, exact=exact).first.click(timeout=SECONDS)

    def sideways(self) -> int:
        """By how many pixels the page is wider than the window."""
        wider: int = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        return max(0, wider)

    def flaws(self) -> list[str]:
        """Serious and critical findings of axe-core on what is shown now, once colours have stopped changing."""
        self.page.evaluate(STILL)
        found = Axe().run(self.page, options={"resultTypes": ["violations"], "iframes": False}).response["violations"]
        return [
            f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
            for one in found
            if one["impact"] in GRAVE
            for node in one["nodes"][:3]
        ]

    def heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not EXPECTED.search(message.text):
            self.complaints.append(message.text)


class Stage:
    """Opens seats in one browser, each with storage of its own."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @contextmanager
    def seat(
        self,
        service: Live,
        *,
        width: int = LAPTOP,
        dark: bool = False,
        signed_in: bool = True,
        origin: str | None = None,
        new_here: bool = False,
        strict: bool = True,
    ) -> Iterator[Seat]:
        """A tab on the panel. It must not complain about anything by the time it is closed, unless nobody minds."""
        at = f"http://127.0.0.1:{service.port}"
        context = self._browser.new_context(
            viewport={"width": width, "height": HEIGHTS.get(width, 900)},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            has_touch=width == PHONE,
        )
        stored = {} if new_here else {"task-agent.first-start": "done"}
        if signed_in:
            stored[f"task-agent.token:{at}"] = service.token
        lines = [f"localStorage.setItem({json.dumps(k)}, {json.dumps(v)});" for k, v in stored.items()]
        context.add_init_script(f"if (!sessionStorage.seated) {{ {''.join(lines)} sessionStorage.seated = 1 }}")
        context.set_default_timeout(SECONDS)
        page = context.new_page()
        seat = Seat(page, origin or at)
        page.on("console", seat.heard)
        page.on("pageerror", lambda error: seat.complaints.append(str(error)))
        try:
            yield seat
            assert not strict or seat.complaints == []
        finally:
            context.close()
