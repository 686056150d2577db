"""Apps that go on running: start, stop, and what they print."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pydantic import Field

from contracts.actions import NOTHING_TO_UNDO, Action, ActionContext, ActionResult, Note, Params, UndoMethod
from contracts.files import Draft
from contracts.trust import Effect

if TYPE_CHECKING:
    from environments.base import Environment
    from previews import Previews

EnvironmentOf = Callable[[Draft], "Environment"]


class StartApp(Params):
    command: tuple[str, ...] = Field(
        (), max_length=50, description="How to run it; found out from its files if not given."
    )
    port: int = Field(8000, ge=1, le=65_535, description="The port on which it listens inside its sandbox, as `PORT`.")


class StopApp(Params):
    """Takes nothing but the project."""


class AppLogs(Params):
    lines: int = Field(100, ge=1, le=1000, description="How many of the last lines to show.")


class AppActions:
    def __init__(self, previews: Callable[[], "Previews"], environment_of: EnvironmentOf) -> None:
        self._previews = previews
        self._environment_of = environment_of

    def start_app(self, params: StartApp, ctx: ActionContext) -> ActionResult:
        from previews import State, runnable  # noqa: PLC0415  the relay is loaded when the first app is started

        spec = runnable(ctx.project, ctx.files, self._environment_of(ctx.files), params.command, params.port)
        ctx.progress("Starting the app")
        preview = self._previews().start(ctx.project, spec)
        running = preview.state is State.RUNNING
        said = f"The app runs at {preview.link}" if running else f"The app does not run: {preview.words}"
        lines = [asdict(line) for line in self._previews().logs(ctx.project, 40)]
        wanted = Note("app_wanted", {"project": ctx.project, "spec": spec.as_json()})
        return ActionResult(running, said, {**preview.as_json(), "log": lines}, notes=(wanted,) if running else ())

    def stop_app(self, params: StopApp, ctx: ActionContext) -> ActionResult:
        preview = self._previews().stop(ctx.project)
        gone = Note("app_wanted", {"project": ctx.project, "spec": None})
        return ActionResult(True, f"The app of `{ctx.project}` is stopped", preview.as_json(), notes=(gone,))

    def app_logs(self, params: AppLogs, ctx: ActionContext) -> ActionResult:
        lines = [asdict(line) for line in self._previews().logs(ctx.project, params.lines)]
        preview = self._previews().status(ctx.project)
        return ActionResult(
            True, f"The app of `{ctx.project}` is {preview.state.value}", {**preview.as_json(), "log": lines}
        )


def app_actions(previews: Callable[[], "Previews"], environment_of: EnvironmentOf) -> list[Action[Any]]:
    do = AppActions(previews, environment_of)
    runs = frozenset({Effect.EXECUTE_SANDBOXED})
    return [
        Action(
            name="start_app",
            summary="Run the project's web app in the sandbox and show it on a port of its own.",
            params=StartApp,
            effects=runs,
            handler=do.start_app,
            undo=UndoMethod("yes: stopping the app ends it; no file changes"),
            title=lambda p: "Start the app",
            worst="It does not work; only people on this machine can see it",
            timeout=120,
        ),
        Action(
            name="stop_app",
            summary="Stop the project's running web app.",
            params=StopApp,
            effects=runs,
            handler=do.stop_app,
            undo=UndoMethod("yes: starting the app brings it back; no file changes"),
            title=lambda p: "Stop the app",
            worst="Nobody can use the app until it is started again",
        ),
        Action(
            name="app_logs",
            summary="Show what the project's running web app has printed.",
            params=AppLogs,
            effects=frozenset({Effect.READ}),
            handler=do.app_logs,
            undo=NOTHING_TO_UNDO,
            title=lambda p: "Show what the app prints",
            worst="Nothing: it only looks",
        ),
    ]
