"""Building apps: a new one from its spec, a change of an existing one, a front end for an API."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

import code_generator as generator
from code_generator import AppRecord, BroughtIn, NextVersion
from contracts.actions import RESTORE_SNAPSHOT, Action, ActionContext, ActionResult, Note, Params
from contracts.app_spec import API_KINDS, AppSpec, Language
from contracts.errors import AlreadyExists, BadInput, Conflict
from contracts.trust import Effect
from contracts.words import counted
from git_manager import GitManager

WRITES = frozenset({Effect.WRITE_PROJECT})
CONFLICT_CHARS = 20_000
AgreedApps = Callable[[str], list[str]]
"""The digests of the apps that were agreed on for a project."""
Choice = Annotated[
    Literal["stop", "mine", "new"],
    Field(description="Where your edits and the change touch the same lines: `stop`, `mine` or `new`."),
]


class CreateApp(Params):
    app_name: str = Field("", max_length=100, description="What to call it; made from the description if empty.")
    description: str = Field("", max_length=50_000, description="What it shall be, in your own words.")
    framework: str = Field(
        "auto", max_length=40, description="What to build it with; chosen by what it is unless given."
    )
    deploy: Literal["auto", "local", "no"] = Field(
        "local",
        description="Where it shall run once it is proven: on this machine, on a connected host (`auto`), or nowhere.",
    )
    spec: dict[str, Any] | None = Field(None, description="The whole app as data, in place of a description.")


class UpdateApp(Params):
    change: str = Field("", max_length=50_000, description="What to change, in your own words.")
    spec: dict[str, Any] | None = Field(None, description="The whole app as it shall be, in place of words.")
    base: str = Field("", max_length=64, description="The app that `spec` was made from, by its digest.")
    conflicts: Choice = "stop"
    deploy: Literal["auto", "local", "no"] = Field(
        "local",
        description="Where it shall run once it is proven: on this machine, on a connected host (`auto`), or nowhere.",
    )

    @model_validator(mode="after")
    def _says_what(self) -> Self:
        if not self.change.strip() and self.spec is None:
            raise ValueError("say the `change`, such as `add a priority field`")
        return self


class CreateUi(Params):
    framework: Literal["html", "react"] = Field("html", description="Plain pages, or React built with Vite.")
    conflicts: Choice = "stop"
    deploy: Literal["auto", "local", "no"] = Field(
        "local",
        description="Where it shall run once it is proven: on this machine, on a connected host (`auto`), or nowhere.",
    )


class BuildActions:
    def __init__(self, git: GitManager, agreed_apps: AgreedApps) -> None:
        self._git = git
        self._agreed_apps = agreed_apps

    def create_app(self, params: CreateApp, ctx: ActionContext) -> ActionResult:
        spec = described(params)
        if next(iter(ctx.files.children()), None) is not None:
            raise AlreadyExists(
                f"There is something in `{ctx.project}` already",
                hint="Choose another name, or change what is there with `update_app`",
            )
        files = generator.new_app(spec)
        for path, text in files.items():
            ctx.files.write(path, text.encode())
        said = f"Wrote {counted(len(files), 'file')}: {spec.title}"
        return ActionResult(True, said, {"files": sorted(files), **_about(spec)}, notes=(agreed(ctx.project, spec),))

    def update_app(self, params: UpdateApp, ctx: ActionContext) -> ActionResult:
        record = recorded(ctx, self._agreed_apps)
        return self._bring_in(record, wanted(params, record), params.conflicts, ctx)

    def create_ui(self, params: CreateUi, ctx: ActionContext) -> ActionResult:
        record = recorded(ctx, self._agreed_apps)
        if record.spec.kind not in API_KINDS or record.spec.language is Language.NODE:
            raise BadInput(
                f"`{ctx.project}` is not an API in Python, so it cannot have a front end of its own",
                hint="Build one with “an API with a front end for ...”",
            )
        spec = generator.as_spec({**record.spec.to_json(), "ui": params.framework})
        return self._bring_in(record, spec, params.conflicts, ctx)

    def _bring_in(
        self, record: AppRecord, spec: AppSpec, conflicts: generator.OnConflict, ctx: ActionContext
    ) -> ActionResult:
        version = generator.next_version(record, spec)
        outcome = generator.bring_in(version, record, ctx.files, self._git.open(ctx.project).merge, conflicts)
        if outcome.conflicts:
            raise _overlap(outcome)
        changed = [*outcome.written, *outcome.merged, *outcome.removed]
        data = {**_about(spec), **_told(outcome), "data": list(version.data)}
        return ActionResult(True, _said(version, outcome, changed), data, notes=(agreed(ctx.project, spec),))


def described(params: CreateApp) -> AppSpec:
    """The app that a call of `create_app` is about."""
    if params.spec is not None:
        return generator.as_spec(params.spec)
    import planner  # noqa: PLC0415  reading words takes rules that the start of the service does not pay for

    framework = None if params.framework == "auto" else params.framework
    found = planner.spec_from(params.description, name=params.app_name or None, framework=framework)
    if found.spec is None:
        raise BadInput(
            f"This is not clear enough to build: {found.understood}",
            hint=" ".join(question.text for question in found.questions) or "Say what it shall keep, and for whom",
        )
    return found.spec


def wanted(params: UpdateApp, record: AppRecord) -> AppSpec:
    """The app as a call of `update_app` wants it."""
    current = not params.base or params.base == generator.digest(record.spec)
    if params.spec is not None and current:
        return generator.as_spec(params.spec)
    if not params.change.strip():
        raise Conflict("The app has been changed since this was planned", hint="Say once more what to change")
    import planner  # noqa: PLC0415  as above

    found = planner.change_spec(record.spec, params.change)
    if found.spec is None:
        raise BadInput(
            f"This change is not clear enough: {found.understood}",
            hint=" ".join(question.text for question in found.questions) or "Say which field or page you mean",
        )
    return found.spec


def recorded(ctx: ActionContext, agreed_apps: AgreedApps) -> AppRecord:
    """What the app was made from. Raises Conflict if that is not known, or not what was agreed with the owner."""
    record = generator.read_record(ctx.files)
    if record is None:
        raise Conflict(
            f"`{ctx.project}` was not built by me from a description, so I cannot change it as a whole",
            hint="Change its files one by one, or have me build a new app",
        )
    agreed = agreed_apps(ctx.project)
    if agreed and generator.digest(record.spec) not in agreed:
        raise Conflict(
            f"`{generator.RECORD}` was changed by hand: it describes another app than was agreed with you",
            hint="Undo that edit, and ask for the change in words",
        )
    return record


def agreed(project: str, spec: AppSpec) -> Note:
    return Note("app_agreed", {"project": project, "digest": generator.digest(spec)})


def _about(spec: AppSpec) -> dict[str, Any]:
    return {"kind": spec.kind.value, "title": spec.title, "summary": spec.summary}


def _told(outcome: BroughtIn) -> dict[str, Any]:
    return {
        "written": outcome.written,
        "merged": outcome.merged,
        "removed": outcome.removed,
        "kept": outcome.kept,
    }


def _said(version: NextVersion, outcome: BroughtIn, changed: list[str]) -> str:
    if not changed:
        return "Nothing had to change"
    said = f"Changed {counted(len(changed), 'file')}"
    if outcome.merged:
        said += f", {len(outcome.merged)} of them beside your own edits"
    if outcome.kept:
        said += f". Left because you edited them: {', '.join(f'`{path}`' for path in outcome.kept[:10])}"
    return ". ".join([said, *version.data])


def _overlap(outcome: BroughtIn) -> Conflict:
    names = ", ".join(f"`{path}`" for path in list(outcome.conflicts)[:10])
    return Conflict(
        f"Your own edits and this change touch the same lines in {names}; nothing was changed",
        hint="Ask for the same change with `update_app` and `conflicts`: `mine` keeps your lines there, `new` takes "
        'the new ones; undo brings either back. `./agent run update_app --project ... change="..." conflicts=mine`',
        details={
            "conflicts": {path: text[:CONFLICT_CHARS] for path, text in outcome.conflicts.items()},
            "lines": outcome.lines,
        },
    )


def building_actions(git: GitManager, agreed_apps: AgreedApps) -> list[Action[Any]]:
    do = BuildActions(git, agreed_apps)
    return [
        Action(
            name="create_app",
            summary="Build a new app from a description, prove that it works, and run it.",
            params=CreateApp,
            effects=WRITES,
            handler=do.create_app,
            undo=RESTORE_SNAPSHOT,
            title=_create_title,
            founds=True,
            worst="It is not what you meant; undo takes it away again",
            makes_project=True,
        ),
        Action(
            name="update_app",
            summary="Change an app that was built here, keep your own edits and its data, and prove it anew.",
            params=UpdateApp,
            effects=WRITES,
            handler=do.update_app,
            undo=RESTORE_SNAPSHOT,
            title=lambda p: f"Change the app: {p.change[:100]}" if p.change else "Change the app",
            founds=True,
            worst="It is not what you meant; undo puts files and data back",
        ),
        Action(
            name="create_ui",
            summary="Write a front end for an API that was built here.",
            params=CreateUi,
            effects=WRITES,
            handler=do.create_ui,
            undo=RESTORE_SNAPSHOT,
            title=lambda p: f"Write a front end{' with React' if p.framework == 'react' else ''}",
            founds=True,
            worst="It is not what you meant; undo takes it away again",
        ),
    ]


def _create_title(params: CreateApp) -> str:
    title = (params.spec or {}).get("title") or params.app_name or params.description[:80]
    return f"Write the app “{title}”" if title else "Write a hello API"
