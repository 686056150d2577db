"""Looks at the pages of an app in a browser that reaches nothing but the app, and tells what a person would see."""

import base64
import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from contracts.errors import AppError, Failed
from picturing.browser import LIMITS, Patience, browsing
from picturing.devtools import Devtools
from proving.page_script import SCRIPT
from proving.pixels import Picture, Unreadable, letters_show, read_png
from proving.record import cut, plain
from proving.sight import CouldNotLook, Scene, Screen, Sight, Want
from proving.wire import NoAnswer, Reply, Request, Visitor
from sandboxes.base import Limits, Sandbox

ORIGIN = "http://localhost"
PATIENCE = Patience(start=90.0, visit=240.0, load=20.0, niceness=0)
LOOK_LIMITS = Limits(
    wall=360,
    cpu=240,
    memory=LIMITS.memory,
    processes=LIMITS.processes,
    address_space=False,
    file_size=LIMITS.file_size,
    disk=LIMITS.disk,
    cores=LIMITS.cores,
)
TRIES = 2
AGAIN = 0.1
"""Seconds between two looks at a page that is not there yet."""
BUSY = 30.0
"""Seconds in which a page has to answer anything at all."""
HEIGHTS = ((0.5, 0.0), (0.5, 0.5), (0.2, 0.1))
"""How far down on the screen something is brought to be seen, as a share of it, and after how many seconds."""
LOOKS = 5
"""So often a page is looked at after it has come to rest; on a busy machine time alone says little."""
MOST_SCREENS = 40
COVERED = "cannot be told from what is behind or before it"
ENOUGH = 3
"""When so many things of a page cannot be seen, the others need not be looked for."""
MOST_REQUESTS = 400
SIDEWAYS = 4
"""Pixels by which a page may be wider than the screen before anybody notices."""
NOT_SENT = frozenset({"host", "connection", "content-length", "accept-encoding", "cookie"})
NOT_PASSED = frozenset({"connection", "content-length", "content-encoding", "transfer-encoding", "keep-alive"})
OWN_PARTS = {"Script": "script", "Stylesheet": "style sheet"}
HARMLESS = ("ResizeObserver loop", "AbortError")


@dataclass(frozen=True, slots=True)
class Rest:
    """When a page that does not show all that it should is taken for finished, in seconds."""

    still: float = 3.0
    """It has asked for nothing for so long,"""
    least: float = 6.0
    """and was open for so long."""
    most: float = 30.0
    """Or it never comes to rest, and was open for so long."""


class Eyes:
    """One look at one app: a browser is started once, and once more if it fails."""

    def __init__(self, sandbox: Callable[[], Sandbox], program: str, rest: Rest | None = None) -> None:
        self._sandbox = sandbox
        self._program = program
        self._rest = rest or Rest()
        self._sights: tuple[Sight, ...] | None = None
        self.trouble = ""
        """Why it could not be looked, if that is so."""

    @property
    def seen(self) -> tuple[Sight, ...] | None:
        """What was seen, if it was looked already. Raises CouldNotLook if that has failed."""
        if self.trouble:
            raise CouldNotLook(self.trouble)
        return self._sights

    def look(
        self, visitor: Visitor, scenes: Sequence[Scene], screens: Sequence[Screen], tick: Callable[[], None]
    ) -> tuple[Sight, ...]:
        """What there is to see on each page. Raises CouldNotLook."""
        for left in reversed(range(TRIES)):
            visit = _Visit(visitor, tuple(screens), tick, self._rest)
            try:
                with browsing(self._sandbox(), self._program, PATIENCE, visit.on_event, LOOK_LIMITS) as page:
                    sights = visit.all(page, scenes)
                if visit.stuck and left:  # a busy machine deserves a second try
                    continue
                self._sights = sights
                return sights
            except (AppError, OSError, Unreadable, CouldNotLook) as error:
                tick()  # what ends everything is not the browser's fault
                if not left:
                    self.trouble = cut(plain(str(error)), 200)
        raise CouldNotLook(self.trouble)


