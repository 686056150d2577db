"""The same service from a terminal: `./agent` beside `./run`. Every command, by the name that people type."""

import functools
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from contracts.errors import AppError, BadInput
from terminal import credentials, home, look, work
from terminal.client import Body, Exit, Refused, as_reply
from terminal.session import Session

CODES = (
    "Exit codes: 0 done, 1 it ran and failed, 2 wrong usage or input, 3 waits for approval, 4 not found, "
    "5 conflict or out of date, 6 the service cannot be reached, 7 not allowed, 130 interrupted."
)
WORK = "Work"
LOOK = "Look"
SERVICE = "The service"
HELP = frozenset({"-h", "--help"})

Command = Callable[..., int]
COMMANDS: dict[str, tuple[Command, str]] = {
    "run": (work.run, WORK),
    "queue": (work.queue, WORK),
    "next": (work.next_step, WORK),
    "all": (work.all_steps, WORK),
    "edit": (work.edit, WORK),
    "skip": (work.skip, WORK),
    "move": (work.move, WORK),
    "cancel": (work.cancel, WORK),
    "answer": (work.answer, WORK),
    "approve": (work.approve, WORK),
    "reject": (work.reject, WORK),
    "undo": (work.undo, WORK),
    "redo": (work.redo, WORK),
    "tests": (work.tests, WORK),
    "autonomy": (work.autonomy, WORK),
    "status": (look.status, LOOK),
    "history": (look.history, LOOK),
    "show": (look.show, LOOK),
    "memory": (look.memory, LOOK),
    "actions": (look.actions, LOOK),
    "projects": (look.projects, LOOK),
    "logs": (look.logs, LOOK),
    "backups": (look.backups, LOOK),
    "deployments": (look.deployments, LOOK),
    "up": (home.up, SERVICE),
    "do": (home.do, SERVICE),
    "stop": (home.stop, SERVICE),
    "restore": (home.restore, SERVICE),
    "open": (home.open_panel, SERVICE),
    "token": (home.token, SERVICE),
}
GROUPS: dict[str, tuple[dict[str, Command], str]] = {
    "trust": ({"show": look.trust, "set": work.trust_set, "clear": work.trust_clear}, LOOK),
    "credentials": (
        {
            "list": credentials.listed,
            "set": credentials.set_up,
            "test": credentials.test,
            "forget": credentials.forget,
        },
        SERVICE,
    ),
}
"""Commands of two words; the first of a group is what its name alone means."""

_SHARED = [
    inspect.Parameter(
        "as_json",
        inspect.Parameter.KEYWORD_ONLY,
        default=False,
        annotation=Annotated[bool, typer.Option("--json", help="One JSON document instead of words.")],
    ),
    inspect.Parameter(
        "url",
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[str | None, typer.Option("--url", help="Address of the service; or set `AGENT_URL`.")],
    ),
]


def build() -> typer.Typer:
    """All commands. Each gains `--json` and `--url`, and its errors become exit codes."""
    app = typer.Typer(
        name="agent",
        help="Task Agent from a terminal: against the running service, or by itself when none runs.",
        epilog=CODES,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for name, (body, panel) in COMMANDS.items():
        app.command(name, epilog=CODES, rich_help_panel=panel)(_ready(body))
    for group, (commands, panel) in GROUPS.items():
        first = next(iter(commands.values()))
        found = typer.Typer(help=inspect.getdoc(first), epilog=CODES, no_args_is_help=False)
        for name, body in commands.items():
            found.command(name, epilog=CODES)(_ready(body))
        app.add_typer(found, name=group, rich_help_panel=panel)
    return app


def _ready(body: Command) -> Command:
    """The command as Typer takes it: the Session that it is given comes from the shared options."""

    @functools.wraps(body)
    def run(*, as_json: bool, url: str | None, **given: Any) -> int:
        return carried_out(Session(os.environ, as_json=as_json, url=url), body, given)

    own = list(inspect.signature(body, eval_str=True).parameters.values())[1:]
    keyword = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
    vars(run)["__signature__"] = inspect.Signature([*keyword, *_SHARED], return_annotation=int)
    return run


def carried_out(session: Session, body: Command, given: Body) -> int:
    """Run a command; an error of either side is shown the same way."""
    try:
        return body(session, **given)
    except Refused as refused:
        return session.refused(refused.reply)
    except AppError as error:
        return session.refused(as_reply(error))
    except KeyboardInterrupt:
        session.interrupted()
        return Exit.INTERRUPTED
    finally:
        session.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and give its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in GROUPS and (len(words) == 1 or (words[1].startswith("-") and words[1] not in HELP)):
        words.insert(1, next(iter(GROUPS[words[0]][0])))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return int(build()(words, prog_name="agent", standalone_mode=False) or 0)
    except typer.TyperException as error:
        return _misused(error, words)
    except typer.Abort:
        return Exit.INTERRUPTED


def _misused(error: typer.TyperException, words: Sequence[str]) -> int:
    message = error.format_message().rstrip(".")
    if not message:
        return Exit.USAGE
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "agent"
    session = Session(os.environ, as_json="--json" in words)
    return session.refused(as_reply(BadInput(message, hint=f"`./{path} --help` shows how it is used")))


if __name__ == "__main__":
    sys.exit(main())
