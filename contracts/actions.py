"""An action is declared once; schemas, forms, cards and documentation all derive from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from contracts.files import Draft
from contracts.trust import LOCAL_EFFECTS, Decision, Effect


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


@dataclass(frozen=True, slots=True)
class ActionResult:
    """It was carried out, and this is what happened."""

    success: bool
    message: str
    data: Mapping[str, Any] = field(default_factory=dict)
    children: tuple[ActionCall, ...] = ()
    """Steps that this one asks the runner to take next, under the same gate."""
    tainted: bool = False
    """It read text that neither the owner nor the agent wrote."""

    @classmethod
    def done(cls, message: str, **data: Any) -> "ActionResult":
        return cls(True, message, data)


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

    def check_cancelled(self) -> None:
        """Raises Cancelled if the step was cancelled or timed out; long handlers call it often."""

    def progress(self, message: str, done: int | None = None, total: int | None = None) -> None:
        """Tells whoever watches how far it is."""


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
    timeout: float | None = None
    """Seconds a step may take; None means the setting for all steps."""
    gate: Callable[[P, ActionContext], Decision | None] | None = None
    """Decides in place of earned trust where the action knows better; None leaves it to trust."""

    def __post_init__(self) -> None:
        if not self.effects:
            raise ValueError(f"action `{self.name}` declares no effects")

    @property
    def local(self) -> bool:
        """Whether its handler touches nothing but the draft, so that it can be run dry."""
        return self.effects <= LOCAL_EFFECTS

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
