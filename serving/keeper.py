"""Keeps the app of one project running: start, wait until it answers, start again when it ends, give up in time."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from contracts.errors import AppError, Unavailable
from contracts.words import counted
from sandboxes.base import JobResult, OnOutput, Service, Stream
from serving.data import Kept
from serving.logs import Brake, LogRing, cause, telling
from serving.pages import Notice
from serving.spec import Patience, PreviewSpec, State

log = logging.getLogger(__name__)
ONE_TRY = 2.0
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 0.25
SLOT_TRY = 0.2
SETTLING = 30.0
SHOWN_LINES = 20

Starter = Callable[[PreviewSpec, OnOutput], Service]
"""Starts an app in a sandbox and hands on what it prints. Raises AppError."""
OnChange = Callable[[str, State, str], None]
"""Told the project, its new state and that in words, from a thread of the preview. Must not stop or start it."""


@dataclass(frozen=True, slots=True)
class Means:
    """What keepers share."""

    start: Starter
    ask: Callable[[Path, str, float], int | None]
    kept: Callable[[str], Kept] | None
    """How much data the project keeps."""
    on_change: OnChange
    patience: Patience
    clock: Callable[[], float]
    now: Callable[[], str]
    slots: threading.BoundedSemaphore
    """So many apps may start at once: each of them gets its share of the time in which it has to be ready."""


@dataclass(frozen=True, slots=True)
class Standing:
    state: State
    words: str
    since: str
    restarts: int = 0
    tries_again: bool = False


class Life(NamedTuple):
    """One run of an app, from its start to its end."""

    healthy: float
    problem: str
    final: bool = False
    """It would end the same way again."""


class Keeper:
    """One project's app. `begin` and `stop` are called by one thread at a time; all else by any."""

    def __init__(self, project: str, means: Means) -> None:
        self.project = project
        self.log = LogRing(means.now)
        self.spec: PreviewSpec | None = None
        self.refused: AppError | None = None
        """Why the first start since `begin` could not even be tried."""
        self._means = means
        self._changed = threading.Condition()
        self._standing = Standing(State.STOPPED, "It has not been started", means.now())
        self._ending = threading.Event()
        self._quiet = False
        self._thread: threading.Thread | None = None
        self._service: Service | None = None

    @property
    def standing(self) -> Standing:
        with self._changed:
            return self._standing

    @property
    def running(self) -> bool:
        """Whether it runs, or will by itself."""
        return self._thread is not None and self._thread.is_alive()

    def begin(self, spec: PreviewSpec) -> None:
        self.stop(quiet=True)
        self.spec, self.refused, self._quiet = spec, None, False
        self._ending.clear()
        self._set(Standing(State.STARTING, "It is starting", self._means.now()))
        self._thread = threading.Thread(target=self._live, args=(spec,), name=f"preview-{self.project}", daemon=True)
        self._thread.start()

    def settled(self) -> Standing:
        """Waits until the first try has ended: it runs, or something is wrong. The time for that has a bound."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._standing.state is not State.STARTING or self._standing.restarts > 0,
                SETTLING + 2 * self._means.patience.ready,
            )
            return self._standing

    def stop(self, *, quiet: bool = False) -> None:
        """Nothing of it runs when this returns. Quietly: nobody is told, as when the whole service ends."""
        thread, self._quiet = self._thread, quiet
        if thread is None:
            return
        self._ending.set()
        with self._changed:
            service = self._service
        if service:
            service.stop()
        thread.join()
        self._thread = None
        if self.standing.state is not State.STOPPED:
            self._become(State.STOPPED, "It has been stopped")

    def look(self) -> Path | Notice:
        """Where the app is reached, or what to say instead."""
        with self._changed:
            standing, service = self._standing, self._service
        if standing.state is State.RUNNING and service:
            return service.socket_path
        if standing.state is State.STARTING:
            return Notice(
                503, "The app is starting", "This page shows it as soon as it answers.", self._shown(), again=1
            )
        if standing.state is State.CRASHED:
            again = 2 if standing.tries_again else 0
            return Notice(502, "The app has crashed", standing.words + ".", self._shown(), again)
        return Notice(503, "The app is stopped", "Start it from the control panel or with `start_app`.")

    def trouble(self, status: int, words: str) -> Notice:
        """The app did not answer as it should; maybe that is because it has just ended."""
        instead = self.look()
        return (
            instead if isinstance(instead, Notice) else Notice(status, "The app gave no answer", words, self._shown())
        )

    def _shown(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.log.lines(SHOWN_LINES))

    def _set(self, standing: Standing) -> None:
        with self._changed:
            self._standing = standing
            self._changed.notify_all()

    def _become(self, state: State, words: str, *, tries_again: bool = False, restarts: int | None = None) -> None:
        words = words[:1].upper() + words[1:]
        count = self.standing.restarts if restarts is None else restarts
        self.log.say(words)
        self._set(Standing(state, words, self._means.now(), count, tries_again))
        if not self._quiet:
            try:
                self._means.on_change(self.project, state, words)
            except (AppError, OSError) as error:
                log.warning("the change of a preview could not be told: %s", error)

    def _live(self, spec: PreviewSpec) -> None:
        patience, crashes, lives = self._means.patience, 0, 0
        while not self._ending.is_set():
            self._become(State.STARTING, "It is starting", restarts=lives)
            life = self._one_life(spec)
            lives += 1
            if self._ending.is_set():
                break
            crashes = 1 if life.healthy >= patience.healthy else crashes + 1
            if life.final or crashes >= patience.crashes:
                return self._give_up(life, crashes)
            pause = patience.pause(crashes)
            words = f"{life.problem}{self._cause()}; it is started again in {pause:g} s"
            self._become(State.CRASHED, words, tries_again=True)
            self._ending.wait(pause)
        return self._become(State.STOPPED, "It has been stopped")

    def _give_up(self, life: Life, crashes: int) -> None:
        often = f"it crashed {counted(crashes, 'time')} in a row and is not started again by itself; the last time "
        self._become(State.CRASHED, life.problem if life.final else f"{often}{life.problem}{self._cause()}")

    def _cause(self) -> str:
        said = cause(telling(self.log.lines()))
        return f": {said}" if said else ""

    def _one_life(self, spec: PreviewSpec) -> Life:
        service: Service | None = None
        try:
            if not self._take_slot():
                return Life(0.0, "")
            try:
                service = self._start(spec)
                ready = self._wait_ready(service, spec)
            finally:
                self._means.slots.release()
            return self._run(service) if ready else Life(0.0, self._not_ready(service))
        except (AppError, OSError) as error:
            refused = error if isinstance(error, AppError) else _plain(error)
            self.refused = refused
            return Life(0.0, refused.message, final=not refused.retryable)
        finally:
            with self._changed:
                self._service = None
            if service:
                service.stop()

    def _take_slot(self) -> bool:
        while not self._means.slots.acquire(timeout=SLOT_TRY):
            if self._ending.is_set():
                return False
        return True

    def _start(self, spec: PreviewSpec) -> Service:
        brake = Brake(self._means.clock)

        def heard(stream: Stream, data: bytes) -> None:
            self.log.feed(stream, data)
            brake.feel(len(data))

        if (kept := self._kept()) and kept.excess:
            raise kept.excess
        service = self._means.start(spec, heard)
        with self._changed:
            self._service = service
        return service

    def _wait_ready(self, service: Service, spec: PreviewSpec) -> bool:
        clock, pause = self._means.clock, FIRST_PAUSE
        deadline = clock() + self._means.patience.ready
        while service.alive and not self._ending.is_set() and (left := deadline - clock()) > 0:
            for target in spec.ready:
                status = self._means.ask(service.socket_path, target, min(ONE_TRY, left))
                if status is not None and status < spec.ready_below:
                    return True
                if status is None:
                    break
            self._ending.wait(pause)
            pause = min(LONGEST_PAUSE, pause * 1.5)
        return False

    def _not_ready(self, service: Service) -> str:
        if (result := service.wait(0)) is not None:
            return _ended(result)
        return f"it did not answer within {self._means.patience.ready:g} seconds"

    def _run(self, service: Service) -> Life:
        clock = self._means.clock
        ready = clock()
        self._become(State.RUNNING, "It is running")
        excess = self._watch(service)
        result = service.stop()
        return Life(clock() - ready, excess.message if excess else _ended(result), final=excess is not None)

    def _watch(self, service: Service) -> AppError | None:
        """Until the app ends by itself, or keeps more data than it may."""
        look = self._means.patience.look
        pause, before = (look if self._means.kept else None), -1
        while service.wait(pause) is None:
            kept = self._kept()
            if kept and kept.excess:
                return kept.excess
            grown = kept is not None and kept.size != before
            before = kept.size if kept else -1
            pause = look / 8 if grown else look
        return None

    def _kept(self) -> Kept | None:
        return self._means.kept(self.project) if self._means.kept else None


def _plain(error: OSError) -> AppError:
    return Unavailable(f"the app could not be started: {error.strerror or error}", hint="Look at the service's own log")


def _ended(result: JobResult) -> str:
    return result.words if result.exit_code or result.stopped_by else "it ended by itself"
