"""Pytest for jobs: a copy of the service's own, in a folder that a sandbox can be shown."""

import hashlib
import os
import shutil
import tempfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

from contracts.errors import Unavailable

PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


def pytest_environment(root: Path) -> Path:
    """A folder to be put on the path of a job. Made once for each version; raises Unavailable if pytest is missing."""
    try:
        packages = [distribution(name) for name in PYTEST]
    except PackageNotFoundError as error:
        raise Unavailable("pytest is not installed beside the service", hint="`pip install pytest`") from error
    versions = " ".join(f"{package.name}-{package.version}" for package in packages)
    folder = root / "environments"
    target = folder / f"pytest-{hashlib.sha256(versions.encode()).hexdigest()[:16]}"
    if not target.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o711)
        _copy(packages, folder, target)
    return target


def _copy(packages: list[Distribution], folder: Path, target: Path) -> None:
    fresh = Path(tempfile.mkdtemp(prefix="new-", dir=folder))
    for package in packages:
        for file in package.files or []:
            if _wanted(file):
                place = fresh / file
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(package.locate_file(file), place)  # type: ignore[arg-type]
                place.chmod(0o644)
    for path, _, _ in os.walk(fresh):
        Path(path).chmod(0o755)
    try:
        fresh.rename(target)
    except OSError:  # another service was faster
        shutil.rmtree(fresh)


def _wanted(file: PurePosixPath) -> bool:
    """No programs that would be put elsewhere, and nothing compiled."""
    return ".." not in file.parts and file.suffix != ".pyc"
