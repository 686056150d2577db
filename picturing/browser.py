"""Chromium in the sandbox, which has no network: one page of it, with a profile that is gone afterwards."""

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from contracts.errors import Failed
from picturing.devtools import Devtools, OnEvent, devtools
from sandboxes.base import MIB, Job, Limits, Sandbox, Service

PROGRAMS = ("/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser", "/opt/google/chrome/chrome")
"""Where the browser itself is; what stands in the search path is often a script that needs more than it gets here."""
PORT = 9222
WIDTH, HEIGHT = 1024, 640
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
    niceness: int = 10
    """How far it stands back behind others."""


def find_browser() -> str | None:
    return next((path for path in PROGRAMS if Path(path).is_file()), None)


@contextmanager
def browsing(
    sandbox: Sandbox, program: str, patience: Patience, on_event: OnEvent, limits: Limits = LIMITS
) -> Iterator[Devtools]:
    """The one page of a browser of its own, for a while. Raises AppError where that cannot be had."""
    job = Job(
        argv=("/usr/bin/nice", "-n", str(patience.niceness), program, *FLAGS),
        files={"fonts.conf": FONTS},
        limits=limits,
        env={"FONTCONFIG_FILE": "/work/fonts.conf", "XDG_CONFIG_HOME": "/tmp", "XDG_CACHE_HOME": "/tmp"},  # noqa: S108
    )
    browser = sandbox.start(job, PORT)
    try:
        target = _page_of(browser, time.monotonic() + patience.start)
        deadline = time.monotonic() + patience.visit
        with devtools(browser.socket_path, target, on_event, deadline) as page:
            yield page
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
