"""A small fold that notices any lost, doubled, changed or reordered event, and a process that writes events."""

import os
import sys
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from contracts.events import Event
from stores.base import Store
from stores.json_file import JsonFileStore

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@dataclass
class Tally:
    total: int = 0
    chain: int = 0
    """A checksum over all events in their order."""
    by_type: dict[str, int] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    """What events of type `note` said, by its key; changed in place like a real state."""


class TallyFold:
    def empty(self) -> Tally:
        return Tally()

    def apply(self, state: Tally, event: Event) -> None:
        if event.type == "state_imported":
            return
        state.total += 1
        state.chain = zlib.crc32(orjson.dumps([event.type, event.task_id, event.data]), state.chain)
        state.by_type[event.type] = state.by_type.get(event.type, 0) + 1
        if event.type == "note":
            state.notes.update(event.data)

    def dump(self, state: Tally) -> dict[str, Any]:
        return {
            "version": 2,
            "total": state.total,
            "chain": state.chain,
            "by_type": state.by_type,
            "notes": state.notes,
        }

    def load(self, raw: dict[str, Any]) -> Tally:
        """Version 1 had only a count."""
        if "count" in raw:
            return Tally(total=raw["count"])
        if "total" not in raw:
            raise ValueError("not a tally")
        return Tally(raw["total"], raw["chain"], dict(raw["by_type"]), dict(raw["notes"]))

    def current(self, raw: dict[str, Any]) -> bool:
        return raw.get("version") == 2


def fold(events: list[Event]) -> Tally:
    state = Tally()
    for event in events:
        TallyFold().apply(state, event)
    return state


def clock() -> str:
    return "2026-11-16T10:00:00.000Z"


def store(home: Path, **options: Any) -> JsonFileStore[Tally]:
    return JsonFileStore(home, TallyFold(), clock=clock, **{"snapshot_delay": 0.01, **options})


def emit(memory: Store[Tally], *types: str, **data: Any) -> None:
    with memory.transaction() as tx:
        for type in types:
            tx.emit(type, "t1", **data)


def state_of(memory: Store[Tally]) -> Tally:
    with memory.read() as state:
        return Tally(state.total, state.chain, dict(state.by_type), dict(state.notes))


def fill(home: Path, count: int, **options: Any) -> Tally:
    """Some events of a store that was closed properly."""
    with closing(store(home, **options)) as memory:
        for number in range(count):
            emit(memory, "note", *["more"] * (number % 3), key=number)
        return state_of(memory)


def remembered(home: Path) -> dict[str, Any]:
    """What a person reads in context.json."""
    read: dict[str, Any] = orjson.loads((home / "context.json").read_bytes())
    return read


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 90
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def write(home: Path, name: str, threads: int, updates: int) -> None:
    """Emit `updates` events in each of some threads, and say so on standard output once each is durable."""
    memory = store(home, segment_bytes=4000)

    def work(thread: int) -> None:
        for number in range(updates):
            with memory.transaction() as tx:
                before = tx.state.total
                tx.emit("counted", f"{name}-{thread}-{number}", before=before)
                if number % 5 == 0:
                    tx.emit("pair", f"{name}-{thread}-{number}", before=before)
            os.write(1, f"{name}-{thread}-{number}\n".encode())

    workers = [threading.Thread(target=work, args=(thread,)) for thread in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    memory.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
