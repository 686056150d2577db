"""Takes pictures of an app: Chromium in the sandbox, which has no network; all that a page loads is handed to it.

What an app shows is untrusted. So the browser runs behind the same boundary as the app itself, with a profile that is
gone afterwards, and reaches nothing but the app: every request comes here, and only looks at the app are answered.
"""

import base64
import time
from collections.abc import Callable
from typing import Any

from contracts.errors import Failed
from picturing.browser import HEIGHT, WIDTH, Patience, browsing
from picturing.devtools import Devtools
from picturing.visiting import Visitor
from sandboxes.base import Sandbox

SIZES = {"large": 1.0, "small": 0.5}
QUALITY = 82
QUIET_SECONDS = 0.6


class Photographer:
    """Threads may share it; each picture is taken by a browser of its own."""

    def __init__(self, sandbox: Callable[[], Sandbox], program: str, patience: Patience | None = None) -> None:
        self._sandbox = sandbox
        self._program = program
        self._patience = patience or Patience()

    def take(self, link: str) -> dict[str, bytes]:
        """WebP pictures by size of the page at a link to an app on this machine. Raises AppError."""
        visit = _Visit(Visitor(link), self._patience.load)
        with browsing(self._sandbox(), self._program, self._patience, visit.on_event) as page:
            return visit.pictures(page)


class _Visit:
    """One look at one page."""

    def __init__(self, visitor: Visitor, load_seconds: float) -> None:
        self._visitor = visitor
        self._load_seconds = load_seconds
        self._loaded = False
        self._last = time.monotonic()
        self._status = 0
        self._page: Devtools | None = None

    def pictures(self, page: Devtools) -> dict[str, bytes]:
        self._page = page
        page.call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        page.call("Page.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)
        page.call("Page.navigate", url=self._visitor.start)
        page.wait_until(lambda: self._loaded, self._load_seconds)
        page.wait_until(lambda: time.monotonic() - self._last > QUIET_SECONDS, QUIET_SECONDS * 4)
        if not 200 <= self._status < 400:
            raise Failed(f"the app answered with {self._status or 'nothing'}")
        return {name: self._shot(page, scale) for name, scale in SIZES.items()}

    @staticmethod
    def _shot(page: Devtools, scale: float) -> bytes:
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": scale}
        taken = page.call("Page.captureScreenshot", format="webp", quality=QUALITY, clip=clip)
        return base64.b64decode(taken["data"])

    def on_event(self, name: str, data: dict[str, Any]) -> None:
        if name == "Fetch.requestPaused" and self._page is not None:
            self._last = time.monotonic()
            self._answer(self._page, data)
        elif name == "Page.loadEventFired":
            self._loaded = True

    def _answer(self, page: Devtools, data: dict[str, Any]) -> None:
        request, asked = data["request"], data["requestId"]
        found = self._visitor.ask(str(request["method"]), str(request["url"]))
        if data.get("resourceType") == "Document" and found is not None:
            self._status = self._status if self._status >= 400 else found.status
        if found is None:
            page.post("Fetch.failRequest", requestId=asked, errorReason="BlockedByClient")
            return
        page.post(
            "Fetch.fulfillRequest",
            requestId=asked,
            responseCode=found.status,
            responseHeaders=[{"name": name, "value": value} for name, value in found.headers],
            body=base64.b64encode(found.body).decode(),
        )
