"""The real application on a home of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_desk import Desk, Open

from app import Outside, create_app
from settings import Settings


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Open]:
    """Builds applications with the settings that a test wants, and ends them."""
    desks: list[Desk] = []

    def build(**settings: Any) -> Desk:
        home = tmp_path / f"home{len(desks)}"
        stops: list[str] = []
        outside = Outside(stop=lambda: stops.append("stop"))
        app = create_app(Settings(**{"home": home, "rate_limit": 1_000_000, **settings}), outside)
        desk = Desk(app, app.extensions["agent"], home, stops)
        desks.append(desk)
        return desk

    yield build
    for desk in desks:
        desk.agent.close()


@pytest.fixture
def desk(open_desk: Open) -> Desk:
    return open_desk()
