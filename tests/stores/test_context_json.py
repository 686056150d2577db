"""What `JsonFileStore` makes of the context.json that it finds: missing, damaged, edited, older or restored."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.stores.tally import Tally, TallyFold, emit, fill, fold, remembered, state_of, store


def test_a_missing_snapshot_is_rebuilt_from_the_journal(tmp_path: Path) -> None:
    expected = fill(tmp_path, 20, segment_bytes=500)
    (tmp_path / "context.json").unlink()
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected
        assert memory.notices() == ["`context.json` was missing and was rebuilt from the journal"]
    assert remembered(tmp_path)["total"] == expected.total


@pytest.mark.parametrize("damage", [b"", b"\x00" * 100, b"{", b"[]", b'{"other": 1}', b'{"version": 2, "total": [}'])
def test_a_damaged_snapshot_is_set_aside_and_rebuilt(tmp_path: Path, damage: bytes) -> None:
    expected = fill(tmp_path, 5)
    (tmp_path / "context.json").write_bytes(damage)
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected
        (notice,) = memory.notices()
    assert "kept as `context.json.damaged-20261116T100000Z` and rebuilt from the journal" in notice
    assert (tmp_path / "context.json.damaged-20261116T100000Z").read_bytes() == damage
    assert remembered(tmp_path)["total"] == expected.total
    with closing(store(tmp_path)) as memory:
        assert memory.notices() == []


def test_a_snapshot_cut_off_at_any_byte_loses_nothing(tmp_path: Path) -> None:
    expected = fill(tmp_path, 3)
    whole = (tmp_path / "context.json").read_bytes()
    for length in range(0, len(whole) - 1, 5):
        (tmp_path / "context.json").write_bytes(whole[:length])
        with closing(store(tmp_path)) as memory:
            assert state_of(memory) == expected


def test_something_that_is_no_file_in_its_place_is_set_aside(tmp_path: Path) -> None:
    expected = fill(tmp_path, 2)
    (tmp_path / "context.json").unlink()
    (tmp_path / "context.json").mkdir()
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected
    assert (tmp_path / "context.json.damaged-20261116T100000Z").is_dir()


def test_when_snapshot_and_journal_are_damaged_both_are_kept_and_it_begins_afresh(tmp_path: Path) -> None:
    fill(tmp_path, 2)
    (tmp_path / "context.json").write_bytes(b"garbage")
    (segment,) = (tmp_path / "journal").iterdir()
    segment.write_bytes(b"more garbage\nand more\n")
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == Tally()
        assert len(memory.notices()) == 2
        emit(memory, "a")
    assert (tmp_path / "context.json.damaged-20261116T100000Z").read_bytes() == b"garbage"
    (aside,) = (tmp_path / "journal" / "damaged").iterdir()
    assert aside.read_bytes() == b"more garbage\nand more\n"
    with closing(store(tmp_path)) as memory:
        assert (state_of(memory).total, memory.notices()) == (1, [])


def edit(home: Path, **fields: Any) -> None:
    (home / "context.json").write_text(json.dumps({**remembered(home), **fields}, indent=4))


def test_a_snapshot_changed_by_hand_while_nothing_ran_is_taken_over(tmp_path: Path) -> None:
    expected = fill(tmp_path, 3)
    edit(tmp_path, notes={"by": "hand"})
    with closing(store(tmp_path)) as memory:
        expected.notes = {"by": "hand"}
        assert state_of(memory) == expected
        assert memory.notices() == ["`context.json` was changed by hand; the changes were taken over"]
        assert memory.events()[-1].type == "state_imported"
    (tmp_path / "context.json").unlink()
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected


def test_events_that_a_hand_edited_snapshot_did_not_cover_are_applied_to_it(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    covered = (tmp_path / "context.json").read_bytes()
    with closing(store(tmp_path)) as memory:
        emit(memory, "note", later=True)
    (tmp_path / "context.json").write_bytes(covered.replace(b'"key": 2', b'"key": "edited"'))
    with closing(store(tmp_path)) as memory:
        assert state_of(memory).notes == {"key": "edited", "later": True}
        assert state_of(memory).total == 7


def test_a_snapshot_restored_from_a_backup_is_brought_up_to_date(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    backup = (tmp_path / "context.json").read_bytes()
    expected = fill(tmp_path, 3)
    (tmp_path / "context.json").write_bytes(backup)
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected
        assert memory.notices() == []


def test_a_byte_order_mark_and_a_newline_at_the_end_are_no_damage(tmp_path: Path) -> None:
    expected = fill(tmp_path, 3)
    (tmp_path / "context.json").write_bytes(b"\xef\xbb\xbf" + (tmp_path / "context.json").read_bytes() + b"\r\n\n")
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected
        assert memory.notices() == []


def test_an_older_shape_is_upgraded_and_the_old_file_kept(tmp_path: Path) -> None:
    old = json.dumps({"version": 1, "count": 41})
    (tmp_path / "context.json").write_text(old)
    with closing(store(tmp_path)) as memory:
        (notice,) = memory.notices()
        assert "older shape" in notice
        assert "context.json.v1-20261116T100000Z" in notice
        emit(memory, "a")
        assert [(event.seq, event.type) for event in memory.events()] == [(1, "state_imported"), (2, "a")]
        assert memory.events()[0].data["state"]["total"] == 41
    assert (tmp_path / "context.json.v1-20261116T100000Z").read_text() == old
    (tmp_path / "context.json").unlink()
    with closing(store(tmp_path)) as memory:
        assert state_of(memory).total == 42


def test_a_file_of_this_shape_that_no_journal_led_to_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "context.json").write_text(json.dumps(TallyFold().dump(Tally(total=5))))
    with closing(store(tmp_path)) as memory:
        assert state_of(memory).total == 5
        assert [event.type for event in memory.events()] == ["state_imported"]


def test_a_file_that_names_no_event_replaces_all_that_the_journal_led_to(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    (tmp_path / "context.json").write_text(json.dumps(TallyFold().dump(Tally(total=1))))
    with closing(store(tmp_path)) as memory:
        assert state_of(memory).total == 1
        assert len(memory.events()) == 9 + 1


def test_a_snapshot_without_its_journal_is_kept_and_numbers_go_on(tmp_path: Path) -> None:
    expected = fill(tmp_path, 3)
    for segment in (tmp_path / "journal").iterdir():
        segment.unlink()
    (tmp_path / "journal").rmdir()
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected
        assert "written down again in full" in memory.notices()[0]
        assert [event.seq for event in memory.events()] == [7]
    (tmp_path / "context.json").unlink()
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == expected


def test_a_journal_whose_beginning_is_gone_says_so_when_it_has_to_be_read(tmp_path: Path) -> None:
    fill(tmp_path, 20, segment_bytes=500)
    min((tmp_path / "journal").iterdir()).unlink()
    (tmp_path / "context.json").unlink()
    with closing(store(tmp_path)) as memory:
        assert state_of(memory) == fold(memory.events())
        assert any("what came before it could not be rebuilt" in notice for notice in memory.notices())


def test_an_edit_while_the_agent_runs_is_kept_aside_and_not_lost(tmp_path: Path) -> None:
    with closing(store(tmp_path)) as memory:
        emit(memory, "a")
        memory.flush()
        edit(tmp_path, notes={"by": "hand"})
        emit(memory, "a")
        memory.flush()
        assert "changed by hand while the agent ran" in memory.notices()[0]
        assert remembered(tmp_path)["total"] == 2
    kept = json.loads((tmp_path / "context.json.edited-20261116T100000Z").read_text())
    assert kept["notes"] == {"by": "hand"}


def test_stores_that_take_turns_do_not_mistake_each_other_for_a_hand(tmp_path: Path) -> None:
    with closing(store(tmp_path)) as one, closing(store(tmp_path)) as other:
        for memory in (one, other, one, other):
            emit(memory, "a")
            memory.flush()
        assert one.notices() == other.notices() == []
    assert remembered(tmp_path)["total"] == 4
