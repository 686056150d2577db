"""One cloud and one desk a test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from deploying import verifying
from tests.deploying.scripted_host import Cloud
from tests.deploying.shop import Shop


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    with Cloud() as opened:
        yield opened


@pytest.fixture
def shop(tmp_path: Path, cloud: Cloud) -> Iterator[Shop]:
    opened = Shop(tmp_path / "home", cloud)
    opened.build()
    yield opened
    opened.close()


@pytest.fixture
def soon() -> Iterator[None]:
    """Whoever waits for an address to answer gives up at once."""
    before = verifying.PATIENCE
    verifying.PATIENCE = 0.0
    yield
    verifying.PATIENCE = before
