"""Makes the parcel: the files of a project's commit, and the variables that its app gets where it runs."""

import posixpath
from collections.abc import Iterator, Mapping
from functools import partial

from contracts.deployments import Parcel
from contracts.errors import Conflict, InvalidParams
from contracts.files import Draft, Kind
from deploying.app import App
from deploying.app_secrets import AppSecrets
from deploying.parcels import OWN_FOLDERS, Contents, PlainFile, SourceFile, pack
from git_manager import GitManager

PRIVATE = ".env"
NESTED = "it is a repository of its own inside this one"
SOURCE_BYTES = 2**20
"""Larger files say nothing about what an app is."""
COMMIT = "Keep everything as it goes online"


class Loader:
    def __init__(self, git: GitManager, secrets: AppSecrets) -> None:
        self._git = git
        self._secrets = secrets

    def now(self, project: str, files: Draft) -> Contents:
        """What would be sent if it were sent now: the last commit with what has changed since. Touches nothing."""
        repo = self._git.open(project)
        pending = repo.pending()
        head = repo.history(1)
        committed = repo.files_of(head[0].id) if head else []
        sources: list[SourceFile] = [file for file in committed if file.path not in set(pending)]
        for path in pending:
            node = files.node(path) if not path.endswith("/") else None
            if node is not None and node.kind is Kind.FILE:
                sources.append(PlainFile(path, node.size, partial(files.read, path)))
        return pack(sources, [f"`{path.rstrip('/')}`: {NESTED}" for path in pending if path.endswith("/")])

    def drafted(self, files: Draft) -> Contents:
        """What may be sent of an app that is not written yet, as far as its draft says."""
        return Contents(dict(_drafted(files)))

    def is_dirty(self, project: str) -> bool:
        """Whether there are edits that no commit has."""
        return any(not path.endswith("/") for path in self._git.open(project).pending())

    def committed(self, project: str, files: Draft) -> tuple[str, Contents]:
        """The commit that goes out, made first if somebody's edits are in none yet, and what is in it.

        Raises Conflict, with nothing committed, if there are keys in the files or there is nothing to send.
        """
        waiting = self.now(project, files)
        repo = self._git.open(project)
        head = repo.history(1)
        commit = repo.commit_changes(COMMIT) or (head[0].id if head else "")
        if not commit or not waiting.files:
            raise Conflict(f"There is nothing in `{project}` to send", hint="Build something first")
        return commit, Contents(self.at(project, commit).files, waiting.left_out)

    def at(self, project: str, commit: str) -> Contents:
        return pack(self._git.open(project).files_of(commit))

    def parcel(self, app: App, commit: str, contents: Contents, env: Mapping[str, str]) -> Parcel:
        kind = app.framework
        if app.spec is not None and not app.served:
            kind = f"tool-{app.spec.language.value}"
        repository = self._published(app.project, commit)
        return Parcel(app.project, commit, contents.files, env, repository, framework=kind)

    def _published(self, project: str, commit: str) -> str:
        """Where the commit, or else the last one, can be cloned from; empty if it was not pushed anywhere."""
        repo = self._git.open(project)
        head = repo.history(1)
        with repo.departure() as departure:
            return departure.published_at(commit or head[0].id) if head else ""

    def env(self, app: App, files: Draft, wanted: Mapping[str, str]) -> dict[str, str]:
        """The variables with their values. Those that are given empty come from the project's own `.env`."""
        own = _private(files) if not all(wanted.values()) else {}
        missing = [name for name, value in wanted.items() if not value and name not in own]
        if missing:
            raise InvalidParams(
                f"`{missing[0]}` has no value: it is not in the project's `{PRIVATE}`",
                hint=f"Write `{missing[0]}=...` into `{PRIVATE}` of the project, which is never sent as a file",
            )
        found = {name: value or own[name] for name, value in wanted.items()}
        for value in (own[name] for name, given in wanted.items() if not given):
            self._secrets.hide(value)
        made = self._secrets.of(app.project, [name for name in app.secrets if name not in found])
        return {**made, **found}


def _drafted(files: Draft, folder: str = "") -> Iterator[tuple[str, bytes]]:
    for path, node in files.children(folder):
        if node.kind is Kind.DIRECTORY and posixpath.basename(path) not in OWN_FOLDERS:
            yield from _drafted(files, path)
        elif node.kind is Kind.FILE:
            yield path, files.read(path) if node.size <= SOURCE_BYTES else b""


def _private(files: Draft) -> dict[str, str]:
    node = files.node(PRIVATE)
    if node is None or node.kind is not Kind.FILE:
        return {}
    lines = files.read(PRIVATE).decode("utf-8", "replace").splitlines()
    pairs = (line.partition("=") for line in lines if "=" in line and not line.lstrip().startswith("#"))
    return {name.strip().removeprefix("export "): value.strip().strip("'\"") for name, _, value in pairs}
