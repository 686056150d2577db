"""Builds the sandboxes that the settings ask for, in the order in which they are preferred."""

import os
from pathlib import Path

from sandbox_runner import SandboxRunner
from sandboxes.base import Limits, Sandbox
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.container import Container
from sandboxes.landlock import Landlock
from settings import Settings

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
