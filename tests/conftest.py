"""Fixtures that more than one folder of tests uses."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.nodeid import NodeId
from hypothesis import HealthCheck, settings

from tests.desk import Desk

# The tests that hosts share say in full what differs, as other tests do; whoever imports them first.
pytest.register_assert_rewrite("tests.providers.contract")

# How long an example takes says how busy the machine is, and nothing about what is tested.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# A build is judged by the change it is for: the same examples each time there, new ones on a developer's machine.
settings.register_profile("build", settings.get_profile("unhurried"), derandomize=True)
settings.load_profile("build" if os.environ.get("CI") else "unhurried")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    opened = Desk(tmp_path / "home")
    yield opened
    opened.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Processes that share the work tell tests apart by their ids: of several with the same one, only one would run."""
    for item in items:
        if not item.nodeid.endswith(item.name):
            item._id = NodeId.parse(f"{item.nodeid.rpartition('::')[0]}::{item.name}")
    twice = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    if twice:
        raise pytest.UsageError(f"several tests have the id {twice[0]}")
