"""One command in a terminal: finds the service, does the work, asks where it must, and gives the exit code."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any
from urllib.parse import quote

import typer

from contracts.errors import BadInput
from contracts.trust import OUTWARD_EFFECTS
from terminal import answers
from terminal.client import Body, Client, Exit, Refused, Reply
from terminal.service import Place, connect, locate
from terminal.view import View

Words = Annotated[list[str], typer.Argument(help="An action with `name=value`, or a sentence.", show_default=False)]
Project = Annotated[str | None, typer.Option("--project", "-p", help="The project it is about.")]
Wait = Annotated[float | None, typer.Option("--wait", min=0, help="Seconds to wait for the end; forever unless set.")]
Files = Annotated[list[str] | None, typer.Option("--file", help="A value from a file: `content=@notes.txt`.")]
JsonParams = Annotated[str | None, typer.Option("--json-params", help="Parameters as one JSON object.")]
OptionalId = Annotated[str | None, typer.Argument(help="The task; the only one there is unless given.")]
TaskId = Annotated[str, typer.Argument(help="The task, as `history` and `queue` show it.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it is kept with the task.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Your approval, given beforehand and kept with the task.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=500, help="At most so many.")]


class Session:
    """What a command is given: the view, the place, and a client once it is needed."""

    def __init__(self, environ: Mapping[str, str], *, as_json: bool = False, url: str | None = None) -> None:
        self.environ = environ
        self.view = View(as_json=as_json)
        self._url = url
        self._place: Place | None = None
        self._client: Client | None = None

    @property
    def place(self) -> Place:
        if self._place is None:
            self._place = locate(self.environ, self._url)
        return self._place

    @property
    def client(self) -> Client:
        """The running service; without one, this process does the work itself."""
        if self._client is None:
            self._client = connect(self.place, self.environ)
        return self._client

    @client.setter
    def client(self, client: Client) -> None:
        self._client = client

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def act(self, path: str, body: Body, *, words: str, limit: float | None = None) -> Reply:
        """Ask for work and follow it to its end, its question or its time limit, showing how far it is."""
        with self.view.working(words) as watch:
            return self.client.act(path, body, limit=self._limit(limit), watch=watch)

    def show(self, reply: Reply, page: Callable[[View, Body], None] = answers.answer) -> Exit:
        """The answer as a document or a page; what it means as an exit code."""
        if self.view.as_json:
            self.view.document(reply.body)
        else:
            page(self.view, reply.body)
        return reply.exit

    def document(self, body: Body, page: Callable[[View, Body], None]) -> Exit:
        """Several answers put together, shown like one."""
        return self.show(Reply(200, body), page)

    def refused(self, reply: Reply) -> Exit:
        if self.view.as_json:
            self.view.document(reply.body)
        else:
            answers.refused(self.view, reply.body)
        return reply.exit

    def interrupted(self) -> None:
        if self._client is not None and self._client.address:
            self.view.note("\nStopped watching; what was begun goes on. `./agent cancel` ends it", "")
        else:
            self.view.note("\nStopped", "")

    def ended(self, reply: Reply) -> Exit:
        """What came of it after all questions; a card that was just looked at is not shown again."""
        return self.show(reply, answers.put_off if reply.waits and self.view.can_ask else answers.answer)

    def clear_up(self, reply: Reply, command: Body) -> Reply:
        """Have a person answer the questions of a plan, each once; Enter takes what would be done anyway."""
        questions = reply.body.get("questions")
        if not questions or not self.view.can_ask or not (reply.waits or not reply.body.get("id")):
            return reply
        if reply.body.get("understood"):
            self.view.note(str(reply.body["understood"]), "")
        given = {str(q["key"]): self._said(q) for q in questions}
        answers_given = {key: text for key, text in given.items() if text}
        if not reply.body.get("id"):
            return self.act("/run", {**command, "answers": answers_given}, words="Planning")
        if all(given[str(q["key"])] == q["default"] for q in questions):
            return reply
        return self.act("/answer", {"id": str(reply.body["id"]), "answers": answers_given}, words="Planning")

    def _said(self, question: Body) -> str:
        options = f" ({', '.join(map(str, question['options']))})" if question.get("options") else ""
        return self.view.ask_text(f"{question['text']}{options}", str(question.get("default") or ""))

    def settle(self, reply: Reply, *, yes: bool, reason: str) -> Reply:
        """Have a person, or `yes` once in their place, answer what waits; as it stands if nobody can be asked.

        A yes that was given beforehand never covers what others would see.
        """
        while reply.waits:
            yes = yes and not _reaches_others(reply.body)
            said = "y" if yes else self._asked(reply.body)
            if said == "l":
                break
            words = reason if yes else ""
            yes = False
            reply = self._confirm(reply.body, approve=said == "y", reason=words)
        return reply

    def _asked(self, body: Body) -> str:
        if not self.view.can_ask:
            return "l"
        answers.card(self.view, body.get("card") or {}, fallback=str(body.get("message", "")), to=self.view.err)
        answers.why(self.view, body.get("decision"))
        return self.view.ask("Go ahead? [Y]es, [n]o, [l]ater:", "ynl")

    def _confirm(self, before: Body, *, approve: bool, reason: str) -> Reply:
        body: Body = {"id": str(before["id"]), "approve": approve, **({"reason": reason} if reason else {})}
        try:
            reply = self.act("/confirm", body, words="Working on it")
        except Refused as refused:
            fresh = refused.details.get("card")
            if refused.code != "stale_approval" or fresh is None or reason:
                raise
            self.view.note("The project has changed meanwhile; this is what would happen now:", "yellow")
            return Reply(200, {**before, "card": fresh})
        return self.plan_of(reply) if approve else reply

    def plan_of(self, reply: Reply, *, limit: float | None = None) -> Reply:
        """After a yes to one step of a plan, the rest of the plan goes on: follow that instead."""
        if reply.exit is not Exit.DONE or not reply.body.get("id"):
            return reply
        plan = self.client.task(str(reply.body["id"]))["task"].get("parent_id")
        if not plan:
            return reply
        answer: Body = {"success": True, "message": "The plan goes on", "id": plan, "status": "running"}
        with self.view.working("Going on") as watch:
            return self.client.follow(str(plan), answer, limit=self._limit(limit), watch=watch)

    def _limit(self, limit: float | None) -> float | None:
        """Nobody would go on with the work once this process has ended, if it is the one that does it."""
        return limit if self.client.address else None


def filled(**values: Any) -> Body:
    """A body without the names that were not given."""
    return {name: value for name, value in values.items() if value not in (None, False, "")}


def one_of(value: str, *allowed: str, what: str) -> str:
    if value not in allowed:
        raise BadInput(f"`{value}` is not {what}", hint=f"It is one of {', '.join(f'`{a}`' for a in allowed)}")
    return value


def part(name: str) -> str:
    """A name as one part of a path."""
    return quote(name, safe="")


def needed(value: str | None, option: str) -> str:
    if not value:
        raise BadInput(f"`{option}` is needed here")
    return value


def _reaches_others(body: Body) -> bool:
    """Whether a yes to this would reach beyond this machine. That to a plan does not: such steps ask at their turn."""
    effects = (body.get("decision") or {}).get("effects") or []
    return not body.get("planGenerated") and not OUTWARD_EFFECTS.isdisjoint(effects)