class _Stuck(Exception):
    """The page keeps the browser so busy that it answers nothing."""


class _Visit:
    """A visit to some pages, one after the other."""

    def __init__(self, visitor: Visitor, screens: tuple[Screen, ...], tick: Callable[[], None], rest: Rest) -> None:
        self._visitor = visitor
        self._rest = rest
        self._screens = screens
        self._tick = tick
        self._page: Devtools | None = None
        self._frame = ""
        self._world: int | None = None
        self._script = ""
        self._shown: Screen | None = None
        self.stuck = False
        self._begin(Sight(Scene("", ())))

    def all(self, page: Devtools, scenes: Sequence[Scene]) -> tuple[Sight, ...]:
        self._page = page
        page.call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        page.call("Page.enable")
        page.call("Runtime.enable")
        self._frame = page.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        sights = []
        for scene in scenes:
            sights.append(Sight(scene, self._screens))
            self._screens = self._screens[::-1]  # the next page begins with the screen that this one ends with
            try:
                self._look_at(sights[-1])
            except _Stuck:
                if page.ask("Browser.getVersion", BUSY) is None:
                    raise CouldNotLook("the browser answers nothing any more") from None
                self.stuck = True
                sights[-1].errors.append("its scripts never come to an end, so nothing can be seen or clicked")
                break
        return tuple(sights)

    def _begin(self, sight: Sight) -> None:
        self._sight = sight
        self._cookies = dict(sight.scene.cookies)
        self._loaded = False
        self._last = time.monotonic()
        self._asked = 0
        self._thrown: list[str] = []
        self._foreign = False

    def _look_at(self, sight: Sight) -> None:
        page = self._line
        page.call("Page.navigate", url="about:blank")
        self._show(self._screens[0])
        self._begin(sight)
        page.call("Page.navigate", url=ORIGIN + sight.scene.path)
        page.wait_until(lambda: self._loaded, PATIENCE.load)
        self._world = None
        if sight.scene.types:
            self._sign_in(sight.scene.types)
        self._settle(sight.scene.wants)
        for screen in self._screens:
            self._look_on(screen, sight)
        if not self._foreign:
            sight.errors += self._thrown

    def _show(self, screen: Screen) -> None:
        if screen == self._shown:
            return
        page, self._shown = self._line, screen
        page.call(
            "Emulation.setDeviceMetricsOverride",
            width=screen.width,
            height=screen.height,
            deviceScaleFactor=1,
            mobile=False,
        )
        features = {"prefers-color-scheme": "dark" if screen.dark else "light", "prefers-reduced-motion": "reduce"}
        page.call("Emulation.setEmulatedMedia", features=[{"name": n, "value": v} for n, v in features.items()])

    def _sign_in(self, typed: tuple[str, ...]) -> None:
        """Type what the page asks for, as far as it asks."""
        if not self._until(lambda: bool(self._do("focus", 1))):
            return
        for nth, text in enumerate(typed, 2 - len(typed)):
            self._do("focus", nth)
            self._line.call("Input.insertText", text=text)
        self._do("submit")

    def _until(self, met: Callable[[], bool]) -> bool:
        """Wait until it is so, or the page has come to rest without it."""
        began, last, looks = time.monotonic(), self._last, 0
        while not met():
            self._tick()
            now = time.monotonic()
            looks, last = (looks + 1, last) if last == self._last else (0, self._last)
            rested = looks >= LOOKS and now - began > self._rest.least and now - last > self._rest.still
            if rested or now - began > self._rest.most:
                return False
            self._pause(AGAIN)
        return True

    def _settle(self, wants: tuple[Want, ...]) -> None:
        given = [want.to_json() for want in wants]
        self._until(lambda: all("" in found for found in self._do("find", given)))

    def _pause(self, seconds: float) -> None:
        self._line.wait_until(lambda: False, seconds)

    def _look_on(self, screen: Screen, sight: Sight) -> None:
        self._show(screen)
        self._do("top")
        wants = tuple(want for want in sight.scene.wants if want.phone or not screen.phone)
        unseen = self._unseen(wants)
        sight.unseen[screen.id] = [f"{want.called} {why}" for want, why in zip(wants, unseen, strict=True) if why]
        page = self._do("page")
        if page["wide"] > SIDEWAYS and not page["held"]:
            by = f", by `{page['culprit']}`" if page["culprit"] else ""
            sight.beyond[screen.id] = f"it is {page['wide']} pixels wider than the screen{by}"

    def _unseen(self, wants: tuple[Want, ...]) -> list[str]:
        """For each thing why it cannot be seen; empty if it can."""
        given = [want.to_json() for want in wants]
        wrong: list[list[str]] = self._do("find", given)
        open_ones = {
            index: [nth for nth, why in enumerate(found) if not why] for index, found in enumerate(wrong) if "" in found
        }
        result = ["" if "" in found else (found[0] if found else "is not in the page") for found in wrong]
        self._cross_off(open_ones)
        for _ in range(MOST_SCREENS):
            self._tick()
            if not open_ones or result.count(COVERED) >= ENOUGH:
                break
            index = next(iter(open_ones))
            nth = open_ones[index][0]
            for height, pause in HEIGHTS:
                if index in open_ones:
                    self._do("bring", [index, nth, height])
                    self._pause(pause)
                    self._cross_off(open_ones)
            if index in open_ones:
                open_ones[index].remove(nth)
                if not open_ones[index]:
                    del open_ones[index]
                    result[index] = COVERED
        return result

    def _cross_off(self, open_ones: dict[int, list[int]]) -> None:
        """Whatever is seen of these where the page stands now."""
        places = self._do("places")
        with_letters = self._shot()
        self._do("blank")
        try:
            without = self._shot()
        finally:
            self._do("unblank")
        for index, candidates in list(open_ones.items()):
            if any(_shows(places[index][nth], with_letters, without) for nth in candidates):
                del open_ones[index]

    def _shot(self) -> Picture:
        taken = self._asked_of("Page.captureScreenshot", format="png", optimizeForSpeed=True)
        return read_png(base64.b64decode(taken["data"]))

    def _do(self, op: str, value: Any = None) -> Any:
        """Ask something of the page, in a world of its own, which the page's scripts cannot reach."""
        for left in (True, False):
            if self._world is None:
                made = self._asked_of("Page.createIsolatedWorld", frameId=self._frame)
                self._world = made["executionContextId"]
                held = self._asked_of("Runtime.evaluate", expression=SCRIPT, contextId=self._world)
                self._script = held["result"]["objectId"]
            try:
                said = self._asked_of(
                    "Runtime.callFunctionOn",
                    functionDeclaration="function(op, value) { return this(op, value); }",
                    objectId=self._script,
                    arguments=[{"value": op}, {"value": value}],
                    returnByValue=True,
                )
            except Failed:  # the page has gone on to another one
                self._world = None
                if not left:
                    raise
                continue
            if "exceptionDetails" in said:
                raise CouldNotLook(f"the page could not be asked: {json.dumps(said['exceptionDetails'])[:300]}")
            return said["result"].get("value")
        return None

    def _asked_of(self, method: str, **params: Any) -> dict[str, Any]:
        said = self._line.ask(method, BUSY, **params)
        if said is None:
            raise _Stuck
        return said

    @property
    def _line(self) -> Devtools:
        if self._page is None:
            raise CouldNotLook("there is no browser")
        return self._page

    def on_event(self, name: str, data: dict[str, Any]) -> None:
        if name == "Fetch.requestPaused":
            self._last = time.monotonic()
            self._answer(data)
            self._last = time.monotonic()
        elif name == "Page.loadEventFired":
            self._loaded = True
        elif name == "Runtime.exceptionThrown":
            words = _told(data.get("exceptionDetails", {}))
            if not any(one in words for one in HARMLESS) and len(self._thrown) < 5:
                self._thrown.append(words)
        elif name == "Page.javascriptDialogOpening":
            self._line.post("Page.handleJavaScriptDialog", accept=False)
        elif name == "Inspector.targetCrashed":
            raise Failed("the browser's page crashed")

    def _answer(self, data: dict[str, Any]) -> None:
        request, asked = data["request"], data["requestId"]
        kind = str(data.get("resourceType"))
        self._asked += 1
        own = str(request["url"]).startswith(f"{ORIGIN}/")
        if not own and kind == "Script":
            self._foreign = True
        reply = self._fetched(request, kind) if own and self._asked <= MOST_REQUESTS else None
        if reply is None:
            self._line.post("Fetch.failRequest", requestId=asked, errorReason="BlockedByClient")
            return
        headers = [{"name": n, "value": v} for n, v in reply.headers if n.lower() not in NOT_PASSED]
        body = base64.b64encode(reply.body).decode()
        self._line.post(
            "Fetch.fulfillRequest", requestId=asked, responseCode=reply.status, responseHeaders=headers, body=body
        )

    def _fetched(self, request: dict[str, Any], kind: str) -> Reply | None:
        place = urlsplit(str(request["url"]))
        path = place._replace(scheme="", netloc="", fragment="").geturl() or "/"
        headers = {n: str(v) for n, v in request["headers"].items() if n.lower() not in NOT_SENT}
        if self._cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        sent = Request(str(request["method"]), path, headers, _body(request))
        reply: Reply | None = None
        why = "gets no answer"
        with suppress(NoAnswer):
            reply = self._visitor.send(sent)
            if reply.cut:
                raise CouldNotLook(f"`{cut(path, 100)}` is too large to be looked at")
            self._cookies |= reply.cookies
            why = f"is answered with {reply.status}" if reply.status >= 400 else _unused(kind, reply)
        if kind == "Document" and reply is not None:
            self._sight.status = reply.status
        if kind in OWN_PARTS and why:
            self._sight.errors.append(f"the {OWN_PARTS[kind]} `{plain(cut(path, 100))}` {why}")
        return reply


