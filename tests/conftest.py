"""Fixtures that more than one folder of tests uses."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.desk import Desk

# A build is judged by the change it is for: the same examples each time there, new ones on a developer's machine.
settings.register_profile("build", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("build")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    opened = Desk(tmp_path / "home")
    yield opened
    opened.close()
