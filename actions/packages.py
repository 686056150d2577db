"""Installing the packages that a project asks for: shown, fetched without running them, built in the sandbox."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import Field

from contracts.actions import Action, ActionContext, ActionResult, Inspection, Params, UndoMethod
from contracts.errors import Conflict
from contracts.files import Draft
from contracts.trust import Effect
from contracts.words import counted

if TYPE_CHECKING:
    from environments.base import Downloaded, Environment, Package
    from environments.manager import Environments

MIB = 1024 * 1024
SHOWN = 200


class InstallDependencies(Params):
    allow_source: bool = Field(False, description="Whether packages that must be built from source may be.")


class PackageActions:
    def __init__(self, environments: Callable[[], "Environments"]) -> None:
        self._environments = environments

    def look(self, params: InstallDependencies, ctx: ActionContext) -> Inspection:
        """Fetch what would be installed, without running any of it, so that the card can name every package."""
        downloaded = self._download(params, ctx)
        facts = {"packages": [_shown(package) for package in downloaded.packages[:SHOWN]]}
        slips = (
            f"`{w.name}` looks like `{w.looks_like}`, which it is not" for w in downloaded.plan.unlisted if w.looks_like
        )
        notes = (
            *downloaded.plan.notes,
            *slips,
            *(f"{s.name} {s.version} exists only as source" for s in downloaded.sources),
        )
        return Inspection(size=downloaded.size, notes=notes, ask=_why_ask(downloaded, params), facts=facts)

    def install(self, params: InstallDependencies, ctx: ActionContext) -> ActionResult:
        downloaded = self._download(params, ctx)
        ctx.progress(f"Installing {counted(len(downloaded.packages), 'package')}")
        self._environments().build(downloaded, progress=ctx.progress, tick=ctx.check_cancelled)
        packages = [_shown(package) for package in downloaded.packages[:SHOWN]]
        if not packages:
            return ActionResult.done("This project asks for no packages", packages=[])
        said = f"Installed {counted(len(packages), 'package')} ({downloaded.size / MIB:.1f} MB)"
        return ActionResult(
            True, said, {"packages": packages, "bytes": downloaded.size}, tainted=bool(downloaded.unknown)
        )

    def _download(self, params: InstallDependencies, ctx: ActionContext) -> "Downloaded":
        plan = self._environments().plan(ctx.files)
        return self._environments().download(
            plan, allow_source=params.allow_source, progress=ctx.progress, tick=ctx.check_cancelled
        )


def _why_ask(downloaded: "Downloaded", params: InstallDependencies) -> str:
    if downloaded.sources:
        names = ", ".join(f"`{source.name}`" for source in downloaded.sources)
        return f"{names} can only be built from source, which runs its code; say `allow_source` to let it"
    built = [package.name for package in downloaded.packages if package.source]
    unknown = [package.name for package in downloaded.unknown]
    if built or unknown:
        names = ", ".join(f"`{name}`" for name in sorted({*built, *unknown})[:10])
        return f"not on the list of well-known packages: {names}"
    return ""


def _shown(package: "Package") -> dict[str, Any]:
    return {
        "name": package.name,
        "version": package.version,
        "bytes": package.size,
        "licence": package.licence,
        "known": package.known,
        "from_source": package.source,
        "required_by": list(package.required_by),
        "notes": list(package.notes),
    }


def installed(environments: Callable[[], "Environments"], files: Draft) -> "Environment":
    """What a run of this project is given. Raises Conflict if something that it asks for is not installed."""
    environment = environments().environment_for(files)
    if environment is None:
        raise Conflict(
            "The packages that this project asks for are not installed", hint="Run `install_dependencies` first"
        )
    return environment


def package_actions(environments: Callable[[], "Environments"]) -> list[Action[Any]]:
    do = PackageActions(environments)
    return [
        Action(
            name="install_dependencies",
            summary="Install the packages that the project's files ask for.",
            params=InstallDependencies,
            effects=frozenset({Effect.INSTALL}),
            handler=do.install,
            inspect=do.look,
            undo=UndoMethod("nothing to undo: packages are kept beside the project, not in it"),
            title=lambda p: "Install the project's packages",
            founds=True,
            worst="A package does harm when the app runs; it cannot reach anything outside the sandbox",
            timeout=1800,
        )
    ]
