"""Listens for all previews, in one thread with one event loop that sleeps while nobody calls."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import h11

from contracts.errors import Unavailable
from serving.pages import busy, text
from serving.visit import CHUNK, RelayLimits, Site, Visit, call_app, head_of_answer

T = TypeVar("T")
BACKLOG = 128
LAST_TURNS = 3
"""Of the loop, after which what was accepted last and what was closed last is gone."""


class Watched(asyncio.StreamReader):
    """Tells when the other side has gone, also while nobody reads."""

    on_end: Callable[[], None] = staticmethod(lambda: None)

    def feed_eof(self) -> None:
        super().feed_eof()
        self.on_end()

    def set_exception(self, exc: Exception) -> None:
        super().set_exception(exc)
        self.on_end()


class Listener:
    """One port and those who visit it."""

    def __init__(self, site: Site, limits: RelayLimits, everyone: dict[asyncio.Task[None], Visit]) -> None:
        self._site = site
        self._limits = limits
        self._everyone = everyone
        self._here: dict[asyncio.Task[None], Visit] = {}
        self._server: asyncio.Server | None = None
        self._closed = False

    async def open(self, bind: str, port: int) -> None:
        """Raises OSError if the port is taken."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._protocol, bind, port, backlog=BACKLOG)

    def _protocol(self) -> asyncio.StreamReaderProtocol:
        loop = asyncio.get_running_loop()
        reader = Watched(limit=CHUNK, loop=loop)
        return asyncio.StreamReaderProtocol(reader, self._visited, loop=loop)

    def _visited(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._closed:
            return writer.transport.abort()
        if not self._make_room():
            body = text(busy())
            writer.write(b"HTTP/1.1 503 \r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
            return writer.close()
        visit = Visit(self._site, self._limits, reader, writer)
        task = asyncio.get_running_loop().create_task(visit.run())
        self._here[task] = self._everyone[task] = visit
        task.add_done_callback(lambda done: self._leave(done, writer))

        def gone() -> None:
            if visit.whole:
                task.cancel()

        if isinstance(reader, Watched):
            reader.on_end = gone
        return None

    def _make_room(self) -> bool:
        """At the limit, whoever has waited longest without asking for anything goes."""
        for crowd, most in ((self._here, self._limits.per_site), (self._everyone, self._limits.total)):
            if len(crowd) >= most:
                idle = next((task for task, visit in crowd.items() if visit.waiting), None)
                if idle is None:
                    return False
                idle.cancel()
                crowd.pop(idle)
        return True

    def _leave(self, task: asyncio.Task[None], writer: asyncio.StreamWriter) -> None:
        """A visit that was ended before it began has closed nothing itself."""
        writer.transport.abort()
        self._here.pop(task, None)
        self._everyone.pop(task, None)

    async def close(self) -> None:
        self._closed = True
        if self._server:
            await self._accept_no_more(self._server)
            self._server.close()
        tasks = list(self._here)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept_no_more(self, server: asyncio.Server) -> None:
        """Who was accepted a moment ago is let in and shown out: a server that is closed leaves such a one open."""
        loop = asyncio.get_running_loop()
        for listening in server.sockets:
            loop.remove_reader(listening.fileno())
        for _ in range(LAST_TURNS):
            await asyncio.sleep(0)


class Relay:
    """Threads may share it. Its own begins with the first use and ends with `close`."""

    def __init__(self, limits: RelayLimits | None = None) -> None:
        self._limits = limits or RelayLimits()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._end: asyncio.Event | None = None
        self._listeners: dict[int, Listener] = {}
        self._visits: dict[asyncio.Task[None], Visit] = {}

    @property
    def visits(self) -> int:
        """How many connections are open."""
        return len(self._visits)

    def listen(self, bind: str, port: int, site: Site) -> None:
        """Raises OSError if the port is taken."""
        self._call(self._listen("127.0.0.1" if bind == "localhost" else bind, port, site))

    def silence(self, port: int) -> None:
        """Close a port and whoever is connected to it."""
        self._call(self._silence(port))

    def ask(self, path: Path, target: str, seconds: float) -> int | None:
        """The status with which the app behind a socket answers a request, or None if it does not in this time."""
        return self._call(self._ask(path, target, seconds))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            thread, loop, end = self._thread, self._loop, self._end
        if thread and loop and end:
            loop.call_soon_threadsafe(end.set)
            thread.join()

    def _call(self, what: Coroutine[Any, Any, T]) -> T:
        try:
            loop = self._running()
        except Unavailable:
            what.close()
            raise
        return asyncio.run_coroutine_threadsafe(what, loop).result()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._closed:
                raise Unavailable("the previews have been closed")
            if self._loop is None:
                ready: Future[asyncio.AbstractEventLoop] = Future()
                self._thread = threading.Thread(target=self._serve, args=(ready,), name="preview-relay", daemon=True)
                self._thread.start()
                self._loop = ready.result()
            return self._loop

    def _serve(self, ready: "Future[asyncio.AbstractEventLoop]") -> None:
        asyncio.run(self._until_closed(ready))

    async def _until_closed(self, ready: "Future[asyncio.AbstractEventLoop]") -> None:
        self._end = asyncio.Event()
        ready.set_result(asyncio.get_running_loop())
        await self._end.wait()
        for port in list(self._listeners):
            await self._silence(port)
        for _ in range(LAST_TURNS):
            await asyncio.sleep(0)

    async def _listen(self, bind: str, port: int, site: Site) -> None:
        listener = Listener(site, self._limits, self._visits)
        await listener.open(bind, port)
        self._listeners[port] = listener

    async def _silence(self, port: int) -> None:
        listener = self._listeners.pop(port, None)
        if listener:
            await listener.close()

    async def _ask(self, path: Path, target: str, seconds: float) -> int | None:
        try:
            async with asyncio.timeout(seconds):
                app = await call_app(path, self._limits.head_bytes)
                try:
                    headers = [("Host", "localhost"), ("Connection", "close")]
                    app.write(h11.Request(method="GET", target=target, headers=headers), h11.EndOfMessage())
                    return (await head_of_answer(app)).status_code
                finally:
                    app.abort()
        except (OSError, TimeoutError, h11.ProtocolError):
            return None
