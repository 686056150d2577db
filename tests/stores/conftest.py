"""Homes in memory where the system has a place for that: what these tests end is processes, never the power."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores.tally import MEMORY


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)
