"""Damage to the journal: whatever byte it hits, everything else is kept, and memory stays what it was."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.events import Event
from stores.journal import decode, salvage
from tests.stores.tally import MEMORY, Tally, emit, fill, fold, state_of, store


@dataclass(frozen=True)
class Filled:
    """A closed store in a few segments: its files, its memory and its events, one list a transaction."""

    home: Path
    memory: Tally
    transactions: list[list[Event]]

    @property
    def events(self) -> list[Event]:
        return list(chain.from_iterable(self.transactions))

    def without_one(self) -> list[list[Event]]:
        """What is left of the events when any one of the transactions is gone."""
        return [[event for event in self.events if event not in gone] for gone in self.transactions]

    @contextmanager
    def copied(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            yield Path(shutil.copytree(self.home, Path(folder) / "home"))


@pytest.fixture(scope="module")
def filled() -> Iterator[Filled]:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        home = Path(folder)
        memory = fill(home, 12, segment_bytes=400)
        lines = b"".join(path.read_bytes() for path in segments(home)).splitlines()
        yield Filled(home, memory, [decode(line) or [] for line in lines])


def segments(home: Path) -> list[Path]:
    return sorted((home / "journal").glob("*.jsonl"))


def hit(home: Path, share: float, change: int) -> None:
    """Change the byte at some share of all that the journal holds."""
    offset = int(share * sum(path.stat().st_size for path in segments(home)))
    for path in segments(home):
        data = bytearray(path.read_bytes())
        if offset < len(data):
            data[offset] ^= change
            path.write_bytes(data)
            return
        offset -= len(data)


shares = st.floats(0, 1, exclude_max=True)
changes = st.integers(1, 255) | st.sampled_from([ord("\n") ^ ord(c) for c in '{a1":'])


@settings(max_examples=30, deadline=None)
@given(shares, changes)
def test_a_changed_byte_costs_at_most_the_transaction_that_it_hit(filled: Filled, share: float, change: int) -> None:
    with filled.copied() as home:
        hit(home, share, change)
        (home / "context.json").unlink()
        with closing(store(home)) as memory:
            left = memory.events()
            assert left in [*filled.without_one(), filled.events]
            assert state_of(memory) == fold(left)
            assert len(left) == 24 or any("damaged" in notice for notice in memory.notices())


@settings(max_examples=30, deadline=None)
@given(shares, changes)
def test_a_changed_byte_changes_nothing_while_the_snapshot_is_whole(filled: Filled, share: float, change: int) -> None:
    with filled.copied() as home:
        hit(home, share, change)
        with closing(store(home)) as memory:
            memory.events()
            assert state_of(memory) == filled.memory
            emit(memory, "a")
            expected = state_of(memory)
        (home / "context.json").unlink()
        with closing(store(home)) as memory:
            assert state_of(memory) == expected


@settings(max_examples=30, deadline=None)
@given(shares, st.booleans())
def test_a_journal_cut_off_anywhere_keeps_what_is_before_the_cut(filled: Filled, share: float, snapshot: bool) -> None:
    with filled.copied() as home:
        last = segments(home)[-1]
        before = last.read_bytes()
        last.write_bytes(before[: int(share * len(before))])
        if not snapshot:
            (home / "context.json").unlink()
        with closing(store(home)) as memory:
            left = [event for event in memory.events() if event.type != "state_imported"]
            assert left == filled.events[: len(left)]
            assert len(left) >= int(last.stem) - 1
            assert state_of(memory) == (filled.memory if snapshot else fold(left))
            emit(memory, "a")
            assert memory.last_seq() > len(left)
            expected = state_of(memory)
        (home / "context.json").unlink()
        with closing(store(home)) as memory:
            assert state_of(memory) == expected


def test_a_torn_last_line_is_cut_off_without_a_word(tmp_path: Path) -> None:
    expected = fill(tmp_path, 3)
    (segment,) = segments(tmp_path)
    whole = segment.read_bytes()
    segment.write_bytes(whole + whole[: whole.index(b"\n") // 2])
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected
        assert memory.notices() == []
        emit(memory, "a")
    assert segment.read_bytes().startswith(whole)
    assert segment.read_bytes().count(b"\n") == 4
    assert not (tmp_path / "journal" / "damaged").exists()


def test_a_torn_line_of_another_process_is_cut_off_by_the_next_writer(tmp_path: Path) -> None:
    with closing(store(tmp_path)) as memory:
        emit(memory, "a")
        (segment,) = segments(tmp_path)
        with segment.open("ab") as file:
            file.write(b'01234567 {"seq":2,"at"')
        assert state_of(memory).total == 1
        emit(memory, "b")
        assert [event.type for event in memory.events()] == ["a", "b"]


def test_a_whole_last_line_that_lacks_only_its_newline_is_kept(tmp_path: Path) -> None:
    expected = fill(tmp_path, 3)
    (segment,) = segments(tmp_path)
    segment.write_bytes(segment.read_bytes()[:-1])
    (tmp_path / "context.json").unlink()
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected
        emit(memory, "a")
        assert len(memory.events()) == 7


def test_the_damaged_segment_is_kept_aside_and_everything_around_it_stays(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    (segment,) = segments(tmp_path)
    damaged = segment.read_bytes().replace(b'"more"', b'"mor\x00"', 1)
    segment.write_bytes(damaged)
    (tmp_path / "context.json").unlink()
    with closing(store(tmp_path)) as memory:
        assert [event.seq for event in memory.events()] == [1, 4, 5, 6, 7, 8, 9]
        assert any("`journal/damaged/000000000001.jsonl.20261116T100000Z`" in notice for notice in memory.notices())
    (aside,) = (tmp_path / "journal" / "damaged").iterdir()
    assert aside.read_bytes() == damaged
    with closing(store(tmp_path)) as memory:
        assert memory.notices() == []
        assert [event.seq for event in memory.events()] == [1, 4, 5, 6, 7, 8, 9]


def test_damage_found_while_reading_old_events_is_healed_and_memory_written_down_again(tmp_path: Path) -> None:
    expected = fill(tmp_path, 12, segment_bytes=400)
    old = segments(tmp_path)[1]
    old.write_bytes(old.read_bytes().replace(b'"note"', b'"nose"', 1))
    with closing(store(tmp_path)) as memory:
        assert memory.notices() == []
        seen = memory.events()
        assert len(seen) < 24
        assert len(memory.notices()) == 2
        assert memory.events()[: len(seen)] == seen
        assert memory.events()[-1].type == "state_imported"
        assert state_of(memory) == expected


def test_a_snapshot_finds_its_place_again_when_healing_has_moved_it(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    backup = (tmp_path / "context.json").read_bytes()
    expected = fill(tmp_path, 5)
    (segment,) = segments(tmp_path)
    segment.write_bytes(segment.read_bytes().replace(b'"more"', b'"mare"', 1))
    with closing(store(tmp_path)) as memory:
        memory.events()
        assert memory.notices()
    (tmp_path / "context.json").write_bytes(backup)
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected
        assert memory.notices() == []


def test_a_journal_rewritten_in_place_under_a_running_store_does_not_stop_it(tmp_path: Path) -> None:
    with closing(store(tmp_path / "other")) as other:
        for number in range(4):
            emit(other, "longer than a", number=number)
    with closing(store(tmp_path / "home")) as memory:
        emit(memory, "a")
        emit(memory, "a")
        (theirs,), (ours,) = segments(tmp_path / "other"), segments(tmp_path / "home")
        ours.write_bytes(theirs.read_bytes())
        emit(memory, "b")
        assert state_of(memory).by_type == {"a": 2, "longer than a": 2, "b": 1}
        assert memory.last_seq() == 5


def test_one_store_heals_what_another_has_open(tmp_path: Path) -> None:
    with closing(store(tmp_path)) as one, closing(store(tmp_path)) as other:
        for _ in range(3):
            emit(one, "a")
        assert state_of(other).total == 3
        (segment,) = segments(tmp_path)
        segment.write_bytes(segment.read_bytes().replace(b'"seq":2', b'"seq":7', 1))
        with closing(store(tmp_path)) as third:
            third.events()
            assert third.notices()
        emit(one, "b")
        emit(other, "c")
        emit(one, "d")
        assert state_of(one) == state_of(other)
        assert state_of(one).by_type == {"a": 3, "b": 1, "c": 1, "d": 1}


@pytest.mark.parametrize("junk", [b"", b"\n", b"\x00" * 50, b"00000000 ", b"zzzzzzzz {}", b"00000000 {}", b"\xff\xfe"])
def test_junk_is_no_line_and_holds_none(junk: bytes) -> None:
    assert decode(junk) is None
    assert salvage(junk) == []
