"""Builds the sandboxes that the settings ask for, in the order in which they are preferred."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox_runner import SandboxRunner
from sandboxes.base import Limits, Sandbox
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.container import Container
from sandboxes.landlock import Landlock
from settings import CHECKOUT, Settings

if TYPE_CHECKING:
    from environments.manager import Environments

SHARED = Path("/var/lib/task-agent")
"""Where a service that runs as root keeps what the sandbox's own user must be able to reach."""


def sandbox_root(settings: Settings) -> Path:
    """A folder that the user inside the sandbox can reach, whoever runs the service."""
    if settings.sandbox_root is not None:
        return settings.sandbox_root
    return SHARED if os.geteuid() == 0 else settings.home / "sandbox"


def build_sandboxes(settings: Settings) -> SandboxRunner:
    root = sandbox_root(settings)
    limits = Limits(memory=settings.sandbox_memory_bytes)
    chosen: list[Sandbox] = []
    if settings.container_socket and settings.sandbox in {"auto", "container"}:
        chosen.append(Container(root, settings.container_socket))
    if settings.sandbox in {"auto", "bubblewrap"}:
        chosen.append(Bubblewrap(root, pool_size=settings.sandbox_pool, limits=limits))
    if settings.sandbox in {"auto", "landlock"}:
        chosen.append(Landlock(root))
    return SandboxRunner(chosen, root=root, parallel=settings.sandbox_parallel, limits=limits)


def build_environments(
    settings: Settings, sandbox: Callable[[], SandboxRunner], environ: Mapping[str, str]
) -> "Environments":
    from environments.allow_list import AllowList  # noqa: PLC0415  loaded when something is run or installed
    from environments.manager import Environments  # noqa: PLC0415

    return Environments(
        sandbox_root(settings) / "environments",
        sandbox().choose,
        allowed=AllowList.load(CHECKOUT / "config" / "allowed_deps.json"),
        environ=environ,
    )
