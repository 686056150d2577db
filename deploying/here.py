"""The target on this machine: the app runs in the sandbox on a port of its own, and a tool is ready in its folder."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from contracts.actions import ActionContext, ActionResult, Note
from contracts.app_spec import Language
from contracts.files import Draft
from deploying.app import App
from deploying.choosing import LOCAL

if TYPE_CHECKING:
    from environments.base import Environment
    from previews import Preview, Previews

EnvironmentOf = Callable[[Draft], "Environment"]
FREE = "on this machine, free"


class Here:
    def __init__(self, previews: Callable[[], "Previews"], environment_of: EnvironmentOf) -> None:
        self._previews = previews
        self._environment_of = environment_of

    def show(self, app: App, ctx: ActionContext) -> ActionResult:
        if app.record is not None and not app.served:
            return self._at_hand(app)
        from previews import State, runnable  # noqa: PLC0415  the relay is loaded when the first app is started

        spec = runnable(ctx.project, ctx.files, self._environment_of(ctx.files))
        ctx.progress("Starting the app")
        preview = self._previews().start(ctx.project, spec)
        lines = [asdict(line) for line in self._previews().logs(ctx.project, 40)]
        data = {**preview.as_json(), "provider": LOCAL, "log": lines}
        if preview.state is not State.RUNNING:
            return ActionResult(False, f"The app does not run: {preview.words}", data)
        data |= self._about(app, preview) if app.record else {}
        said = str(data.get("headline") or f"The app runs at {preview.link} ({FREE})")
        wanted = Note("app_wanted", {"project": ctx.project, "spec": spec.as_json()})
        return ActionResult(True, said, data, notes=(wanted,))

    def _at_hand(self, app: App) -> ActionResult:
        """A tool is not kept running; what counts is how to use it."""
        how = how_to_use(app)
        headline = f"{app.made()}; use it with `{how}` in the folder of `{app.project}` ({FREE})"
        return ActionResult.done(headline, headline=headline, provider=LOCAL, command=how, **app.facts())

    def _about(self, app: App, preview: "Preview") -> dict[str, Any]:
        headline = f"{app.made()}; it runs at {preview.link} ({FREE})"
        urls = app.addresses(preview.url)
        if "ui_url" in urls:
            headline += f": the front end at {urls['ui_url']}, the API at {urls['api_url']}"
        if app.spec and app.spec.api_key:
            headline += f". Its key is in `{self._previews().data_folder(app.project) / 'api_key'}`"
        return {**app.facts(), **urls, "headline": headline}


def how_to_use(app: App) -> str:
    """The command with which a tool is used."""
    spec = app.spec
    if spec is None:
        return "see its README"
    program = "node main.js" if spec.language is Language.NODE else "python3 main.py"
    return f"{program} sample" if spec.pipeline else f"{program} --help"
