"""The lock of a home: one holder at a time, and given up for good."""

import os
from pathlib import Path

import pytest

from agent_home import AgentHome
from contracts.errors import HomeLocked


def test_a_home_has_one_holder(tmp_path: Path) -> None:
    first, second = AgentHome(tmp_path), AgentHome(tmp_path)
    first.take()
    with pytest.raises(HomeLocked, match="already at work"):
        second.take()
    first.release()
    second.take()
    second.release()


def test_a_home_is_free_at_once_though_a_child_was_being_started(tmp_path: Path) -> None:
    first, second = AgentHome(tmp_path), AgentHome(tmp_path)
    first.take()
    [lock] = [int(fd.name) for fd in Path("/proc/self/fd").iterdir() if _is(fd, tmp_path / "service.lock")]
    inherited = os.dup(lock)
    try:
        first.release()
        second.take()
        second.release()
    finally:
        os.close(inherited)


def _is(link: Path, path: Path) -> bool:
    try:
        return link.samefile(path)
    except OSError:
        return False
