"""The agent's own pytest with all that it needs, for projects that bring none: copied from where the service runs."""

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from contracts.errors import Failed
from environments.assembly import Assembly, assemble
from environments.base import Bounds, Doing, Runs, digest_of
from environments.dependency_graph import applies
from environments.python_target import Target
from environments.store import Store
from environments.unpacking import put

FORMAT = "1"
FOLDER, SCRIPTS = "lib", "bin"
RARELY_USED = ("pygments/lexers/", "pygments/styles/", "pygments/formatters/")
SCRIPT = """#!/bin/sh
exec python3 -m pytest "$@"
"""


def layer_key(target: Target) -> str:
    return digest_of(
        [FORMAT, "pytest", target.name, *(f"{dist.name} {dist.version}" for dist in distributions(target))]
    )


def build_layer(key: str, store: Store, sandbox: Runs, target: Target, bounds: Bounds, doing: Doing) -> Path:
    """Copy it, compiled for the sandbox's Python, unless it is there."""
    place = store.place(key)
    with store.locked(key, doing.tick):
        if place.exists():
            return place
        with store.making(key) as making:
            _fill(making.folder, place, sandbox, target, bounds, doing)
            making.publish()
    return place


def _fill(folder: Path, final: Path, sandbox: Runs, target: Target, bounds: Bounds, doing: Doing) -> None:
    (folder / SCRIPTS).mkdir()
    (folder / SCRIPTS).chmod(0o755)
    put(folder / SCRIPTS / "pytest", SCRIPT, 0o555)
    (folder / FOLDER).mkdir()
    task = {"tree": FOLDER, "compiled_as": str(final / FOLDER), "not_compiled": RARELY_USED}
    files = {f"{FOLDER}/{path}": data for path, data in _files(target)}
    assemble(Assembly(python=target.executable, task=task, files=files), folder / FOLDER, sandbox, bounds, doing)


def distributions(target: Target) -> list[metadata.Distribution]:
    """pytest and all that it needs on the sandbox's Python, by name. Raises Failed if the service lacks one."""
    found: dict[str, metadata.Distribution] = {}
    waiting = ["pytest"]
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError as error:
            raise Failed(
                f"the service's own `{name}` is missing", hint="Run `./run` again; it installs what is missing"
            ) from error
        needed = map(Requirement, found[name].requires or [])
        waiting += [requirement.name for requirement in needed if applies(requirement, target.markers)]
    return [found[name] for name in sorted(found)]


def _files(target: Target) -> Iterator[tuple[str, bytes]]:
    for dist in distributions(target):
        for path in dist.files or []:
            text = str(path)
            if not text.startswith("..") and "__pycache__" not in text and not text.endswith((".pth", ".so")):
                yield text, Path(str(dist.locate_file(path))).read_bytes()
