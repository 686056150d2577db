"""A place where projects get their packages: real files, a real sandbox, real package managers."""

import itertools
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from environments.allow_list import AllowList
from environments.base import Bounds, Downloaded, Environment, Fetched, InstallPlan, Package, Part
from environments.manager import Environments
from environments.wheels import digest_of_file
from project_files import Workspace
from sandboxes.base import Job, JobResult, Limits, Sandbox
from tests.environments.made_packages import Registries

ALLOWED = AllowList({"python": frozenset({"alpha", "requests", "flask"}), "node": frozenset({"left", "express"})})
NUMBERS = itertools.count()


@dataclass
class Shop:
    root: Path
    sandbox: Sandbox
    published: Registries
    bounds: Bounds = field(default_factory=Bounds)
    environ: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        self.workspace = Workspace(self.root / "workspace")
        self.environments = Environments(
            self.root / "environments",
            lambda: self.sandbox,
            allowed=ALLOWED,
            environ=self.environ or self.registries(),
            bounds=self.bounds,
        )

    def registries(self) -> dict[str, str]:
        """Settings of a machine whose registries are the tests' own; SECRET is none of a package manager's business."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root / "nobody"),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_INDEX_URL": f"{self.published.url}/simple",
            "npm_config_registry": self.published.url,
            "npm_config_userconfig": os.devnull,
            "SECRET": "do not pass on",
        }

    def project(self, files: Mapping[str, str | bytes]) -> str:
        name = f"p{next(NUMBERS)}"
        for path, content in files.items():
            place = self.root / "workspace" / name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content if isinstance(content, bytes) else content.encode())
        (self.root / "workspace" / name).mkdir(parents=True, exist_ok=True)
        return name

    def plan(self, files: Mapping[str, str | bytes]) -> InstallPlan:
        return self.environments.plan(self.workspace.draft(self.project(files)))

    def download(self, files: Mapping[str, str | bytes], *, allow_source: bool = False) -> Downloaded:
        return self.environments.download(self.plan(files), allow_source=allow_source)

    def install(self, files: Mapping[str, str | bytes]) -> Environment:
        return self.environments.build(self.download(files))

    def environment_for(self, files: Mapping[str, str | bytes]) -> Environment | None:
        return self.environments.environment_for(self.workspace.draft(self.project(files)))

    def handed_over(self, made: tuple[str, bytes]) -> Downloaded:
        """A wheel as if pip had fetched it, for what pip itself would not let through."""
        number = next(NUMBERS)
        folder = self.root / f"handed-{number}"
        (folder / "files").mkdir(parents=True)
        file = folder / "files" / made[0]
        file.write_bytes(made[1])
        package = Package(
            ecosystem="python",
            name="hostile",
            version="1.0",
            size=1,
            licence="",
            digest=f"sha256:{digest_of_file(file)}",
            listed=False,
            known=False,
            file=made[0],
        )
        part = Part(ecosystem="python", key=f"{number:032x}", wanted=(), given={})
        return Downloaded(InstallPlan((part,)), (Fetched(part, folder, (package,)),))

    def run(self, environment: Environment, *argv: str, files: Mapping[str, bytes] | None = None) -> JobResult:
        return self.sandbox.run(
            Job(
                argv=argv,
                files=files or {},
                also=environment.links,
                mounts=environment.mounts,
                env=environment.env,
                limits=Limits(address_space=False),
            )
        )

    def python(self, environment: Environment, code: str) -> str:
        """What the code prints, with the project's packages."""
        result = self.run(environment, *environment.python, "-c", code)
        assert result.ok, result.stderr.text
        return result.stdout.text.strip()
