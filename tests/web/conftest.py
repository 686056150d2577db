"""The real application on a home of its own."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app import Outside, create_app
from contracts.deployments import Account
from settings import Settings
from tests.web.web_desk import Desk, Open


def made(home: Path, **settings: Any) -> Desk:
    stops: list[str] = []
    outside = Outside(stop=lambda: stops.append("stop"), check_credential=lambda name, values: Account("Ada"))
    app = create_app(Settings(**{"home": home, "rate_limit": 1_000_000, "wait_seconds": 120, **settings}), outside)
    return Desk(app, app.extensions["agent"], home, stops)


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Open]:
    """Builds applications with the settings that a test wants, and ends them."""
    desks: list[Desk] = []

    def build(**settings: Any) -> Desk:
        desks.append(made(tmp_path / f"home{len(desks)}", **settings))
        return desks[-1]

    yield build
    for desk in desks:
        desk.agent.close()


@pytest.fixture
def desk(open_desk: Open) -> Desk:
    return open_desk()


@pytest.fixture(scope="session")
def still_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One application for all tests that change nothing there."""
    shared = made(tmp_path_factory.mktemp("still") / "home")
    with closing(shared.agent):
        yield shared
