"""Packages of Node projects: fetched by npm with no script run, and taken over through the sandbox."""

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from contracts.errors import BadInput, Unavailable
from contracts.files import Draft
from contracts.paths import shown
from contracts.words import counted
from environments import npm_errors
from environments.allow_list import AllowList
from environments.assembly import Assembly, assemble
from environments.base import Bounds, Doing, Fetched, Package, Part, Wanted, digest_of
from environments.dependency_graph import required_by, vouched
from environments.fetching import Fetch, clean_environment, fetch
from environments.machine import Machine
from environments.package_files import LOCK, MANIFEST, read_package_files
from environments.records import fetched_before, write_record
from environments.store import Store, folder_size
from environments.unpacking import too_large

FORMAT = "1"
NODE_MODULES = "node_modules"
WORK = "work"
FLAGS = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--no-update-notifier", "--workspaces=false")
SETTINGS = {
    "npm_config_git": "/nonexistent/git",
    "npm_config_allow_git": "none",
    "npm_config_allow_remote": "none",
    "npm_config_allow_file": "none",
    "npm_config_allow_directory": "none",
    "npm_config_omit_lockfile_registry_resolved": "true",
    "npm_config_global": "false",
    "npm_config_fetch_retries": "1",
    "npm_config_fetch_retry_mintimeout": "500",
}
"""Only the registry is asked: cloning a repository can run its code, whatever is said about scripts."""
LARGEST_MANIFEST = 1_000_000
NOT_STATED = "not stated"
NEWS = re.compile(r"^npm http fetch GET 200 [^/\s]+//[^/\s]+/(?!\S+\.tgz)(\S+) ", re.MULTILINE)


