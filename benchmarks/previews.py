"""What the way to a preview costs: the same Flask app, alone on this machine and behind the relay in its sandbox.

Requests of all ways alternate one by one, so that a noisy machine is as noisy for each. A visitor keeps its connection,
as browsers do, where the server lets it.
"""

import argparse
import http.client
import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402 - the checkout's root has to be on the path first
from rich.table import Table  # noqa: E402

from previews import Notebook, Previews, PreviewSpec, app_job  # noqa: E402
from sandboxes.base import OnOutput, Service  # noqa: E402
from sandboxes.bubblewrap import Bubblewrap  # noqa: E402
from sandboxes.readiness import UnixConnection  # noqa: E402
from tests.running_apps import copy_flask  # noqa: E402

APP = b"""
from flask import Flask
app = Flask(__name__)
PAGE, LARGE = "x" * 2000, b"x" * (16 * 2**20)
@app.get("/")
def page(): return PAGE
@app.get("/large")
def large(): return LARGE
"""
RUN = ("-m", "flask", "--app", "app:app", "run", "--host", "127.0.0.1", "--port")
TARGET_RELAY = 2.0
"""A page through the relay, at most so many times the time straight to the sandbox's own socket."""
TARGET_IDLE = 0.002
"""Processor seconds that all previews may use in a second in which nobody calls."""
Ask = Callable[[str], int]


def asker(connect: Callable[[], http.client.HTTPConnection]) -> Ask:
    connection = connect()

    def ask(target: str) -> int:
        connection.request("GET", target)
        return len(connection.getresponse().read())

    return ask


@contextmanager
def bare(packages: Path, folder: Path) -> Iterator[int]:
    """The app as a process of this machine, without a sandbox."""
    (folder / "app.py").write_bytes(APP)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    command = ["/usr/bin/python3", *RUN, str(port)]
    app = subprocess.Popen(
        command, cwd=folder, env={"PYTHONPATH": str(packages)}, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        while True:
            with socket.socket() as look:
                if look.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.02)
        yield port
    finally:
        app.kill()
        app.wait()


def measure(ways: dict[str, Ask], target: str, rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + rounds // 10):
        for name, ask in ways.items():
            begun = time.perf_counter()
            ask(target)
            if number >= rounds // 10:
                times[name].append((time.perf_counter() - begun) * 1000)
    return times


def idle(seconds: float) -> float:
    begun = time.process_time()
    time.sleep(seconds)
    return (time.process_time() - begun) / seconds


def run(rounds: int) -> dict[str, object]:
    root = Path(tempfile.mkdtemp(prefix="preview-benchmark-"))
    root.chmod(0o711)
    packages = copy_flask(root / "packages")
    sandbox = Bubblewrap(root / "sandbox", pool_size=0)
    state = sandbox.available()
    if not state.ok:
        raise SystemExit(f"bubblewrap is needed: {state.words}. {state.remedy}")
    services: list[Service] = []

    def start(spec: PreviewSpec, output: OnOutput) -> Service:
        services.append(sandbox.start(app_job(spec, {"app.py": APP}), spec.port, on_output=output))
        return services[-1]

    previews = Previews(start, Notebook())
    spec = PreviewSpec(
        project="shop",
        argv=("python3", *RUN, "8000"),
        env={"PYTHONPATH": str(packages)},
        mounts=(packages,),
    )
    try:
        with bare(packages, root) as port:
            preview = previews.start("shop", spec)
            path = services[-1].socket_path
            ways = {
                "bare process": asker(lambda: http.client.HTTPConnection("127.0.0.1", port)),
                "sandbox's socket": asker(lambda: UnixConnection(path, 30)),
                "preview": asker(lambda: http.client.HTTPConnection("127.0.0.1", preview.port)),
            }
            pages = measure(ways, "/", rounds)
            large = measure(ways, "/large", max(5, rounds // 50))
            return {"pages": pages, "large": large, "idle": idle(2.0)}
    finally:
        previews.close()
        sandbox.close()
        shutil.rmtree(root)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    found = run(100 if parser.parse_args().quick else 1000)
    table = Table(title="The way to a preview")
    for column in ("way", "page ms p50", "p95", "x bare", "16 MiB ms p50", "x bare"):
        table.add_column(column, justify="left" if column == "way" else "right")
    results: dict[str, dict[str, float]] = {}
    pages, large = found["pages"], found["large"]
    assert isinstance(pages, dict) and isinstance(large, dict)
    first = next(iter(pages))
    for name in pages:
        page, bulk = statistics.median(pages[name]), statistics.median(large[name])
        p95 = statistics.quantiles(pages[name], n=20)[-1]
        ratios = page / statistics.median(pages[first]), bulk / statistics.median(large[first])
        results[name] = {"page_ms": page, "page_p95_ms": p95, "page_ratio": ratios[0], "large_ratio": ratios[1]}
        table.add_row(name, f"{page:.2f}", f"{p95:.2f}", f"{ratios[0]:.2f}", f"{bulk:.1f}", f"{ratios[1]:.2f}")
    console = Console()
    console.print(table)
    relay = results["preview"]["page_ms"] / results["sandbox's socket"]["page_ms"]
    claims = {
        f"a page through the relay takes {relay:.2f} times the way without it (at most {TARGET_RELAY})": (
            relay <= TARGET_RELAY
        ),
        f"idle previews use {found['idle']:.4f} s of processor time a second (at most {TARGET_IDLE})": (
            float(str(found["idle"])) <= TARGET_IDLE
        ),
    }
    for words, kept in claims.items():
        console.print(("kept: " if kept else "MISSED: ") + words)
    output = {"ways": results, "relay_ratio": relay, "idle": found["idle"], "claims": claims}
    (ROOT / "benchmarks" / "results" / "previews.json").write_text(json.dumps(output, indent=2) + "\n")
    return 0 if all(claims.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
