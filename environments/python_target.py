"""Which Python runs in the sandbox, and how to choose packages for exactly that one."""

import importlib.util
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from contracts.errors import Unavailable

PROBE = """
import json, os, platform, sys
major, minor = sys.version_info[:2]
print(json.dumps({
    "executable": sys.executable,
    "version": [major, minor],
    "tag": sys.implementation.cache_tag,
    "machine": platform.machine(),
    "libc": platform.libc_ver(),
    "markers": {
        "implementation_name": sys.implementation.name,
        "implementation_version": platform.python_version(),
        "os_name": os.name,
        "platform_machine": platform.machine(),
        "platform_python_implementation": platform.python_implementation(),
        "platform_release": "",
        "platform_system": platform.system(),
        "platform_version": "",
        "python_full_version": platform.python_version(),
        "python_version": "%d.%d" % (major, minor),
        "sys_platform": sys.platform,
    },
}))
"""
OLDEST_GLIBC, LEGACY = 5, {17: "manylinux2014", 12: "manylinux2010", 5: "manylinux1"}
MUSL = ("musllinux_1_2", "musllinux_1_1")


@dataclass(frozen=True, slots=True)
class Target:
    executable: str
    version: tuple[int, int]
    tag: str
    machine: str
    libc: tuple[str, str]
    markers: Mapping[str, str]

    @property
    def name(self) -> str:
        """The same for all on which the same packages work."""
        return "-".join([self.tag, self.machine, *self.libc])

    @property
    def site(self) -> str:
        return f"lib/python{self.version[0]}.{self.version[1]}/site-packages"

    @property
    def like(self) -> tuple[object, ...]:
        """Pythons that agree on this are one to a package manager."""
        return (self.name, self.version)


@dataclass(frozen=True, slots=True)
class Pip:
    """The service's own pip, set to choose what fits the sandbox's Python."""

    command: tuple[str, ...]
    choice: tuple[str, ...] = ()


def choose_pip(target: Target) -> Pip:
    """Run by a Python like the sandbox's where this machine has one; otherwise pip is told what to choose for."""
    own = (sys.executable, "-I", "-m", "pip")
    for python in dict.fromkeys((target.executable, sys.executable)):
        here = _ask(python)
        if here and here.like == target.like:
            return Pip(own if python == sys.executable else _run_by(python, own))
    return Pip(own, tuple(told(target)))


def _run_by(python: str, own: tuple[str, ...]) -> tuple[str, ...]:
    """What `pip --python` would start, without starting pip twice; that option itself where pip is built otherwise."""
    found = importlib.util.find_spec("pip")
    starter = Path(str(found.origin)).parent / "__pip-runner__.py" if found else None
    return (python, "-I", str(starter)) if starter and starter.is_file() else (*own, "--python", python)


def told(target: Target) -> list[str]:
    """pip's options for another Python than the one that runs it."""
    options = ["--python-version", f"{target.version[0]}.{target.version[1]}", "--implementation", "cp"]
    for abi in (f"cp{target.version[0]}{target.version[1]}", "abi3", "none"):
        options += ["--abi", abi]
    for platform in _platforms(target):
        options += ["--platform", platform]
    return options


def _platforms(target: Target) -> list[str]:
    kind, version = target.libc
    if kind != "glibc":
        return [*(f"{name}_{target.machine}" for name in MUSL), f"linux_{target.machine}"]
    newest = int(version.split(".")[1])
    names = []
    for minor in range(newest, OLDEST_GLIBC - 1, -1):
        names.append(f"manylinux_2_{minor}")
        names += [LEGACY[minor]] if minor in LEGACY else []
    return [*(f"{name}_{target.machine}" for name in names), f"linux_{target.machine}"]


def _ask(python: str) -> Target | None:
    if not Path(python).is_file():
        return None
    try:
        done = subprocess.run(  # noqa: S603 - a Python of this machine with a fixed text
            [python, "-I", "-S", "-c", PROBE], capture_output=True, text=True, check=True, timeout=30, env={}
        )
        return parse_target(done.stdout)
    except (OSError, subprocess.SubprocessError, Unavailable):
        return None


def parse_target(text: str) -> Target:
    """What the probe printed. Raises Unavailable if that is nothing."""
    try:
        found: dict[str, Any] = orjson.loads(text)
        return Target(
            executable=str(found["executable"]),
            version=(int(found["version"][0]), int(found["version"][1])),
            tag=str(found["tag"]),
            machine=str(found["machine"]),
            libc=(str(found["libc"][0]), str(found["libc"][1])),
            markers={str(name): str(value) for name, value in found["markers"].items()},
        )
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise Unavailable("the sandbox's Python does not work", hint="Run the self-test of the sandbox") from error
