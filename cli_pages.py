"""What each answer of the service looks like to a person."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cli_view import View, clean, one_line, status_text, styled, when
from contracts.errors import NotFound

if TYPE_CHECKING:
    from rich.console import Console
    from rich.tree import Tree

Body = dict[str, Any]
CARD_LABELS = {"where": "Where", "undo": "Can it be undone", "cost": "Cost", "worst": "Worst case"}
MOST_FILES = 20


def answer(view: View, body: Body) -> None:
    """The answer to anything that acts: what happened, what waits, and why it was let through."""
    if body.get("confirmationNeeded"):
        waiting(view, body)
        return
    good = body.get("success") is True
    if body.get("status") in {"queued", "running"}:
        view.line(f"… {body.get('message', '')}", "cyan")
        view.note(f"It goes on; see how far it is with `./agent show {clean(body.get('id', ''))}`")
        return
    view.line(f"{'✓' if good else '✗'} {body.get('message', '')}", "green" if good else "red")
    result = body.get("result") or {}
    data(view, result.get("data") or {})
    why(view, body.get("decision"))


def waiting(view: View, body: Body) -> None:
    card(view, body.get("card") or {}, fallback=str(body.get("message", "")))
    why(view, body.get("decision"))
    task_id = clean(body.get("id", ""))
    view.note(f"Nothing has been changed yet. Approve it with `./agent approve {task_id}`, or say no with")
    view.note(f"`./agent reject {task_id} --reason ...`")


def why(view: View, decision: Any) -> None:
    """Why it ran by itself or asks, as the gate put it."""
    for reason in (decision or {}).get("reasons") or []:
        view.note(f"  {one_line(reason, 400)}")


def card(view: View, shown: Mapping[str, Any], *, fallback: str = "", to: "Console | None" = None) -> None:
    """An approval card: what would change, where, whether it can be undone, what it costs, the worst case."""
    console = to or view.out
    what: Mapping[str, Any] = shown.get("what") or {}
    console.print(styled(f"? {shown.get('title') or fallback}", "bold yellow"), soft_wrap=True)
    for line in _card_lines(shown, what):
        console.print(styled(f"  {line}"), soft_wrap=True)
    if what.get("diff"):
        view.diff(what["diff"], to=console)


def _card_lines(shown: Mapping[str, Any], what: Mapping[str, Any]) -> Iterator[str]:
    if what.get("summary"):
        yield str(what["summary"])
    for key, label in CARD_LABELS.items():
        if shown.get(key):
            yield f"{label}: {_plain(shown[key])}"
    for number, step in enumerate(what.get("steps") or [], 1):
        yield f"{number}. {_named(step)}"
    files = what.get("files") or []
    for change in files[:MOST_FILES]:
        yield _change(change)
    hidden = len(files[MOST_FILES:]) + int(what.get("more") or 0)
    if hidden:
        yield f"and {hidden} more"


def _named(item: Any) -> str:
    if not isinstance(item, Mapping):
        return one_line(item)
    return one_line(item.get("title") or item.get("message") or item.get("intent") or _plain(item))


def _change(change: Any) -> str:
    if not isinstance(change, Mapping):
        return one_line(change)
    before, after = change.get("before_bytes"), change.get("after_bytes")
    size = f"({after if after is not None else before:,} bytes)" if isinstance(after or before, int) else ""
    return one_line(f"{change.get('change', '')} {change.get('path', '')} {size}")


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else clean(value)


def data(view: View, found: Mapping[str, Any]) -> None:
    """What an action brought back, where it is more than its message."""
    if isinstance(found.get("content"), str) and found.get("encoding", "text") == "text":
        view.line(found["content"].rstrip("\n"))
    if found.get("entries"):
        entries(view, found["entries"])
    for match in found.get("matches") or []:
        view.line(f"{match.get('path')}:{match.get('line')}: {match.get('text')}")
    _paths(view, "Put back", found.get("restored"))
    _paths(view, "Left as it is, because somebody else changed it meanwhile", found.get("kept"), "yellow")
    url = found.get("url")
    if url:
        view.line(f"It is here: {url}", "bold")


def _paths(view: View, label: str, paths: Any, style: str = "dim") -> None:
    if not isinstance(paths, list) or not paths:
        return
    view.line(f"{label}:", style)
    for path in paths[:20]:
        view.line(f"  {one_line(_change(path))}")
    if len(paths) > 20:
        view.line(f"  and {len(paths) - 20} more", "dim")


def entries(view: View, found: Iterable[Mapping[str, Any]]) -> None:
    view.table(("path", "kind", "bytes"), [(e.get("path"), e.get("kind", ""), e.get("size", "")) for e in found])


def refused(view: View, body: Body) -> None:
    """An answer that something could not be carried out, with what to do about it."""
    error = body.get("error") or {}
    view.error(body.get("message", "It did not work"), error.get("hint", ""))
    details = error.get("details") or {}
    for problem in details.get("fields") or []:
        view.note(f"  {one_line(problem.get('field'))}: {one_line(problem.get('problem'))}")
    for line in details.get("nearest") or []:
        view.note(f"  line {line.get('line')}: {one_line(line.get('text'))}")
    if isinstance(details.get("tasks"), list):
        tasks(view, details["tasks"])
    if isinstance(details.get("card"), Mapping):
        card(view, details["card"], to=view.err)


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
    rows = [(s.get("id"), when(s.get("timestamp")), (s.get("step") or {}).get("project", ""), _named(s)) for s in steps]
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
            view.line(f"  {name}: {_plain(value)}")
    decided(view, found.get("decision"))
    approval = found.get("approval") or {}
    if approval:
        view.line(f"Answered: {_plain(approval)}")
    if found.get("card"):
        card(view, found["card"])
    result = found.get("result") or {}
    if result:
        view.line(result.get("message", ""), "green" if result.get("success") else "red")
        data(view, result.get("data") or {})


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
            styled(_bar(r.get("score"), r.get("threshold"))),
            f"{_number(r.get('score'))} of {_number(r.get('threshold'))}",
            r.get("level", ""),
            _verdict(r.get("verdict")),
            f"{r.get('good', 0)} good, {r.get('bad', 0)} bad",
            f"{r['demoted']} to go" if r.get("demoted") else "",
        )
        for r in body.get("records") or []
    ]
    if rows:
        view.table(("action", "project", "", "score", "level", "now", "record", "demoted"), rows)
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
        return [f"{key}: {_plain(value)}" for key, value in found.items()]
    return [_plain(item) for item in found or []]


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
            view.line(f"{key.replace('_', ' ')}: {_plain(value)}")
    plan = body.get("last_plan") or {}
    if plan:
        view.line(f"Last plan: {_named(plan)}", "bold")
    for number, step in enumerate(plan.get("steps") or [], 1):
        view.show(styled(f"  {number}. {_named(step)}  ") + status_text(step.get("status")))
    tasks(view, body.get("recent_actions") or [])
    waits(view, body.get("waiting") or [])


MEMORY_APART = frozenset({"success", "message", "recent_actions", "waiting", "last_plan"})


def waits(view: View, found: list[Mapping[str, Any]]) -> None:
    if found:
        view.line("Waiting for you:", "bold yellow")
        for item in found:
            view.line(f"  {item.get('id', '')}  {_named(item)}")


def status(view: View, body: Body) -> None:
    address, summary = body.get("address"), body.get("summary") or {}
    view.line(f"The service runs at {address}" if address else "No service runs; this command looked by itself")
    view.line(f"Home: {body.get('home')}", "dim")
    if body.get("version"):
        view.line(
            f"Version {body['version']}, up {_seconds(body.get('uptime'))}" if address else body["version"], "dim"
        )
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


def told(view: View, body: Body) -> None:
    """An answer of which only the message matters, unless it asks."""
    if body.get("confirmationNeeded"):
        waiting(view, body)
    else:
        view.line(f"✓ {body.get('message', '')}", "green")


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
        (str(c.get("id", ""))[:10], when(c.get("at")), c.get("author", ""), c.get("message")) for c in body["commits"]
    ]
    view.table(("commit", "when", "by", "what"), rows)


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
        return f"{when(found.get('at'))} {one_line(found.get('message', ''))}"
    return str(found or "")[:10]


def project(view: View, body: Body) -> None:
    for key, value in body.items():
        if key not in {"success", "message", "entries"} and value not in (None, "", [], {}):
            view.line(f"{key.replace('_', ' ')}: {_plain(value)}")
    entries(view, body.get("entries") or [])


def logs(view: View, body: Body) -> None:
    rows = [(f"{e.get('date')}/{e.get('name')}", status_text(e.get("status")), e.get("title")) for e in body["logs"]]
    if rows:
        view.table(("log", "status", "what"), rows)
    else:
        view.line("There are no logs yet")


def as_json(view: View, body: Body) -> None:
    """For what is JSON by nature: the same, laid out to be read."""
    view.line(json.dumps(body.get("log", body), indent=2, ensure_ascii=False))
