"""One connection of a visitor to a preview: its requests, each carried to the app and its answer back."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import h11

from serving.headers import Door, to_app, to_visitor, wants_upgrade
from serving.pages import POLICY, Notice, bad_request, no_key, not_here, page, text

CHUNK = 64 * 1024
SWITCHING, CONTINUE = 101, 100


@dataclass(frozen=True, slots=True)
class RelayLimits:
    """Sizes in bytes, times in seconds. Bodies have no bound: they pass through and are not kept."""

    head_bytes: int = 64 * 1024
    head_seconds: float = 15.0
    """For a request's head to come in, the wait for it included."""
    answer_seconds: float = 120.0
    """For an app to begin its answer, once it has all of the request."""
    stall_seconds: float = 120.0
    """For either side to take or send a piece of what is under way."""
    linger_seconds: float = 2.0
    per_site: int = 128
    """Connections to one preview."""
    total: int = 256


@dataclass(frozen=True, slots=True)
class Site:
    """What a listener needs to know of its preview."""

    door: Door
    look: Callable[[], Path | Notice]
    """The socket of the app, or what to say instead."""
    trouble: Callable[[int, str], Notice]
    """What to say when the app does not answer as it should."""
    ancestors: str = "'none'"
    token: str = ""


class Peer:
    """One end of a connection, with the state of its HTTP."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, role: type[h11.CLIENT | h11.SERVER], room: int
    ) -> None:
        self.reader = reader
        self.writer = self._voice = writer
        self.http = h11.Connection(role, max_incomplete_event_size=room)

    async def event(self) -> h11.Event | type[h11.PAUSED]:
        """Raises RemoteProtocolError on anything that is not HTTP, and at an end that comes too soon."""
        while True:
            event = self.http.next_event()
            if event is not h11.NEED_DATA:
                return event  # type: ignore[return-value]
            self.http.receive_data(await self.reader.read(CHUNK))

    def write(self, *events: h11.Event) -> None:
        self._voice.write(b"".join(piece for event in events for piece in self.pieces(event)))

    def pieces(self, event: h11.Event) -> list[bytes]:
        return self.http.send_with_data_passthrough(event) or []

    async def drained(self, seconds: float) -> None:
        """Raises OSError if the other side takes no more, also when it takes nothing for so long."""
        if self._voice.transport.get_write_buffer_size() or self._voice.transport.is_closing():
            async with asyncio.timeout(seconds):
                await self._voice.drain()

    async def split(self) -> None:
        """Write through a second descriptor: an error in writing then leaves what has come in to be read."""
        self._voice = (await asyncio.open_unix_connection(sock=self.writer.get_extra_info("socket").dup()))[1]
        self._voice.transport.pause_reading()  # type: ignore[attr-defined]

    def abort(self) -> None:
        self.writer.transport.abort()
        self._voice.transport.abort()


async def call_app(path: Path, room: int) -> Peer:
    """Raises OSError if nobody takes the connection."""
    reader, writer = await asyncio.open_unix_connection(path, limit=CHUNK)
    return Peer(reader, writer, h11.CLIENT, room)


async def head_of_answer(app: Peer) -> h11.Response | h11.InformationalResponse:
    """What an app sends before its answer is left out, but for the change to another protocol."""
    while True:
        event = await app.event()
        if isinstance(event, h11.Response):
            return event
        if not isinstance(event, h11.InformationalResponse):
            raise h11.RemoteProtocolError("no answer")
        if event.status_code == SWITCHING:
            return event


async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copies until the source ends or the target is gone."""
    with suppress(OSError):
        while data := await source.read(CHUNK):
            target.write(data)
            await target.drain()


