"""Memory as a fold: the same events give the same memory, it survives being written down, and old shapes still load."""

from dataclasses import asdict
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.events import Event
from contracts.tasks import Status, Task
from memory.model import State
from memory.shape import VERSION
from memory.state import MemoryFold
from trust import Policy

IDS = [f"t{number}" for number in range(6)]
AT = "2026-01-01T00:00:00.000Z"

ids = st.sampled_from(IDS)


def task(task_id: str, **more: Any) -> dict[str, Any]:
    fields = {"intent": "create_file", "params": {"path": "a"}, "status": "queued", "title": "x", "created": AT}
    return {"id": task_id, "project": "p", **fields, **more}


finished = st.fixed_dictionaries(
    {
        "status": st.sampled_from(["succeeded", "failed", "cancelled"]),
        "result": st.just({"success": True, "message": "m", "data": {}}),
        "changed": st.lists(st.just("a"), max_size=1),
        "undoes": st.lists(ids, max_size=2),
        "redoes": st.lists(ids, max_size=2),
        "tree": st.just("abc"),
    }
)
happenings = st.lists(
    st.one_of(
        st.tuples(st.just("task_added"), ids, ids.map(lambda i: {"task": task(i)})),
        st.tuples(st.just("task_added"), ids, st.tuples(ids, ids).map(lambda p: {"task": task(p[0], parent_id=p[1])})),
        st.tuples(st.just("task_decided"), ids, st.just({"decision": {"verdict": "ask"}})),
        st.tuples(st.just("approval_asked"), ids, st.just({"card": {"title": "x"}})),
        st.tuples(st.just("approval_given"), ids, st.sampled_from([{"by": "owner"}, {"by": "trust"}])),
        st.tuples(st.just("approval_refused"), ids, st.just({"by": "owner", "reason": "no"})),
        st.tuples(st.just("step_started"), ids, st.just({})),
        st.tuples(st.just("step_finished"), ids, finished),
        st.tuples(st.just("task_cancelled"), ids, st.just({"reason": "r"})),
        st.tuples(st.just("queue_moved"), ids, ids.map(lambda i: {"before": i})),
        st.tuples(st.just("drain_set"), ids, st.booleans().map(lambda on: {"on": on})),
        st.tuples(st.just("from_the_future"), ids, st.just({"x": 1})),
        st.tuples(st.just("goal_set"), st.none(), st.just({"goal": "g"})),
    ),
    max_size=40,
)


def folded(events: list[tuple[str, str | None, dict[str, Any]]], fold: MemoryFold) -> State:
    state = fold.empty()
    for number, (kind, task_id, data) in enumerate(events, 1):
        fold.apply(state, Event(number, f"2026-01-01T00:00:{number % 60:02}.000Z", kind, task_id, data))
    return state


def written(fold: MemoryFold, state: State) -> bytes:
    return orjson.dumps(fold.dump(state), option=orjson.OPT_SORT_KEYS)


def no_cycles(events: list[tuple[str, str | None, dict[str, Any]]]) -> list[tuple[str, str | None, dict[str, Any]]]:
    """A task is added once, below one that was added before it, as the runner does."""
    known: set[str] = set()
    kept = []
    for kind, task_id, data in events:
        if kind == "task_added":
            new = data["task"]
            if new["id"] in known or (new.get("parent_id") and new["parent_id"] not in known):
                continue
            known.add(new["id"])
        kept.append((kind, task_id, data))
    return kept


@given(happenings)
@settings(max_examples=150, deadline=None)
def test_the_same_events_give_the_same_memory(events: list[Any]) -> None:
    fold = MemoryFold(Policy())
    copied = orjson.loads(orjson.dumps(events))
    assert written(fold, folded(no_cycles(events), fold)) == written(fold, folded(no_cycles(copied), fold))


@given(happenings, happenings)
@settings(max_examples=150, deadline=None)
def test_memory_written_down_and_read_back_goes_on_the_same(before: list[Any], after: list[Any]) -> None:
    fold = MemoryFold(Policy())
    events = no_cycles([*before, *after])
    whole = folded(events, fold)
    half = len(events) // 2
    middle = folded(events[:half], fold)
    resumed = fold.load(orjson.loads(orjson.dumps(fold.dump(middle))))
    for number, (kind, task_id, data) in enumerate(events[half:], half + 1):
        fold.apply(resumed, Event(number, f"2026-01-01T00:00:{number % 60:02}.000Z", kind, task_id, data))
    assert written(fold, resumed) == written(fold, whole)


@given(happenings)
@settings(max_examples=100, deadline=None)
def test_every_change_moves_last_updated_and_unknown_events_are_skipped(events: list[Any]) -> None:
    fold = MemoryFold(Policy())
    state = folded(no_cycles(events), fold)
    if events and no_cycles(events):
        assert state.last_updated and state.seq == len(no_cycles(events))
    assert "skipped_events" not in state.extra


