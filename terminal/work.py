"""Commands that have the agent do something, or say what it may do."""

from typing import Annotated

import typer

from contracts.errors import NotFound
from terminal import answers, pages
from terminal import input as cli_input
from terminal.client import Body, Exit
from terminal.session import (
    Files,
    JsonParams,
    OptionalId,
    Project,
    Reason,
    Session,
    TaskId,
    Wait,
    Words,
    Yes,
    filled,
    one_of,
    part,
)

TEST_SECONDS = 3600.0
Before = Annotated[str | None, typer.Option("--before", help="The queued step that it goes before.")]


def run(
    session: Session,
    words: Words,
    project: Project = None,
    file: Files = None,
    json_params: JsonParams = None,
    wait: Wait = None,
) -> int:
    """Do one thing: an action with `name=value`, or a sentence."""
    body = cli_input.command(words, project=project, files=file or (), json_params=json_params)
    return session.show(session.act("/run", body, words=str(body.get("goal") or body["intent"]), limit=wait))


def queue(
    session: Session,
    words: Annotated[list[str] | None, typer.Argument(help="An action with `name=value`.")] = None,
    project: Project = None,
    file: Files = None,
    json_params: JsonParams = None,
    before: Before = None,
) -> int:
    """Put a step into the queue; without one, show what is queued."""
    if not words:
        return session.show(session.client.get("/queue"), pages.queue)
    step = cli_input.command(words, project=project, files=file or (), json_params=json_params)
    if before:
        return session.show(session.client.post(f"/tasks/{part(before)}/insert", step=step))
    return session.show(session.act("/run", {"intent": "queue_task", "step": step}, words="Queueing"))


def next_step(session: Session, project: Project = None, wait: Wait = None) -> int:
    """Run the next queued step."""
    return session.show(session.act("/run_next", filled(project=project), words="Next step", limit=wait))


def all_steps(session: Session, project: Project = None, wait: Wait = None) -> int:
    """Run everything that is queued."""
    return session.show(session.act("/run_all", filled(project=project), words="All queued steps", limit=wait))


def edit(session: Session, id: TaskId, words: Words, project: Project = None, json_params: JsonParams = None) -> int:
    """Put another step in the place of a queued one."""
    step = cli_input.command(words, project=project, json_params=json_params)
    return session.show(session.client.send("PATCH", f"/tasks/{part(id)}", {"step": step}))


def skip(session: Session, id: TaskId) -> int:
    """Take a queued step out of the queue."""
    return session.show(session.client.send("DELETE", f"/tasks/{part(id)}"))


def move(session: Session, id: TaskId, before: Before = None) -> int:
    """Move a queued step before another one; without `--before`, to the end."""
    return session.show(session.client.post(f"/tasks/{part(id)}/move", before=before))


def cancel(session: Session, id: OptionalId = None) -> int:
    """Cancel a plan or a task: what has not begun is dropped, what runs is stopped where possible."""
    return session.show(session.client.post("/cancel_plan", **filled(id=id)))


def answer(
    session: Session,
    words: Annotated[
        list[str],
        typer.Argument(help="`key=answer` for each question; before them a task, if several ask.", show_default=False),
    ],
    wait: Wait = None,
) -> int:
    """Answer the questions of a plan that waits; it is planned anew with them."""
    id, given = (words[0], words[1:]) if "=" not in words[0] else (None, words)
    body = {**filled(id=id), "answers": cli_input.params(given)}
    return session.show(session.act("/answer", body, words="Planning", limit=wait))


def approve(session: Session, id: OptionalId = None, reason: Reason = "", wait: Wait = None) -> int:
    """Say yes to what waits; it runs exactly as its card says, and its plan goes on."""
    body = {"approve": True, **filled(id=id, reason=reason)}
    reply = session.act("/confirm", body, words="Working on it", limit=wait)
    return session.show(session.plan_of(reply, limit=wait))


