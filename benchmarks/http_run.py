"""Measures what `benchmarks/http.py` claims."""

import argparse
import http.client
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
LOAD = [sys.executable, str(ROOT / "benchmarks" / "http_load.py")]
TABS = 200
CONNECTIONS = 8


@dataclass
class Claim:
    what: str
    measured: float
    target: float
    unit: str = "x"
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.measured >= self.target if self.at_least else self.measured <= self.target


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Running:
    """A server under test."""

    process: subprocess.Popen[bytes]
    port: int
    home: Path
    started_ms: float

    @property
    def token(self) -> str:
        kept = self.home / "token"
        return kept.read_text().strip() if kept.exists() else ""

    @property
    def pids(self) -> list[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def load(self, *command: object, **options: Any) -> "subprocess.Popen[str]":
        environ = {**os.environ, "BENCHMARK_TOKEN": self.token}
        words = [*LOAD, *map(str, command)]
        return subprocess.Popen(words, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)

    def rate(self, path: str, seconds: float) -> float:
        said, _ = self.load("rate", self.port, path, seconds, CONNECTIONS).communicate(timeout=120)
        return float(said)


@contextmanager
def running(home: Path, *, bare: bool = False) -> Iterator[Running]:
    """A server from its start until the end of the block, with how long it took to answer."""
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_")}
    environ |= {"AGENT_HOME": str(home), "AGENT_PORT": str(port), "AGENT_SANDBOX": "off", "AGENT_RATE_LIMIT": "1000000"}
    script = [str(ROOT / "benchmarks" / "http_bare.py"), str(port)] if bare else [str(ROOT / "app.py")]
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, *script], env=environ, cwd=ROOT)
    try:
        while not answers(port):
            if process.poll() is not None:
                raise SystemExit(f"the server ended with {process.returncode}")
            time.sleep(0.001)
        yield Running(process, port, home, (time.perf_counter() - begun) * 1000)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def answers(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/health")
        good = connection.getresponse().status == 200
        connection.close()
    except ConnectionError:
        return False
    return good


def measure_start(folder: Path, rounds: int) -> tuple[dict[str, Any], list[Claim]]:
    times: dict[str, list[float]] = {"service": [], "bare Flask": []}
    for number in range(rounds):
        for name, found in times.items():
            with running(folder / f"{name}{number}", bare=name != "service") as server:
                found.append(server.started_ms)
    medians = {name: statistics.median(found) for name, found in times.items()}
    facts = {f"start of {name}, ms": round(median, 1) for name, median in medians.items()}
    return facts, [Claim("start to first /health", medians["service"], 500, " ms")]


def measure_rates(folder: Path, rounds: int, seconds: float) -> tuple[dict[str, Any], list[Claim]]:
    """Turn by turn: bare Flask, the service, and the service with tabs open."""
    with ExitStack() as stack:
        bare = stack.enter_context(running(folder / "bare", bare=True))
        alone = stack.enter_context(running(folder / "alone"))
        watched = stack.enter_context(running(folder / "watched"))
        stack.enter_context(tabs(watched))
        turns: dict[str, Callable[[], float]] = {
            "bare Flask": lambda: bare.rate("/health", seconds),
            "/health": lambda: alone.rate("/health", seconds),
            f"/health, {TABS} tabs": lambda: watched.rate("/health", seconds),
            "/queue": lambda: alone.rate("/queue", seconds),
            f"/queue, {TABS} tabs": lambda: watched.rate("/queue", seconds),
        }
        found: dict[str, list[float]] = {name: [] for name in turns}
        for _ in range(rounds):
            for name, turn in turns.items():
                found[name].append(turn())

    def ratio(name: str, other: str) -> float:
        return statistics.median(a / b for a, b in zip(found[name], found[other], strict=True))

    facts = {f"{name}, requests/s": round(statistics.median(values)) for name, values in found.items()}
    return facts, [
        Claim("/health, guarded and logged, against bare Flask", ratio("/health", "bare Flask"), 0.7, at_least=True),
        Claim(
            f"/health with {TABS} open streams against none",
            ratio(f"/health, {TABS} tabs", "/health"),
            0.9,
            at_least=True,
        ),
        Claim(
            f"/queue with {TABS} open streams against none", ratio(f"/queue, {TABS} tabs", "/queue"), 0.9, at_least=True
        ),
    ]


@contextmanager
def tabs(server: Running) -> Iterator["subprocess.Popen[str]"]:
    """Open tabs until the end of the block."""
    with server.load("tabs", server.port, TABS) as holder:
        assert holder.stdin
        assert holder.stdout
        assert holder.stdout.readline() == "ready\n"
        yield holder
        holder.stdin.close()


def measure_reload(folder: Path) -> tuple[dict[str, Any], list[Claim]]:
    """All tabs closed and opened again, three times without a pause, while someone asks /health."""
    slowest, done = [0.0], threading.Event()

    def ask(server: Running) -> None:
        while not done.is_set():
            begun = time.perf_counter()
            assert answers(server.port)
            slowest[0] = max(slowest[0], time.perf_counter() - begun)
            time.sleep(0.01)

    with running(folder / "reload") as server, tabs(server) as holder:
        asker = threading.Thread(target=ask, args=(server,))
        asker.start()
        begun = time.perf_counter()
        assert holder.stdin
        assert holder.stdout
        holder.stdin.write("again\n" * 3)
        holder.stdin.flush()
        for _ in range(3):
            assert holder.stdout.readline() == "ready\n"
        seconds = time.perf_counter() - begun
        done.set()
        asker.join()
    facts = {f"{TABS} tabs reloaded three times, s": round(seconds, 2)}
    return facts, [Claim(f"slowest /health while {TABS} tabs are reloaded three times", slowest[0], 2, " s")]


def measure_idle(folder: Path, seconds: float) -> tuple[dict[str, Any], list[Claim]]:
    with running(folder / "idle") as server:
        for path in ("/memory", "/docs", "/openapi.json", "/trust"):
            connection = server.connect()
            connection.request("GET", path, headers={"Authorization": f"Bearer {server.token}"})
            connection.getresponse().read()
            connection.close()
        settle(server)
        spent = spent_in(server, seconds)
        proportional = sum(memory(pid, "Pss:") for pid in server.pids)
        resident = sum(memory(pid, "Rss:") for pid in server.pids)
    facts = {"resident memory of both processes, MB": round(resident, 1)}
    return facts, [
        Claim(f"processor time of an idle service in {seconds:g} s", spent, 10 * seconds / 5, " ms"),
        Claim("memory of an idle service, both processes, shared pages once", proportional, 120, " MB"),
    ]


def spent_in(server: Running, seconds: float) -> float:
    before = sum(map(cpu_ms, server.pids))
    time.sleep(seconds)
    return sum(map(cpu_ms, server.pids)) - before


def settle(server: Running) -> None:
    """Until what is done once after the start is done."""
    for _ in range(30):
        if spent_in(server, 1.0) == 0:
            return


def cpu_ms(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def memory(pid: int, name: str) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1024
    raise LookupError(name)


GIT = ["git", "-c", "user.name=Hand", "-c", "user.email=hand@localhost", "-c", "gc.auto=0"]


def project_of(folder: Path, files: int) -> None:
    """A committed project of so many files, a hundred in a folder."""
    for number in range(files):
        path = folder / f"part{number // 100:03}" / f"file{number % 100:02}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{number}\n" * 20)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Files"]):
        subprocess.run([*GIT, *words], cwd=folder, check=True)


def measure_command(folder: Path, files: int, rounds: int) -> tuple[dict[str, Any], list[Claim]]:
    """A trusted create_file over HTTP against the same change committed in a shell, in a project of the same size."""
    hand, home = folder / "hand", folder / "home"
    project_of(hand, files)
    shutil.copytree(hand, home / "workspace" / "bench", symlinks=True)
    commit = " ".join(GIT) + " add -A && " + " ".join(GIT) + " commit -q -m 'Add a file'"
    times: dict[str, list[float]] = {"hand": [], "service": []}
    with running(home) as server:
        ask = commander(server)
        warm = earn_trust(ask)
        for number in range(rounds):
            path = f"part000/new{number}.txt"
            begun = time.perf_counter()
            said = ask("/run", {"intent": "create_file", "project": "bench", "path": path, "content": "hi\n"})
            times["service"].append((time.perf_counter() - begun) * 1000)
            assert said["status"] == "succeeded", said
            (hand / path).write_text("hi\n")
            begun = time.perf_counter()
            subprocess.run(commit, shell=True, cwd=hand, check=True)
            times["hand"].append((time.perf_counter() - begun) * 1000)
    medians = {name: statistics.median(found) for name, found in times.items()}
    facts: dict[str, Any] = {f"{name} at {files:,} files, ms": round(value, 2) for name, value in medians.items()}
    facts["approvals until it ran alone"] = warm
    limit = 1.2 if files <= 1000 else 1.6
    what = f"a whole trusted /run at {files:,} files against git by hand"
    return facts, [Claim(what, medians["service"] / medians["hand"], limit)]


def commander(server: Running) -> Callable[[str, dict[str, Any]], dict[str, Any]]:
    connection = server.connect()
    headers = {"Authorization": f"Bearer {server.token}"}

    def ask(path: str, body: dict[str, Any]) -> dict[str, Any]:
        connection.request("POST", path, json.dumps(body), headers)
        said: dict[str, Any] = json.loads(connection.getresponse().read())
        return said

    return ask


def earn_trust(ask: Callable[[str, dict[str, Any]], dict[str, Any]]) -> int:
    """Approve until the same kind of action runs alone; how often that took."""
    for number in range(100):
        path = f"part000/warm{number}.txt"
        said = ask("/run", {"intent": "create_file", "project": "bench", "path": path, "content": "hi\n"})
        if not said["confirmationNeeded"]:
            return number
        ask("/confirm", {"id": said["id"], "approve": True})
    raise SystemExit("trust was never earned")


def report(facts: dict[str, Any], claims: list[Claim]) -> None:
    console = Console()
    figures = Table("what", "measured")
    for name, value in facts.items():
        figures.add_row(name, f"{value:,}")
    console.print(figures)
    verdicts = Table("claim", "measured", "target", "")
    for claim in claims:
        bound = "at least" if claim.at_least else "at most"
        target = f"{bound} {claim.target:g}{claim.unit}"
        verdicts.add_row(claim.what, f"{claim.measured:.2f}{claim.unit}", target, "yes" if claim.met else "MISSED")
    console.print(verdicts)


def save(facts: dict[str, Any], claims: list[Claim], quick: bool) -> None:
    results = {
        "quick": quick,
        "facts": facts,
        "claims": [{**vars(claim), "measured": round(claim.measured, 3), "met": claim.met} for claim in claims],
    }
    target = ROOT / "benchmarks" / "results" / "http.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(results, indent=2) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description="The service over HTTP.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--only", choices=["start", "rates", "reload", "idle", "command"], help="one part alone")
    options = parser.parse_args()
    quick = options.quick
    parts: dict[str, Callable[[Path], list[tuple[dict[str, Any], list[Claim]]]]] = {
        "start": lambda folder: [measure_start(folder, 5 if quick else 15)],
        "command": lambda folder: [
            measure_command(folder / str(files), files, 15 if quick else 60) for files in (1000, 10_000)
        ],
        "rates": lambda folder: [measure_rates(folder, 3 if quick else 9, 1.0 if quick else 2.0)],
        "reload": lambda folder: [measure_reload(folder)],
        "idle": lambda folder: [measure_idle(folder, 5 if quick else 30)],
    }
    facts: dict[str, Any] = {}
    claims: list[Claim] = []
    for name, part in parts.items():
        if options.only in (None, name):
            with tempfile.TemporaryDirectory() as scratch:
                for more, claimed in part(Path(scratch)):
                    facts |= more
                    claims += claimed
    report(facts, claims)
    if options.only is None:
        save(facts, claims, quick)
    missed = [claim.what for claim in claims if not claim.met]
    for what in missed:
        print(f"Missed: {what}", file=sys.stderr)
    return 1 if missed else 0
