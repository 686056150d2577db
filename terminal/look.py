"""Commands that only look."""

from typing import Annotated

import typer

from terminal import answers, deployment_pages, pages
from terminal.session import Limit, Project, Session, TaskId, needed, part


def status(session: Session) -> int:
    """The service, its address, what it may do alone, what is queued and what waits for you."""
    client = session.client
    body = {
        **client.get("/health").body,
        "address": client.address,
        "home": str(session.place.home),
        "settings": client.get("/settings").body,
        "summary": client.get("/memory/summary").body,
    }
    return session.document(body, pages.status)


def history(
    session: Session,
    project: Project = None,
    state: Annotated[str | None, typer.Option("--status", help="Only tasks with this status.")] = None,
    commits: Annotated[bool, typer.Option("--commits", help="The commits of a project instead of tasks.")] = False,
    limit: Limit = 20,
) -> int:
    """What was done, newest first."""
    if commits:
        name = needed(project, "--project")
        reply = session.client.get(f"/projects/{part(name)}/history", limit=limit)
        return session.show(reply, pages.commits)
    reply = session.client.get("/tasks", status=state, project=project, limit=limit)
    return session.show(reply, pages.history)


def show(session: Session, id: TaskId) -> int:
    """One task in full: its steps, why it was let through or asked, the diff, the result."""
    reply = session.client.get(f"/tasks/{part(id)}")
    return session.show(reply, lambda view, body: pages.task(view, body, session.client.task))


def trust(session: Session, project: Project = None) -> int:
    """How far each kind of action is from running alone, and your own rules."""
    return session.show(session.client.get("/trust", project=project), pages.trust)


def memory(
    session: Session,
    full: Annotated[bool, typer.Option("--full", help="Everything that is remembered, as JSON.")] = False,
) -> int:
    """What the agent remembers: counters, goal, last plan, recent actions."""
    if full:
        return session.show(session.client.get("/memory"), pages.as_json)
    return session.show(session.client.get("/memory/summary"), pages.memory)


def actions(
    session: Session,
    name: Annotated[str | None, typer.Argument(help="One action, with its parameters.")] = None,
) -> int:
    """What the agent can do, and what each action takes."""
    return session.show(session.client.get("/actions"), lambda view, body: pages.actions(view, body, name))


def projects(
    session: Session,
    name: Annotated[str | None, typer.Argument(help="One project in detail.")] = None,
) -> int:
    """The projects, or one of them with its files."""
    if name is None:
        return session.show(session.client.get("/projects"), pages.projects)
    body = session.client.get(f"/projects/{part(name)}").body
    files = session.client.get(f"/projects/{part(name)}/files").body
    return session.document({**body, "entries": files.get("entries", [])}, pages.project)


def logs(
    session: Session,
    log: Annotated[str | None, typer.Argument(help="One log, as `date/name`.")] = None,
    date: Annotated[str | None, typer.Option("--date", help="Only of this day, such as 2026-11-16.")] = None,
    limit: Limit = 20,
) -> int:
    """The log of each task, or one of them."""
    if log is None:
        return session.show(session.client.get("/logs", date=date, limit=limit), pages.logs)
    day, _, name = log.partition("/")
    return session.show(session.client.get(f"/logs/{part(day)}/{part(name or day)}"), pages.as_json)


def backups(session: Session, retry: Annotated[bool, typer.Option("--retry", help="Try again now.")] = False) -> int:
    """How the copies of logs and memory stand, and the newest of them."""
    reply = session.client.post("/backups/retry") if retry else session.client.get("/backups")
    return session.show(reply, answers.told)


def deployments(
    session: Session,
    id: Annotated[str | None, typer.Argument(help="One deployment: what was done, and what its host printed.")] = None,
    project: Project = None,
) -> int:
    """Where projects are online, and what was put there, brought back or taken down."""
    if id is not None:
        return session.show(session.client.get(f"/deployments/{part(id)}/log"), deployment_pages.log)
    return session.show(session.client.get("/deployments", project=project), deployment_pages.overview)
