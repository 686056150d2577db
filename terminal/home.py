"""Commands about the service on this machine: serve, do one job and leave it running, end it, sign in."""

import sys
from typing import Annotated

import typer

from contracts.errors import Unavailable
from terminal import answers, service
from terminal.client import Client, Exit, Reply
from terminal.session import Project, Session, Yes, filled, one_of
from terminal.view import View

DESKTOP = ("DISPLAY", "WAYLAND_DISPLAY")


def do(
    session: Session,
    sentence: Annotated[str, typer.Argument(help="What to do, in your own words.")],
    project: Project = None,
    yes: Yes = False,
    demo_cloud: Annotated[
        bool, typer.Option("--demo-cloud", help="Put the app on a demo cloud on this machine; no account is needed.")
    ] = False,
) -> int:
    """Do one job from a sentence: show the plan, ask once, follow it to its end; the service stays running."""
    session.client = service.running(session.place) or _started(session)
    body = {"goal": sentence, **filled(project=project, online="demo" if demo_cloud else None)}
    reply = session.act("/run", body, words=sentence)
    reply = reply if yes else session.clear_up(reply, body)
    if yes and not session.view.as_json and reply.waits:
        answers.card(session.view, reply.body.get("card") or {}, to=session.view.err)
    reply = session.settle(reply, yes=yes, reason="Approved beforehand with --yes")
    code = session.ended(reply)
    if not session.view.as_json:
        _where(session, reply)
    return code


def _started(session: Session) -> Client:
    with session.view.working("Starting the service"):
        return service.start(session.place, session.environ)


def _where(session: Session, reply: Reply) -> None:
    """Where the result is, and how to go on from there."""
    if reply.waits and not session.view.can_ask and not reply.body.get("plan"):
        session.view.note("Without a terminal, `--yes` approves the plan beforehand", "")
    elif reply.waits and reply.body.get("plan") and not (reply.body.get("card") or {}).get("blocked"):
        session.view.note("`--yes` covers this machine and the demo cloud, never what others would see", "")
    project = reply.body.get("project")
    if reply.exit is Exit.DONE and project and not session.place.url:
        session.view.line(f"The files are in {session.place.home / 'workspace' / str(project)}")
        session.view.note(
            f'Change it with `./run --project {project} "..."`; `./agent undo` takes the last change back'
        )


def stop(session: Session) -> int:
    """End the service; what is under way is finished or parked first."""
    with session.view.working("Ending the service"):
        there = service.stop(service.running(session.place), session.place)
    words = "The service has ended" if there else "No service runs here"
    return session.document({"success": True, "message": words}, answers.told)


def restore(
    session: Session,
    source: Annotated[str, typer.Option("--from", help="`drive` or `folder`; whichever is set unless given.")] = "",
    agent: Annotated[str, typer.Option("--agent", help="Whose copies, where several agents share a place.")] = "",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Put them in place of what this home has.")] = False,
) -> int:
    """Bring memory and logs back from their copies, on a new machine; no service may run."""
    if source:
        one_of(source, "drive", "folder", what="a place for copies")
    with session.view.working("Bringing back the copies"):
        found = service.restored(session.place, session.environ, source, agent=agent, overwrite=overwrite)
    return session.document(found, answers.told)


def open_panel(session: Session) -> int:
    """Make a link that signs a browser in once; on a desktop, open it."""
    client = service.running(session.place)
    if client is None:
        raise Unavailable("No service runs here", hint="Start it with `./run`")
    session.client = client
    reply = client.post("/admin/link")
    desktop = sys.platform == "darwin" or any(session.environ.get(name) for name in DESKTOP)
    if desktop and sys.stdout.isatty():
        service.open_in_browser(str(reply.body["url"]), session.environ)
    return session.show(reply, _link)


def _link(view: View, body: dict[str, object]) -> None:
    view.line(body["url"])
    view.note(str(body.get("message", "")))


def token(session: Session) -> int:
    """Print the token that requests must carry, and nothing else."""
    place = session.place
    found = place.token or place.made_token
    if found is None:
        session.client  # noqa: B018  the first start makes one
        found = place.made_token
    if found is None:
        raise Unavailable("There is no token yet", hint="It is made at the first start: `./run`")
    return session.document({"success": True, "message": "This is the token", "token": found}, _bare)


def _bare(view: View, body: dict[str, object]) -> None:
    sys.stdout.write(f"{body['token']}\n")


def up(session: Session) -> int:
    """Serve in front until stopped, and say where; if one runs already, say where that is."""
    there = service.running(session.place)
    if there is not None:
        words = f"The service runs already, at {there.address}"
        code = session.document({"success": True, "message": words, "url": there.address}, answers.told)
        _offer_link(session.view, there)
        return code
    return service.serve(session.place, session.environ, lambda client: _greet(session.view, client))


def _greet(view: View, client: Client) -> None:
    words = f"Task Agent is at {client.address}"
    if view.as_json:
        view.document({"success": True, "message": words, "url": client.address})
        return
    view.line(words)
    if _offer_link(view, client):
        view.line("Ctrl-C ends it", "dim")
    sys.stdout.flush()


def _offer_link(view: View, client: Client) -> bool:
    """Only to somebody who reads it: it is worth a token, and has no place in a file."""
    shown = not view.as_json and sys.stdout.isatty()
    if shown:
        view.line(f"Sign in with this link, once: {client.post('/admin/link').body['url']}")
    return shown
