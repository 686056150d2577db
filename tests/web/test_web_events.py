"""The event stream: everything once, in order, from where one left off; and tabs that are gone hold nothing."""

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.errors import Unavailable
from tests.web.live import Live, live, until
from tests.web.web_desk import Desk, Open
from web.feed import ALIVE, RETRY, Feed, Stream

NOTE = {"intent": "create_file", "project": "notes", "path": "a.txt", "content": "hi"}


@pytest.fixture
def feed(desk: Desk) -> Iterator[Feed]:
    made = Feed(desk.agent.store, desk.agent.redactor, max_streams=3, keepalive=0.05, room_seconds=0.1)
    yield made
    made.stop()


def emit(desk: Desk, *words: str, task_id: str | None = None) -> None:
    with desk.agent.memory.transaction() as tx:
        for word in words:
            tx.emit("note_added", task_id, text=word)


def follow(feed: Feed, after: int | None = None, task_id: str | None = None) -> Stream:
    stream = feed.stream(after, lambda line: task_id in (None, line.task_id))
    assert next(stream).startswith(RETRY)
    return stream


def texts(stream: Stream, count: int) -> list[str]:
    """What the next so many events say."""
    found: list[str] = []
    while len(found) < count:
        found += [line[6:] for line in next(stream).decode().splitlines() if line.startswith("data: ")]
    return [json.loads(line)["data"]["text"] for line in found]


def test_a_stream_starts_now_and_then_gets_everything(desk: Desk, feed: Feed) -> None:
    emit(desk, "before")
    stream = follow(feed)
    emit(desk, "one", "two")
    emit(desk, "three")
    assert texts(stream, 3) == ["one", "two", "three"]


def test_a_stream_goes_on_from_where_it_was_left(desk: Desk, feed: Feed) -> None:
    emit(desk, *(str(n) for n in range(20)))
    start = desk.agent.store.last_seq() - 15
    assert texts(follow(feed, start), 15) == [str(n) for n in range(5, 20)]


def test_history_and_news_join_without_a_gap_or_a_repeat(desk: Desk, feed: Feed) -> None:
    start = desk.agent.store.last_seq()
    emit(desk, *(str(n) for n in range(700)))
    stream = follow(feed, start)

    def write() -> None:
        for number in range(700, 760):
            emit(desk, str(number))

    writer = threading.Thread(target=write)
    writer.start()
    assert texts(stream, 760) == [str(n) for n in range(760)]
    writer.join()


def test_more_news_than_are_held_are_read_from_the_store(desk: Desk, feed: Feed) -> None:
    slow, quick = follow(feed), follow(feed)
    for start in range(0, 5000, 500):
        emit(desk, *(str(n) for n in range(start, start + 500)))
    assert texts(quick, 5000) == [str(n) for n in range(5000)]
    assert texts(slow, 5000) == [str(n) for n in range(5000)]


def test_a_number_from_the_future_starts_now(desk: Desk, feed: Feed) -> None:
    stream = follow(feed, 10**9)
    emit(desk, "now")
    assert texts(stream, 1) == ["now"]


def test_a_quiet_stream_gives_signs_of_life(feed: Feed) -> None:
    stream = follow(feed)
    assert [next(stream), next(stream)] == [ALIVE, ALIVE]


def test_a_stream_of_one_task_hears_of_nothing_else(desk: Desk, feed: Feed) -> None:
    stream = follow(feed, task_id="t1")
    emit(desk, "other", task_id="t2")
    emit(desk, "mine", task_id="t1")
    assert texts(stream, 1) == ["mine"]


def test_secrets_are_blanked(desk: Desk, feed: Feed) -> None:
    stream = follow(feed)
    emit(desk, f"the token is {desk.agent.token}")
    assert desk.agent.token not in texts(stream, 1)[0]


def test_too_many_streams_are_refused_until_one_is_closed(feed: Feed) -> None:
    streams = [follow(feed) for _ in range(3)]
    with pytest.raises(Unavailable, match="3 event streams"):
        feed.stream(None, lambda line: True)
    streams[0].close()
    streams[0].close()
    assert feed.streams == 2
    follow(feed)


