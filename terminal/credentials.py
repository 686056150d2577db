"""Commands about accounts elsewhere. A secret is typed hidden or comes from the standard input, never as a word."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from contracts.errors import BadInput, NotFound
from terminal import answers
from terminal.client import Body
from terminal.session import Session, part
from terminal.view import View, clean, one_line, styled

ASK_HOST_SECONDS = 90.0
"""The host is asked before anything is stored, and it may take its time."""
LONGEST_INPUT = 64 * 1024
STATES = {"works": "green", "refused": "red", "untested": "yellow", "missing": "dim"}
Account = Annotated[str, typer.Argument(help="The account, as `./agent credentials` lists it.")]
Extra = Annotated[list[str] | None, typer.Argument(hidden=True, help="Nothing: a secret is never given as a word.")]


def listed(session: Session) -> int:
    """Which accounts the agent can use, and how each stands; no secret is shown."""
    return session.show(session.client.get("/credentials"), _page)


def _page(view: View, body: Body) -> None:
    rows = [
        (
            one.get("name"),
            one.get("purpose"),
            styled(one_line(one.get("words"), 400), STATES.get(str(one["state"]), "")),
        )
        for one in body.get("credentials") or []
    ]
    view.table(("account", "what for", "how it stands"), rows)
    for notice in body.get("notices") or []:
        view.line(f"Notice: {notice}", "yellow")
    view.note("Set one up with `./agent credentials set NAME`")


def set_up(session: Session, account: Account, extra: Extra = None) -> int:
    """Enter what opens an account: typed hidden, or from the standard input; it is tested before it is kept."""
    if extra:
        raise BadInput(
            "A secret is not given on the command line: others can read it there, and the shell keeps it",
            hint=f"Make a new one, then type `./agent credentials set {clean(account)}` alone and paste it when asked",
        )
    about = _about(session, account)
    values = _asked(session.view, about) if session.view.can_ask else _piped(about)
    with session.view.working(f"Asking {about['title']}"):
        reply = session.client.send(
            "PUT", f"/credentials/{part(account)}", {"values": values}, patience=ASK_HOST_SECONDS
        )
    return session.show(reply, answers.told)


def test(session: Session, account: Account) -> int:
    """Ask the host whether what is set up still works."""
    with session.view.working("Asking the host"):
        reply = session.client.send("POST", f"/credentials/{part(account)}/test", patience=ASK_HOST_SECONDS)
    return session.show(reply)


def forget(session: Session, account: Account) -> int:
    """Remove what is stored for an account."""
    return session.show(session.client.send("DELETE", f"/credentials/{part(account)}"), answers.told)


def _about(session: Session, account: str) -> Body:
    found = session.client.get("/credentials").body["credentials"]
    for one in found:
        if one["name"] == account:
            return dict(one)
    names = ", ".join(f"`{one['name']}`" for one in found)
    raise NotFound(f"There is no account called `{clean(account)}` here", hint=f"There are {names}")


def _asked(view: View, about: Body) -> dict[str, str]:
    """Show a person where to get it, and have it typed or pasted."""
    view.note(f"{about['title']}: {about['purpose'][:1].lower()}{about['purpose'][1:]}", "bold")
    for number, line in enumerate(about["guide"], 1):
        view.note(f"  {number}. {line}", "")
    return {str(field["name"]): _typed(view, field) for field in about["fields"]}


def _typed(view: View, field: Mapping[str, Any]) -> str:
    about = f"{field['label']} ({field['hint']})"
    if field.get("file"):
        return _content(view.ask_text(f"{field['label']}: which file is it in?", ""))
    if field["secret"]:
        return view.ask_secret(f"{about}; it is not shown while you type:")
    return view.ask_text(f"{about}:", str(field.get("value") or ""))


def _content(name: str) -> str:
    """The text of a file that somebody named. Never repeats what is in it."""
    try:
        with Path(name.strip()).expanduser().open("rb") as file:
            return file.read(LONGEST_INPUT).decode()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadInput(
            f"`{clean(name)}` cannot be read: {why}", hint="Name the JSON file that you were given"
        ) from None


def _piped(about: Body) -> dict[str, str]:
    """All fields as one JSON object, or the bare secret if nothing else is needed. Never repeats what came in."""
    text = sys.stdin.read(LONGEST_INPUT).strip()
    needed = [field for field in about["fields"] if field["required"]]
    bare = f"the {needed[0]['label'].lower()} alone, or " if len(needed) == 1 else ""
    how = f"Pipe in {bare}a JSON object with {_names(about)}"
    if not text:
        raise BadInput("Nothing came from the standard input", hint=how)
    if not text.startswith("{"):
        if len(needed) > 1:
            raise BadInput(f"{about['title']} needs more than one value", hint=how)
        return {str(needed[0]["name"]): text}
    try:
        given = dict(json.loads(text))
    except ValueError:
        raise BadInput("The standard input is not valid JSON", hint=how) from None
    file = next((str(field["name"]) for field in needed if field.get("file")), "")
    # A key that comes as a file is such an object itself.
    return {file: text} if file and file not in given else given


def _names(about: Body) -> str:
    return ", ".join(f"`{field['name']}`" for field in about["fields"])
