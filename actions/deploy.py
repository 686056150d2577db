"""Putting an app where people can use it, and taking it back from there."""

import re
from typing import Annotated, Any, Self

from pydantic import Field, StringConstraints, model_validator

from context_manager import ContextManager
from contracts.actions import Action, ActionContext, ActionResult, Inspection, Params, UndoMethod
from contracts.trust import Code, Decision, Effect, Level, Verdict
from deployment_manager import AUTO, LOCAL, DeploymentManager, Standing, Wish
from found_keys import keys_in
from memory.taking_back import Taking, of_place, taking_back

Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=100)]
HostName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]*$", max_length=40)]
SECRET_NAME = re.compile(r"SECRET|TOKEN|PASSW|API_?KEY|PRIVATE|CREDENTIAL", re.IGNORECASE)
PASSWORD_IN_ADDRESS = re.compile(r"://[^/\s:@]*:[^/\s@]+@")
SECONDS = 1800


class DeployApp(Params):
    provider: HostName = Field(
        AUTO,
        description="Where to: `vercel`, `netlify`, `render`, `local` (this machine), `export` (a zip), `demo` (a demo "
        "cloud on this machine); `auto` takes the first connected host that fits and is free, else this machine.",
    )
    name: str = Field("", max_length=60, description="Its name there, which becomes part of its address.")
    env: dict[Variable, Annotated[str, StringConstraints(max_length=4000)]] = Field(
        default_factory=dict,
        max_length=100,
        description="Variables that it needs there. An empty value is taken from the project's `.env`, so that secrets "
        "stay out of here.",
    )
    unproven: bool = Field(False, description="Put it there although nobody has proven it as it stands; always asks.")

    @model_validator(mode="after")
    def _no_secrets(self) -> Self:
        """What a command says is remembered and shown, so a secret has no place in it."""
        for name, value in self.env.items():
            if value and (SECRET_NAME.search(name) or PASSWORD_IN_ADDRESS.search(value) or keys_in(value.encode())):
                raise ValueError(
                    f"`{name}` looks like a secret, and commands are remembered; write it into the project's `.env`, "
                    "which is never sent as a file, and give it here with an empty value"
                )
        return self


class RollBackDeployment(Params):
    provider: HostName | None = Field(None, description="Which host, where the app is on several.")
    to: str | None = Field(None, max_length=200, description="The release or task to go back to; the one before.")
    task: str | None = Field(None, max_length=64, description="Go back to before this deployment instead.")


class TakeDownApp(Params):
    provider: HostName | None = Field(None, description="Which host, where the app is on several.")


Target = Any
"""A release as memory keeps it, or None: nothing."""


class DeployActions:
    def __init__(self, manager: DeploymentManager, memory: ContextManager) -> None:
        self._manager = manager
        self._memory = memory

    def inspect(self, params: DeployApp, ctx: ActionContext) -> Inspection:
        return self._manager.inspect(_wish(params), ctx)

    def deploy_app(self, params: DeployApp, ctx: ActionContext) -> ActionResult:
        return self._manager.deploy(_wish(params), ctx)

    def look_back(self, params: RollBackDeployment, ctx: ActionContext) -> Inspection:
        standing, target, _ = self._back(params, ctx)
        return self._manager.look_back(standing, target, ctx)

    def roll_back(self, params: RollBackDeployment, ctx: ActionContext) -> ActionResult:
        standing, target, taking = self._back(params, ctx)
        done = self._manager.go_back(standing, target, ctx)
        return _undoing(done, taking) if taking else done

    def _back(self, params: RollBackDeployment, ctx: ActionContext) -> tuple[Standing, Target, Taking | None]:
        """The place, what it shall show again, and what that takes back on the timeline."""
        if params.task is None:
            standing = self._manager.standing(ctx.project, params.provider, live=False)
            return standing, standing.release(params.to) if params.to else standing.previous(), None
        timeline = self._memory.timeline(ctx.project)
        known = (m.release for m in timeline if m.release and params.task in (m.id, m.root))
        provider = params.provider or next((str(release["provider"]) for release in known), "")
        taking = taking_back(of_place(timeline, provider), ctx.project, task=params.task)
        oldest = taking.moments[-1].release or {}
        return self._manager.standing_at(ctx.project, provider), oldest.get("before"), taking

    def look_at_take_down(self, params: TakeDownApp, ctx: ActionContext) -> Inspection:
        standing = self._manager.standing(ctx.project, params.provider)
        return self._manager.look_back(standing, None, ctx)

    def take_down(self, params: TakeDownApp, ctx: ActionContext) -> ActionResult:
        return self._manager.go_back(self._place(params, ctx), None, ctx)

    def _place(self, params: TakeDownApp, ctx: ActionContext) -> Standing:
        """After a crash memory may still call it online, or not any more: the host that was settled on is named."""
        if params.provider:
            return self._manager.standing_at(ctx.project, params.provider)
        return self._manager.standing(ctx.project, None)

    def gate(self, params: RollBackDeployment | TakeDownApp, ctx: ActionContext) -> Decision | None:
        """What is only on this machine is taken back at once: it concerns nobody else, and can be undone."""
        if params.provider is None or not self._manager.is_here(params.provider):
            return None
        reason = "it is on this machine alone, and can itself be undone"
        return Decision(Verdict.AUTO, 1.0, 0.0, Level.HIGH, Code.ACTION_RULE, (reason,))


