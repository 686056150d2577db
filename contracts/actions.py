"""An action is declared once; schemas, forms, cards and documentation all derive from it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from contracts.errors import AppError, InvalidParams, UnknownIntent, UnsafePath
from contracts.files import Draft
from contracts.paths import check_project
from contracts.trust import LOCAL_EFFECTS, REPEATABLE_EFFECTS, Decision, Effect


class Params(BaseModel):
    """Base of every action's parameters: frozen, and an unknown name is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False)


@dataclass(frozen=True, slots=True)
class ActionCall:
    """The exact thing that is asked for, as it is stored, shown and run."""

    intent: str
    params: Mapping[str, Any]
    project: str | None = None

    def as_step(self) -> dict[str, Any]:
        """The same JSON that `/run` takes."""
        return {"intent": self.intent, **({"project": self.project} if self.project else {}), **self.params}


NOT_PARAMS = frozenset({"intent", "project", "params", "wait"})


def call_from(step: Any) -> ActionCall:
    """The call in a step as people and scripts write it: parameters flat beside the intent, or under `params`."""
    if not isinstance(step, dict) or not isinstance(step.get("intent"), str):
        raise InvalidParams(
            "A step needs an `intent`", hint='Send an object such as {"intent": "create_file", "project": "notes", ...}'
        )
    project, nested = step.get("project"), step.get("params", {})
    if project is not None and not isinstance(project, str):
        raise InvalidParams("`project` must be the name of a project", hint="Send it as text, such as `notes`")
    if not isinstance(nested, dict):
        raise InvalidParams("`params` must be an object", hint="Send the parameters by name")
    if project is not None:
        try:
            check_project(project)
        except ValueError as wrong:
            raise UnsafePath(
                f"`{project}` cannot be a project's name: {wrong}", hint="Choose a name such as `notes`"
            ) from wrong
    flat = {name: value for name, value in step.items() if name not in NOT_PARAMS}
    return ActionCall(step["intent"], {**flat, **nested}, project)


@dataclass(frozen=True, slots=True)
class Note:
    """An event that an action wants recorded once it has been carried out."""

    type: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ActionResult:
    """It was carried out, and this is what happened."""

    success: bool
    message: str
    data: Mapping[str, Any] = field(default_factory=dict)
    children: tuple[ActionCall, ...] = ()
    """Steps that this one asks the runner to take next, under the same gate."""
    queued: tuple[ActionCall, ...] = ()
    """Steps to put at the end of the queue, to be run when somebody asks for the next one."""
    notes: tuple["Note", ...] = ()
    """What memory shall note when the step has finished."""
    breached: bool = False
    """It counts against this kind of action: it ran into a limit, or what it put before others did not work."""
    error: AppError | None = None
    """Why it was not carried out, where something has to be noted all the same."""
    keep: bool = False
    """What failed stays queued, so that it can be tried again as it was."""
    release: Mapping[str, Any] | None = None
    """What visitors of a place saw before it and see after it; undoing it means to go back there."""
    undoes: tuple[str, ...] = ()
    """Tasks that count as undone from now on."""
    redoes: tuple[str, ...] = ()
    """Tasks that were undone and count again."""
    commit_message: str = ""
    """The first line of the commit, where the title of the call is not the best one."""
    tainted: bool = False
    """It read text that neither the owner nor the agent wrote."""

    @classmethod
    def done(cls, message: str, **data: Any) -> "ActionResult":
        return cls(True, message, data)

    def to_json(self) -> dict[str, Any]:
        """As it is kept with its task."""
        error = {"error": self.error.kept()} if self.error else {}
        data = {**self.data, **({"stays_queued": True} if self.keep else {})}
        return {"success": self.success, "message": self.message, "data": data, **error}


@dataclass(frozen=True, slots=True)
class UndoMethod:
    """How an action is taken back. An action without one cannot be undone, and its card says so."""

    words: str


RESTORE_SNAPSHOT = UndoMethod("yes: one click puts every file back exactly as it was")
NOTHING_TO_UNDO = UndoMethod("nothing to undo: it only looks")


class ActionContext(Protocol):
    """What a handler is given besides its parameters."""

    @property
    def task_id(self) -> str: ...

    @property
    def project(self) -> str: ...

    @property
    def files(self) -> Draft:
        """The project's files as a draft; what is written there is applied when the handler returns."""

    @property
    def drafting(self) -> bool:
        """Whether a plan is only being drafted, in which steps before this one have not run yet."""

    def check_cancelled(self) -> None:
        """Raises Cancelled if the step was cancelled or timed out; long handlers call it often."""

    def progress(self, message: str, done: int | None = None, total: int | None = None) -> None:
        """Tells whoever watches how far it is."""

    def output(self, stream: str, data: bytes) -> None:
        """Shows whoever watches what a program prints, as it comes."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What can be said of a call before it runs, where running it dry is not possible."""

    effects: frozenset[Effect] = frozenset()
    """What it touches besides what its action declares."""
    size: int = 0
    notes: tuple[str, ...] = ()
    """What a look at it found, in words, for the card."""
    ask: str = ""
    """Why a person must look at this call whatever the record says."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """More for the card, by name, such as the packages that would be installed."""
    blocked: str = ""
    """What has to be there first, so that a yes alone does not help; it is looked at again when that changes."""
    settled: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that were left open and are fixed from here on, such as the host that was chosen."""
    identity: str = ""
    """Stands for what a person says yes to, where that is more than files; a card with another one is out of date."""
    verified: bool = False
    """It repeats, free of charge, something that was checked and can be taken back."""
    cost: str = ""
    """The price in words, where it is not simply free."""
    worst: str = ""
    """The worst that can come of this very call, where that differs from its kind."""


