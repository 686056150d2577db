"""Work in lanes: one job at a time in a lane, several lanes at once, never more than a set number of threads."""

import logging
import threading
from collections import deque
from collections.abc import Callable

log = logging.getLogger(__name__)

Job = Callable[[], None]


class Lanes:
    """Threads start when there is work and sleep when there is none."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._wake = threading.Condition()
        self._waiting: dict[str, deque[Job]] = {}
        self._ready: deque[str] = deque()
        self._busy: set[str] = set()
        self._idle = 0
        self._threads: list[threading.Thread] = []
        self._stopping = False

    def submit(self, lane: str, job: Job) -> bool:
        """Put a job at the end of its lane; False once the lanes are stopping."""
        with self._wake:
            if self._stopping:
                return False
            self._waiting.setdefault(lane, deque()).append(job)
            if lane not in self._busy and lane not in self._ready:
                self._ready.append(lane)
            if self._idle == 0 and len(self._threads) < self._workers:
                self._start_thread()
            self._wake.notify()
            return True

    def free(self, lane: str) -> bool:
        """Whether a job put into this lane now would start at once, or be turned away at once."""
        with self._wake:
            if self._stopping:
                return True
            has_thread = self._idle > 0 or len(self._threads) < self._workers
            return has_thread and lane not in self._busy and not self._waiting.get(lane)

    @property
    def stopping(self) -> bool:
        return self._stopping

    def counts(self) -> dict[str, int]:
        with self._wake:
            waiting = sum(len(jobs) for jobs in self._waiting.values())
            return {"workers": self._workers, "running": len(self._busy), "waiting": waiting}

    def stop(self, timeout: float) -> bool:
        """Start no more jobs, and wait for those under way; whether all ended in time."""
        with self._wake:
            self._stopping = True
            self._waiting.clear()
            self._ready.clear()
            self._wake.notify_all()
            return self._wake.wait_for(lambda: not self._busy, timeout)

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._work, name=f"lane-{len(self._threads) + 1}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        while (taken := self._take()) is not None:
            lane, job = taken
            try:
                job()
            except Exception:
                # A thread that died here would be missing for good, and its lane would wait for ever.
                log.exception("A job broke", extra={"data": {"lane": lane}})
            finally:
                self._give_back(lane)

    def _take(self) -> tuple[str, Job] | None:
        with self._wake:
            self._idle += 1
            self._wake.wait_for(lambda: self._ready or self._stopping)
            self._idle -= 1
            if self._stopping:
                return None
            lane = self._ready.popleft()
            self._busy.add(lane)
            return lane, self._waiting[lane].popleft()

    def _give_back(self, lane: str) -> None:
        with self._wake:
            self._busy.discard(lane)
            if self._waiting.get(lane):
                self._ready.append(lane)
            else:
                self._waiting.pop(lane, None)
            self._wake.notify_all()
