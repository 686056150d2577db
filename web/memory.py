"""What the agent remembers, what it may do alone, and what the owner has set."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, model_validator

from contracts.paths import ProjectName
from contracts.trust import Autonomy as AutonomyMode
from setting_sources import env_name
from settings import SECRETS, allowed, described
from web.deps import Deps
from web.parts import Answered
from web.routes import Input, Reply, Route, Said, example, said
from web.shapes import ActionShape, Autonomy, Brief, OverrideSet, SettingShape, TrustRecord
from web.task_shapes import Level, Mode, Verdict

OWN = SECRETS | {"home"}
"""Settings whose default is not the same everywhere."""


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

    autonomy: Mode | None = None
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
        return self.autonomy or (AutonomyMode.ASK_ALL if self.always_confirm else AutonomyMode.EARNED).value


class Actions(Reply):
    actions: list[ActionShape]


class Trust(Reply):
    records: list[TrustRecord]
    autonomy: Autonomy
    overrides: Annotated[
        dict[str, OverrideSet], Field(description="By `<intent>@<project>`; `*` stands for every project.")
    ]


class Settings(Reply):
    settings: Annotated[dict[str, Any], Field(description="Every value by its name.")]
    about: Annotated[list[SettingShape], Field(description="The same in words.")]
    autonomy: Autonomy


class Summary(Reply):
    confirmed_count: int
    auto_confirmed_count: int
    rejected_count: int
    queued: int
    trust_score: float
    autonomy_level: Level
    autonomy: Mode
    current_goal: str | None
    last_deployment_url: str | None
    recent_actions: list[Brief]
    waiting: list[Brief]


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
    values = deps.settings.shown()
    defaults = type(deps.settings)().shown()
    about = [
        {
            "name": name,
            "variable": env_name(name),
            "value": values[name],
            "default": None if name in OWN else defaults[name],
            "words": words,
            "allowed": allowed(name),
        }
        for name, words in described().items()
    ]
    return {"settings": values, "about": about, "autonomy": deps.memory.autonomy_view()}


ROUTES = (
    Route("GET", "/actions", actions, {200: Actions}),
    Route("GET", "/memory", memory, {200: Reply}),
    Route("GET", "/memory/summary", memory_summary, {200: Summary}),
    Route("GET", "/trust", trust, {200: Trust}),
    Route("PUT", "/trust/overrides", override, {200: Reply}, errors=frozenset({409})),
    Route("GET", "/settings", settings, {200: Settings}),
    Route("PUT", "/settings", change_settings, {200: Settings}, errors=frozenset({404, 409})),
)
