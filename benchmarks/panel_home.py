"""A service in which a person has worked for a while, for pictures and measurements of the panel."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.web.live import Live, live

WAIT = 10
"""Seconds that one request waits; after that it is asked how far it is."""
RECIPES = "Build a web app for my recipes with title, ingredients, steps and minutes, with search"
BAKERY = "Make a website for my bakery called Rye & Rosemary with opening hours, prices and contact"
BOOKS = "Build a REST API for books with title, author and year"


@contextmanager
def lived_in(home: Path, first_port: int) -> Iterator[Live]:
    """Three apps were built, one is online, one was changed by hand, something was undone, and two things wait."""
    with live(
        home,
        sandbox="auto",
        rate_limit=100_000,
        preview_first_port=first_port,
        preview_last_port=first_port + 60,
    ) as service:
        tell(service, "PUT", "/trust/overrides", {"intent": "write_file", "verdict": "auto"})
        for number, line in enumerate(("Weekdays 7 to 18", "Weekdays 7 to 18, Saturday 8 to 14", "Every day 7 to 14")):
            run(service, "write_file", "notes", path="hours.md", content=f"# Opening hours\n\n{line}\n" * (number + 1))
        tell(service, "POST", "/rollback", {"project": "notes"})
        run(service, "write_file", "notes", path="prices.csv", content="bread,price\nrye,4.20\nspelt,4.80\n")
        later = {"intent": "create_file", "project": "notes", "path": "menu.md", "content": "# Menu\n"}
        said = run(service, "queue_task", "notes", step=later)
        confirm(service, said)
        run(service, "delete_file", "notes", path="prices.csv")
        for goal in (BAKERY, RECIPES):
            built(service, goal)
        built(service, BOOKS, online="demo")
        tell(service, "POST", "/run", {"goal": "Build a web app for bookings with guest, date and number of people"})
        yield service


def tell(service: Live, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    status, answer = service.send(method, path, body)
    if status >= 500:
        raise RuntimeError(f"{path}: {answer}")
    return dict(answer)


def run(service: Live, intent: str, project: str, **params: Any) -> dict[str, Any]:
    return tell(service, "POST", "/run", {"intent": intent, "project": project, **params})


def confirm(service: Live, said: dict[str, Any]) -> dict[str, Any]:
    while said.get("confirmationNeeded"):
        said = followed(service, tell(service, "POST", "/confirm", {"id": said["id"], "approve": True, "wait": WAIT}))
    return said


def followed(service: Live, said: dict[str, Any]) -> dict[str, Any]:
    """What came of it in the end, or what it asks."""
    while said["status"] in {"running", "queued"}:
        time.sleep(1)
        task = tell(service, "GET", f"/tasks/{said['id']}")["task"]
        waiting = tell(service, "GET", "/memory/summary")["waiting"]
        asks = [one["id"] for one in waiting if one["id"] in (task["id"], *task["children"])]
        said = {**said, "status": task["status"], "message": (task["result"] or {}).get("message", "")}
        if asks:
            return {**said, "id": asks[0], "confirmationNeeded": True}
    return {**said, "confirmationNeeded": False}


def built(service: Live, goal: str, **more: Any) -> dict[str, Any]:
    said = confirm(service, tell(service, "POST", "/run", {"goal": goal, "wait": WAIT, **more}))
    if said.get("status") != "succeeded":
        raise RuntimeError(f"`{goal}` was not built: {said['message']}")
    return said
