"""Many files to a host at the same time, in few threads."""

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait

from contracts.deployments import Tick

LOOK_UP = 0.2
"""Seconds between two looks at whether to go on."""


def in_parallel(jobs: Iterable[Callable[[], None]], at_once: int, tick: Tick) -> None:
    """Runs all of them. The first error ends it: what has not begun is left, what has is waited for."""
    pool = ThreadPoolExecutor(at_once, thread_name_prefix="upload")
    try:
        waiting: set[Future[None]] = {pool.submit(job) for job in jobs}
        while waiting:
            tick()
            done, waiting = wait(waiting, timeout=LOOK_UP, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
