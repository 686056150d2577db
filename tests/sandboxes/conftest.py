"""Sandboxes that the tests share. What is missing on a machine is skipped by name."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandboxes.base import Job
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.container import Container
from sandboxes.landlock import Landlock
from tests.sandboxes.podman import IMAGE, missing, podman_service

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.fixture(scope="session")
def root() -> Iterator[Path]:
    """Not below pytest's own folder, which other users may not enter."""
    folder = Path(tempfile.mkdtemp(prefix="sandbox-tests-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def bubblewrap(root: Path) -> Iterator[Bubblewrap]:
    """With nothing kept ready, so that what a job leaves can be counted."""
    sandbox = Bubblewrap(root, pool_size=0)
    state = sandbox.available()
    if not state.ok:
        pytest.skip(f"bubblewrap: {state.words}")
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def landlock(root: Path) -> Iterator[Landlock]:
    sandbox = Landlock(root)
    state = sandbox.available()
    if not state.ok:
        pytest.skip(f"landlock: {state.words}")
    assert sandbox.run(Job(code="")).ok
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def podman() -> Iterator[str]:
    """The address of a podman service that ends with the tests."""
    if why := missing():
        pytest.skip(why)
    with podman_service() as address:
        yield address


@pytest.fixture(scope="session")
def container(root: Path, podman: str) -> Iterator[Container]:
    sandbox = Container(root, podman, image=IMAGE)
    assert sandbox.available().ok, sandbox.available()
    yield sandbox
    sandbox.close()
