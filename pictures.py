"""Pictures of running apps: taken one after another in the background, and kept in a folder, one a project and size."""

import logging
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from contracts.errors import AppError

log = logging.getLogger(__name__)

Take = Callable[[str], Mapping[str, bytes]]
"""Gives pictures by size of the page at a link. Raises AppError."""


class Pictures:
    """Threads may share it. Nobody waits for a picture, and one that cannot be taken is missed by nobody."""

    def __init__(
        self,
        folder: Path,
        take: Take,
        link_of: Callable[[str], str | None],
        tell: Callable[[str, str], None] = lambda project, version: None,
    ) -> None:
        """`link_of` says where the app of a project is, if it runs; `tell` is told of each new picture."""
        self._folder = folder
        self._take = take
        self._link_of = link_of
        self._tell = tell
        self._news = threading.Condition()
        self._wanted: dict[str, None] = {}
        self._worker: threading.Thread | None = None
        self._closed = False

    def want(self, project: str) -> None:
        """Have a picture taken soon. Returns at once."""
        with self._news:
            if self._closed:
                return
            self._wanted[project] = None
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="pictures", daemon=True)
                self._worker.start()

    def version(self, project: str) -> str | None:
        """Changes with the picture; None if there is none."""
        try:
            return f"{self._path(project, 'small').stat().st_mtime_ns:x}"
        except OSError:
            return None

    def read(self, project: str, size: str) -> bytes | None:
        try:
            return self._path(project, size).read_bytes()
        except OSError:
            return None

    def settled(self, timeout: float) -> bool:
        """Sleep until nothing is wanted any more, or the time is up; says which."""
        with self._news:
            return self._news.wait_for(lambda: self._worker is None, timeout)

    def close(self) -> None:
        """No more are taken. One that is being taken ends with the sandbox that its browser is in."""
        with self._news:
            self._closed = True
            self._wanted.clear()

    def ended(self, timeout: float) -> bool:
        """After `close`, and once the sandbox is gone: wait for the one that was being taken; says whether it ended."""
        worker = self._worker
        if worker is not None:
            worker.join(timeout)
        return worker is None or not worker.is_alive()

    def _work(self) -> None:
        """Runs while there is something to do."""
        while True:
            with self._news:
                if not self._wanted:
                    self._worker = None
                    self._news.notify_all()
                    return
                project = next(iter(self._wanted))
                del self._wanted[project]
            try:
                self._picture(project)
            except (AppError, OSError) as error:
                log.info("no picture was taken: %s", error, extra={"data": {"project": project}})

    def _picture(self, project: str) -> None:
        link = self._link_of(project)
        taken = self._take(link) if link else {}
        if not taken or self._closed:
            return
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for size, data in taken.items():
            path = self._path(project, size)
            beside = path.with_name(f".{path.name}.{os.getpid()}")
            beside.write_bytes(data)
            beside.replace(path)
        self._tell(project, self.version(project) or "")

    def _path(self, project: str, size: str) -> Path:
        return self._folder / f"{project}-{size}.webp"
