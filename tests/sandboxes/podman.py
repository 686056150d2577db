"""A podman service of one's own, with the image for jobs, for tests and benchmarks."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandboxes.image.make_image import build

IMAGE = "localhost/task-agent-sandbox-tests:1"
START_SECONDS = 90.0


def missing() -> str:
    """Why there can be none here, or nothing."""
    if shutil.which("podman") is None:
        return "podman: not installed"
    return "" if os.geteuid() == 0 else "podman: needs root"


@contextmanager
def podman_service() -> Iterator[str]:
    """Its address. `runc` is preferred: `crun` refuses machines with both versions of cgroups."""
    runtime = ["--runtime", "runc"] if shutil.which("runc", path="/usr/sbin:/usr/bin:/sbin:/bin") else []
    with tempfile.TemporaryDirectory(prefix="podman-tests-") as folder:
        address = f"unix://{folder}/podman.sock"
        service = subprocess.Popen(
            ["podman", *runtime, "system", "service", "--time=0", address], stderr=subprocess.DEVNULL, cwd=folder
        )
        try:
            deadline = time.monotonic() + START_SECONDS
            while not Path(folder, "podman.sock").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            if subprocess.run(["podman", "image", "exists", IMAGE], check=False).returncode != 0:
                build("podman", IMAGE)
            yield address
        finally:
            service.terminate()
            service.wait()
