"""What is installed for a project, in the three pieces that a run takes."""

from collections.abc import Mapping
from pathlib import Path

from contracts.errors import BadInput
from contracts.files import Draft
from environments.base import Environment
from environments.manager import Environments
from sandboxes.base import Link


class InstalledPackages:
    """Nothing for a project whose packages are not installed yet, or whose list of them cannot be read."""

    def __init__(self, environments: Environments) -> None:
        self._environments = environments

    def mounts(self, project: str, files: Draft) -> tuple[Path, ...]:
        found = self._of(project, files)
        return found.mounts if found else ()

    def env(self, project: str, files: Draft) -> Mapping[str, str]:
        found = self._of(project, files)
        return found.env if found else {}

    def links(self, project: str, files: Draft) -> Mapping[str, Link]:
        found = self._of(project, files)
        return found.links if found else {}

    def _of(self, project: str, files: Draft) -> Environment | None:
        if not project:
            return None
        try:
            return self._environments.environment_for(files)
        except BadInput:
            return None