class Visit:
    """Used once. `run` ends when the visitor has gone or shall go."""

    def __init__(
        self, site: Site, limits: RelayLimits, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._site = site
        self._limits = limits
        self._client = Peer(reader, writer, h11.SERVER, limits.head_bytes)
        self._deadline = asyncio.timeout(None)
        self._left = self._answered = False
        self._uploading: asyncio.Task[None] | None = None
        self.waiting = True
        """For a request; such a visit can be ended without harm."""
        self.whole = False
        """All of a request is there, so that an end of the stream means that nobody waits for the answer."""

    async def run(self) -> None:
        client = self._client
        try:
            while await self._one():
                client.http.start_next_cycle()
            client.writer.close()
            async with asyncio.timeout(self._limits.stall_seconds):
                await client.writer.wait_closed()
        except (OSError, TimeoutError, h11.ProtocolError):
            return
        finally:
            client.abort()

    async def _one(self) -> bool:
        """One request and its answer. Says whether the connection can carry another."""
        self.waiting, self.whole = True, False
        try:
            async with asyncio.timeout(self._limits.head_seconds):
                request = await self._client.event()
        except h11.RemoteProtocolError as error:
            words = (
                "Its beginning is too long." if error.error_status_hint == 431 else "It is not HTTP as it should be."
            )
            return await self._say(bad_request(words, error.error_status_hint or 400))
        self.waiting = False
        if not isinstance(request, h11.Request):
            return False
        if not _has_body(request):
            await self._client.event()
            self.whole = True
        headers = list(request.headers.raw_items())
        if (entrance := self._entrance(request, headers)) is not None:
            return await self._send(entrance, b"")
        instead = self._refusal(request, headers) or self._site.look()
        if isinstance(instead, Notice):
            return await self._say(instead, request)
        return await self._carry(request, headers, instead)

    def _refusal(self, request: h11.Request, headers: list[tuple[bytes, bytes]]) -> Notice | None:
        host = next((value.decode("latin-1") for name, value in headers if name.lower() == b"host"), "")
        if not self._site.door.knows(host):
            return not_here(host)
        if request.method == b"CONNECT" or not request.target.startswith((b"/", b"*")):
            return bad_request("A preview is no proxy: only paths of the app itself can be asked for.")
        return None if self._site.door.opens(headers) else no_key()

    def _entrance(self, request: h11.Request, headers: list[tuple[bytes, bytes]]) -> h11.Response | None:
        """Who comes with the key in the address gets it as a cookie, so that it does not stay in the address."""
        door = self._site.door
        path = door.entrance(request.target.decode("latin-1")) if door.key else None
        if path is None or self._refusal(request, [*headers, (b"x-preview-key", door.key.encode())]):
            return None
        secure = any(name.lower() == b"x-forwarded-proto" and value == b"https" for name, value in headers)
        found = [("Location", path), ("Set-Cookie", door.invitation(secure=secure)), ("Cache-Control", "no-store")]
        return h11.Response(
            status_code=303, headers=[*found, ("Referrer-Policy", "no-referrer"), ("Content-Length", "0")]
        )

    async def _say(self, notice: Notice, request: h11.Request | None = None) -> bool:
        accepted = b",".join(value for name, value in request.headers if name == b"accept") if request else b""
        kind, body = ("html", page(notice)) if b"text/html" in accepted else ("plain", text(notice))
        headers = [
            ("Content-Type", f"text/{kind}; charset=utf-8"),
            ("Content-Length", str(len(body))),
            ("Content-Security-Policy", f"{POLICY}; frame-ancestors {self._site.ancestors}"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
            *([("Retry-After", str(notice.again))] if notice.again else []),
        ]
        empty = request is not None and request.method == b"HEAD"
        return await self._send(h11.Response(status_code=notice.status, headers=headers), b"" if empty else body)

    async def _send(self, response: h11.Response, body: bytes) -> bool:
        """An answer of the relay's own, after which the connection is closed."""
        response = h11.Response(
            status_code=response.status_code, headers=[*response.headers.raw_items(), (b"Connection", b"close")]
        )
        self._client.write(response, *([h11.Data(data=body)] if body else []), h11.EndOfMessage())
        await self._linger()
        return False

    async def _linger(self) -> None:
        """To close while more still comes in would take back the answer that is on its way."""
        client = self._client
        await self._end_upload()  # only one may read what comes in
        if client.http.their_state is not h11.MUST_CLOSE:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(self._limits.linger_seconds):
                    await client.writer.drain()
                    client.writer.write_eof()
                    while await client.reader.read(CHUNK):
                        pass

    async def _carry(self, request: h11.Request, headers: list[tuple[bytes, bytes]], path: Path) -> bool:
        upgrade = wants_upgrade(headers)
        try:
            app = await call_app(path, self._limits.head_bytes)
        except OSError:
            return await self._say(self._site.trouble(502, "It does not take connections."), request)
        try:
            passed = to_app(headers, token=self._site.token, upgrade=upgrade)
            begun = h11.Request(method=request.method, target=request.target, headers=passed)
            if not self.whole:
                await app.split()
            self._answered = False
            self._deadline = asyncio.timeout(self._limits.answer_seconds if self.whole else None)
            app.write(begun, *([h11.EndOfMessage()] if self.whole else []))
            if not self.whole:
                self._uploading = asyncio.create_task(self._upload(app))
            return await self._answer(request, app)
        finally:
            app.abort()  # before anything that waits: the visitor may leave meanwhile, which ends the waiting
            await self._end_upload()

    async def _end_upload(self) -> None:
        task, self._uploading = self._uploading, None
        if task:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _upload(self, app: Peer) -> None:
        client = self._client
        while not self.whole:
            try:
                if client.http.they_are_waiting_for_100_continue:
                    client.write(h11.InformationalResponse(status_code=CONTINUE, headers=[]))
                async with asyncio.timeout(self._limits.stall_seconds):
                    event = await client.event()
            except (OSError, TimeoutError, h11.RemoteProtocolError):
                self._left = True
                return app.abort()
            self.whole = isinstance(event, h11.EndOfMessage)
            try:
                app.write(h11.EndOfMessage() if self.whole else event)  # type: ignore[arg-type]
                await app.drained(self._limits.stall_seconds)
            except (OSError, TimeoutError):  # it takes no more; its answer may say why
                return None
        if not self._answered:
            self._deadline.reschedule(asyncio.get_running_loop().time() + self._limits.answer_seconds)
        return None

    async def _answer(self, request: h11.Request, app: Peer) -> bool:
        try:
            async with self._deadline:
                head = await head_of_answer(app)
        except TimeoutError:
            return await self._say(self._site.trouble(504, "It has not answered in time."), request)
        except (OSError, h11.RemoteProtocolError) as error:
            if self._left:
                return False
            long = isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431
            words = "The headers of its answer are too long." if long else "It ended the connection without an answer."
            return await self._say(self._site.trouble(502, words), request)
        self._answered = True
        if isinstance(head, h11.InformationalResponse):
            return await self._tunnel(head, app)
        await self._download(head, app)
        client = self._client.http
        if client.our_state is h11.DONE and client.their_state is h11.DONE:
            return True
        if client.their_state is h11.SEND_BODY:
            await self._linger()
        return False

    async def _download(self, head: h11.Response, app: Peer) -> None:
        """What the app has sent so far goes out in one piece, and nothing is held back for more."""
        client = self._client
        headers = to_visitor(list(head.headers.raw_items()), ancestors=self._site.ancestors)
        out = client.pieces(h11.Response(status_code=head.status_code, headers=headers, reason=head.reason))
        while client.http.our_state is h11.SEND_BODY:
            event = app.http.next_event()
            if isinstance(event, h11.Data):
                out += client.pieces(event)
            elif isinstance(event, h11.EndOfMessage):
                out += client.pieces(h11.EndOfMessage())
            else:
                client.writer.write(b"".join(out))
                out = []
                await client.drained(self._limits.stall_seconds)
                app.http.receive_data(await app.reader.read(CHUNK))
        client.writer.write(b"".join(out))
        await client.drained(self._limits.stall_seconds)

    async def _tunnel(self, head: h11.InformationalResponse, app: Peer) -> bool:
        """After a change of protocol, bytes go both ways until either side ends it."""
        client = self._client
        self.whole = False
        headers = to_visitor(list(head.headers.raw_items()), ancestors=self._site.ancestors, upgraded=True)
        client.write(h11.InformationalResponse(status_code=SWITCHING, headers=headers, reason=head.reason))
        client.writer.write(app.http.trailing_data[0])
        app.writer.write(client.http.trailing_data[0])
        ways = (pump(client.reader, app.writer), pump(app.reader, client.writer))
        tasks = [asyncio.create_task(way) for way in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        app.writer.transport.set_write_buffer_limits(high=0)
        await app.drained(self._limits.linger_seconds)
        return False


def _has_body(request: h11.Request) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0") for name, value in request.headers
    )