def test_an_event_that_makes_no_sense_is_noted_and_skipped() -> None:
    fold = MemoryFold(Policy())
    state = folded([("task_added", "t1", {}), ("goal_set", None, {"goal": "still here"})], fold)
    assert state.current_goal == "still here"
    assert state.extra["skipped_events"][0]["type"] == "task_added"


def test_only_the_last_tasks_stay_and_open_ones_never_leave() -> None:
    fold = MemoryFold(Policy(), recent_tasks=3)
    events: list[Any] = [("task_added", "open", {"task": task("open")})]
    for number in range(10):
        done = task(f"done{number}", status="running")
        events.append(("task_added", done["id"], {"task": done}))
        events.append(("step_finished", done["id"], {"status": "succeeded", "result": {"message": "m"}}))
    state = folded(events, fold)
    assert "open" in state.tasks and len(state.tasks) <= 5
    assert list(state.tasks)[-1] == "done9"


def test_what_is_open_takes_the_place_of_nothing_that_has_ended() -> None:
    """With a hundred steps in the queue, one that has just ended can still be asked for."""
    fold = MemoryFold(Policy(), recent_tasks=3)
    events: list[Any] = [("task_added", f"open{number}", {"task": task(f"open{number}")}) for number in range(20)]
    for number in range(10):
        done = task(f"done{number}", status="running")
        events.append(("task_added", done["id"], {"task": done}))
        events.append(("step_finished", done["id"], {"status": "succeeded", "result": {"message": "m"}}))
    events.append(("task_added", "last", {"task": task("last")}))
    state = folded(events, fold)
    assert [name for name in state.tasks if name.startswith("done")] == ["done7", "done8", "done9"]
    assert len(state.tasks) == 24


@pytest.mark.parametrize(("distinct", "kept", "count"), [(4, 4, 5), (7, 5, 1)])
def test_failure_patterns_are_distinct_counted_and_bounded(distinct: int, kept: int, count: int) -> None:
    fold = MemoryFold(Policy(), failure_patterns=5)
    events: list[Any] = [("task_added", "t", {"task": task("t")})]
    for number in range(20):
        message = f"broke {number % distinct}"
        events.append(("step_finished", "t", {"status": "failed", "result": {"message": message}}))
    patterns = folded(events, fold).failure_patterns
    assert len(patterns) == kept and patterns[-1]["message"] == f"broke {19 % distinct}"
    assert patterns[-1]["count"] == count


def test_long_texts_of_finished_tasks_are_cut_in_memory() -> None:
    fold = MemoryFold(Policy())
    big = task("t", params={"content": "x" * 100_000, "edits": [{"search": "y" * 5000}]})
    ended = ("step_finished", "t", {"status": "succeeded", "result": {"message": "m"}})
    assert len(written(fold, folded([("task_added", "t", {"task": big}), ended], fold))) < 5000


def test_a_task_becomes_json_and_back() -> None:
    fold = MemoryFold(Policy())
    state = folded([("task_added", "t1", {"task": task("t1")})], fold)
    again = fold.load(orjson.loads(orjson.dumps(fold.dump(state))))
    assert asdict(again.tasks["t1"]) == asdict(state.tasks["t1"])
    assert isinstance(again.tasks["t1"].status, Status) and isinstance(again.tasks["t1"], Task)


@pytest.mark.parametrize(
    "old",
    [
        {},
        {"version": 1},
        {"version": 2, "next_steps": [{"step": {"intent": "create_file", "params": {"path": "x"}}}]},
        {"next_steps": ["just words", {"goal": "a goal"}, {"intent": "x", "project": 7}, 5, None]},
        {"failure_patterns": ["text", {"error": "e"}], "deployment_events": [{"url": "u"}], "intent_stats": []},
        {"confirmed_count": "many", "trust": {"create_file": 0.9}, "recent_tasks": [1, 2]},
    ],
)
def test_older_shapes_load_and_lose_nothing(old: dict[str, Any]) -> None:
    fold = MemoryFold(Policy())
    state = fold.load(old)
    assert len(state.queue) == len(old.get("next_steps", []))
    dumped = fold.dump(state)
    assert dumped["version"] == VERSION and fold.current(dumped)
    assert written(fold, fold.load(orjson.loads(orjson.dumps(dumped)))) == written(fold, state)


@pytest.mark.parametrize("wrong", [[], "text", 7, None])
def test_what_is_no_memory_at_all_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError):
        MemoryFold(Policy()).load(wrong)


def test_long_results_are_kept_whole_for_the_newest_and_cut_for_older_tasks() -> None:
    fold = MemoryFold(Policy())
    state = fold.empty()
    for number in range(12):
        added = {"task": task(f"t{number}"), "now": True}
        fold.apply(state, Event(2 * number + 1, "", "task_added", f"t{number}", added))
        result = {"success": True, "message": "Read", "data": {"content": "x" * 1_000_000}}
        data = {"status": "succeeded", "result": result}
        fold.apply(state, Event(2 * number + 2, "", "step_finished", f"t{number}", data))
    lengths = [len((known.result or {})["data"]["content"]) for known in state.tasks.values()]
    assert lengths[-8:] == [1_000_000] * 8 and max(lengths[:-8]) < 300
