"""Effects, outcomes and decisions: what an action can touch, how it went, and whether it may run."""

from dataclasses import dataclass
from enum import StrEnum


class Effect(StrEnum):
    """All that an action can touch."""

    READ = "read"
    WRITE_PROJECT = "write_project"
    DELETE = "delete"
    EXECUTE_SANDBOXED = "execute_sandboxed"
    INSTALL = "install"
    NETWORK = "network"
    PUBLISH = "publish"
    SPEND = "spend"
    SEND_MESSAGE = "send_message"
    OWN_CODE = "own_code"


LOCAL_EFFECTS = frozenset({Effect.READ, Effect.WRITE_PROJECT, Effect.DELETE})
"""Effects that stay in a project's files, so that a draft shows them in full before anything happens."""

REPEATABLE_EFFECTS = LOCAL_EFFECTS | {Effect.EXECUTE_SANDBOXED, Effect.INSTALL}
"""Effects that stay on this machine and can be put back, so that a step cut off by a crash is simply run again."""

OUTWARD_EFFECTS = frozenset({Effect.NETWORK, Effect.PUBLISH, Effect.SPEND, Effect.SEND_MESSAGE})
"""Effects that leave this machine and that no snapshot can take back."""


class Outcome(StrEnum):
    GOOD = "good"
    FAILED = "failed"
    REJECTED = "rejected"
    UNDONE = "undone"


class Verdict(StrEnum):
    AUTO = "auto"
    ASK = "ask"
    REFUSE = "refuse"


class Level(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Autonomy(StrEnum):
    ASK_ALL = "ask_all"
    EARNED = "earned"
    ALLOW_ALL = "allow_all"


class Code(StrEnum):
    """Why a decision came out as it did: the closed set that programs read; people read the reasons."""

    REFUSED_BY_OWNER = "refused_by_owner"
    """The owner's override for this scope says refuse."""
    ONLY_LOOKS = "only_looks"
    """It changes nothing, so there is nothing to ask."""
    UNKNOWN_EFFECT = "unknown_effect"
    """It declares no effect, or one that this version does not know."""
    TAINTED_OUTWARD = "tainted_outward"
    """It would leave this machine after reading text from outside."""
    FLOOR = "floor"
    """It asks until the owner lifts the floor for this scope, whatever the record."""
    ASKED_BY_OWNER = "asked_by_owner"
    """The owner's override for this scope says ask."""
    COVERED_BY_PLAN = "covered_by_plan"
    """A person approved the plan that it belongs to."""
    ASK_ALL = "ask_all"
    """The owner wants to be asked about everything."""
    ALLOWED_BY_OWNER = "allowed_by_owner"
    """The owner's override for this scope says auto."""
    ALLOW_ALL = "allow_all"
    """The owner lets everything here run for a while."""
    DEMOTED = "demoted"
    """Something went wrong, and too few approved good runs have followed."""
    NOT_EARNED = "not_earned"
    """The score is below the threshold."""
    EARNED = "earned"
    """The score reaches the threshold."""
    FLAGGED = "flagged"
    """A look at this very call found something that a person has to see."""
    ACTION_RULE = "action_rule"
    """The action itself knows better than a record: an undo, or a change of what is allowed."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a trust record is about: this kind of action, with these effects, in this project."""

    intent: str
    effects: frozenset[Effect]
    project: str

    @property
    def key(self) -> str:
        return f"{self.kind}@{self.project}"

    @property
    def kind(self) -> str:
        return f"{self.intent}:{'+'.join(sorted(self.effects))}"


@dataclass(frozen=True, slots=True)
class Request:
    """One call as the gate sees it."""

    scope: Scope
    size: int = 0
    reversible: bool = True
    tainted: bool = False
    covered: bool = False
    """An approved plan covers this call: inside its project, its effects and its price."""
    verified: bool = False
    """Free, verified and undoable: a redeploy that may be earned although publishing has a floor the first time."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The gate's answer, with the reasons in words."""

    verdict: Verdict
    score: float
    threshold: float
    level: Level
    code: str
    reasons: tuple[str, ...]
