"""Packages of Python projects: wheels chosen by pip for the sandbox's Python, and unpacked in the sandbox."""

import sys
from collections.abc import Mapping
from pathlib import Path

from contracts.errors import Conflict
from contracts.files import Draft
from contracts.words import counted
from environments.allow_list import AllowList
from environments.assembly import Assembly, assemble
from environments.base import Bounds, Doing, Fetched, Part, SourcePackage, Wanted, digest_of
from environments.dependency_graph import applies
from environments.machine import Machine
from environments.python_download import FILES, Means, PythonDownload
from environments.python_target import Target, choose_pip
from environments.records import fetched_before, write_record
from environments.requirement_files import Line, read_requirements
from environments.store import Store
from environments.unpacking import close_to_writing, put
from environments.wheels import digest_of_file

FORMAT = "1"
"""Raised when environments are built in another way: older ones are not found any more."""
VENV = "venv"
LAYER = "TASK_AGENT_PYTEST"
"""Names the folder with the agent's pytest, for projects that do not have their own."""
HOOK = (
    "import os, sys; a = getattr(sys, 'orig_argv', ()); "
    f"('-m', 'pytest') in zip(a, a[1:]) and os.environ.get('{LAYER}') and sys.path.append(os.environ['{LAYER}'])\n"
)
"""Read at the start of Python: the agent's pytest is seen behind the project's packages, and only by pytest."""


class PythonPackages:
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

    def plan(self, files: Draft) -> Part:
        """Never None: every project may run Python."""
        found = read_requirements(files)
        target = self._machine.python()
        counting = [line for line in found.wanted if applies(line.requirement, target.markers)]
        lines = [line for line in counting if not _built_in(line)]
        text, constraints = _text(lines), _text(found.constraints)
        return Part(
            ecosystem="python",
            key=digest_of((FORMAT, "python", target.name, text, constraints)),
            wanted=tuple(map(self._wanted, lines)),
            given={"requirements.txt": text, "constraints.txt": constraints},
            notes=(
                *found.notes,
                *(f"`{line.requirement.name}` is part of Python" for line in counting if _built_in(line)),
            ),
        )

    def _wanted(self, line: Line) -> Wanted:
        name = line.requirement.name
        listed = self._allowed.has("python", name)
        return Wanted(
            ecosystem="python",
            name=name,
            spec=str(line.requirement.specifier),
            where=line.where,
            listed=listed,
            looks_like="" if listed else self._allowed.near("python", name),
        )

    def _means(self) -> Means:
        target = self._machine.python()
        return Means(
            pip=choose_pip(target),
            target=target,
            sandbox=self._machine,
            allowed=self._allowed,
            environ=self._environ,
            bounds=self._bounds,
            cache=self._store.cache("pip"),
        )

    def download(self, part: Part, doing: Doing, *, allow_source: bool) -> Fetched | SourcePackage:
        place = self._store.place(part.key, "downloads")
        if not part.wanted:
            return Fetched(part, place, ())
        with self._store.locked(part.key, doing.tick):
            if before := fetched_before(part, place, self._store.place(part.key)):
                return before
            with self._store.making(part.key, "downloads") as making:
                packages = PythonDownload(self._means(), part, making.folder, doing).run(allow_source=allow_source)
                if isinstance(packages, SourcePackage):
                    return packages
                write_record(making.folder, packages)
                making.publish()
        return Fetched(part, place, packages)

    def build(self, fetched: Fetched, doing: Doing) -> Path:
        key = fetched.part.key
        place = self._store.place(key)
        with self._store.locked(key, doing.tick):
            if place.exists():
                return place
            with self._store.making(key) as making:
                self._fill(fetched, making.folder / VENV, place / VENV, doing)
                write_record(making.folder, fetched.packages)
                making.publish()
            self._store.forget(key, "downloads")
        return place

    def _fill(self, fetched: Fetched, venv: Path, final: Path, doing: Doing) -> None:
        target, files = self._machine.python(), fetched.folder / FILES
        make_venv(venv, target)
        if not fetched.packages:
            close_to_writing(venv)
            return
        for package in fetched.packages:
            check_digest(files / package.file, package.digest)
        doing.say(f"Installing {counted(len(fetched.packages), 'package')}")
        task = {
            "wheels": [str(files / package.file) for package in fetched.packages],
            "site": target.site,
            "python": str(final / "bin" / "python"),
            "compiled_as": str(final),
        }
        what = Assembly(python=target.executable, task=task, mounts=(files,))
        assemble(what, venv, self._machine, self._bounds, doing)


def _built_in(line: Line) -> bool:
    """Python has it already; what the index has under that name is ancient or a trap."""
    return line.requirement.name.replace("-", "_") in sys.stdlib_module_names


def _text(lines: list[Line]) -> str:
    return "".join(f"{line}\n" for line in sorted(set(map(str, lines))))


def make_venv(venv: Path, target: Target) -> None:
    """The folder that makes Python look for packages here, and nowhere else."""
    for folder in ("bin", target.site):
        (venv / folder).mkdir(parents=True)
    settings = {
        "home": str(Path(target.executable).parent),
        "include-system-site-packages": "false",
        "version": target.markers["python_full_version"],
    }
    put(venv / "pyvenv.cfg", "".join(f"{name} = {value}\n" for name, value in settings.items()))
    put(venv / target.site / "zz_task_agent.pth", HOOK)
    for name in ("python", "python3", f"python{target.version[0]}.{target.version[1]}"):
        (venv / "bin" / name).symlink_to(target.executable)


def check_digest(path: Path, wanted: str) -> None:
    """Raises Conflict if the file is not the one that was shown."""
    try:
        same = f"sha256:{digest_of_file(path)}" == wanted
    except FileNotFoundError:
        same = False
    if not same:
        raise Conflict(f"`{path.name}` is not the file that was downloaded", hint="Download the packages again")
