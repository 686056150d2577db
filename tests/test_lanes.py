"""Lanes: in order within one, side by side across, never more threads than allowed, nothing left behind."""

import threading
import time

from running.lanes import Lanes
from tests.idleness import sleeps


def test_jobs_of_one_lane_run_in_order_and_never_together() -> None:
    lanes = Lanes(4)
    seen: list[int] = []
    together = 0
    inside = threading.Lock()
    done = threading.Event()

    def job(number: int) -> None:
        nonlocal together
        if not inside.acquire(blocking=False):
            together += 1
            return
        seen.append(number)
        inside.release()
        if number == 199:
            done.set()

    for number in range(200):
        lanes.submit("a", lambda number=number: job(number))  # type: ignore[misc]
    assert done.wait(60) and seen == list(range(200)) and together == 0
    assert lanes.stop(60)


def test_lanes_run_side_by_side_up_to_the_number_of_workers() -> None:
    lanes = Lanes(3)
    barrier = threading.Barrier(3)
    results: list[int] = []
    for name in "abc":
        lanes.submit(name, lambda: results.append(barrier.wait(60)))
    deadline = time.monotonic() + 60
    while len(results) < 3 and time.monotonic() < deadline:
        time.sleep(0.001)
    assert sorted(results) == [0, 1, 2]
    assert lanes.stop(60)


def waits(event: threading.Event) -> None:
    event.wait(60)


def test_a_busy_lane_does_not_hold_up_the_others() -> None:
    lanes = Lanes(2)
    hold, passed = threading.Event(), threading.Event()
    for _ in range(5):
        lanes.submit("slow", lambda: waits(hold))
    lanes.submit("quick", passed.set)
    assert passed.wait(60)
    assert not lanes.free("slow") and lanes.free("quick")
    hold.set()
    assert lanes.stop(60)


def test_stopping_starts_nothing_more_and_waits_for_what_runs() -> None:
    lanes = Lanes(1)
    hold, started = threading.Event(), threading.Event()
    ran: list[str] = []

    def first() -> None:
        started.set()
        hold.wait(60)
        ran.append("first")

    lanes.submit("a", first)
    lanes.submit("a", lambda: ran.append("second"))
    assert started.wait(60)
    assert not lanes.stop(0.01), "still busy"
    hold.set()
    assert lanes.stop(60) and ran == ["first"]
    assert not lanes.submit("a", lambda: None)


def test_idle_lanes_never_wake() -> None:
    lanes = Lanes(3)
    ran = threading.Event()
    lanes.submit("a", ran.set)
    assert ran.wait(60)
    assert sleeps(lanes._threads)
    lanes.stop(60)


def test_a_job_that_breaks_costs_neither_its_thread_nor_its_lane() -> None:
    lanes = Lanes(1)
    done = threading.Event()

    def breaks() -> None:
        raise RuntimeError("broken")

    lanes.submit("a", breaks)
    lanes.submit("a", done.set)
    assert done.wait(60) and lanes.stop(60)
