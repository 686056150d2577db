"""What the relay lets through to an app and back, over real sockets."""

import asyncio
import base64
import hashlib
import http.client
import queue
import re
import socket
import struct
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from previews import RelayLimits
from serving.headers import HOP_BY_HOP, Door, Headers, to_app, to_visitor
from serving.pages import Notice
from serving.relay import Listener
from serving.visit import Site
from tests.socket_app import HOST, OK, SECONDS, Stage, answering, read_all, read_head, read_until, stage

GET = b"GET / HTTP/1.1\r\n" + HOST
BRIEF = RelayLimits(linger_seconds=0.5)


@pytest.fixture(scope="module")
def standing() -> Iterator[Stage]:
    with stage(answering(OK), BRIEF) as here:
        yield here


def header_lines(head: bytes) -> list[bytes]:
    return head.partition(b"\r\n\r\n")[0].split(b"\r\n")[1:]


def echo(connection: socket.socket) -> None:
    """Answers with the request line, and the body if it has a length."""
    head = read_head(connection)
    length = re.search(rb"(?i)content-length: (\d+)", head)
    body = head.partition(b"\r\n\r\n")[2]
    while length and len(body) < int(length[1]):
        body += connection.recv(65_536)
    line = head.partition(b"\r\n")[0] + b"\n" + body
    connection.sendall(b"HTTP/1.1 201 Made\r\nX-App: 1\r\nContent-Length: %d\r\n\r\n%s" % (len(line), line))


def silent(connection: socket.socket) -> None:
    read_all(connection)


