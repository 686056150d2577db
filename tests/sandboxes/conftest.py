"""Sandboxes that the tests share. What is missing on a machine is skipped by name."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandboxes.base import Job
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.container import Container
from sandboxes.image.make_image import build
from sandboxes.landlock import Landlock

IMAGE = "localhost/task-agent-sandbox-tests:1"
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
    sandbox = Bubblewrap(root, pool_size=2)
    state = sandbox.available()
    if not state.ok:
        pytest.skip(f"bubblewrap: {state.words}")
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def cold(root: Path) -> Iterator[Bubblewrap]:
    """Bubblewrap with nothing kept ready, so that what it leaves can be counted."""
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
    """The address of a podman service that ends with the tests, its image made."""
    program = shutil.which("podman")
    if program is None or os.geteuid() != 0:
        pytest.skip("podman: not installed, or the tests do not run as root")
    runtime = ["--runtime", "runc"] if shutil.which("runc", path="/usr/sbin:/usr/bin:/sbin:/bin") else []
    with tempfile.TemporaryDirectory(prefix="podman-tests-") as folder:
        address = f"unix://{folder}/podman.sock"
        service = subprocess.Popen(
            [program, *runtime, "system", "service", "--time=0", address], stderr=subprocess.DEVNULL
        )
        try:
            deadline = time.monotonic() + 30
            while not Path(folder, "podman.sock").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            if subprocess.run([program, "image", "exists", IMAGE], check=False).returncode != 0:
                build(program, IMAGE)
            yield address
        finally:
            service.terminate()
            service.wait()


@pytest.fixture(scope="session")
def container(root: Path, podman: str) -> Iterator[Container]:
    sandbox = Container(root, podman, image=IMAGE)
    assert sandbox.available().ok, sandbox.available()
    yield sandbox
    sandbox.close()
