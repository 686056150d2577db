"""Has the sandbox take packages apart, and puts what it sends into a new folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from contracts.errors import BadInput, Failed, TooLarge
from environments.base import Bounds, Doing, Runs
from environments.unpacking import HOSTILE, Unpacker
from sandboxes.base import MIB, Job, JobResult, Limits, StoppedBy

PROGRAM = Path(__file__).parent / "inside" / "assemble.py"
BROKEN = 3
OVERHEAD = 4096
"""Bytes that one entry of the stream takes besides its data, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """What the program in the sandbox is told."""

    python: str
    task: Mapping[str, Any]
    mounts: tuple[Path, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)


def assemble(what: Assembly, folder: Path, sandbox: Runs, bounds: Bounds, doing: Doing) -> None:
    """Fill the folder. Raises BadInput for a package that is broken, TooLarge, Failed or Unavailable."""
    unpacker = Unpacker(folder, bounds)

    def tick() -> None:
        unpacker.check()
        doing.tick()

    try:
        result = sandbox.run(_job(what, bounds), on_output=unpacker.feed, tick=tick)
        unpacker.check()
        if not result.ok:
            raise _explain(result)
        unpacker.finish()
    finally:
        unpacker.close()


def _job(what: Assembly, bounds: Bounds) -> Job:
    return Job(
        argv=(what.python, "-I", "-S", "-X", "utf8", "assemble.py"),
        files={"assemble.py": PROGRAM.read_bytes(), **what.files},
        stdin=orjson.dumps(what.task),
        mounts=what.mounts,
        limits=Limits(
            wall=bounds.seconds,
            cpu=int(bounds.seconds),
            memory=1024 * MIB,
            output=bounds.installed + bounds.files * OVERHEAD + MIB,
            disk=64 * MIB,
        ),
    )


def _explain(result: JobResult) -> BadInput | Failed | TooLarge:
    if result.exit_code == BROKEN and not result.stopped_by:
        return BadInput(result.stderr.text.strip()[:500], hint=HOSTILE)
    if result.stopped_by is StoppedBy.OUTPUT:
        return TooLarge("the packages are larger than a project may have", hint="Ask for fewer or smaller packages")
    return Failed(
        f"the packages could not be installed: {result.words}",
        hint="Try again",
        details={"output": result.stderr.text[-2000:]},
    )