class TestCarrying:
    def test_a_request_and_its_answer_arrive_as_they_were_sent(self) -> None:
        body = bytes(range(256)) * 4096
        with stage(echo) as here:
            visitor = here.http()
            visitor.request("PUT", "/a%20b?c=d&e", body, {"X-Y": "z"})
            answer = visitor.getresponse()
            assert (answer.status, answer.reason, answer.headers["X-App"]) == (201, "Made", "1")
            assert answer.read() == b"PUT /a%20b?c=d&e HTTP/1.1\n" + body
            visitor.close()

    def test_a_visitor_keeps_its_connection_and_the_app_gets_one_for_each_request(self) -> None:
        seen: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        with stage(answering(OK, seen)) as here:
            visitor = here.http()
            for _ in range(3):
                visitor.request("GET", "/")
                assert visitor.getresponse().read() == b"hi"
                assert b"Connection: close" in header_lines(seen.get(timeout=SECONDS))
            assert here.relay.visits == 1
            visitor.close()

    def test_requests_that_come_in_one_piece_are_answered_in_order(self) -> None:
        with stage(echo) as here:
            pieces = b"".join(b"GET /%d HTTP/1.1\r\n" % number + HOST + b"\r\n" for number in range(3))
            got = here.say(pieces + b"GET /last HTTP/1.0\r\n" + HOST + b"\r\n")
            assert re.findall(rb"GET (\S+)", got) == [b"/0", b"/1", b"/2", b"/last"]

    @pytest.mark.parametrize("answer", [b"HTTP/1.1 204 No\r\n\r\n", b"HTTP/1.1 304 No\r\nContent-Length: 9\r\n\r\n"])
    def test_answers_without_a_body_end_at_once(self, answer: bytes) -> None:
        with stage(answering(answer)) as here:
            visitor = here.http()
            for _ in range(2):
                visitor.request("GET", "/")
                assert visitor.getresponse().read() == b""
            visitor.close()

    def test_head_says_the_length_and_sends_nothing(self) -> None:
        with stage(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")) as here:
            visitor = here.http()
            visitor.request("HEAD", "/")
            answer = visitor.getresponse()
            assert (answer.headers["Content-Length"], answer.read()) == ("5", b"")
            visitor.close()

    def test_an_answer_that_ends_with_its_connection_is_whole(self) -> None:
        with stage(answering(b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 300_000)) as here:
            visitor = here.http()
            visitor.request("GET", "/")
            answer = visitor.getresponse()
            assert answer.headers["Transfer-Encoding"] == "chunked"
            assert len(answer.read()) == 300_000
            visitor.close()

    def test_a_visitor_of_the_old_protocol_gets_no_pieces(self) -> None:
        chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        with stage(answering(chunked)) as here:
            head, _, body = here.say(b"GET / HTTP/1.0\r\n" + HOST + b"\r\n").partition(b"\r\n\r\n")
            assert body == b"hi"
            assert b"chunked" not in head

    def test_who_waits_for_leave_to_send_gets_it(self) -> None:
        with stage(echo) as here, here.connect() as visitor:
            visitor.sendall(b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            assert read_head(visitor).startswith(b"HTTP/1.1 100")
            visitor.sendall(b"abc")
            assert read_until(visitor, b"abc").startswith(b"HTTP/1.1 201")

    def test_fifty_visitors_at_once_all_get_their_own_answer(self) -> None:
        def visit(number: int) -> bool:
            visitor = http.client.HTTPConnection("127.0.0.1", here.port, timeout=SECONDS)
            visitor.request("POST", f"/{number}", b"x" * number * 1000)
            ok = visitor.getresponse().read() == f"POST /{number} HTTP/1.1\n".encode() + b"x" * number * 1000
            visitor.close()
            return ok

        with stage(echo) as here, ThreadPoolExecutor(50) as pool:
            assert all(pool.map(visit, range(50)))


class TestStreams:
    def test_an_upload_reaches_the_app_while_it_is_still_being_sent(self) -> None:
        seen: queue.SimpleQueue[bytes] = queue.SimpleQueue()

        def serve(connection: socket.socket) -> None:
            seen.put(read_until(connection, b"first"))
            seen.put(read_until(connection, b"0\r\n\r\n"))
            connection.sendall(OK)

        with stage(serve) as here, here.connect() as visitor:
            visitor.sendall(b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")
            assert b"first" in seen.get(timeout=SECONDS)
            visitor.sendall(b"4\r\nlast\r\n0\r\n\r\n")
            assert b"last" in seen.get(timeout=SECONDS)
            assert read_until(visitor, b"hi").startswith(b"HTTP/1.1 200")

    def test_events_arrive_as_they_are_sent_and_the_app_learns_that_nobody_listens(self) -> None:
        more, gone = threading.Event(), threading.Event()

        def serve(connection: socket.socket) -> None:
            read_head(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
            more.wait(SECONDS)
            connection.sendall(b"data: 2\n\n")
            assert connection.recv(1) == b""
            gone.set()

        with stage(serve) as here:
            with here.connect() as visitor:
                visitor.sendall(GET + b"\r\n")
                read_until(visitor, b"data: 1\n\n")
                more.set()
                read_until(visitor, b"data: 2\n\n")
            assert gone.wait(SECONDS)

    def test_a_websocket_carries_frames_both_ways_and_ends_with_either_side(self) -> None:
        def serve(connection: socket.socket) -> None:
            head = read_head(connection)
            key = re.search(rb"(?i)sec-websocket-key: (\S+)", head)
            assert key and re.search(rb"(?im)^connection: upgrade\r$", head) and b"Upgrade: websocket" in head
            accept = base64.b64encode(hashlib.sha1(key[1] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
            connection.sendall(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n\x81\x05hello"
            )
            while frame := connection.recv(65_536):
                mask, data = frame[2:6], frame[6:]
                text = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
                if text == b"bye":
                    return
                connection.sendall(b"\x81" + struct.pack("B", len(text)) + text)

        def frame(text: bytes) -> bytes:
            return b"\x81" + struct.pack("B", 128 | len(text)) + b"\0\0\0\0" + text

        with stage(serve) as here, here.connect() as visitor:
            wanted = b"Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Key: dGhl\r\n\r\n"
            visitor.sendall(GET + wanted)
            head = read_until(visitor, b"hello")
            assert head.startswith(b"HTTP/1.1 101") and b"Sec-WebSocket-Accept: " in head
            for text in (b"one", b"two"):
                visitor.sendall(frame(text))
                assert read_until(visitor, text).endswith(text)
            visitor.sendall(frame(b"bye"))
            assert visitor.recv(1) == b""

    def test_an_app_that_refuses_an_upgrade_is_heard(self) -> None:
        with stage(answering(b"HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n")) as here:
            got = here.say(GET + b"Upgrade: websocket\r\nConnection: close, Upgrade\r\n\r\n")
            assert got.startswith(b"HTTP/1.1 400")

    def test_an_answer_that_comes_before_the_upload_has_ended_is_seen(self) -> None:
        with stage(answering(b"HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nmuch"), BRIEF) as here:
            with here.connect() as visitor:
                visitor.sendall(b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 100000000\r\n\r\n" + b"x" * 500_000)
                assert read_all(visitor).endswith(b"much")

    def test_a_visitor_who_leaves_in_the_middle_of_an_upload_leaves_nothing_behind(self) -> None:
        ended = threading.Event()

        def serve(connection: socket.socket) -> None:
            read_all(connection)
            ended.set()

        with stage(serve) as here:
            with here.connect() as visitor:
                visitor.sendall(b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 100\r\n\r\nx")
            assert ended.wait(SECONDS)


class TestWhoMayComeIn:
    @pytest.mark.parametrize(
        "host",
        ["127.0.0.1", "127.0.0.1:5100", "localhost:5100", "LOCALHOST.", "[::1]:5100", "a.localhost", "me.example"],
    )
    def test_names_of_this_machine_and_allowed_ones_are_answered(self, host: str) -> None:
        with stage(answering(OK), door=Door(hosts=frozenset({"me.example"}))) as here:
            assert here.get(b"Host: " + host.encode()).endswith(b"hi")

    @pytest.mark.parametrize(
        "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil", "192.0.2.1", "", "me.example.evil", "a b"]
    )
    def test_any_other_name_is_refused_in_plain_words(self, host: str) -> None:
        seen: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        with stage(answering(OK, seen), door=Door(hosts=frozenset({"me.example"}))) as here:
            got = here.get(b"Host: " + host.encode())
            assert got.startswith(b"HTTP/1.1 403")
            assert b"does not answer under that name" in got
            assert seen.empty()

    @pytest.mark.parametrize(
        "line", [b"CONNECT a:1 HTTP/1.1", b"GET http://a/ HTTP/1.1", b"GET //[ HTTP/9", b"nonsense"]
    )
    def test_a_preview_is_no_proxy_and_speaks_http_only(self, line: bytes) -> None:
        seen: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        with stage(answering(OK, seen)) as here:
            assert here.say(line + b"\r\n" + HOST + b"\r\n").startswith(b"HTTP/1.1 400")
            assert seen.empty()

    def test_where_there_is_a_key_nobody_comes_in_without_it(self) -> None:
        seen: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        door = Door(key="s3cret", cookie="task-agent-key-shop")
        with stage(answering(OK, seen), door=door) as here:
            for lines in ([], [b"Cookie: task-agent-key-shop=wrong"], [b"X-Preview-Key: s3cre"]):
                assert here.get(HOST.strip(), *lines).startswith(b"HTTP/1.1 403")
            assert here.get(target=b"/?preview_key=wrong").startswith(b"HTTP/1.1 403")
            assert seen.empty()

    def test_the_key_in_the_address_becomes_a_cookie_which_the_app_never_sees(self) -> None:
        seen: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        with stage(answering(OK, seen), door=Door(key="s3cret", cookie="task-agent-key-shop")) as here:
            got = here.get(target=b"//a/b?x=1&preview_key=s3cret&y=%20")
            assert got.startswith(b"HTTP/1.1 303")
            assert b"Location: /a/b?x=1&y=+\r\n" in got
            cookie = re.search(rb"Set-Cookie: (\S+);.*HttpOnly; SameSite=Lax", got)
            assert cookie and seen.empty()
            assert here.get(HOST.strip(), b"Cookie: a=b; " + cookie[1] + b"; c=d").endswith(b"hi")
            assert b"Cookie: a=b; c=d" in header_lines(seen.get(timeout=SECONDS))
            assert here.get(HOST.strip(), b"X-Preview-Key: s3cret").endswith(b"hi")
            assert not any(b"s3cret" in line for line in header_lines(seen.get(timeout=SECONDS)))

    def test_a_rebound_name_is_refused_even_with_the_key(self) -> None:
        with stage(answering(OK), door=Door(key="s3cret")) as here:
            assert here.get(b"Host: evil.example", target=b"/?preview_key=s3cret").startswith(b"HTTP/1.1 403")


class TestHeaders:
    def test_the_token_of_the_agent_and_its_cookies_stay_outside(self) -> None:
        seen: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        with stage(answering(OK, seen), token="t0ken") as here:
            here.get(HOST.strip(), b"Authorization: bearer t0ken", b"Cookie: Task-Agent-Key-x=1")
            assert b"t0ken" not in (first := seen.get(timeout=SECONDS)) and b"Cookie" not in first
            here.get(HOST.strip(), b"Authorization: Bearer of-the-app", b"Cookie: mine=1")
            lines = header_lines(seen.get(timeout=SECONDS))
            assert {b"Authorization: Bearer of-the-app", b"Cookie: mine=1"} <= set(lines)

    def test_headers_for_one_connection_alone_are_not_handed_on(self) -> None:
        seen: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        answer = OK.replace(b"\r\n\r\n", b"\r\nConnection: X-Own\r\nX-Own: 1\r\nKeep-Alive: 5\r\nX-Kept: 1\r\n\r\n")
        with stage(answering(answer, seen)) as here:
            named = [b"Connection: close, X-Hop, Host, Cookie", b"X-Hop: 1", b"TE: trailers", b"Proxy-Authorization: a"]
            got = here.get(HOST.strip(), *named, b"Cookie: a=1", b"X-Kept: 1")
            passed = {line.partition(b":")[0].lower() for line in header_lines(seen.get(timeout=SECONDS))}
            assert passed == {b"host", b"cookie", b"x-kept", b"connection"}
            assert {line.partition(b":")[0] for line in header_lines(got)} == {
                *(
                    b"Content-Length",
                    b"X-Kept",
                    b"Content-Security-Policy",
                    b"Cross-Origin-Opener-Policy",
                    b"Connection",
                )
            }

    def test_an_answer_says_who_may_frame_it_beside_what_the_app_says_itself(self) -> None:
        answer = OK.replace(
            b"\r\n\r\n", b"\r\nContent-Security-Policy: default-src 'self'\r\nServer: A/1\r\nVia: b\r\n\r\n"
        )
        with stage(answering(answer), ancestors="'self' http://127.0.0.1:5000") as here:
            lines = header_lines(here.get())
            assert b"Content-Security-Policy: default-src 'self'" in lines
            assert b"Content-Security-Policy: frame-ancestors 'self' http://127.0.0.1:5000" in lines
            assert not any(line.lower().startswith((b"server", b"via")) for line in lines)

    def test_a_window_of_the_app_stands_apart_whatever_the_app_says(self) -> None:
        answer = OK.replace(b"\r\n\r\n", b"\r\ncross-origin-opener-policy: unsafe-none\r\n\r\n")
        with stage(answering(answer)) as here:
            lines = [line for line in header_lines(here.get()) if line.lower().startswith(b"cross-origin-opener")]
            assert lines == [b"Cross-Origin-Opener-Policy: same-origin"]

    def test_a_request_with_two_lengths_reaches_the_app_with_one(self) -> None:
        seen: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        with stage(answering(OK, seen)) as here:
            here.say(
                b"POST / HTTP/1.1\r\nConnection: close\r\n"
                + HOST
                + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
                b"1\r\nx\r\n0\r\n\r\n"
            )
            passed = seen.get(timeout=SECONDS).lower()
            assert b"transfer-encoding: chunked" in passed and b"content-length" not in passed

    def test_an_app_cannot_set_the_cookies_of_the_agent(self) -> None:
        answer = OK.replace(b"\r\n\r\n", b"\r\nSet-Cookie: task-agent-key-x=1\r\nSet-Cookie: own=1\r\n\r\n")
        with stage(answering(answer)) as here:
            assert re.findall(rb"Set-Cookie: (\S+)", here.get()) == [b"own=1"]

    names = st.sampled_from(
        [*HOP_BY_HOP, *(b"Host", b"Cookie", b"Authorization", b"Content-Length", b"X-A", b"Server", b"Set-Cookie")]
    )
    values = st.lists(st.sampled_from([b"close", b"x-a", b"host", b"task-agent-a=1", b"a=b", b"Bearer t", b"5"])).map(
        b", ".join
    )

    @settings(deadline=None)
    @given(st.lists(st.tuples(names, values), max_size=8))
    def test_whatever_is_sent_nothing_of_one_connection_gets_through(self, headers: Headers) -> None:
        for out in (to_app(headers, token="t", upgrade=False), to_visitor(headers, ancestors="'none'")):
            passed = [name.lower() for name, _ in out]
            framing = {b"transfer-encoding", b"connection"}
            assert not (set(passed) & (HOP_BY_HOP - framing))
            assert passed.count(b"transfer-encoding") <= 1
            assert not {b"transfer-encoding", b"content-length"} <= set(passed)
        asked = to_app(headers, token="t", upgrade=False)
        assert (b"Connection", b"close") == asked[-1]
        assert not any(value.startswith(b"task-agent") for name, value in asked if name == b"Cookie")
        kept = [name for name, _ in headers if name == b"Host"]
        assert [name for name, _ in asked if name == b"Host"] == kept


class TestBadApps:
    def test_headers_without_end_are_cut_off(self) -> None:
        def serve(connection: socket.socket) -> None:
            read_head(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            while True:
                connection.sendall(b"X: " + b"y" * 60_000 + b"\r\n")

        with stage(serve) as here:
            got = here.get()
            assert got.startswith(b"HTTP/1.1 502") and b"headers of its answer are too long" in got

    def test_an_app_that_says_nothing_is_given_up_on(self) -> None:
        with stage(silent, RelayLimits(answer_seconds=0.3)) as here:
            got = here.get()
            assert got.startswith(b"HTTP/1.1 504") and b"has not answered in time" in got

    @pytest.mark.parametrize("answer", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200", b"HTTP/1.1 101 Yes\r\n\r\n"])
    def test_an_app_that_does_not_speak_http_is_not_shown(self, answer: bytes) -> None:
        with stage(answering(answer)) as here:
            got = here.get()
            assert got.startswith(b"HTTP/1.1 502") and b"without an answer" in got

    def test_an_answer_that_breaks_off_is_not_taken_for_whole(self) -> None:
        with stage(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")) as here:
            visitor = here.http()
            visitor.request("GET", "/")
            with pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
                visitor.getresponse().read()
            visitor.close()

    def test_a_body_without_end_is_not_kept_and_ends_with_the_visitor(self) -> None:
        sent, ended = [0], threading.Event()

        def serve(connection: socket.socket) -> None:
            read_head(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            try:
                while True:
                    sent[0] += connection.send(b"x" * 65_536)
            finally:
                ended.set()

        with stage(serve) as here:
            with here.connect() as visitor:
                visitor.sendall(GET + b"\r\n")
                for _ in range(50):
                    visitor.recv(65_536)
                ahead = sent[0]
            assert ended.wait(SECONDS)
            assert ahead < 64 * 1024 * 1024

    def test_a_socket_that_is_gone_is_said(self) -> None:
        with stage(answering(OK)) as here:
            here.app.path.unlink()
            assert b"does not take connections" in here.get()


class TestBadVisitors:
    def test_a_head_that_never_ends_is_cut_off_by_its_size(self) -> None:
        with stage(answering(OK)) as here:
            got = here.say(GET + b"X: " + b"y" * 70_000)
            assert got.startswith(b"HTTP/1.1 431")

    @pytest.mark.parametrize("begun", [b"", b"GET / HT", GET])
    def test_a_head_that_never_ends_is_cut_off_in_time(self, begun: bytes) -> None:
        with stage(answering(OK), RelayLimits(head_seconds=0.3)) as here:
            assert here.say(begun) == b""

    def test_who_waits_without_asking_makes_room_for_who_asks(self) -> None:
        with stage(answering(OK), RelayLimits(per_site=4)) as here:
            idle = [here.connect() for _ in range(12)]
            assert here.get().endswith(b"hi")
            assert here.relay.visits <= 4
            for one in idle:
                one.close()

    def test_when_all_are_busy_others_are_told(self) -> None:
        wait = threading.Event()

        def serve(connection: socket.socket) -> None:
            read_head(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\nbegun")
            wait.wait(SECONDS)

        with stage(serve, RelayLimits(per_site=2)) as here:
            busy = [here.connect() for _ in range(2)]
            for one in busy:
                one.sendall(GET + b"\r\n")
                read_until(one, b"begun")
            with here.connect() as late:
                assert read_all(late).startswith(b"HTTP/1.1 503")
            wait.set()
            for one in busy:
                one.close()

    @settings(max_examples=60, deadline=None)
    @given(st.binary(max_size=300), st.sampled_from([b"", GET, GET + b"Content-Length: 5\r\n\r\n"]))
    def test_no_bytes_whatever_end_the_relay(self, standing: Stage, sent: bytes, before: bytes) -> None:
        with standing.connect() as visitor, suppress(ConnectionResetError):
            visitor.sendall(before + sent)
            visitor.shutdown(socket.SHUT_WR)
            read_all(visitor)
        assert standing.get().endswith(b"hi")


class TestNotices:
    def test_a_browser_gets_a_page_and_others_get_text(self) -> None:
        with stage(answering(OK), ancestors="http://127.0.0.1:5000") as here:
            here.instead = Notice(503, "The app is starting", "A moment", ("<b>printed</b> & more",), again=1)
            page = here.get(HOST.strip(), b"Accept: text/html,*/*")
            assert page.startswith(b"HTTP/1.1 503")
            assert b'<meta http-equiv="refresh" content="1">' in page
            assert b"&lt;b&gt;printed&lt;/b&gt; &amp; more" in page and b"<b>" not in page
            assert b"frame-ancestors http://127.0.0.1:5000" in page
            text = here.get()
            assert text.endswith(b"\r\n\r\nThe app is starting\nA moment\n<b>printed</b> & more\n")
            assert b"text/plain" in text and b"Cache-Control: no-store" in text

    def test_head_and_uploads_get_them_too(self) -> None:
        with stage(answering(OK), BRIEF) as here:
            here.instead = Notice(503, "The app is stopped", "Start it")
            assert here.say(b"HEAD / HTTP/1.1\r\n" + HOST + b"\r\n").endswith(b"\r\n\r\n")
            body = b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 300000\r\n\r\n" + b"x" * 300_000
            assert here.say(body).startswith(b"HTTP/1.1 503")


def test_nothing_is_left_of_a_relay_that_was_closed() -> None:
    before = set(threading.enumerate())
    with stage(answering(OK)) as here:
        visitor = here.connect()
        assert here.get().endswith(b"hi")
        port = here.port
    assert visitor.recv(1) == b""
    visitor.close()
    assert not [thread for thread in set(threading.enumerate()) - before if thread.name == "preview-relay"]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


def test_who_is_accepted_in_the_moment_of_closing_is_shown_out() -> None:
    """Accepted, but not yet let in when the port is closed: the connection ends, and nothing is left open."""
    complaints: list[str] = []

    async def close_while_somebody_comes() -> bytes:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, about: complaints.append(about["message"]))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        listener = Listener(cast(Site, None), BRIEF, {})
        await listener.open("127.0.0.1", port)
        with socket.create_connection(("127.0.0.1", port), SECONDS) as visitor:
            await asyncio.sleep(0)  # the loop accepts behind this turn, and lets in behind the closing
            await loop.create_task(listener.close())
            await asyncio.sleep(0)
            with suppress(ConnectionResetError):
                return visitor.recv(1)
        return b""

    assert asyncio.run(close_while_somebody_comes()) == b""
    assert complaints == []