def reject(session: Session, id: OptionalId = None, reason: Reason = "") -> int:
    """Say no to what waits; the agent then asks more often for such things."""
    reply = session.act("/confirm", {"approve": False, **filled(id=id, reason=reason)}, words="Rejecting")
    code = session.show(reply, answers.told)
    return Exit.DONE if reply.body.get("status") == "rejected" else code


def undo(
    session: Session,
    id: Annotated[str | None, typer.Argument(help="Back to before this task; the last action unless given.")] = None,
    only: Annotated[bool, typer.Option("--only", help="Take back that change alone and keep later ones.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Also put back what somebody else changed meanwhile.")] = False,
    to: Annotated[str | None, typer.Option("--to", help="`last_good`: the last proven or deployed state.")] = None,
    commit: Annotated[str | None, typer.Option("--commit", help="Back to this commit of the project.")] = None,
    project: Project = None,
    yes: Yes = False,
) -> int:
    """Take back the last action, or go back to before a task; asks first if that takes several back."""
    if to is not None:
        one_of(to, "last_good", what="a state to go back to")
    body = filled(id=id, only=only, exact=exact, to=to, commit=commit, project=project)
    return _roll_back(session, body, yes=yes)


def redo(
    session: Session,
    id: Annotated[str | None, typer.Argument(help="The undo to take back; the last one unless given.")] = None,
    project: Project = None,
    yes: Yes = False,
) -> int:
    """Take back an undo, so that what was undone is there again."""
    body = filled(id=id or _last_undo(session, project), project=project)
    return _roll_back(session, body, yes=yes)


def _roll_back(session: Session, body: Body, *, yes: bool) -> int:
    reply = session.act("/rollback", body, words="Taking it back")
    return session.ended(session.settle(reply, yes=yes, reason="Approved beforehand with --yes"))


def _last_undo(session: Session, project: str | None) -> str:
    """The newest undo that still stands and is not itself a redo. Raises NotFound."""
    for task in session.client.get("/tasks", project=project, limit=200).body.get("tasks", []):
        took_back = task.get("undoes") and not task.get("redoes")
        if took_back and task.get("status") == "succeeded" and not task.get("undone_by"):
            return str(task["id"])
    raise NotFound("There is no undo to take back", hint="`./agent history` shows what was done")


def tests(session: Session, file: Annotated[str | None, typer.Argument(help="A file with tests.")] = None) -> int:
    """Run the commands of a test file and compare what they answer."""
    with session.view.working("Running the tests"):
        reply = session.client.send("POST", "/run_tests", filled(file=file), patience=TEST_SECONDS)
    return session.show(reply, pages.tests)


def autonomy(
    session: Session,
    mode: Annotated[str, typer.Argument(help="`ask_all`, `earned` or `allow_all`.")],
    minutes: Annotated[float | None, typer.Option("--minutes", min=0, help="For so long; then back to before.")] = None,
    project: Project = None,
) -> int:
    """How much the agent does alone: asks before everything, as earned, or all that may be allowed."""
    one_of(mode, "ask_all", "earned", "allow_all", what="a way to work")
    body = {"autonomy": mode, **filled(minutes=minutes, project=project)}
    return session.show(session.client.send("PUT", "/settings", body), answers.told)


def trust_set(
    session: Session,
    intent: Annotated[str, typer.Argument(help="The kind of action, such as `create_file`.")],
    verdict: Annotated[str, typer.Argument(help="`auto` runs alone, `ask` always asks, `refuse` never runs.")],
    project: Project = None,
) -> int:
    """Set your own rule for a kind of action."""
    one_of(verdict, "auto", "ask", "refuse", what="a rule")
    return _override(session, intent, verdict, project)


def trust_clear(
    session: Session,
    intent: Annotated[str, typer.Argument(help="The kind of action, such as `create_file`.")],
    project: Project = None,
) -> int:
    """Take your own rule back; the record decides again."""
    return _override(session, intent, None, project)


def _override(session: Session, intent: str, verdict: str | None, project: str | None) -> int:
    body = {"intent": intent, "verdict": verdict, **filled(project=project)}
    return session.show(session.client.send("PUT", "/trust/overrides", body), answers.told)