def _wish(params: DeployApp) -> Wish:
    return Wish(params.provider, params.name, params.env, params.unproven)


def _undoing(done: ActionResult, taking: Taking) -> ActionResult:
    said = f"Took back: {'; '.join(taking.titles)}. {done.message}" if taking.titles else done.message
    data = {**done.data, "undone": taking.undoes, "redone": taking.redoes}
    return ActionResult(
        True,
        said,
        data,
        notes=done.notes,
        release=done.release,
        undoes=tuple(taking.undoes),
        redoes=tuple(taking.redoes),
    )


def deploy_actions(manager: DeploymentManager, memory: ContextManager) -> list[Action[Any]]:
    do = DeployActions(manager, memory)
    here = frozenset({Effect.EXECUTE_SANDBOXED})
    return [
        Action(
            name="deploy_app",
            summary="Put the app where it can be used: on a host on the internet, or on this machine.",
            params=DeployApp,
            effects=here,
            handler=do.deploy_app,
            inspect=do.inspect,
            reconcile=do.deploy_app,
            undo=UndoMethod(
                "yes: what was there before comes back, or it goes offline if there was nothing; on this machine, "
                "stopping the app ends it"
            ),
            title=_deploy_title,
            worst="It does not work; only people on this machine can see it",
            timeout=SECONDS,
        ),
        Action(
            name="roll_back_deployment",
            summary="Show visitors an earlier release of an app that is online again.",
            params=RollBackDeployment,
            effects=here,
            handler=do.roll_back,
            inspect=do.look_back,
            gate=do.gate,
            reconcile=do.roll_back,
            undo=UndoMethod("yes: the release of now can be brought back the same way"),
            title=_back_title,
            worst="Visitors see an older version until it is undone",
            timeout=SECONDS,
        ),
        Action(
            name="take_down_app",
            summary="Take an app offline.",
            params=TakeDownApp,
            effects=here,
            handler=do.take_down,
            inspect=do.look_at_take_down,
            gate=do.gate,
            reconcile=do.take_down,
            undo=UndoMethod("yes: it is sent there again as it was; data and settings that only the host had are gone"),
            title=_take_down_title,
            worst="Visitors find nothing there any more",
            timeout=SECONDS,
        ),
    ]


def _deploy_title(params: DeployApp) -> str:
    if params.provider == LOCAL:
        return "Make it ready to use on this machine"
    if params.provider == AUTO:
        return "Make it ready to use"
    if params.provider == "export":
        return "Pack it into a zip that runs anywhere"
    return f"Put it on {_host(params.provider)}"


def _host(provider: str) -> str:
    return "the demo cloud on this machine" if provider == "demo" else provider.capitalize()


def _take_down_title(params: TakeDownApp) -> str:
    return f"Take it offline from {_host(params.provider)}" if params.provider else "Take it offline"


def _back_title(params: RollBackDeployment) -> str:
    where = f" on {_host(params.provider)}" if params.provider else ""
    if params.task:
        return f"Take back what was put online{where}"
    return f"Go back to {'an earlier release' if params.to else 'the release before'}{where}"