class NodePackages:
    """Implements environments.base.Packages."""

    def __init__(
        self,
        store: Store,
        machine: Machine,
        allowed: AllowList,
        environ: Mapping[str, str],
        bounds: Bounds,
    ) -> None:
        self._store = store
        self._machine = machine
        self._allowed = allowed
        self._environ = environ
        self._bounds = bounds

    def plan(self, files: Draft) -> Part | None:
        found = read_package_files(files)
        if found is None:
            return None
        given = {MANIFEST: found.manifest, **({LOCK: found.lock} if found.lock else {})}
        return Part(
            ecosystem="node",
            key=digest_of((FORMAT, "node", self._machine.node(), found.manifest, found.lock)),
            wanted=tuple(self._wanted(*item) for item in found.wanted),
            given=given,
            notes=found.notes,
        )

    def _wanted(self, name: str, spec: str, section: str) -> Wanted:
        listed = self._allowed.has("node", name)
        near = "" if listed else self._allowed.near("node", name)
        where = f"`{section}` in `{MANIFEST}`"
        return Wanted(ecosystem="node", name=name, spec=spec, where=where, listed=listed, looks_like=near)

    def download(self, part: Part, doing: Doing, *, allow_source: bool) -> Fetched:
        """`allow_source` changes nothing: packages are taken as they are published, and their scripts never run."""
        place = self._store.place(part.key, "downloads")
        with self._store.locked(part.key, doing.tick):
            if before := fetched_before(part, place, self._store.place(part.key)):
                return before
            with self._store.making(part.key, "downloads") as making:
                packages = self._fetch(part, making.folder, doing)
                write_record(making.folder, packages)
                making.publish()
        return Fetched(part, place, packages)

    def _fetch(self, part: Part, folder: Path, doing: Doing) -> tuple[Package, ...]:
        work = folder / WORK
        work.mkdir()
        work.chmod(0o755)
        for name, text in part.given.items():
            (work / name).write_text(text, "utf-8")
        if LOCK not in part.given:
            self._npm(("install", "--package-lock-only"), work, doing)
        lock = orjson.loads((work / LOCK).read_bytes())
        _check_lock(lock)
        self._npm(("ci",), work, doing)
        modules = work / NODE_MODULES
        modules.mkdir(exist_ok=True)
        packages = tuple(self._packages(modules, work))
        modules.rename(folder / NODE_MODULES)
        shutil.rmtree(work)
        return packages

    def _npm(self, command: tuple[str, ...], work: Path, doing: Doing) -> None:
        env = clean_environment(self._environ, work, SETTINGS)
        npm = shutil.which("npm", path=env["PATH"])
        if npm is None:
            raise Unavailable("npm is not installed on this machine", hint="Install it with `sudo apt install npm`")
        said = fetch(
            Fetch(
                argv=(npm, *command, *FLAGS, "--loglevel=http", f"--cache={self._store.cache('npm')}"),
                env=env,
                folder=work,
                max_bytes=self._bounds.installed,
                seconds=self._bounds.seconds,
                news=NEWS,
            ),
            doing,
        )
        if not said.ok:
            raise npm_errors.in_words(said.text, self._allowed)

    def _packages(self, modules: Path, work: Path) -> Iterator[Package]:
        """What npm has put on the disk, according to the note that it keeps there."""
        lock = orjson.loads((work / LOCK).read_bytes()) if (work / LOCK).exists() else {}
        found = {place: entry for place, entry in lock.get("packages", {}).items() if place and (work / place).is_dir()}
        named = {
            place: str(entry.get("name") or place.rpartition("node_modules/")[2]) for place, entry in found.items()
        }
        needed: dict[str, set[str]] = {}
        for place, entry in found.items():
            needed.setdefault(named[place], set()).update(
                entry.get("dependencies", {}), entry.get("optionalDependencies", {})
            )
        listed = {name for name in named.values() if self._allowed.has("node", name)}
        known, asked = vouched(listed, needed), set(_asked(work / MANIFEST))
        total = folder_size(modules)
        if total > self._bounds.installed:
            raise too_large(self._bounds)
        for place, entry in sorted(found.items()):
            name = named[place]
            yield Package(
                ecosystem="node",
                name=name,
                version=str(entry.get("version", "")),
                size=_own_size(work / place),
                licence=_licence(entry, work / place),
                digest=str(entry.get("integrity", "")),
                listed=name in listed,
                known=name in known,
                required_by=() if name in asked else required_by(name, needed),
                notes=("its install script is not run",) if entry.get("hasInstallScript") else (),
                file=place,
            )

    def build(self, fetched: Fetched, doing: Doing) -> Path:
        key = fetched.part.key
        place = self._store.place(key)
        with self._store.locked(key, doing.tick):
            if place.exists():
                return place
            with self._store.making(key) as making:
                self._fill(fetched, making.folder / NODE_MODULES, doing)
                write_record(making.folder, fetched.packages)
                making.publish()
            self._store.forget(key, "downloads")
        return place

    def _fill(self, fetched: Fetched, modules: Path, doing: Doing) -> None:
        doing.say(f"Installing {counted(len(fetched.packages), 'package')}")
        source = fetched.folder / NODE_MODULES
        modules.mkdir()
        what = Assembly(python=self._machine.python().executable, task={"tree": str(source)}, mounts=(source,))
        assemble(what, modules, self._machine, self._bounds, doing)


def _check_lock(lock: dict[str, Any]) -> None:
    """After npm has chosen: whatever has an address now is not from the registry."""
    for place, entry in lock.get("packages", {}).items():
        if place and (entry.get("link") or entry.get("resolved")):
            raise BadInput(
                f"`{shown(place)}` does not come from the package registry",
                hint="Ask for a package that needs nothing else",
            )


def _asked(manifest: Path) -> Iterator[str]:
    for section in orjson.loads(manifest.read_bytes()).values():
        if isinstance(section, dict):
            yield from section


def _own_size(folder: Path) -> int:
    inner = folder / NODE_MODULES
    return folder_size(folder) - (folder_size(inner) if inner.is_dir() else 0)


def _licence(entry: dict[str, Any], folder: Path) -> str:
    found: object = entry.get("license")
    path = folder / MANIFEST
    if not found and path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST_MANIFEST:
        try:
            content = orjson.loads(path.read_bytes())
        except orjson.JSONDecodeError:
            content = {}
        found = content.get("license") if isinstance(content, dict) else None
    if isinstance(found, dict):
        found = found.get("type")
    return shown(found[:80]) if isinstance(found, str) and found else NOT_STATED
