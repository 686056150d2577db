"""Stock requests as people write them, each built, proven and looked at: `python -m benchmarks.requests [--only 3,7]`.

Every line of `requests.jsonl` says what has to come of it. A plan that ends well although something it was asked for
is missing, or although a tool from outside finds a fault, is a false "done", of which there may be none.
The whole list takes an hour or more. What is finished is kept, so `--resume` goes on where a run was stopped, and
`--finish` writes the result of the lines that were run, which says how many of how many these are.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Error as BrowserError  # noqa: E402 - the checkout's root has to be on the path first
from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from benchmarks.built_apps import PHASES, Built, build, fresh_agent, fuzz, lint, look, pages_of  # noqa: E402
from benchmarks.request_lines import FINISHED, Line, Progress, chosen, in_order, read_requests, summary  # noqa: E402
from contracts.app_spec import AppSpec  # noqa: E402
from tests.desk import Desk  # noqa: E402
from tests.understanding.expectations import differences  # noqa: E402

TARGET_RIGHT = 0.95
LONGEST = 300.0
REQUESTS = ROOT / "benchmarks/requests.jsonl"
RESULT = ROOT / "benchmarks/results/requests.json"
PROGRESS = ROOT / "benchmarks/results/requests.progress.tmp"


def outside(desk: Desk, built: Built, spec: dict[str, Any], shots: Path | None, number: int) -> list[str]:
    """What tools that know nothing of the agent find."""
    problems = lint(desk.home / "workspace" / built.project) if spec.get("language") != "node" else []
    if built.url and spec["kind"] in {"api", "full_stack"} and not spec.get("login") and not spec.get("api_key"):
        problems += fuzz(built.url)
    addresses = pages_of(spec, built.url) if built.url else []
    if addresses and not spec.get("login"):
        problems += look(addresses, shots, f"{number:03d}")
    return problems


def one(number: int, line: dict[str, Any], root: Path, shots: Path | None) -> Line:
    expect = line["expect"]
    with fresh_agent(root, 21_000 + number % 100 * 50) as desk:
        first = build(desk, line["after"]) if line.get("after") else None
        built = build(desk, line["request"], first.project if first else None)
        result = Line(number, line["request"], "-", built.outcome, expect["outcome"], built.seconds, built.phases)
        if first and first.outcome not in FINISHED:
            result.problems.append(f"before it: {first.reply.get('message')}"[:500])
        try:
            judge(result, desk, built, expect, shots)
        except (BrowserError, OSError, ValueError) as error:
            result.problems.append(f"{type(error).__name__}: {error}"[:500])
        return result


def judge(result: Line, desk: Desk, built: Built, expect: dict[str, Any], shots: Path | None) -> None:
    """Hold what came of a line against what was asked for."""
    if built.outcome == "failed":
        result.problems.append(str(built.reply.get("message"))[:500])
    if built.outcome == "refused" and "error" in expect and built.reply.get("error", {}).get("code") != expect["error"]:
        result.problems.append(f"refused as {built.reply.get('error')}"[:500])
    if built.outcome not in FINISHED:
        return
    if built.waits_for != (expect.get("target") or ""):
        result.problems.append(f"it waits for access to `{built.waits_for}`")
    recorded = desk.home / "workspace" / built.project / ".task-agent/app.json"
    if expect.get("intents") == ["rollback"]:
        result.kind = "undo"
        result.problems += ["the app is still there"] if recorded.exists() else []
        return
    spec = json.loads(recorded.read_bytes())["spec"]
    result.kind, result.checks = spec["kind"], len(built.proof.get("checks", ()))
    result.problems += differences(AppSpec.model_validate(spec), expect)
    result.problems += outside(desk, built, spec, shots, result.number)
    if not result.checks:
        result.problems.append("no check was made")


def table(console: Console, lines: list[Line]) -> None:
    shown = Table("kind", "requests", "right", "false done", "median s", "longest s", *PHASES[:1], *PHASES[3:])
    for kind in sorted({line.kind for line in lines}):
        group = [line for line in lines if line.kind == kind]
        times = sorted(line.seconds for line in group)
        phases = [
            f"{sum(line.phases.get(name, 0.0) for line in group) / len(group):.2f}"
            for name in (*PHASES[:1], *PHASES[3:])
        ]
        shown.add_row(
            kind,
            str(len(group)),
            str(sum(line.right for line in group)),
            str(sum(line.false_done for line in group)),
            f"{times[len(times) // 2]:.1f}",
            f"{times[-1]:.1f}",
            *phases,
        )
    console.print(shown)


def run(console: Console, asked: list[dict[str, Any]], numbers: list[int], shots: Path | None) -> Iterator[Line]:
    """Each line in turn, as soon as it is finished."""
    with sandbox_root() as root:
        for number in numbers:
            begun = time.perf_counter()
            line = one(number, asked[number - 1], root, shots)
            mark = "right" if line.right else "FALSE DONE" if line.false_done else "WRONG"
            console.print(
                f"{number:3d} {mark:10s} {line.outcome:8s} {time.perf_counter() - begun:6.1f} s  {line.request[:90]}",
                markup=False,
            )
            for problem in line.problems:
                console.print(f"      {problem}", style="red", markup=False)
            yield line


@contextmanager
def sandbox_root() -> Iterator[Path]:
    root = Path(tempfile.mkdtemp(prefix="requests-sandbox-"))
    root.chmod(0o711)
    try:
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)


def verdict(console: Console, lines: list[Line], total: int) -> bool:
    table(console, lines)
    found = summary(lines, total)
    slow = [line.number for line in lines if line.seconds > LONGEST]
    console.print(
        f"{len(lines)} of {total} run, {found['right']:.1%} right (at least {TARGET_RIGHT:.0%}), "
        f"{found['false_done']} false done (0), over 5 minutes: {slow or 'none'}"
    )
    return bool(found["right"] >= TARGET_RIGHT and not found["false_done"] and not slow)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="Numbers of lines, from 1, with commas; or a range such as 1-20.")
    parser.add_argument("--quick", action="store_true", help="Every sixth request.")
    parser.add_argument("--resume", action="store_true", help="Go on after the lines that are finished.")
    parser.add_argument("--finish", action="store_true", help="Run nothing more; write the result of what was run.")
    parser.add_argument("--progress", type=Path, default=PROGRESS, help="Where finished lines are kept meanwhile.")
    parser.add_argument("--shots", type=Path, help="A folder for pictures of the pages.")
    options = parser.parse_args()
    console = Console(width=160)
    asked = read_requests(REQUESTS)
    progress = Progress(options.progress)
    if not (options.resume or options.finish or options.only):
        progress.forget()
    numbers = [] if options.finish else in_order(asked, chosen(options.only, len(asked), options.quick))
    done = progress.done(asked)
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    for line in run(console, asked, [n for n in numbers if not options.resume or n not in done], options.shots):
        progress.add(line)
    done = progress.done(asked)
    lines = [done[number] for number in numbers or done]
    good = bool(lines) and verdict(console, lines, len(asked))
    if len(done) == len(asked) or options.finish:
        RESULT.write_text(json.dumps(summary(list(done.values()), len(asked)), indent=1) + "\n", "utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
