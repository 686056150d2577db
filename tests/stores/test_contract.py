"""What any store promises. A new kind of store joins by its name in `KINDS`."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts.errors import BadInput, Unavailable
from stores.base import Store
from tests.stores.tally import Tally, emit, fold, state_of, store

Open = Callable[[], Store[Tally]]
KINDS: dict[str, Callable[[Path], Store[Tally]]] = {
    "json_file": store,
    "json_file in tiny segments": lambda home: store(home, segment_bytes=300),
}


@pytest.fixture(params=KINDS)
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens stores that share the same memory."""
    opened: list[Store[Tally]] = []

    def open_one() -> Store[Tally]:
        opened.append(KINDS[request.param](tmp_path))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def test_what_is_emitted_shows_when_the_transaction_has_ended(open_store: Open) -> None:
    memory = open_store()
    with memory.transaction() as tx:
        tx.emit("a")
        tx.emit("b")
        assert tx.state.total == 0
    assert state_of(memory).by_type == {"a": 1, "b": 1}


def test_an_exception_inside_a_transaction_appends_nothing(open_store: Open) -> None:
    memory = open_store()
    emit(memory, "a")
    with pytest.raises(KeyError), memory.transaction() as tx:
        tx.emit("b")
        raise KeyError
    assert [event.type for event in memory.events()] == ["a"]
    assert state_of(memory).total == memory.last_seq() == 1


def test_events_are_numbered_from_one_without_gaps_and_keep_what_they_were_given(open_store: Open) -> None:
    memory = open_store()
    emit(memory, "a", "b", deep={"list": [1, None, 2.5, "ü\n"]})
    emit(memory, "c")
    events = list(memory.events())
    assert [event.seq for event in events] == [1, 2, 3]
    assert all(event.at.endswith("Z") for event in events)
    assert (events[1].type, events[1].task_id, events[1].data) == ("b", "t1", {"deep": {"list": [1, None, 2.5, "ü\n"]}})
    assert events[2].data == {}


def test_a_new_store_is_empty(open_store: Open) -> None:
    memory = open_store()
    assert (memory.last_seq(), list(memory.events()), memory.notices()) == (0, [], [])
    assert state_of(memory) == Tally()


def test_events_can_be_read_in_pages_from_the_last_one_seen(open_store: Open) -> None:
    memory = open_store()
    for number in range(23):
        emit(memory, "a", *["b"] * (number % 3), number=number)
    everything = list(memory.events())
    paged: list[Any] = []
    while page := list(memory.events(after=paged[-1].seq if paged else 0, limit=4)):
        assert len(page) <= 4
        paged += page
    assert paged == everything
    assert [event.seq for event in everything] == list(range(1, memory.last_seq() + 1))
    assert list(memory.events(after=memory.last_seq())) == list(memory.events(after=10**6)) == []
    assert list(memory.events(limit=0)) == []
    assert list(open_store().events()) == everything


def test_memory_outlives_the_store(open_store: Open) -> None:
    first = open_store()
    emit(first, "note", colour="blue")
    before = state_of(first)
    first.close()
    second = open_store()
    assert state_of(second) == before
    emit(second, "a")
    assert second.last_seq() == 2
    assert second.notices() == []


def test_two_stores_on_one_memory_see_what_each_other_writes(open_store: Open) -> None:
    one, other = open_store(), open_store()
    for _ in range(5):
        emit(one, "a")
        with other.transaction() as tx:
            tx.emit("b", seen=tx.state.total)
    assert [event.data["seen"] for event in one.events() if event.type == "b"] == [1, 3, 5, 7, 9]
    assert state_of(one) == state_of(other) == fold(list(one.events()))


def test_threads_lose_nothing_and_see_every_earlier_update(open_store: Open) -> None:
    stores = [open_store(), open_store()]

    def work(memory: Store[Tally]) -> None:
        for _ in range(15):
            with memory.transaction() as tx:
                tx.emit("a", before=tx.state.total)

    threads = [threading.Thread(target=work, args=(memory,)) for memory in stores * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.data["before"] for event in stores[0].events()] == list(range(90))
    assert state_of(stores[0]) == state_of(stores[1])


def test_reading_inside_a_transaction_is_allowed_and_a_second_transaction_is_not(open_store: Open) -> None:
    memory = open_store()
    with memory.transaction() as tx:
        tx.emit("a")
        assert state_of(memory).total == 0
        with pytest.raises(RuntimeError, match="inside another"), memory.transaction():
            pass
    assert state_of(memory).total == 1


def test_memory_does_not_share_what_the_caller_may_still_change(open_store: Open) -> None:
    memory, value = open_store(), {"x": [1]}
    emit(memory, "note", key=value)
    value["x"].append(2)
    assert state_of(memory).notes == {"key": {"x": [1]}}


@pytest.mark.parametrize(
    "value",
    [object(), "\ud800", 2**70, {1: 2}, b"bytes"],
    ids=["object", "half a character", "too large", "number as key", "bytes"],
)
def test_what_json_cannot_hold_is_refused_and_changes_nothing(open_store: Open, value: object) -> None:
    memory = open_store()
    with pytest.raises(BadInput, match="cannot be remembered"):
        emit(memory, "fine", "note", key=value)
    assert (memory.last_seq(), state_of(memory)) == (0, Tally())
    emit(memory, "a")
    assert state_of(memory).total == 1


def test_what_is_nested_too_deep_is_refused_and_anything_less_deep_is_kept(open_store: Open) -> None:
    memory = open_store()
    deep: list[Any] = []
    with pytest.raises(BadInput, match="Recursion"):
        while True:
            emit(memory, "note", deep=deep)
            deep = [deep]
    assert memory.last_seq() > 100
    memory.flush()
    expected = state_of(memory)
    memory.close()
    assert state_of(open_store()) == expected


def test_waiting_ends_at_once_when_there_is_something_already(open_store: Open) -> None:
    memory = open_store()
    emit(memory, "a")
    assert memory.wait(after=0, timeout=0)
    assert not memory.wait(after=1, timeout=0)


def test_waiting_ends_when_another_thread_writes(open_store: Open) -> None:
    memory = open_store()
    writer = threading.Timer(0.05, emit, args=(memory, "a"))
    writer.start()
    assert memory.wait(after=0, timeout=60)
    writer.join()


def test_waiting_ends_when_another_store_writes(open_store: Open) -> None:
    memory, other = open_store(), open_store()
    writer = threading.Timer(0.05, emit, args=(other, "a"))
    writer.start()
    assert memory.wait(after=0, timeout=60)
    assert [event.type for event in memory.events()] == ["a"]
    writer.join()


def test_waiting_is_over_when_the_time_is_up(open_store: Open) -> None:
    assert not open_store().wait(after=0, timeout=0.01)


def test_closing_ends_all_waiting(open_store: Open) -> None:
    memory = open_store()
    closer = threading.Timer(0.05, memory.close)
    closer.start()
    assert not memory.wait(after=0, timeout=60)
    closer.join()


def test_a_closed_store_can_be_closed_again_and_refuses_to_write(open_store: Open) -> None:
    memory = open_store()
    emit(memory, "a")
    memory.close()
    memory.close()
    with pytest.raises(Unavailable, match="closed"):
        emit(memory, "b")
    assert state_of(memory).total == 1
