"""The packages of projects, from the list in their files to what a run in the sandbox is given."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

from contracts.errors import Conflict
from contracts.files import Draft
from environments.allow_list import AllowList
from environments.base import (
    Bounds,
    Doing,
    Downloaded,
    Ecosystem,
    Environment,
    Fetched,
    InstallPlan,
    Package,
    Packages,
    Progress,
    Pruned,
    SourcePackage,
)
from environments.machine import Machine
from environments.node_packages import NODE_MODULES, NodePackages
from environments.pytest_layer import FOLDER, SCRIPTS, build_layer, layer_key
from environments.python_packages import LAYER, VENV, PythonPackages
from environments.records import read_record
from environments.store import Store
from sandboxes.base import Link, Sandbox, Tick

USUAL_PATH = "/usr/local/bin:/usr/bin:/bin"


class Environments:
    """Plan, download, build; then any number of runs share what was built. Threads may share it."""

    def __init__(
        self,
        root: Path,
        choose: Callable[[], Sandbox],
        *,
        allowed: AllowList,
        environ: Mapping[str, str],
        bounds: Bounds | None = None,
    ) -> None:
        """`root` is where the sandbox's user may pass, `choose` gives the sandbox that is used now, and `environ` holds
        this machine's settings for its registries.
        """
        bounds = bounds or Bounds()
        self._store = Store(root)
        self._machine = Machine(choose)
        self._bounds = bounds
        self._layer_keys: dict[str, str] = {}
        self._packages: dict[Ecosystem, Packages] = {
            "python": PythonPackages(self._store, self._machine, allowed, environ, bounds),
            "node": NodePackages(self._store, self._machine, allowed, environ, bounds),
        }

    def plan(self, files: Draft) -> InstallPlan:
        """What the project asks for, from its files alone. Raises BadInput that names every line that is wrong."""
        parts = (packages.plan(files) for packages in self._packages.values())
        return InstallPlan(tuple(part for part in parts if part))

    def download(
        self,
        plan: InstallPlan,
        *,
        allow_source: bool = False,
        progress: Progress | None = None,
        tick: Tick | None = None,
    ) -> Downloaded:
        """Fetch everything, running none of it. What was fetched for the same plan before is used again.

        With `sources` in the answer nothing can be built yet: ask, then call again with `allow_source`.
        Raises NotFound, Conflict, TooLarge, Unavailable, BadInput or Failed in plain words, or what `tick` raises.
        """
        doing = _doing(progress, tick)
        parts: list[Fetched] = []
        for part in plan.parts:
            fetched = self._packages[part.ecosystem].download(part, doing, allow_source=allow_source)
            if isinstance(fetched, SourcePackage):
                return Downloaded(plan, tuple(parts), (fetched,))
            parts.append(fetched)
        return Downloaded(plan, tuple(parts))

    def build(
        self, downloaded: Downloaded, *, progress: Progress | None = None, tick: Tick | None = None
    ) -> Environment:
        """Install in the sandbox what was fetched, or find it installed. Raises as `download` does."""
        if downloaded.sources:
            raise Conflict("a package that exists only as source has not been allowed", hint="Allow it, or drop it")
        doing = _doing(progress, tick)
        places = [self._packages[fetched.part.ecosystem].build(fetched, doing) for fetched in downloaded.parts]
        return self._environment(downloaded.plan, places, doing)

    def environment_for(self, files: Draft) -> Environment | None:
        """What a run in this project is given; None if something that it asks for is not installed yet."""
        plan, doing, places = self.plan(files), Doing(), []
        for part in plan.parts:
            place = self._store.find(part.key)
            if place is None and part.wanted:
                return None
            nothing = Fetched(part, self._store.place(part.key, "downloads"), ())
            places.append(place or self._packages[part.ecosystem].build(nothing, doing))
        environment = self._environment(plan, places, doing)
        return environment if files.node(NODE_MODULES) is None else replace(environment, links={})

    def packages_of(self, environment: Environment) -> tuple[Package, ...]:
        """What is installed in it."""
        records = (read_record(self._store.place(key)) for key in environment.keys)
        return tuple(package for record in records for package in record or ())

    def prepare(self) -> None:
        """Build what projects without packages use, so that the first run does not wait for it."""
        self._pytest(Doing())

    def prune(self, days: float, *, keep: Collection[str] = ()) -> Pruned:
        """Remove what was not used for so many days, but for the keys of environments in use."""
        return self._store.prune(days, keep)

    def _pytest(self, doing: Doing) -> Path:
        """The folder with the agent's own pytest."""
        target = self._machine.python()
        key = self._layer_keys.setdefault(target.name, "") or layer_key(target)
        self._layer_keys[target.name] = key
        return self._store.find(key) or build_layer(key, self._store, self._machine, target, self._bounds, doing)

    def _environment(self, plan: InstallPlan, places: list[Path], doing: Doing) -> Environment:
        by_kind = {part.ecosystem: place for part, place in zip(plan.parts, places, strict=True)}
        venv, layer, node = by_kind["python"] / VENV, self._pytest(doing), by_kind.get("node")
        env = {
            "VIRTUAL_ENV": str(venv),
            "PYTHONPATH": str(venv / self._machine.python().site),
            LAYER: str(layer / FOLDER),
        }
        path, links = [venv / "bin", layer / SCRIPTS], {}
        if node:
            path.insert(1, node / NODE_MODULES / ".bin")
            links = {NODE_MODULES: Link(str(node / NODE_MODULES))}
        python = str(venv / "bin" / "python")
        return Environment(
            keys=(*(part.key for part in plan.parts), layer.name),
            mounts=(*places, layer),
            env={**env, "PATH": ":".join([*map(str, path), USUAL_PATH])},
            links=links,
            empty=not plan.wanted,
            python=(python,),
            pytest=(python, "-m", "pytest"),
        )


def _doing(progress: Progress | None, tick: Tick | None) -> Doing:
    """Says each thing once, since package managers go over their list several times."""
    said: set[str] = set()

    def say(words: str) -> None:
        if progress and words not in said:
            said.add(words)
            progress(words)

    return Doing(say, tick or (lambda: None))
