"""The same service from a terminal: `./agent` beside `./run`. Every command, by the name that people type."""

import functools
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from contracts.errors import AppError, BadInput
from terminal import home, look, work
from terminal.client import Body, Exit, Refused, as_reply
from terminal.session import Session

CODES = (
    "Exit codes: 0 done, 1 it ran and failed, 2 wrong usage or input, 3 waits for approval, 4 not found, "
    "5 conflict or out of date, 6 the service cannot be reached, 7 not allowed, 130 interrupted."
)
WORK = "Work"
LOOK = "Look"
SERVICE = "The service"

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
    "up": (home.up, SERVICE),
    "do": (home.do, SERVICE),
    "stop": (home.stop, SERVICE),
    "open": (home.open_panel, SERVICE),
    "token": (home.token, SERVICE),
}
TRUST_COMMANDS: dict[str, Command] = {"show": look.trust, "set": work.trust_set, "clear": work.trust_clear}

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
    trust = typer.Typer(help=inspect.getdoc(look.trust), epilog=CODES, no_args_is_help=False)
    for name, body in TRUST_COMMANDS.items():
        trust.command(name, epilog=CODES)(_ready(body))
    app.add_typer(trust, name="trust", rich_help_panel=LOOK)
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
    if words[:1] == ["trust"] and (len(words) == 1 or (words[1].startswith("-") and words[1] not in {"-h", "--help"})):
        words.insert(1, "show")
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
