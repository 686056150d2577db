"""How `JsonFileStore` keeps its files, and what it does when they change under its feet."""

import json
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from contracts.errors import BadInput, Unavailable
from contracts.events import Event
from stores.journal import lines
from stores.json_file import JsonFileStore
from tests.idleness import sleeps
from tests.open_files import open_below
from tests.stores.tally import Tally, TallyFold, clock, emit, fill, fold, remembered, state_of, store, until


def keepers() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "context.json"}


def test_the_snapshot_is_readable_and_says_first_what_it_covers(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    text = (tmp_path / "context.json").read_text()
    assert text.startswith('{\n  "journal": {"seq":6,')
    assert '\n  "total": 6,\n' in text
    assert list(remembered(tmp_path)) == ["journal", "version", "total", "chain", "by_type", "notes"]


def test_a_large_snapshot_is_compact(tmp_path: Path) -> None:
    with closing(store(tmp_path)) as memory:
        emit(memory, "note", **{f"k{number}": "x" * 1000 for number in range(1100)})
    assert (tmp_path / "context.json").read_bytes().count(b"\n") < 5
    assert len(remembered(tmp_path)["notes"]) == 1100


@pytest.mark.parametrize("block_size", [1, 7, 4096])
def test_lines_are_read_whole_however_long_they_are(tmp_path: Path, block_size: int) -> None:
    written = [b"short", b"", b"x" * 300_000, b"\xc3\xa4" * 40, b"y" * 9000]
    path = tmp_path / "lines"
    path.write_bytes(b"\n".join([*written, b"not ended yet"]))
    with path.open("rb") as file:
        found = list(lines(file.fileno(), 0, block_size))
        assert [line for _, line in found] == written
        assert list(lines(file.fileno(), found[1][0], block_size)) == found[2:]


def test_the_snapshot_follows_by_itself(tmp_path: Path) -> None:
    with closing(store(tmp_path, snapshot_delay=0.05)) as memory:
        for total in (1, 2):
            emit(memory, "a")
            until(lambda total=total: remembered(tmp_path)["total"] == total)  # type: ignore[misc]


def test_what_a_killed_process_had_no_time_for_is_made_up_for_by_the_next(tmp_path: Path) -> None:
    with closing(store(tmp_path, snapshot_delay=60)) as killed:
        emit(killed, "a")
        assert remembered(tmp_path)["total"] == 0
        with closing(store(tmp_path)):
            until(lambda: remembered(tmp_path)["total"] == 1)


def test_flush_brings_the_snapshot_up_to_date_at_once(tmp_path: Path) -> None:
    with closing(store(tmp_path, snapshot_delay=60)) as memory:
        emit(memory, "a")
        memory.flush()
        assert remembered(tmp_path)["total"] == 1


def test_only_the_owner_can_read_the_files(tmp_path: Path) -> None:
    fill(tmp_path, 20, segment_bytes=200)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_an_idle_store_never_wakes(tmp_path: Path) -> None:
    others = set(threading.enumerate())
    with closing(store(tmp_path)) as memory:
        emit(memory, "a")
        until(lambda: remembered(tmp_path)["total"] == 1)
        (keeper,) = keepers() - others
        assert sleeps([keeper])


def test_a_store_that_only_reads_has_no_thread(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    others = set(threading.enumerate())
    with closing(store(tmp_path)) as memory:
        state_of(memory)
        assert not keepers() - others


def test_segments_rotate_are_kept_and_tell_which_events_they_hold(tmp_path: Path) -> None:
    fill(tmp_path, 30, segment_bytes=500)
    segments = sorted((tmp_path / "journal").iterdir())
    assert len(segments) > 5
    for segment in segments:
        first = json.loads(segment.read_text().splitlines()[0][9:])
        assert int(segment.stem) == (first[0] if isinstance(first, list) else first)["seq"]
    with closing(store(tmp_path)) as memory:
        assert len(memory.events()) == 60
        assert [event.seq for event in memory.events(after=57)] == [58, 59, 60]


def test_any_event_is_found_in_a_large_segment(tmp_path: Path) -> None:
    with closing(store(tmp_path)) as memory:
        for number in range(300):
            emit(memory, *["a"] * (1 + number % 4), text="x" * (number * 37 % 1500))
        everything = memory.events()
        for after in range(0, len(everything), 7):
            assert memory.events(after, limit=3) == everything[after : after + 3]


def test_opening_reads_only_what_came_after_the_snapshot(tmp_path: Path) -> None:
    expected = fill(tmp_path, 50, segment_bytes=500)
    for segment in sorted((tmp_path / "journal").iterdir())[:-1]:
        segment.write_bytes(b"never read\n")
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected
        assert memory.notices() == []


def test_the_deepest_state_that_events_can_lead_to_can_be_written_in_every_way(tmp_path: Path) -> None:
    memory = store(tmp_path)
    deep: list[Any] = []
    with pytest.raises(BadInput, match="Recursion"):
        while True:
            emit(memory, "note", deep=deep)
            deep = [deep]
    memory.close()
    expected = state_of(memory)
    for segment in (tmp_path / "journal").iterdir():
        segment.unlink()
    with closing(store(tmp_path)) as memory:
        assert [event.type for event in memory.events()] == ["state_imported"]
        assert state_of(memory) == expected


def test_an_empty_store_sees_a_journal_that_begins_late(tmp_path: Path) -> None:
    fill(tmp_path / "elsewhere", 4, segment_bytes=1)
    with closing(store(tmp_path / "home")) as memory:
        segment = max((tmp_path / "elsewhere" / "journal").iterdir())
        (tmp_path / "home" / "journal").mkdir()
        (tmp_path / "home" / "journal" / segment.name).write_bytes(segment.read_bytes())
        emit(memory, "a")
        assert [event.seq for event in memory.events()] == [7, 8]


def test_the_journal_can_vanish_under_a_running_store(tmp_path: Path) -> None:
    with closing(store(tmp_path, snapshot_delay=60)) as memory:
        emit(memory, "a", "b")
        for path in [*(tmp_path / "journal").iterdir(), tmp_path / "context.json"]:
            path.unlink()
        (tmp_path / "journal").rmdir()
        emit(memory, "c")
        expected = state_of(memory)
        assert expected.by_type == {"a": 1, "b": 1, "c": 1}
    (tmp_path / "context.json").unlink()
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected


def test_a_lock_file_that_was_removed_still_keeps_stores_apart(tmp_path: Path) -> None:
    with closing(store(tmp_path)) as one:
        (tmp_path / "context.lock").unlink()
        with closing(store(tmp_path)) as other:
            thread = threading.Thread(target=emit, args=(other, "b"))
            with one.transaction() as tx:
                thread.start()
                thread.join(0.1)
                tx.emit("a")
            thread.join()
            assert [(event.seq, event.type) for event in one.events()] == [(1, "a"), (2, "b")]
            assert state_of(one) == state_of(other)


def test_leftovers_of_killed_writers_are_swept_away_and_those_of_live_ones_are_not(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    left = tmp_path / "context.json.0123456789ab.tmp"
    left.write_text("half")
    (tmp_path / "notes.tmp").write_text("not ours")
    with closing(store(tmp_path)):
        assert not left.exists()
        assert (tmp_path / "notes.tmp").exists()


def test_a_readonly_store_follows_and_changes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with closing(store(home, readonly=True)) as reader:
        assert not home.exists()
        with closing(store(home)) as writer:
            emit(writer, "a")
            assert state_of(reader).total == 1
            with pytest.raises(Unavailable, match="reading only"):
                emit(reader, "b")
            until(lambda: remembered(home)["total"] == 1)
            before = {path: path.stat().st_mtime_ns for path in home.rglob("*")}
            reader.flush()
            assert [event.type for event in reader.events()] == ["a"]
        assert {path: path.stat().st_mtime_ns for path in home.rglob("*")} == before


def test_a_readonly_store_reads_past_damage_and_leaves_it(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    (segment,) = (tmp_path / "journal").iterdir()
    damaged = segment.read_bytes().replace(b'"more"', b'"mare"', 1) + b"torn"
    segment.write_bytes(damaged)
    (tmp_path / "context.json").write_text("garbage")
    with closing(store(tmp_path, readonly=True)) as reader:
        assert state_of(reader).by_type == {"note": 2, "more": 2}
        assert len(reader.events()) == 4
    assert segment.read_bytes() == damaged
    assert (tmp_path / "context.json").read_text() == "garbage"


def test_a_home_that_cannot_be_used_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="could not be opened"):
        store(tmp_path / "file" / "home")


class InterruptedFold(TallyFold):
    """Is interrupted once, between an event that was written and its memory."""

    def __init__(self) -> None:
        self.interrupt = True

    def apply(self, state: Tally, event: Event) -> None:
        if event.type == "interrupted" and self.interrupt:
            self.interrupt = False
            raise KeyboardInterrupt
        super().apply(state, event)


def test_an_interrupt_between_writing_and_remembering_is_made_good(tmp_path: Path) -> None:
    with closing(JsonFileStore(tmp_path, InterruptedFold(), clock=clock)) as memory:
        emit(memory, "a")
        with pytest.raises(KeyboardInterrupt):
            emit(memory, "b", "interrupted", "c")
        assert state_of(memory).by_type == {"a": 1, "b": 1, "interrupted": 1, "c": 1}
        emit(memory, "d")
        assert state_of(memory) == fold(memory.events())


def test_files_are_let_go_of(tmp_path: Path) -> None:
    for _ in range(5):
        fill(tmp_path, 3, segment_bytes=100)
    assert open_below(tmp_path) == []
