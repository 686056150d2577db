"""One log line per request: what ours costs beside the standard library's file handler with a JSON formatter.

Both write the same fields to a file on the same disk; rounds alternate, so that a noisy machine is as noisy for both.
"""

import argparse
import json
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402 - the checkout's root has to be on the path first
from rich.table import Table  # noqa: E402

from logging_setup import LogFile, Redactor  # noqa: E402

REQUEST = {"method": "GET", "path": "/health", "status": 200, "ms": 1.23, "client": "127.0.0.1"}
MESSAGE = "GET /health 200"
TARGET = 0.7
"""Ours, with secrets blanked, at most this share of the standard library's CPU time without."""


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(
            {
                "timestamp": self.formatTime(record),
                "level": record.levelname,
                "event": record.__dict__["event"],
                "data": record.__dict__["data"],
                "logger": record.name,
                "message": record.getMessage(),
            }
        )


def logger_with(handler: logging.Handler, name: str) -> Callable[[], None]:
    logger = logging.getLogger(name)
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    return lambda: logger.info(MESSAGE, extra={"event": "request", "data": REQUEST})


def cpu_microseconds(call: Callable[[], None], lines: int) -> float:
    begun = time.process_time_ns()
    for _ in range(lines):
        call()
    return (time.process_time_ns() - begun) / lines / 1000


def measure(folder: Path, rounds: int, lines: int) -> dict[str, float]:
    redactor = Redactor(["a-token-that-must-never-be-shown"])
    ours = LogFile(folder / "ours.log", max_bytes=2**40, keep=1, redactor=redactor)
    logged = LogFile(folder / "logged.log", max_bytes=2**40, keep=1, redactor=redactor)
    standard = logging.FileHandler(folder / "standard.log")
    standard.setFormatter(JsonFormatter())
    ways = {
        "standard library": logger_with(standard, "standard"),
        "LogFile through a logger": logger_with(logged, "logged"),
        "LogFile.write": lambda: ours.write("info", "request", MESSAGE, REQUEST, "web"),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, call in ways.items():
            times[name].append(cpu_microseconds(call, lines))
    for handler in (ours, logged, standard):
        handler.close()
    return {name: statistics.median(found) for name, found in times.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), rounds=5 if quick else 25, lines=2000 if quick else 10_000)
    base = found["standard library"]
    table = Table("way", "CPU µs a line", "x standard")
    for name, cost in found.items():
        table.add_row(name, f"{cost:.1f}", f"{cost / base:.2f}")
    console = Console()
    console.print(table)
    ratio = found["LogFile.write"] / base
    results = {"microseconds": found, "ratio": ratio, "target": TARGET, "met": ratio <= TARGET}
    target = ROOT / "benchmarks/results/log_lines.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(results, indent=2) + "\n", "utf-8")
    if not results["met"]:
        console.print(f"Missed: LogFile.write costs {ratio:.2f}x the standard library's handler, not at most {TARGET}")
    return 0 if results["met"] else 1


if __name__ == "__main__":
    sys.exit(main())
