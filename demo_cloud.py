"""A cloud that is only played on this machine: a real provider talks to a fake host, which runs apps in the sandbox."""

import hashlib
import os
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import chain

from cloud_fakes.live_sites import CannotHost
from cloud_fakes.vercel import FakeVercel
from context_manager import ContextManager
from contracts.deployments import Account, Parcel, Place, Quote, Release, Say, Tick
from contracts.errors import AppError
from contracts.files import Draft
from environments.base import Environment
from previews import Address, DataFolders, Previews, PreviewSpec, State, app_job, runnable
from project_files import Workspace
from providers.base import Provider
from providers.vercel import Vercel
from sandbox_runner import SandboxRunner
from sandbox_wiring import sandbox_root
from sandboxes.base import OnOutput, Service
from settings import Settings

SLOTS = 8
"""So many versions run at the same time; the oldest that no visitor sees makes room."""
FULL = (
    "The demo cloud runs no more apps at the same time, and visitors see each of them\nTake one of them offline first"
)
LAST_LINES = 40
LONGEST_PAUSE = 0.1


class Stage:
    """Where the apps of the demo cloud run: each version in a sandbox of its own, on a port of its own."""

    def __init__(
        self,
        settings: Settings,
        memory: ContextManager,
        sandbox: Callable[[], SandboxRunner],
        environment_of: Callable[[Draft], Environment],
        slots: int = SLOTS,
    ) -> None:
        home = hashlib.sha256(os.fsencode(settings.home.resolve())).hexdigest()[:16]
        self._workspace = Workspace(settings.home / "demo-cloud")
        self._data = DataFolders(sandbox_root(settings) / "demo-data" / home)
        self._sandbox = sandbox
        self._environment_of = environment_of
        self._slots = slots
        self._lock = threading.Lock()
        self._used: dict[str, str] = {}
        """The URL of what runs in each slot, the one that was filled first in front."""
        self.seen: Callable[[], Collection[str]] = frozenset
        """The URLs of what visitors see now, which stays."""
        self.end: Callable[[str], None] = lambda url: None
        """Told the URL of what makes room."""
        address = Address(first_port=settings.preview_first_port, last_port=settings.preview_last_port)
        self._previews = Previews(self._start, memory, address=address, data=self._data, most=slots)

    def host(self, files: Mapping[str, bytes], env: Mapping[str, str]) -> str:
        """Run what was deployed; gives its address. Raises CannotHost with what the app said."""
        with self._lock:
            slot = self._free_slot()
            url = self._run(slot, files, env)
            self._used[slot] = url
            return url

    def _free_slot(self) -> str:
        """One that nothing runs in, or else the one that was filled first with what nobody sees any more."""
        every = (f"demo-cloud.{number}" for number in range(1, self._slots + 1))
        unseen = (slot for slot, url in self._used.items() if url not in self.seen())
        found = next(chain((slot for slot in every if slot not in self._used), unseen), None)
        if found is None:
            raise CannotHost(FULL)
        if ended := self._used.pop(found, ""):
            self.end(ended)
        return found

    def _run(self, slot: str, files: Mapping[str, bytes], env: Mapping[str, str]) -> str:
        try:
            draft = self._placed(slot, files)
            spec = runnable(slot, draft, self._environment_of(draft))
            preview = self._previews.start(slot, replace(spec, env={**spec.env, **env}))
        except AppError as error:
            raise CannotHost(f"{error.message}\n{error.hint}".strip()) from error
        if preview.state is not State.RUNNING:
            lines = [line.text for line in self._previews.logs(slot, LAST_LINES)]
            raise CannotHost("\n".join([*lines, preview.words]))
        return preview.url.rstrip("/")

    def close(self) -> None:
        self._previews.close()

    def _placed(self, slot: str, files: Mapping[str, bytes]) -> Draft:
        folder = self._workspace.path(slot)
        if self._workspace.exists(slot):
            self._previews_stop(slot)
            shutil.rmtree(folder)
        shutil.rmtree(self._data.of(slot), ignore_errors=True)
        self._workspace.create(slot)
        draft = self._workspace.draft(slot)
        for path, data in files.items():
            draft.write(path, data)
        self._workspace.apply(slot, draft.changes(), stage="demo")
        return self._workspace.draft(slot)

    def _previews_stop(self, slot: str) -> None:
        if any(preview.project == slot for preview in self._previews.all()):
            self._previews.stop(slot)

    def _start(self, spec: PreviewSpec, on_output: OnOutput) -> Service:
        files = self._workspace.draft(spec.project)
        job = app_job(spec, files, data=self._data.of(spec.project))
        return self._sandbox().choose().start(job, spec.port, on_output=on_output)


class DemoCloud:
    """Serves until it is closed, and forgets everything then."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._vercel = FakeVercel(host=stage.host)
        stage.seen, stage.end = self._vercel.state.live_urls, self._vercel.sites.end
        self._vercel.__enter__()
        token = self._vercel.add_token(secrets.token_hex(16), "demo")
        self.provider: Provider = DemoHost(Vercel(token, base_url=self._vercel.url, pause=_shortly))

    def close(self) -> None:
        self._vercel.__exit__(None, None, None)
        self._stage.close()


def _shortly(seconds: float) -> None:
    """Nobody's servers are spared by asking this machine less often."""
    time.sleep(min(seconds, LONGEST_PAUSE))


class DemoHost:
    """The provider of the demo cloud: all that Vercel does, and it never lets anybody think that it is Vercel."""

    name, title = "demo", "the demo cloud on this machine"

    def __init__(self, inner: Provider) -> None:
        self._inner = inner

    def check(self) -> Account:
        return self._inner.check()

    def places(self) -> list[Place]:
        return [replace(place, provider=self.name) for place in self._inner.places()]

    def unfit(self, parcel: Parcel) -> str:
        unfit = self._inner.unfit(parcel)
        return f"it plays Vercel, where that cannot be. {unfit}" if unfit else ""

    def quote(self, parcel: Parcel, name: str) -> Quote:
        self._inner.quote(parcel, name)
        return Quote(
            free=True,
            price="free: a demo cloud on this machine, which nobody else can reach",
            standing="",
            public="nothing: only this machine can open it",
            warnings=("The demo cloud is not the internet, and it forgets everything when the service ends",),
        )

    def ship(self, parcel: Parcel, name: str, key: str, *, say: Say, tick: Tick) -> Release:
        return self._ours(self._inner.ship(parcel, name, key, say=self._told(say), tick=tick))

    def find(self, name: str, key: str) -> Release | None:
        found = self._inner.find(name, key)
        return self._ours(found) if found else None

    def live(self, name: str) -> Release | None:
        found = self._inner.live(name)
        return self._ours(found) if found else None

    def releases(self, name: str, limit: int = 20) -> list[Release]:
        return [self._ours(release) for release in self._inner.releases(name, limit)]

    def bring_back(self, name: str, release: Release, key: str, *, say: Say, tick: Tick) -> Release:
        return self._ours(self._inner.bring_back(name, release, key, say=self._told(say), tick=tick))

    def take_down(self, name: str) -> None:
        self._inner.take_down(name)

    def log(self, release: Release, limit: int = 500) -> list[str]:
        return self._inner.log(release, limit)

    def _ours(self, release: Release) -> Release:
        return replace(release, provider=self.name)

    @staticmethod
    def _told(say: Say) -> Say:
        """What the provider says, without a name that would mislead."""
        return lambda line: say(line.replace("Vercel", "the demo cloud"))