def test_a_newcomer_has_all_streams_speak_so_that_dead_ones_are_found(desk: Desk) -> None:
    feed = Feed(desk.agent.store, desk.agent.redactor, max_streams=1, keepalive=30.0, room_seconds=60.0)
    old = follow(feed)

    def serve_until_it_speaks() -> None:
        next(old)
        old.close()

    server = threading.Thread(target=serve_until_it_speaks)
    server.start()
    follow(feed)
    server.join()
    feed.stop()


def test_a_stopping_service_ends_its_streams_at_once(desk: Desk) -> None:
    feed = Feed(desk.agent.store, desk.agent.redactor, max_streams=3, keepalive=30.0)
    stream = follow(feed)
    stopper = threading.Timer(0.05, feed.stop)
    stopper.start()
    assert list(stream) == []
    assert feed.streams == 0
    with pytest.raises(Unavailable, match="stopping"):
        feed.stream(None, lambda line: True)


def test_nothing_reads_the_store_when_nobody_listens(desk: Desk, feed: Feed) -> None:
    follow(feed).close()
    until(lambda: feed._reader is None, "the reader to end")
    stream = follow(feed)
    emit(desk, "again")
    assert texts(stream, 1) == ["again"]


def test_a_head_request_leaves_no_stream_open(open_desk: Open) -> None:
    desk = open_desk(max_streams=1)
    for _ in range(3):
        assert desk.send("HEAD", "/events").status_code == 200
    assert desk.get("/metrics")["metrics"]["http_streams"] == 0


def add_note(service: Live, name: str) -> str:
    status, said = service.send("POST", "/run", {**NOTE, "path": name})
    assert status == 200
    return str(said["id"])


def test_over_the_wire_a_stream_is_resumed_and_kept_alive(tmp_path: Path) -> None:
    with live(tmp_path, keepalive_seconds=0.2) as service:
        with service.events() as reader:
            assert reader.answer.getheader("Content-Type") == "text/event-stream"
            assert reader.block()["retry"] == "1000"
            first = add_note(service, "a.txt")
            seen = reader.event(lambda block: first in block.get("data", ""))
            assert json.loads(seen["data"])["task_id"] == first
            assert reader.event(lambda block: "" in block)
        second = add_note(service, "b.txt")
        with service.events(**{"Last-Event-ID": seen["id"]}) as reader:
            blocks = [reader.event()]
            while second not in blocks[-1]["data"]:
                blocks.append(reader.event())
            numbers = [int(block["id"]) for block in blocks]
            assert numbers == list(range(int(seen["id"]) + 1, int(seen["id"]) + 1 + len(numbers)))
        with service.events(f"/events?after=0&task_id={second}") as reader:
            assert json.loads(reader.event()["data"])["task_id"] == second
        with service.events() as reader:
            reader.block()
            assert service.end() == 0
            while reader.block():
                pass


def tab_of(service: Live) -> http.client.HTTPConnection | None:
    """An open tab; none while all places are taken."""
    tab = service.connect()
    tab.request("GET", "/events", headers={"Authorization": f"Bearer {service.token}"})
    if tab.getresponse().status == 200:
        return tab
    tab.close()
    return None


def test_over_the_wire_closed_tabs_give_their_places_back(tmp_path: Path) -> None:
    with live(tmp_path, keepalive_seconds=2, max_streams=3) as service:
        for _ in range(4):
            tabs = [until(lambda: tab_of(service), "a place that was given back") for _ in range(3)]
            for tab in tabs:
                tab.close()
        assert service.send("GET", "/health")[0] == 200


def test_over_the_wire_one_stream_too_many_is_told_to_wait(tmp_path: Path) -> None:
    with live(tmp_path, max_streams=1) as service, service.events() as reader:
        reader.block()
        with service.events() as refused:
            assert refused.status == 503
            assert int(refused.answer.getheader("Retry-After") or 0) >= 1
            assert json.loads(refused.answer.read())["error"]["hint"]
