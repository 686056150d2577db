"""What is there, as a person reads it: tasks, trust, memory, projects, logs."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from contracts.errors import NotFound
from terminal.answers import Body, card, data, entries, named, plain, waits
from terminal.view import View, clean, one_line, status_text, styled, when

if TYPE_CHECKING:
    from rich.tree import Tree


def tasks(view: View, found: Iterable[Mapping[str, Any]]) -> None:
    rows = [
        (
            t.get("id"),
            when(t.get("finished") or t.get("created")),
            t.get("project") or "",
            status_text(t.get("status")),
            t.get("title") or t.get("intent"),
            str(t.get("commit") or "")[:8],
        )
        for t in found
    ]
    if rows:
        view.table(("id", "when", "project", "status", "what", "commit"), rows)


def queue(view: View, body: Body) -> None:
    steps = body.get("steps") or []
    if not steps:
        view.line("No queued tasks")
        return
    rows = [(s.get("id"), when(s.get("timestamp")), (s.get("step") or {}).get("project", ""), named(s)) for s in steps]
    view.table(("id", "queued", "project", "what"), rows)


def task(view: View, body: Body, children: Callable[[str], Body]) -> None:
    """One task in full: its tree, the decision, the card with its diff, the result."""
    from rich.tree import Tree  # noqa: PLC0415  only this page draws one

    found = body["task"]
    tree = Tree(_task_line(found))
    _branches(tree, body.get("children") or [], children, depth=0)
    view.show(tree)
    facts = {
        "id": found.get("id"),
        "intent": found.get("intent"),
        "project": found.get("project"),
        "asked": when(found.get("created")),
        "ended": when(found.get("finished")),
        "seconds": found.get("seconds"),
        "commit": found.get("commit"),
        "undone by": found.get("undone_by"),
        "took back": found.get("undoes"),
        "brought back": found.get("redoes"),
    }
    for name, value in facts.items():
        if value not in (None, "", []):
            view.line(f"  {name}: {plain(value)}")
    decided(view, found.get("decision"))
    if found.get("approval"):
        view.line(_answered(found["approval"]))
    if found.get("card"):
        card(view, found["card"])
    result = found.get("result") or {}
    if result:
        view.line(result.get("message", ""), "green" if result.get("success") else "red")
        data(view, result.get("data") or {})


def _answered(approval: Mapping[str, Any]) -> str:
    words = "Approved" if approval.get("approved") else "Rejected"
    reason = f": {one_line(approval['reason'])}" if approval.get("reason") else ""
    return f"{words} by {approval.get('by', 'the owner')}, {when(approval.get('at'))}{reason}"


def _task_line(found: Mapping[str, Any]) -> Any:
    return status_text(found.get("status")) + styled(f"  {one_line(found.get('title') or found.get('intent'))}")


def _branches(tree: "Tree", found: Iterable[Mapping[str, Any]], children: Callable[[str], Body], depth: int) -> None:
    for child in found:
        branch = tree.add(_task_line(child) + styled(f"  {clean(child.get('id'))}", "dim"))
        if child.get("children") and depth < 8:
            _branches(branch, children(str(child["id"])).get("children") or [], children, depth + 1)


def decided(view: View, decision: Any) -> None:
    if not decision:
        return
    verdicts = {"auto": "Ran by itself", "ask": "Asked first", "refuse": "Refused"}
    words = verdicts.get(str(decision.get("verdict")), str(decision.get("verdict")))
    view.line(f"{words}: score {_number(decision.get('score'))}, needed {_number(decision.get('threshold'))}")
    for reason in decision.get("reasons") or []:
        view.line(f"  {one_line(reason, 400)}", "dim")


def _number(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, float | int) else clean(value if value is not None else "-")


def trust(view: View, body: Body) -> None:
    """The ladder: how far each kind of action is from running by itself."""
    autonomy(view, body.get("autonomy"))
    rows = [
        (
            r.get("intent"),
            r.get("project") or "any",
            _verdict(r.get("verdict")),
            styled(_bar(r.get("score"), r.get("threshold"))),
            f"{_number(r.get('score'))} of {_number(r.get('threshold'))}",
            r.get("level", ""),
            r.get("words") or "; ".join(r.get("reasons") or []),
        )
        for r in body.get("records") or []
    ]
    if rows:
        view.table(("action", "project", "now", "earned", "score", "level", "standing"), rows)
    else:
        view.line("Nothing has been earned yet: every kind of action asks first")
    for override in _overrides(body.get("overrides")):
        view.line(f"Your rule: {override}")


def _bar(score: Any, threshold: Any, width: int = 10) -> str:
    full = round(width * min(1.0, float(score or 0) / float(threshold or 1)))
    return "█" * full + "░" * (width - full)


def _verdict(verdict: Any) -> Any:
    words = {"auto": ("alone", "green"), "ask": ("asks", "yellow"), "refuse": ("refused", "red")}
    text, style = words.get(str(verdict), (str(verdict or ""), ""))
    return styled(text, style)


def _overrides(found: Any) -> list[str]:
    if isinstance(found, Mapping):
        return [f"{key}: {plain(value)}" for key, value in found.items()]
    return [plain(item) for item in found or []]


def autonomy(view: View, found: Any) -> None:
    words = {
        "ask_all": "asks before everything",
        "earned": "acts alone where its record has earned it",
        "allow_all": "acts alone wherever that is allowed at all",
    }
    mode = found.get("mode") or found.get("autonomy") if isinstance(found, Mapping) else found
    if not mode:
        return
    until = found.get("until") if isinstance(found, Mapping) else None
    ends = f", until {when(until)}" if until else ""
    view.line(f"Autonomy: {mode} ({words.get(str(mode), '')}{ends})", "yellow" if mode == "allow_all" else "")


def memory(view: View, body: Body) -> None:
    for key, value in body.items():
        if key not in MEMORY_APART and value not in (None, "", [], {}):
            view.line(f"{key.replace('_', ' ')}: {plain(value)}")
    plan = body.get("last_plan") or {}
    if plan:
        view.line(f"Last plan: {named(plan)}", "bold")
    for number, step in enumerate(plan.get("steps") or [], 1):
        view.show(styled(f"  {number}. {named(step)}  ") + status_text(step.get("status")))
    tasks(view, body.get("recent_actions") or [])
    waits(view, body.get("waiting") or [])


MEMORY_APART = frozenset({"success", "message", "recent_actions", "waiting", "last_plan"})


def status(view: View, body: Body) -> None:
    address, summary = body.get("address"), body.get("summary") or {}
    view.line(f"The service runs at {address}" if address else "No service runs; this command looked by itself")
    view.line(f"Home: {body.get('home')}", "dim")
    if body.get("version"):
        up = f", up {_seconds(body.get('uptime'))}" if address else ""
        view.line(f"Version {body['version']}{up}", "dim")
    autonomy(view, (body.get("settings") or {}).get("autonomy") or summary.get("autonomy"))
    if summary.get("current_goal"):
        view.line(f"Goal: {summary['current_goal']}")
    view.line(f"Queued: {summary.get('queued', body.get('queue', 0))}")
    for notice in body.get("notices") or []:
        view.line(f"Notice: {notice}", "yellow")
    waits(view, summary.get("waiting") or [])


def _seconds(value: Any) -> str:
    if not isinstance(value, int | float):
        return "-"
    minutes, hours = int(value) // 60, int(value) // 3600
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min" if minutes else f"{int(value)} s"


def tests(view: View, body: Body) -> None:
    for result in body.get("results") or []:
        good = result.get("passed")
        detail = f": {one_line(result.get('detail'))}" if result.get("detail") else ""
        view.line(f"{'✓' if good else '✗'} {one_line(result.get('name'))}{detail}", "green" if good else "red")
    view.line(body.get("message", ""))


def history(view: View, body: Body) -> None:
    if body.get("tasks"):
        tasks(view, body["tasks"])
    else:
        view.line("Nothing has been done yet")


def commits(view: View, body: Body) -> None:
    rows = [
        (str(c.get("id", ""))[:10], when(c.get("at")), c.get("author", ""), _first_line(c)) for c in body["commits"]
    ]
    if rows:
        view.table(("commit", "when", "by", "what"), rows)
    else:
        view.line("There are no commits yet")


def actions(view: View, body: Body, name: str | None = None) -> None:
    found = body.get("actions") or []
    if name is None:
        view.table(("action", "what it does"), [(a.get("name"), a.get("summary")) for a in found])
        return
    one = next((a for a in found if a.get("name") == name), None)
    if one is None:
        raise NotFound(f"There is no action `{name}`", hint="`./agent actions` lists them")
    view.line(f"{name}: {one.get('summary')}", "bold")
    view.line(f"Can it be undone: {one.get('undo')}")
    needed = (one.get("params") or {}).get("required") or []
    for param, schema in ((one.get("params") or {}).get("properties") or {}).items():
        view.line(f"  {param}{' (needed)' if param in needed else ''}: {one_line(schema.get('description', ''))}")


def projects(view: View, body: Body) -> None:
    found = body.get("projects") or []
    if not found:
        view.line("There are no projects yet")
        return
    rows = [(p.get("name"), p.get("files", ""), p.get("bytes", ""), _commit(p.get("last_commit"))) for p in found]
    view.table(("project", "files", "bytes", "last commit"), rows)


def _commit(found: Any) -> str:
    if isinstance(found, Mapping):
        return f"{when(found.get('at'))} {_first_line(found)}"
    return str(found or "")[:10]


def _first_line(commit: Mapping[str, Any]) -> str:
    return one_line(str(commit.get("message", "")).strip().partition("\n")[0])


def project(view: View, body: Body) -> None:
    found = body.get("project") or {}
    for key, value in found.items():
        if key not in {"last_commit", "waiting"} and value not in (None, ""):
            view.line(f"{key}: {plain(value)}")
    if found.get("last_commit"):
        view.line(f"last commit: {_commit(found['last_commit'])}")
    entries(view, body.get("entries") or [])
    waits(view, found.get("waiting") or [])


def logs(view: View, body: Body) -> None:
    rows = [(f"{e.get('date')}/{e.get('name')}", status_text(e.get("status")), e.get("title")) for e in body["logs"]]
    if rows:
        view.table(("log", "status", "what"), rows)
    else:
        view.line("There are no logs yet")


def as_json(view: View, body: Body) -> None:
    """For what is JSON by nature: the same, laid out to be read."""
    view.line(json.dumps(body.get("log", body), indent=2, ensure_ascii=False))
