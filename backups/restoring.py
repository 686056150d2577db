"""Brings logs and memory back from a target into a home, on this machine or another."""

import hashlib
import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson

from agent_home import AgentHome, write_private
from backups.base import BLOCK, DATE, FILE_PATH, MEMORY_NAME, BackupTarget, Stored
from contracts.errors import Conflict, NotFound, Unavailable


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back. `damaged` names what did not pass its sum and was left out."""

    agent: str
    memory_from: str
    """The day of the memory; empty if there was none."""
    logs: int
    damaged: tuple[str, ...]
    aside: Path | None
    """Where that went which was in the home before."""

    @property
    def words(self) -> str:
        memory = f"the memory of {self.memory_from}" if self.memory_from else "no memory, since there was none"
        said = f"Restored {self.logs} {'log' if self.logs == 1 else 'logs'} and {memory}"
        if self.damaged:
            said += f". {len(self.damaged)} did not pass the check and were left out: {', '.join(self.damaged)}"
        if self.aside:
            said += f". What was here before is in `{self.aside.name}`"
        return said


def restore(target: BackupTarget, home: Path, *, agent: str = "", overwrite: bool = False) -> Restored:
    """Fetch all, check every sum, and only then put the files in place.

    Raises Conflict if the home has a memory or logs of its own, unless `overwrite` says to put them aside, or if the
    backups of several agents are there and `agent` does not say which; NotFound if there is nothing; HomeLocked if a
    service uses the home; whatever the target raises.
    """
    own = _own(home)
    if own and not overwrite:
        raise Conflict(
            f"`{home}` has a memory or logs of its own ({', '.join(own)}), and they would be replaced",
            hint="Restore into an empty home, or say that what is there may be put aside (`overwrite`)",
        )
    lock = AgentHome(home)
    lock.take()
    staging = home / f".restore-{os.getpid()}"
    try:
        found = _of_one_agent(target, agent)
        staging.mkdir(mode=0o700, exist_ok=True)
        return _bring(target, home, staging, found)
    except OSError as error:
        raise Unavailable(
            f"The files could not be written to `{home}`: {error.strerror}",
            hint="Make room there, then restore again; what was put aside stays",
        ) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        lock.release()


def _own(home: Path) -> list[str]:
    journal = home / "journal"
    has = {
        "context.json": (home / "context.json").exists(),
        "journal": journal.is_dir() and any(journal.iterdir()),
        "logs": any(_days(home)),
    }
    return [name for name, there in has.items() if there]


def _days(home: Path) -> list[Path]:
    logs = home / "logs"
    days = [path for path in logs.iterdir() if DATE.fullmatch(path.name)] if logs.is_dir() else []
    return [day for day in days if any(day.iterdir())]


def _of_one_agent(target: BackupTarget, agent: str) -> list[Stored]:
    """The newest of each path of one agent. What is named in an unexpected way is not ours and stays there."""
    found = [s for s in target.everything() if not s.is_folder and FILE_PATH.fullmatch(s.path)]
    agents = sorted({stored.agent for stored in found})
    if not found or (agent and agent not in agents):
        which = f" of the agent `{agent}`" if agent else ""
        raise NotFound(f"There are no backups{which} here", hint="Look whether this is the right folder and account")
    if not agent and len(agents) > 1:
        newest = {one: max(s.path[:10] for s in found if s.agent == one) for one in agents}
        raise Conflict(
            "The backups of several agents are here: "
            + ", ".join(f"`{one}` (until {day})" for one, day in newest.items()),
            hint="Say which one to restore (`agent`)",
            details={"agents": newest},
        )
    ours = sorted((s for s in found if s.agent == (agent or agents[0])), key=lambda s: s.modified)
    return list({stored.path: stored for stored in ours}.values())


def _bring(target: BackupTarget, home: Path, staging: Path, found: list[Stored]) -> Restored:
    logs: list[str] = []
    damaged: list[str] = []
    memories = sorted((s for s in found if not s.is_log), key=lambda s: s.path, reverse=True)
    for stored in sorted((s for s in found if s.is_log), key=lambda s: s.path):
        (logs if _fetched(target, stored, staging / stored.path) else damaged).append(stored.path)
    memory = None
    for stored in memories:
        path = staging / stored.path
        if _fetched(target, stored, path) and _is_memory(path):
            memory = stored
            break
        damaged.append(stored.path)
    agent = memories[0].agent if memories else found[0].agent
    aside = _put_aside(home, logs)
    for name in logs:
        _move(staging / name, home / "logs" / name)
    if memory:
        _move(staging / memory.path, home / "context.json")
    _take_over(home / "outbox", agent)
    return Restored(agent, memory.path[:10] if memory else "", len(logs), tuple(damaged), aside)


def _fetched(target: BackupTarget, stored: Stored, path: Path) -> bool:
    """Whether what came is what was once sent."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w+b") as file:
        target.fetch(stored.id, file)
        file.flush()
        os.fsync(file.fileno())
        file.seek(0)
        sha256 = hashlib.sha256()
        while block := file.read(BLOCK):
            sha256.update(block)
    return sha256.hexdigest() in stored.sums


def _is_memory(path: Path) -> bool:
    try:
        return isinstance(orjson.loads(path.read_bytes()), dict)
    except orjson.JSONDecodeError:
        return False


def _put_aside(home: Path, logs: list[str]) -> Path | None:
    """Move away what would be replaced: memory and journal as a whole, and logs of the same name."""
    taken = [Path("context.json"), Path("journal"), *(Path("logs") / name for name in logs)]
    there = [path for path in taken if (home / path).exists()]
    if not there:
        return None
    aside = home / f"before-restore-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}"
    for path in there:
        _move(home / path, aside / path)
    return aside


def _take_over(outbox: Path, agent: str) -> None:
    """From now on this home is that agent: what it sends replaces the same files, and nothing is there twice."""
    outbox.mkdir(mode=0o700, exist_ok=True)
    if MEMORY_NAME.fullmatch(f"context-{agent}.json"):
        write_private(outbox / "agent", agent.encode() + b"\n")


def _move(source: Path, path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    source.replace(path)