def _unused(kind: str, reply: Reply) -> str:
    """Why a browser does not use what came, though it came."""
    sent_as = reply.header("Content-Type").partition(";")[0].strip().lower()
    wrong = kind == "Stylesheet" and 200 <= reply.status < 300 and sent_as not in {"text/css", ""}
    return f"is sent as `{plain(cut(sent_as, 60))}`, so that no browser uses it" if wrong else ""


def _body(request: dict[str, Any]) -> bytes:
    parts = request.get("postDataEntries") or []
    if parts:
        return b"".join(base64.b64decode(part.get("bytes", "")) for part in parts)
    return str(request.get("postData", "")).encode()


def _told(details: dict[str, Any]) -> str:
    """An exception in one line, with its place."""
    thrown = details.get("exception", {})
    words = str(thrown.get("description") or thrown.get("value") or details.get("text") or "an error").splitlines()[0]
    path = urlsplit(str(details.get("url", ""))).path
    place = f" (`{path}` line {int(details.get('lineNumber', 0)) + 1})" if path else ""
    return f"a script stops with an error: {plain(cut(words, 200))}{plain(cut(place, 120))}"


def _shows(place: dict[str, Any], with_letters: Picture, without: Picture) -> bool:
    """Whether something is in sight now, with its letters where it has some."""
    in_sight = [rect for rect in place["rects"] if _part_in(rect, with_letters)]
    if place["box"]:
        return bool(in_sight)
    return any(letters_show(with_letters, without, tuple(rect)) for rect in in_sight)


def _part_in(rect: list[float], picture: Picture) -> bool:
    left, top = max(0.0, rect[0]), max(0.0, rect[1])
    right, bottom = min(float(picture.width), rect[2]), min(float(picture.height), rect[3])
    return right - left >= 3 and bottom - top >= 4
