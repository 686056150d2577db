"""What came of a command, as a person reads it: the result, the question with its card, or why it could not be."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from terminal.overlaps import overlaps
from terminal.view import View, clean, one_line, status_text, styled

if TYPE_CHECKING:
    from rich.console import Console

Body = dict[str, Any]
CARD_LABELS = {"where": "Where", "undo": "Can it be undone", "cost": "Cost", "worst": "Worst case"}
MOST_FILES = 20
MOST_CHECKS = 6
UNDERSTOOD = {"assumptions": "Assumed", "cannot": "Left out"}


def answer(view: View, body: Body) -> None:
    """The answer to anything that acts: what happened, what waits, and why it was let through."""
    if body.get("confirmationNeeded"):
        waiting(view, body)
        return
    if body.get("questions") and not body.get("id"):
        view.line(f"? {body.get('message', '')}", "bold yellow")
        questions(view, body["questions"])
        view.note("Say it again with the answers in the sentence", "")
        return
    good = body.get("success") is True
    if body.get("status") in {"queued", "running"} and good:
        view.line(f"… {body.get('message', '')}", "cyan")
        view.note(f"It goes on; see how far it is with `./agent show {clean(body.get('id', ''))}`")
        return
    view.line(f"{'✓' if good else '✗'} {body.get('message', '')}", "green" if good else "red")
    for step in body.get("steps") or []:
        view.show(styled("  ") + status_text(step.get("status")) + styled(f"  {one_line(step.get('title'))}"))
    overlaps(view, (body.get("error") or {}).get("details"))
    result = body.get("result") or {}
    data(view, result.get("data") or {})
    decision = body.get("decision") or {}
    if decision.get("verdict") == "auto" and decision.get("code") != "only_looks":
        why(view, decision)


def waiting(view: View, body: Body) -> None:
    card(view, body.get("card") or {}, fallback=str(body.get("message", "")))
    why(view, body.get("decision"))
    if body.get("questions"):
        questions(view, body["questions"])
        view.note(f"Answer with `./agent answer {clean(body.get('id', ''))} key=...`, or leave it as it is", "")
    put_off(view, body)


def put_off(view: View, body: Body) -> None:
    """How to answer later what was asked now."""
    task_id = clean(body.get("id", ""))
    view.note("Nothing of this has been done yet.", "")
    reject = f"`./agent reject {task_id} --reason ...`"
    if (body.get("card") or {}).get("blocked"):
        view.note(f"It goes on once that is there; {reject} drops it", "")
        return
    view.note(f"Approve it with `./agent approve {task_id}`, or say no with {reject}", "")


def why(view: View, decision: Any) -> None:
    """Why it ran by itself or asks, as the gate put it."""
    for reason in (decision or {}).get("reasons") or []:
        view.note(f"  {one_line(reason, 4000)}")


def card(view: View, shown: Mapping[str, Any], *, fallback: str = "", to: "Console | None" = None) -> None:
    """An approval card: what would change, where, whether it can be undone, what it costs, the worst case."""
    console = to or view.out
    what: Mapping[str, Any] = shown["what"] if isinstance(shown.get("what"), Mapping) else {}
    console.print(styled(f"? {shown.get('title') or fallback}", "bold yellow"), soft_wrap=True)
    for line in _card_lines(shown, what):
        console.print(styled(f"  {line}"), soft_wrap=True)
    # Who asked in plain words is shown what was understood; the files are in the project once it is there.
    if what.get("diff") and not shown.get("understood"):
        view.diff(what["diff"], to=console)


def _card_lines(shown: Mapping[str, Any], what: Mapping[str, Any]) -> Iterator[str]:
    yield from _understood(shown)
    if what.get("summary"):
        yield str(what["summary"])
    for key, label in CARD_LABELS.items():
        if shown.get(key):
            yield f"{label}: {plain(shown[key])}"
    for number, step in enumerate(what.get("steps") or [], 1):
        yield f"{number}. {named(step)}"
    for note in what.get("notes") or []:
        yield f"- {plain(note)}"
    files = what.get("files") or []
    for change in files[:MOST_FILES]:
        yield _change(change)
    hidden = len(files[MOST_FILES:]) + int(what.get("more") or 0)
    if hidden:
        yield f"and {hidden} more"


def _understood(shown: Mapping[str, Any]) -> Iterator[str]:
    """What was made of a sentence, in the order in which somebody would check it."""
    if shown.get("understood"):
        yield f"Understood: {plain(shown['understood'])}"
    for key, label in UNDERSTOOD.items():
        for item in shown.get(key) or []:
            yield f"{label}: {plain(item)}"
    for need in _mappings(shown.get("needs")):
        yield f"Missing: {plain(need.get('what'))}. {plain(need.get('remedy'))}"
    checks = shown.get("checks") or []
    if checks:
        yield f"Done means that {len(checks)} checks hold, among them:"
        yield from (f"  - {plain(check)}" for check in checks[:MOST_CHECKS])


def questions(view: View, found: Any) -> None:
    """Questions that can be answered or left to their defaults."""
    for question in _mappings(found):
        options = f" ({', '.join(map(clean, question['options']))})" if question.get("options") else ""
        default = f" Otherwise: {clean(question['default'])}" if question.get("default") else ""
        view.note(
            f"? {one_line(question.get('text'), 400)}{options}{default}  [{clean(question.get('key'))}]", "yellow"
        )


def named(item: Any) -> str:
    if not isinstance(item, Mapping):
        return one_line(item)
    return one_line(item.get("title") or item.get("message") or item.get("intent") or plain(item))


def _change(change: Any) -> str:
    if not isinstance(change, Mapping):
        return one_line(change)
    before, after = change.get("before_bytes"), change.get("after_bytes")
    size = after if after is not None else before
    words = f" ({size:,} {'byte' if size == 1 else 'bytes'})" if isinstance(size, int) else ""
    return one_line(f"{change.get('change', '')} {change.get('path', '')}{words}")


def plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(plain(item) for item in value)
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
    for line in found.get("lines") or []:
        view.line(f"  {one_line(line)}", "dim")
    url = str(found.get("url") or "")
    # What can be downloaded from the service is a file for whoever sits at this machine.
    if where := found.get("path") if url.startswith("/") else url:
        view.line(f"It is here: {where}", "bold")


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
    details = error.get("details") or {}
    view.error(body.get("message", "It did not work"), error.get("hint", ""))
    for problem in _mappings(details.get("fields")):
        view.note(f"  {one_line(problem.get('field'))}: {one_line(problem.get('problem'))}", "")
    for line in _mappings(details.get("nearest")):
        view.note(f"  line {line.get('line')}: {one_line(line.get('text'))}", "")
    overlaps(view, details)
    waits(view, _mappings(details.get("waiting")))
    if isinstance(details.get("card"), Mapping):
        card(view, details["card"], to=view.err)


def _mappings(found: Any) -> list[Mapping[str, Any]]:
    """Details are as various as errors; only what has the expected shape is spelt out."""
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []


def told(view: View, body: Body) -> None:
    """An answer of which only the message matters, unless it asks."""
    if body.get("confirmationNeeded"):
        waiting(view, body)
    else:
        view.line(f"✓ {body.get('message', '')}", "green")


def waits(view: View, found: list[Mapping[str, Any]]) -> None:
    if found:
        view.line("Waiting for you:", "bold yellow")
        for item in found:
            view.line(f"  {item.get('id', '')}  {named(item)}")
