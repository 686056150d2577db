"""Deployments as a person reads them in a terminal."""

from terminal.answers import Body
from terminal.view import View, clean


def overview(view: View, body: Body) -> None:
    places, entries = body.get("places") or [], body.get("deployments") or []
    if not entries:
        view.line("Nothing has been put online yet")
        view.note("`./agent run deploy_app -p <project> provider=vercel` does, and asks first")
        return
    for place in places:
        view.line(f"{place.get('project')} on {place.get('provider')}: {place.get('url') or 'offline'}", "bold")
        view.note(f"  {clean(place.get('health', ''))}")
    rows = [
        (e.get("timestamp"), e.get("project"), e.get("provider"), e.get("outcome"), e.get("url"), e.get("id"))
        for e in entries[:50]
    ]
    view.table(("when", "project", "host", "outcome", "address", "id"), rows)
    view.note("`./agent deployments <id>` shows the log of one; `./agent undo <task>` takes it back")


def log(view: View, body: Body) -> None:
    entry = body.get("deployment") or {}
    good = bool(entry.get("success"))
    view.line(f"{'✓' if good else '✗'} {entry.get('note', '')}", "green" if good else "red")
    for line in body.get("lines") or []:
        view.line(f"  {line}", "dim")
    for line in body.get("matters") or []:
        view.line(f"! {line}", "yellow")
