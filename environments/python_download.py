"""One download for a Python project: pip fetches wheels, source packages are built if that is allowed."""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from contracts.errors import Failed, NotFound
from environments import pip_errors
from environments.allow_list import AllowList
from environments.base import Bounds, Doing, Package, Part, Runs, SourcePackage
from environments.dependency_graph import needs, required_by, vouched
from environments.fetching import Fetch, Said, clean_environment, fetch, too_much
from environments.python_target import Pip, Target
from environments.source_builds import Source, SourceBuilds
from environments.unpacking import too_large
from environments.wheels import Wheel, read_wheel
from sandboxes.base import MIB

FILES, WORK = "files", "work"
MOST_ROUNDS = 12
MEMORY = 2048 * MIB
NEWS = re.compile(r"^(?:Collecting|Processing) (?:\S*/)?([A-Za-z0-9][\w.]*(?:-[A-Za-z][\w.]*)*)", re.MULTILINE)
GENERAL = ("--disable-pip-version-check", "--no-input", "--no-color", "--retries", "2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What every download needs."""

    pip: Pip
    target: Target
    sandbox: Runs
    allowed: AllowList
    environ: Mapping[str, str]
    bounds: Bounds
    cache: Path


class PythonDownload:
    """Fills `folder/files` with wheels. Used once."""

    def __init__(self, means: Means, part: Part, folder: Path, doing: Doing) -> None:
        self._means = means
        self._part = part
        self._folder = folder
        self._doing = doing
        self._asked = [
            Requirement(re.sub(r" --hash=.*", "", line)) for line in part.given["requirements.txt"].splitlines()
        ]
        self._sources = SourceBuilds(self._work, self._ask, means.sandbox, means.target, means.bounds)
        self._from_source: set[str] = set()

    @property
    def _work(self) -> Path:
        return self._folder / WORK

    def run(self, *, allow_source: bool) -> tuple[Package, ...] | SourcePackage:
        """The packages, or the source package that has to be allowed first."""
        self._work.mkdir()
        self._work.chmod(0o755)
        for name, text in self._part.given.items():
            (self._work / name).write_text(text, "utf-8")
        for _ in range(MOST_ROUNDS):
            said = self._ask(self._arguments())
            if not said.ok:
                source = self._source_for(said)
                if not allow_source:
                    return SourcePackage(
                        name=source.name, version=str(source.version), required_by=self._wanted_by(said)
                    )
                self._sources.build(source, self._means.environ, self._doing)
                self._from_source.add(source.name)
                continue
            wheels = self._wheels()
            if not self._complete(wheels):
                continue
            shutil.rmtree(self._work)
            return self._packages(wheels)
        raise Failed("too many packages have to be built from source", hint="Ask for fewer packages")

    def _arguments(self) -> tuple[str, ...]:
        files = ["--requirement", "requirements.txt", "--constraint", "constraints.txt"]
        found = ["--find-links", str(self._sources.built)] if self._from_source else []
        return ("--dest", str(self._folder / FILES), *files, *found)

    def _ask(self, arguments: tuple[str, ...]) -> Said:
        means = self._means
        general = (*GENERAL, "--cache-dir", str(means.cache))
        download = ("download", "--only-binary", ":all:", "--progress-bar", "off", *means.pip.choice)
        return fetch(
            Fetch(
                argv=(*means.pip.command, *general, *download, *arguments),
                env=clean_environment(means.environ, self._work, {"PIP_REQUIRE_VIRTUALENV": "0"}),
                folder=self._work,
                max_bytes=means.bounds.download,
                seconds=means.bounds.seconds,
                memory=MEMORY,
                news=NEWS,
            ),
            self._doing,
        )

    def _source_for(self, said: Said) -> Source:
        """The source package that would fill the gap at which pip stopped; raises what pip meant if there is none."""
        text = pip_errors.missing(said.text)
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            raise pip_errors.in_words(said.text) from None
        requirement.name = canonicalize_name(requirement.name)
        if requirement.name in self._from_source:
            raise pip_errors.in_words(said.text)
        source, versions = self._sources.find(requirement)
        if source is None:
            raise self._not_found(text, requirement.name, versions, said)
        return source

    def _not_found(self, text: str, name: str, versions: list[str], said: Said) -> NotFound:
        return pip_errors.not_found(text, name, versions, self._means.allowed.near("python", name), said.text)

    @staticmethod
    def _wanted_by(said: Said) -> str:
        return pip_errors.missing(said.text)

    def _wheels(self) -> list[Wheel]:
        """Raises TooLarge, and BadInput for what is no wheel."""
        bounds, paths = self._means.bounds, sorted((self._folder / FILES).iterdir())
        if sum(path.stat().st_size for path in paths) > bounds.download:
            raise too_much(bounds.download)
        for path in paths:
            path.chmod(0o644)
        wheels = [read_wheel(path) for path in paths]
        if sum(w.size for w in wheels) > bounds.installed or sum(w.count for w in wheels) > bounds.files:
            raise too_large(bounds)
        return wheels

    def _needs(self, wheels: list[Wheel]) -> dict[str, set[str]]:
        requires = {wheel.name: wheel.requires for wheel in wheels}
        return needs(requires, self._asked, self._means.target.markers)

    def _complete(self, wheels: list[Wheel]) -> bool:
        """Where another Python than the sandbox's chose, it may have left out what only the sandbox's needs."""
        there = {wheel.name for wheel in wheels}
        wanted = {name for below in self._needs(wheels).values() for name in below} - there
        if not self._means.pip.choice or not wanted:
            return True
        with (self._work / "requirements.txt").open("a", encoding="utf-8") as file:
            file.writelines(f"{name}\n" for name in sorted(wanted))
        shutil.rmtree(self._folder / FILES)
        return False

    def _packages(self, wheels: list[Wheel]) -> tuple[Package, ...]:
        needed = self._needs(wheels)
        asked = {canonicalize_name(requirement.name) for requirement in self._asked}
        listed = {wheel.name for wheel in wheels if self._means.allowed.has("python", wheel.name)}
        known = vouched(listed, needed)
        return tuple(
            Package(
                ecosystem="python",
                name=wheel.name,
                version=wheel.version,
                size=wheel.size,
                licence=wheel.licence,
                digest=wheel.digest,
                listed=wheel.name in listed,
                known=wheel.name in known,
                required_by=() if wheel.name in asked else required_by(wheel.name, needed),
                source=wheel.name in self._from_source,
                notes=wheel.notes,
                file=wheel.path.name,
            )
            for wheel in wheels
        )
