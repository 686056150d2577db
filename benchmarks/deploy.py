"""What a deployment costs beyond the host's own time: 500 files, then one of them changed, against fakes of hosts.

The fakes run in processes of their own and take their time over each request, each file and each build. Their own time
is what no client could save: the requests one after the other, the files in as many rows as may be under way at once,
the build. All above it is overhead: hashing, JSON, threads, and the wait for the next look at the build.

Usage: python -m benchmarks.deploy [--files 500] [--build 12] [--repeats 3] [--quick]
"""

import argparse
import json
import math
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from cloud_fakes.netlify import FakeNetlify
from cloud_fakes.vercel import FakeVercel
from contracts.deployments import Parcel
from providers import netlify, vercel, vercel_shipping
from providers.base import Provider

RESULTS = Path(__file__).parent / "results" / "deploy.json"
TOKEN = "benchmark-token"
A_REQUEST = 0.05
A_FILE = 0.1
TARGET = 0.10
"""Overhead, as a part of the host's own time."""


@dataclass(frozen=True, slots=True)
class Host:
    name: str
    upload: str
    """How a request begins that sends a file."""
    at_once: int
    limit: int
    """Files under way at once, as the vendor's own client has them at most."""


HOSTS = (
    Host("vercel", "POST /v2/files", vercel_shipping.AT_ONCE, 50),
    Host("netlify", "PUT ", netlify.AT_ONCE, 5),
)


@dataclass(frozen=True, slots=True)
class Measured:
    host: str
    deployment: str
    files: int
    sent: int
    at_once: int
    seconds: float
    own: float
    overhead: float
    one_by_one: float
    """The host's own time if files went one after the other."""


def serve(name: str, build: float, line: Connection) -> None:
    """A fake in a process of its own; tells what it was asked since the last time."""
    fake = FakeVercel() if name == "vercel" else FakeNetlify()
    fake.script.seconds = build
    if isinstance(fake, FakeVercel):
        fake.script.alias_polls = 0
        fake.script.per_day = 10**6
    else:
        fake.allowance = 10**6
    fake.delays |= {method: A_REQUEST for method in ("GET ", "POST ", "PATCH ", "DELETE ")}
    fake.delays |= {host.upload: A_FILE for host in HOSTS if host.name == name}
    fake.add_token(TOKEN)
    with fake:
        line.send(fake.url)
        while line.recv():
            line.send((list(fake.delayed), fake.most_at_once))
            fake.delayed.clear()
            fake.most_at_once = 0


@contextmanager
def running(host: Host, build: float) -> Iterator[tuple[Provider, Connection]]:
    context = multiprocessing.get_context("spawn")
    line, theirs = context.Pipe()
    child = context.Process(target=serve, args=(host.name, build, theirs), daemon=True)
    child.start()
    try:
        url = line.recv()
        made: Provider = (
            vercel.Vercel(TOKEN, base_url=url) if host.name == "vercel" else netlify.Netlify(TOKEN, base_url=url)
        )
        yield made, line
    finally:
        line.send(False)
        child.join()


def pages(count: int, changed: str, repeat: int) -> Parcel:
    files = {f"page-{number}.html": f"<h1>{repeat} {number}</h1>".encode() * 40 for number in range(count - 1)}
    files["index.html"] = f"<h1>{repeat} {changed}</h1>".encode()
    return Parcel(project=f"bench-{repeat}", commit=changed, files=files, framework="static")


def measure(host: Host, provider: Provider, line: Connection, parcel: Parcel, key: str, build: float) -> Measured:
    line.send(True)
    line.recv()
    began = time.monotonic()
    provider.ship(parcel, parcel.project, key, say=lambda text: None, tick=lambda: None)
    seconds = time.monotonic() - began
    line.send(True)
    delayed, at_once = line.recv()
    sent = [entry for entry in delayed if entry[0].startswith(host.upload)]
    own, serial = own_time(host, delayed, build)
    return Measured(
        host=host.name,
        deployment=key,
        files=len(parcel.files),
        sent=len(sent),
        at_once=at_once,
        seconds=round(seconds, 2),
        own=round(own, 2),
        overhead=round(seconds / own - 1, 4),
        one_by_one=round(serial, 2),
    )


def own_time(host: Host, delayed: list[tuple[str, float, float]], build: float) -> tuple[float, float]:
    """What the host took for itself: with files side by side as many as may be, and with one after the other."""
    files = [entry for entry in delayed if entry[0].startswith(host.upload)]
    others = [entry for entry in delayed if entry not in files]
    began = max(at + delay for line, at, delay in delayed if line.startswith((host.upload, "POST ")))
    ended = began + build
    asked = sum(delay - max(0.0, min(at + delay, ended) - max(at, began)) for _, at, delay in others)
    rows = math.ceil(len(files) / host.at_once)
    return asked + rows * A_FILE + build, asked + len(files) * A_FILE + build


def shown(results: list[Measured]) -> Table:
    table = Table("host", "deployment", "files", "sent", "at once", "seconds", "host's own", "overhead", "one by one")
    for one in results:
        table.add_row(
            *(one.host, one.deployment, str(one.files), str(one.sent), str(one.at_once), f"{one.seconds:.2f}"),
            *(f"{one.own:.2f}", f"{one.overhead:.1%}", f"{one.one_by_one:.2f}"),
        )
    return table


def broken(results: list[Measured]) -> list[str]:
    """Promises that were not kept."""
    limits = {host.name: host.limit for host in HOSTS}
    complaints = []
    for one in results:
        where = f"{one.host}, {one.deployment}"
        if one.deployment.startswith("changed") and one.sent != 1:
            complaints.append(f"{where}: {one.sent} files were sent, not one")
        if one.deployment.startswith("first") and not 1 < one.at_once <= limits[one.host]:
            complaints.append(f"{where}: {one.at_once} requests at once")
        if one.overhead > TARGET:
            complaints.append(f"{where}: {one.overhead:.1%} overhead")
    return complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--build", type=float, default=12.0, help="seconds")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="100 files, once")
    options = parser.parse_args()
    count, repeats = (100, 1) if options.quick else (options.files, options.repeats)
    results: list[Measured] = []
    for host in HOSTS:
        with running(host, options.build) as (provider, line):
            for repeat in range(1, repeats + 1):
                for key in ("first", "changed"):
                    parcel = pages(count, key, repeat)
                    results.append(measure(host, provider, line, parcel, f"{key} {repeat}", options.build))
    complaints = broken(results)
    console = Console()
    console.print(shown(results))
    for complaint in complaints:
        console.print(f"NOT KEPT: {complaint}")
    if not options.quick:
        written: dict[str, Any] = {
            "request_seconds": A_REQUEST,
            "file_seconds": A_FILE,
            "build_seconds": options.build,
            "target_overhead": TARGET,
            "deployments": [asdict(one) for one in results],
            "not_kept": complaints,
        }
        RESULTS.write_text(json.dumps(written, indent=2) + "\n")
    return int(bool(complaints))


if __name__ == "__main__":
    raise SystemExit(main())
