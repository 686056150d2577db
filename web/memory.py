"""What the agent remembers, what it may do alone, and what the owner has set."""

from typing import Any, Literal

from pydantic import ConfigDict, Field, model_validator

from contracts.paths import ProjectName
from contracts.trust import Autonomy
from web.deps import Deps
from web.models import Verdict
from web.parts import Answered
from web.routes import Input, Reply, Route, Said, example, said


class TrustQuery(Input):
    project: ProjectName | None = None


class Override(Input):
    model_config = ConfigDict(json_schema_extra=example({"intent": "delete_file", "verdict": "ask"}))

    intent: str = Field(min_length=1, max_length=100)
    project: ProjectName | None = Field(None, description="Only there; everywhere without it.")
    verdict: Verdict | None = Field(description="What to do whatever the record says; null takes the override away.")
    lift_floor: bool = Field(False, description="With `auto`: also where it would otherwise ask whatever the record.")


class NewSettings(Input):
    model_config = ConfigDict(json_schema_extra=example({"autonomy": "earned"}))

    autonomy: Literal["ask_all", "earned", "allow_all"] | None = None
    project: ProjectName | None = Field(None, description="Only there; everywhere without it.")
    minutes: float | None = Field(None, gt=0, le=525_600, description="For so long; for good without it.")
    always_confirm: bool | None = Field(None, description="True is the same as `ask_all`, false as `earned`.")

    @model_validator(mode="after")
    def one_mode(self) -> "NewSettings":
        if (self.autonomy is None) == (self.always_confirm is None):
            raise ValueError("either `autonomy` or `always_confirm` is needed")
        return self

    @property
    def mode(self) -> str:
        return self.autonomy or (Autonomy.ASK_ALL if self.always_confirm else Autonomy.EARNED).value


class Actions(Reply):
    actions: list[dict[str, Any]]


class Trust(Reply):
    records: list[dict[str, Any]]
    autonomy: Any
    overrides: Any


class Settings(Reply):
    settings: dict[str, Any]
    autonomy: Any


def actions(deps: Deps) -> Said:
    """List what the agent can do, with the parameters of each action."""
    found = deps.actions()
    return said(f"{len(found)} actions", actions=found)


def memory(deps: Deps) -> Said:
    """Show everything that is remembered: what `context.json` holds."""
    return said("This is what is remembered", **deps.memory.everything())


def memory_summary(deps: Deps) -> Said:
    """Show the counters, the goal, the last plan, recent actions and what waits."""
    found = deps.memory.summary()
    waiting = len(found.get("waiting", ()))
    return said(f"{waiting} waiting for approval" if waiting else "Nothing waits for approval", **found)


def trust(deps: Deps, query: TrustQuery) -> Said:
    """Show every record with its score, what it is enough for, and what the owner has set."""
    return said("This is what the agent may do alone", **deps.memory.trust_view(query.project))


def override(deps: Deps, body: Override) -> Answered:
    """Set for one kind of action that it runs alone, always asks, or is refused."""
    return deps.runner.set_override(body.intent, body.project, body.verdict, lift_floor=body.lift_floor)


def settings(deps: Deps) -> Said:
    """Show the settings, without secrets."""
    return said("These are the settings", **_settings(deps))


def change_settings(deps: Deps, body: NewSettings) -> Answered:
    """Set whether the agent asks before everything, acts where it has earned it, or for a time asks nothing."""
    answer = deps.runner.set_autonomy(body.mode, project=body.project, minutes=body.minutes)
    return Said({**answer.body, **_settings(deps)}, answer.status)


def _settings(deps: Deps) -> dict[str, Any]:
    return {"settings": deps.settings.shown(), "autonomy": deps.memory.trust_view()["autonomy"]}


ROUTES = (
    Route("GET", "/actions", actions, {200: Actions}),
    Route("GET", "/memory", memory, {200: Reply}),
    Route("GET", "/memory/summary", memory_summary, {200: Reply}),
    Route("GET", "/trust", trust, {200: Trust}),
    Route("PUT", "/trust/overrides", override, {200: Reply}, errors=frozenset({409})),
    Route("GET", "/settings", settings, {200: Settings}),
    Route("PUT", "/settings", change_settings, {200: Settings}, errors=frozenset({404, 409})),
)
