"""Laws of `JsonFileStore`: whatever is done in whatever order, memory is the fold of what the journal gives back."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from stores.json_file import JsonFileStore
from tests.stores.tally import MEMORY, Tally, emit, fold, remembered, state_of, store

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(["a", "b", "seq", "data", "ключ", '{"seq":1'])
batches = st.lists(
    st.tuples(st.sampled_from(["note", "a", "b\n"]), st.dictionaries(keys, values, max_size=3)), max_size=4
)


class Memory(RuleBasedStateMachine):
    """Two stores on one home, of which one may be closed, beside a list of what was emitted."""

    @initialize(segment_bytes=st.sampled_from([1, 200, 5000]))
    def begin(self, segment_bytes: int) -> None:
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY)
        self.home = Path(self.folder.name)
        self.options = {"segment_bytes": segment_bytes, "snapshot_delay": 60}
        self.stores = [store(self.home, **self.options), store(self.home, **self.options)]
        self.emitted: list[tuple[str, dict[str, Any]]] = []

    def teardown(self) -> None:
        for memory in getattr(self, "stores", []):
            memory.close()
        if hasattr(self, "folder"):
            self.folder.cleanup()

    @rule(which=st.integers(0, 1), batch=batches)
    def write(self, which: int, batch: list[tuple[str, dict[str, Any]]]) -> None:
        with self.stores[which].transaction() as tx:
            for type, data in batch:
                tx.emit(type, **data)
        self.emitted += batch

    @rule(which=st.integers(0, 1))
    def fail(self, which: int) -> None:
        try:
            with self.stores[which].transaction() as tx:
                tx.emit("never")
                raise InterruptedError
        except InterruptedError:
            pass

    @rule(which=st.integers(0, 1))
    def reopen(self, which: int) -> None:
        self.stores[which].close()
        self.stores[which] = store(self.home, **self.options)
        assert self.stores[which].notices() == []

    @rule(which=st.integers(0, 1))
    def flush(self, which: int) -> None:
        self.stores[which].flush()
        assert remembered(self.home)["journal"]["seq"] == len(self.emitted)

    @precondition(lambda self: self.emitted)
    @rule(which=st.integers(0, 1))
    def rebuild(self, which: int) -> None:
        self.stores[which].close()
        (self.home / "context.json").unlink()
        self.stores[which] = store(self.home, **self.options)

    @rule(which=st.integers(0, 1), after=st.integers(0, 30), limit=st.integers(0, 10))
    def page(self, which: int, after: int, limit: int) -> None:
        page = self.stores[which].events(after, limit)
        assert [(event.type, event.data) for event in page] == self.emitted[after : after + limit]

    @invariant()
    def memory_is_the_fold_of_the_journal(self) -> None:
        for memory in getattr(self, "stores", []):
            check(memory, self.emitted)


def check(memory: JsonFileStore[Tally], emitted: list[tuple[str, dict[str, Any]]]) -> None:
    events = memory.events(limit=10_000)
    assert [(event.type, event.data) for event in events] == emitted
    assert [event.seq for event in events] == list(range(1, len(emitted) + 1))
    assert state_of(memory) == fold(events)
    assert memory.last_seq() == len(emitted)


TestMemory = Memory.TestCase
TestMemory.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)


def test_events_written_alone_and_together_read_the_same(tmp_path: Path) -> None:
    one, other = store(tmp_path / "one"), store(tmp_path / "other")
    for type in "abc":
        emit(one, type)
    emit(other, *"abc")
    assert one.events() == other.events()
    one.close()
    other.close()
