"""Memory and logs come back on a new machine, whole, or it is said why not."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest

from agent_home import AgentHome
from cloud_fakes.google_drive import FakeDrive
from contracts.errors import Conflict, HomeLocked, NotFound, Unavailable
from contracts.events import Event
from drive_uploader import DriveUploader, Patience, restore
from stores.json_file import JsonFileStore
from tests.backups.places import AGENT, DAY, DrivePlace, FolderPlace, Place, store, until, upload, write_log

QUICK = Patience(settle=0.02, first_pause=0.02, longest_pause=0.1)


@pytest.fixture(scope="module")
def drive() -> Iterator[FakeDrive]:
    with FakeDrive() as fake:
        yield fake


@pytest.fixture(params=["folder", "drive"])
def place(request: pytest.FixtureRequest, tmp_path: Path, drive: FakeDrive) -> Place:
    return FolderPlace(tmp_path / "place") if request.param == "folder" else DrivePlace(drive, tmp_path)


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return tmp_path / "new"


@dataclass
class Notes:
    words: list[str] = field(default_factory=list)


class NotesFold:
    """The smallest memory: a list of words."""

    def empty(self) -> Notes:
        return Notes()

    def apply(self, state: Notes, event: Event) -> None:
        if event.type == "noted":
            state.words.append(event.data["word"])

    def dump(self, state: Notes) -> dict[str, Any]:
        return {"words": list(state.words)}

    def load(self, raw: dict[str, Any]) -> Notes:
        return Notes(list(raw["words"]))

    def current(self, raw: dict[str, Any]) -> bool:
        return True


def memory(home: Path) -> JsonFileStore[Notes]:
    return JsonFileStore(home, NotesFold(), clock=lambda: "2026-11-17T10:00:00.000Z", snapshot_delay=0.01)


def fill(place: Place, *names: str, agent: str = AGENT, day: str = DAY) -> None:
    target = place.choice.open()
    for name in names:
        store(target, upload(orjson.dumps({"name": name}), name, day, agent))
    target.close()


def test_an_agent_moves_to_a_new_machine(tmp_path: Path, new: Path, place: Place) -> None:
    """The memory is opened by the real store, and what the new machine sends replaces the same files."""
    old = tmp_path / "old"
    old.mkdir()
    with memory(old).transaction() as tx:
        tx.emit("noted", word="remembered")
    until((old / "context.json").exists)
    until(lambda: b"remembered" in (old / "context.json").read_bytes())
    write_log(old, "101500-t1.json", '{"n": 1}')
    write_log(old, "101501-t2.json", '{"n": 2}', "2026-11-18")
    sender = DriveUploader(old, place.choice, patience=QUICK)
    sender.start()
    until(lambda: place.count() == 3 and sender.status()["pending"] == 0)
    sender.close()

    target = place.choice.open()
    restored = restore(target, new)
    target.close()
    assert (restored.logs, restored.damaged, restored.aside) == (2, (), None)
    assert restored.words.startswith("Restored 2 logs and the memory of 20")
    for log in ("2026-11-17/101500-t1.json", "2026-11-18/101501-t2.json"):
        assert (new / "logs" / log).read_bytes() == (old / "logs" / log).read_bytes()
    opened = memory(new)
    with opened.read() as state:
        assert state.words == ["remembered"]
    opened.close()

    before = place.count()
    again = DriveUploader(new, place.choice, patience=QUICK)
    again.start()
    again.changed(write_log(new, "101500-t1.json", '{"n": 3}'))
    until(lambda: place.contents()["2026-11-17/101500-t1.json"] == b'{"n": 3}')
    until(lambda: again.status()["pending"] == 0)
    again.close()
    assert place.count() == before


def test_a_home_with_anything_of_its_own_is_left_alone(tmp_path: Path, new: Path, place: Place) -> None:
    fill(place, "101500-t1.json")
    target = place.choice.open()
    for number, own in enumerate(("context.json", "journal/0.jsonl", f"logs/{DAY}/101500-t1.json")):
        home = tmp_path / f"home{number}"
        (home / own).parent.mkdir(parents=True)
        (home / own).write_text("mine")
        with pytest.raises(Conflict, match="of its own") as refused:
            restore(target, home)
        assert "overwrite" in refused.value.hint
        assert [path.read_text() for path in home.rglob("*") if path.is_file()] == ["mine"]
    target.close()


def test_told_to_it_puts_aside_what_is_there(new: Path, place: Place) -> None:
    fill(place, "101500-t1.json", f"context-{AGENT}.json")
    (new / "journal").mkdir(parents=True)
    (new / "journal" / "0.jsonl").write_text("events")
    (new / "context.json").write_text("mine")
    write_log(new, "101500-t1.json", "mine too")
    write_log(new, "101509-t9.json", "another")
    target = place.choice.open()
    restored = restore(target, new, overwrite=True)
    target.close()
    assert restored.aside and restored.aside.name in restored.words
    assert (restored.aside / "context.json").read_text() == "mine"
    assert (restored.aside / "journal" / "0.jsonl").read_text() == "events"
    assert (restored.aside / "logs" / DAY / "101500-t1.json").read_text() == "mine too"
    assert (new / "logs" / DAY / "101509-t9.json").read_text() == "another"
    assert orjson.loads((new / "context.json").read_bytes()) == {"name": f"context-{AGENT}.json"}


def test_what_does_not_pass_its_sum_is_left_out_and_named(new: Path, place: Place) -> None:
    fill(place, "101500-t1.json", "101501-t2.json", f"context-{AGENT}.json")
    fill(place, f"context-{AGENT}.json", day="2026-11-16")
    place.damage(f"{DAY}/101501-t2.json")
    place.damage(f"{DAY}/context-{AGENT}.json")
    target = place.choice.open()
    restored = restore(target, new)
    target.close()
    assert set(restored.damaged) == {f"{DAY}/101501-t2.json", f"{DAY}/context-{AGENT}.json"}
    assert (restored.logs, restored.memory_from) == (1, "2026-11-16")
    assert "did not pass the check" in restored.words
    assert not (new / "logs" / DAY / "101501-t2.json").exists()


def test_backups_of_several_agents_need_a_choice(new: Path, place: Place) -> None:
    other = "0" * 12
    fill(place, "101500-t1.json", f"context-{AGENT}.json")
    fill(place, "101501-t2.json", f"context-{other}.json", agent=other, day="2026-11-20")
    target = place.choice.open()
    with pytest.raises(Conflict, match="several agents") as refused:
        restore(target, new)
    assert refused.value.details["agents"] == {AGENT: DAY, other: "2026-11-20"}
    assert restore(target, new, agent=other).logs == 1
    assert (new / "outbox" / "agent").read_text().strip() == other
    with pytest.raises(NotFound, match="no backups of the agent"):
        restore(target, new.with_name("third"), agent="f" * 12)
    target.close()


def test_an_empty_place_is_said_to_be_empty(new: Path, place: Place) -> None:
    target = place.choice.open()
    with pytest.raises(NotFound, match="There are no backups"):
        restore(target, new)
    target.close()


def test_a_running_service_keeps_its_home(new: Path, place: Place) -> None:
    fill(place, "101500-t1.json")
    lock = AgentHome(new)
    lock.take()
    target = place.choice.open()
    with pytest.raises(HomeLocked):
        restore(target, new)
    target.close()
    lock.release()


def test_a_line_that_breaks_leaves_the_home_as_it_was(new: Path, drive: FakeDrive, tmp_path: Path) -> None:
    place = DrivePlace(drive, tmp_path)
    fill(place, "101500-t1.json", "101501-t2.json")
    target = place.choice.open()
    drive.trouble("alt=media", status=500, times=1)
    with pytest.raises(Unavailable):
        restore(target, new)
    assert not [path for path in new.rglob("*") if path.is_file() and path.name != "service.lock"]
    assert restore(target, new).logs == 2
    target.close()


def test_names_that_lead_elsewhere_are_not_followed(new: Path, drive: FakeDrive, tmp_path: Path) -> None:
    """What lies in the Drive is not trusted to say where files go."""
    place = DrivePlace(drive, tmp_path)
    fill(place, "101500-t1.json")
    for file in drive.files.stored():
        marks = file.meta["appProperties"]
        if marks["ta_top"] == place.top:
            for number, path in enumerate(("../../etc/cron.d/x", f"{DAY}/../../x.json", "/etc/passwd")):
                meta = file.meta | {"id": f"evil{number}", "appProperties": marks | {"ta_path": path}}
                drive.files.files[f"evil{number}"] = type(file)(meta, file.owner, content=file.content)
    target = place.choice.open()
    assert restore(target, new).logs == 1
    files = {str(path.relative_to(new)) for path in new.rglob("*") if path.is_file()}
    assert files == {f"logs/{DAY}/101500-t1.json", "outbox/agent", "service.lock"}
    sink = io.BytesIO()
    target.fetch("evil0", sink)
    assert sink.getvalue()
    target.close()
