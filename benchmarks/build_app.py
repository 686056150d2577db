"""From a sentence to a proven app that runs, split by phase: `python -m benchmarks.build_app [--quick]`.

The agent's own share is all that is neither the app's tests (its own, the checks and the broken variants), nor setting
up its packages, nor the app's own start: reading the words, planning, gate, writing, snapshots, commits, events, logs.
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402 - the checkout's root has to be on the path first
from rich.table import Table  # noqa: E402

from benchmarks.built_apps import Built, build, fresh_agent  # noqa: E402

REQUESTS = {
    "hello_api": "Build a hello world API",
    "api": "Build a REST API for managing books with title, author and year",
    "web_app": "Create a small web app with a guestbook and deploy it",
    "full_stack": "Build a full-stack app for recipes",
    "cli_tool": "Create a CLI tool for managing TODO items stored in JSON",
    "pipeline": "Build a script to parse CSV files and generate statistics",
    "site": "Make a website for my bakery with a home page, about us and opening hours",
    "node_api": "Build a Node API for notes",
}
TARGET_SHARE = 0.20
TARGET_COLD = 300.0


def split(built: Built) -> dict[str, float]:
    """Seconds by phase; `own` is what is left."""
    tests = float((built.proof.get("seconds") or {}).get("all", 0.0))
    phases = {
        "packages": built.phases.get("install_dependencies", 0.0) + built.phases.get("build_ui", 0.0),
        "tests": tests,
        "start": built.phases.get("deploy_app", 0.0),
    }
    return {**phases, "own": built.seconds - sum(phases.values()), "all": built.seconds}


def measure(root: Path, rounds: int, console: Console) -> dict[str, Any]:
    results: dict[str, Any] = {}
    for number, (kind, request) in enumerate(REQUESTS.items()):
        runs = []
        for turn in range(rounds + 1):
            with fresh_agent(root, 26_000 + number * 100) as desk:
                desk.agent.sandbox().choose()  # the self-test belongs to the start of the service
                built = build(desk, request)
            if built.outcome != "built":
                raise SystemExit(f"{request}: {built.reply.get('message')}")
            runs.append(split(built))
            console.print(f"{kind} {'cold' if turn == 0 else 'warm'}: {built.seconds:.1f} s", style="dim")
        warm = {name: statistics.median(run[name] for run in runs[1:]) for name in runs[0]}
        results[kind] = {"cold": runs[0], "warm": warm, "share": warm["own"] / warm["all"]}
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="One warm round instead of three.")
    options = parser.parse_args()
    console = Console(width=120)
    root = Path(tempfile.mkdtemp(prefix="build-benchmark-"))
    root.chmod(0o711)
    try:
        results = measure(root, 1 if options.quick else 3, console)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    shown = Table("kind", "cold s", "warm s", "packages", "tests", "start", "own", "own share")
    for kind, found in results.items():
        warm = found["warm"]
        figures = [f"{warm[name]:.2f}" for name in ("all", "packages", "tests", "start", "own")]
        shown.add_row(kind, f"{found['cold']['all']:.1f}", *figures, f"{found['share']:.0%}")
    console.print(shown)
    share = sum(f["warm"]["own"] for f in results.values()) / sum(f["warm"]["all"] for f in results.values())
    longest = max(found["cold"]["all"] for found in results.values())
    console.print(
        f"own share of all {share:.1%} (at most {TARGET_SHARE:.0%}), longest cold {longest:.0f} s ({TARGET_COLD:.0f})"
    )
    target = ROOT / "benchmarks/results/build_app.json"
    target.write_text(json.dumps({"share": share, "longest_cold": longest, "kinds": results}, indent=1) + "\n", "utf-8")
    return 0 if share <= TARGET_SHARE and longest <= TARGET_COLD else 1


if __name__ == "__main__":
    sys.exit(main())
