"""Runs in the sandbox: builds one source package into a wheel, with setuptools and nothing else, and no network.

Arguments: the source package, the folder for the wheel, the wheels of the tools. This runs the package's own code.
"""
# the sandbox's Python may be older than the service's
# ruff: noqa: S202

import importlib
import os
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

NEEDS, ODD = 4, 5
TOOLS = {"setuptools", "wheel"}
LEGACY = "setuptools.build_meta:__legacy__"


def unpack(path: str, folder: str) -> Path:
    """The folder that a source package unpacks to."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
    else:
        with tarfile.open(path) as archive:
            options: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
            archive.extractall(folder, **options)
    [root] = [path for path in Path(folder).iterdir() if path.is_dir()]
    return root


def build_system() -> "dict[str, Any]":
    settings = Path("pyproject.toml")
    if not settings.exists():
        return {}
    try:
        import tomllib  # noqa: PLC0415 - not in every Python that a sandbox may have
    except ImportError:
        return {}
    found = tomllib.loads(settings.read_text("utf-8")).get("build-system", {})
    return found if isinstance(found, dict) else {}


def check(requirements: "list[str]") -> None:
    """Ends with the name of the first thing that would have to be fetched."""
    for requirement in requirements:
        name = re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0]
        if re.sub(r"[-_.]+", "-", name).lower() not in TOOLS:
            sys.stderr.write(f"\nneeds {name}\n")
            sys.exit(NEEDS)


def main(source: str, out: str, *tools: str) -> None:
    wheels = Path(out).resolve()
    wheels.mkdir()
    for tool in tools:
        with zipfile.ZipFile(tool) as archive:
            archive.extractall("tools")
    sys.path.insert(0, str(Path("tools").resolve()))
    try:
        os.chdir(unpack(source, "source"))
        system = build_system()
    except (OSError, ValueError, tarfile.TarError, zipfile.BadZipFile) as error:
        sys.stderr.write(f"\nodd {error}\n")
        sys.exit(ODD)
    check(system.get("requires", []))
    sys.path[:0] = [str(Path(path).resolve()) for path in system.get("backend-path", [])]
    module, _, attribute = system.get("build-backend", LEGACY).partition(":")
    backend = importlib.import_module(module)
    backend = getattr(backend, attribute) if attribute else backend
    sys.argv = ["setup.py"]
    if hasattr(backend, "get_requires_for_build_wheel"):
        check(backend.get_requires_for_build_wheel())
    backend.build_wheel(str(wheels))


if __name__ == "__main__":
    main(*sys.argv[1:])