P = TypeVar("P", bound=Params)
Handler = Callable[[P, ActionContext], ActionResult]


@dataclass(frozen=True, kw_only=True)
class Action(Generic[P]):
    """Something that the agent can do."""

    name: str
    summary: str
    params: type[P]
    effects: frozenset[Effect]
    handler: Handler[P]
    undo: UndoMethod | None
    title: Callable[[P], str]
    """One line in plain words that says what a call with these parameters does."""
    worst: str
    """The worst that can come of it, in plain words, for the approval card."""
    needs_project: bool = True
    makes_project: bool = False
    """Whether a project that does not exist yet is made for it."""
    founds: bool = False
    """Whether what comes after it in a plan builds on it: if it failed, going on begins with it anew."""
    timeout: float | None = None
    """Seconds a step may take; None means the setting for all steps."""
    inspect: Callable[[P, ActionContext], Inspection] | None = None
    """Looks at a call before it is decided on; raises AppError to refuse it."""
    gate: Callable[[P, ActionContext], Decision | None] | None = None
    """Decides in place of earned trust where the action knows better; None leaves it to trust."""
    reconcile: Callable[[P, ActionContext], ActionResult | None] | None = None
    """Finds out what became of a call that a crash cut off and brings it to its end, without doing anything twice.

    Only for actions that reach out of this machine. None means that it cannot be known, so a person is asked; so does
    raising Unavailable. Any other AppError is how the step ended.
    """

    def __post_init__(self) -> None:
        if not self.effects:
            raise ValueError(f"action `{self.name}` declares no effects")

    @property
    def local(self) -> bool:
        """Whether its handler touches nothing but the draft, so that it can be run dry."""
        return self.effects <= LOCAL_EFFECTS

    @property
    def repeatable(self) -> bool:
        """Whether a step cut off by a crash can be put back and run again without anybody outside noticing."""
        return self.effects <= REPEATABLE_EFFECTS

    @property
    def reversible(self) -> bool:
        return self.undo is not None

    @property
    def read_only(self) -> bool:
        return self.effects == {Effect.READ}

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "summary": self.summary,
            "effects": sorted(self.effects),
            "reversible": self.reversible,
            "undo": self.undo.words if self.undo else "no: it cannot be undone",
            "needs_project": self.needs_project,
            "params": self.params.model_json_schema(),
        }


class Catalogue:
    """Every action by its name. A name declared twice is a mistake in the wiring."""

    def __init__(self, actions: Iterable[Action[Any]]) -> None:
        self._actions: dict[str, Action[Any]] = {}
        for action in actions:
            if action.name in self._actions:
                raise ValueError(f"action `{action.name}` is declared twice")
            self._actions[action.name] = action

    def __iter__(self) -> Iterator[Action[Any]]:
        return iter(self._actions.values())

    def __getitem__(self, intent: str) -> Action[Any]:
        try:
            return self._actions[intent]
        except KeyError:
            near = get_close_matches(intent, self._actions, n=3, cutoff=0.4)
            hint = f"Did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else "`GET /actions` lists them"
            raise UnknownIntent(
                f"There is no action `{intent[:80]}`",
                hint=hint,
                details={"nearest": near, "known": sorted(self._actions)},
            ) from None

    def parse(self, call: ActionCall) -> tuple[Action[Any], Params]:
        """The action and its validated parameters. Raises UnknownIntent, InvalidParams or UnsafePath."""
        action = self[call.intent]
        if action.needs_project and not call.project:
            raise InvalidParams(f"`{call.intent}` needs a `project`", hint="Name the project, such as `notes`")
        try:
            return action, action.params.model_validate(dict(call.params))
        except ValidationError as wrong:
            raise _plain(call.intent, action, wrong) from None


WHOLE = "the parameters"


def _plain(intent: str, action: Action[Any], wrong: ValidationError) -> InvalidParams | UnsafePath:
    """What pydantic found, in words, every mistake at once."""
    problems = []
    for found in wrong.errors(include_url=False, include_input=False):
        name = ".".join(str(part) for part in found["loc"]) or WHOLE
        problems.append({"name": name, "problem": found["msg"].removeprefix("Value error, "), "type": found["type"]})
    known = ", ".join(f"`{name}`" for name in action.params.model_fields)
    message = "; ".join(p["problem"] if p["name"] == WHOLE else f"`{p['name']}`: {p['problem']}" for p in problems)
    # Only paths have a rule of their own; what a model says of several fields together has no place to stand at.
    unsafe = any(p["type"] == "value_error" and p["name"] != WHOLE for p in problems)
    error = UnsafePath if unsafe else InvalidParams
    return error(
        f"`{intent}` cannot be done like this: {message}",
        hint=f"It takes {known}" if known else "It takes no parameters",
        details={"problems": problems},
    )
