"""Fixtures that more than one folder of tests uses."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    opened = Desk(tmp_path / "home")
    yield opened
    opened.close()
