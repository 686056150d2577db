"""Takes pictures of an app: Chromium in the sandbox, which has no network; all that a page loads is handed to it.

What an app shows is untrusted. So the browser runs behind the same boundary as the app itself, with a profile that is
gone afterwards, and reaches nothing but the app: every request comes here, and only looks at the app are answered.
"""

import base64
import http.client
import json
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contracts.errors import Failed
from picturing.devtools import Devtools, devtools
from picturing.visiting import Visitor
from sandboxes.base import MIB, Job, Limits, Sandbox, Service

PROGRAMS = ("/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser", "/opt/google/chrome/chrome")
"""Where the browser itself is; what stands in the search path is often a script that needs more than it gets here."""
PORT = 9222
WIDTH, HEIGHT = 1024, 640
SIZES = {"large": 1.0, "small": 0.5}
QUALITY = 82
NICENESS = "10"
QUIET_SECONDS = 0.6
LIMITS = Limits(
    wall=90,
    cpu=60,
    memory=1024 * MIB,
    processes=300,
    address_space=False,
    file_size=64 * MIB,
    disk=256 * MIB,
    cores=1.0,
)
FONTS = b"""<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir><cachedir>/tmp/fonts</cachedir>
<include ignore_missing="yes">/usr/share/fontconfig/conf.avail/45-latin.conf</include>
<include ignore_missing="yes">/usr/share/fontconfig/conf.avail/45-generic.conf</include>
<include ignore_missing="yes">/usr/share/fontconfig/conf.avail/49-sansserif.conf</include>
<include ignore_missing="yes">/usr/share/fontconfig/conf.avail/60-generic.conf</include>
<include ignore_missing="yes">/usr/share/fontconfig/conf.avail/60-latin.conf</include>
</fontconfig>
"""
FLAGS = (
    "--headless",
    "--no-sandbox",  # the boundary around it is ours, and allows none inside
    "--no-zygote",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--hide-scrollbars",
    "--mute-audio",
    "--user-data-dir=/tmp/profile",
    f"--window-size={WIDTH},{HEIGHT}",
    f"--remote-debugging-port={PORT}",
    "about:blank",
)


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that things may take. Nobody waits for a picture, and everybody else's work comes first."""

    start: float = 60.0
    visit: float = 90.0
    load: float = 20.0
    """After this long, the page is taken as it is."""


def find_browser() -> str | None:
    return next((path for path in PROGRAMS if Path(path).is_file()), None)


class Photographer:
    """Threads may share it; each picture is taken by a browser of its own."""

    def __init__(self, sandbox: Callable[[], Sandbox], program: str, patience: Patience | None = None) -> None:
        self._sandbox = sandbox
        self._program = program
        self._patience = patience or Patience()

    def take(self, link: str) -> dict[str, bytes]:
        """WebP pictures by size of the page at a link to an app on this machine. Raises AppError."""
        job = Job(
            argv=("/usr/bin/nice", "-n", NICENESS, self._program, *FLAGS),
            files={"fonts.conf": FONTS},
            limits=LIMITS,
            env={"FONTCONFIG_FILE": "/work/fonts.conf", "XDG_CONFIG_HOME": "/tmp", "XDG_CACHE_HOME": "/tmp"},  # noqa: S108
        )
        browser = self._sandbox().start(job, PORT)
        try:
            target = _page_of(browser, time.monotonic() + self._patience.start)
            visit = _Visit(Visitor(link), self._patience.load)
            deadline = time.monotonic() + self._patience.visit
            with devtools(browser.socket_path, target, visit.on_event, deadline) as page:
                return visit.pictures(page)
        except OSError as error:
            raise Failed(f"the browser could not be reached: {error}") from error
        except (LookupError, TypeError, ValueError) as error:
            raise Failed("the browser answered something that nobody can read") from error
        finally:
            browser.stop()


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__(f"127.0.0.1:{PORT}", timeout=5)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def _page_of(browser: Service, deadline: float) -> str:
    """The address of the browser's one page, as soon as it answers."""
    while time.monotonic() < deadline and browser.alive:
        line = _UnixConnection(browser.socket_path)
        try:
            line.request("GET", "/json/list")
            pages = json.loads(line.getresponse().read())
            return str(next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page"))
        except (OSError, http.client.HTTPException, ValueError, StopIteration):
            time.sleep(0.1)
        finally:
            line.close()
    raise Failed("the browser did not start", details={"said": browser.logs()[-1000:]})


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
