"""Wires what the control panel looks at: the past, what would come, and the apps of projects."""

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import code_generator as generator
from context_manager import ContextManager
from git_manager import GitManager
from later import Later
from pictures import Pictures
from project_files import Workspace
from running.looking_ahead import LookingAhead
from running.looking_back import LookingBack
from running.showing import Showing
from running.task_logs import TaskLogs
from settings import Settings

if TYPE_CHECKING:
    from agent_runner import AgentRunner
    from previews import Previews
    from sandbox_runner import SandboxRunner


@dataclass(frozen=True, slots=True)
class Views:
    back: LookingBack
    ahead: LookingAhead
    showing: Showing


def build_apps(
    settings: Settings,
    port: int,
    memory: ContextManager,
    workspace: Workspace,
    sandbox: Callable[[], "SandboxRunner"],
    token: str,
) -> tuple["Later[Previews]", Pictures]:
    """Running apps, and pictures of them. `port` is that of the service itself."""

    def build() -> "Previews":
        from preview_wiring import build_previews  # noqa: PLC0415  loaded when the first app is shown

        return build_previews(settings, port, memory, workspace, sandbox, token, pictures.want)

    previews = Later(build)
    pictures = _pictures(settings, memory, workspace, sandbox, previews)
    return previews, pictures


def _pictures(
    settings: Settings,
    memory: ContextManager,
    workspace: Workspace,
    sandbox: Callable[[], "SandboxRunner"],
    previews: "Later[Previews]",
) -> Pictures:
    """Pictures by a browser in the sandbox, where this machine has one."""

    def take(link: str) -> Mapping[str, bytes]:
        from picturing.browser import find_browser  # noqa: PLC0415  few need it, and much later
        from picturing.photographer import Photographer  # noqa: PLC0415

        program = find_browser()
        return Photographer(lambda: sandbox().choose(), program).take(link) if program else {}

    def link_of(project: str) -> str | None:
        """On this machine itself, whatever address people use; a front end is shown rather than the API behind it."""
        running = previews.if_built()
        preview = running.status(project) if running is not None else None
        if preview is None or preview.state.value != "running":
            return None
        record = generator.read_record(workspace.draft(project))
        path = "/ui/" if record is not None and record.spec.ui else "/"
        bind = ipaddress.ip_address("127.0.0.1" if settings.bind == "localhost" else settings.bind)
        host = LOOPBACK[bind.version] if bind.is_unspecified else str(bind)
        name = f"[{host}]" if ":" in host else host
        return urlsplit(preview.link)._replace(scheme="http", netloc=f"{name}:{preview.port}", path=path).geturl()

    def tell(project: str, version: str) -> None:
        with memory.transaction() as tx:
            tx.emit("picture_taken", project=project, version=version)

    return Pictures(settings.home / "pictures", take, link_of, tell)


LOOPBACK = {4: "127.0.0.1", 6: "::1"}


def build_views(
    memory: ContextManager,
    git: GitManager,
    workspace: Workspace,
    runner: "AgentRunner",
    previews: "Later[Previews]",
    logs: TaskLogs,
    pictures: Pictures,
) -> Views:
    back = LookingBack(memory, git, workspace)
    return Views(
        back=back,
        ahead=LookingAhead(memory, runner.executor, runner.gate, runner.plans, workspace),
        showing=Showing(memory, git, workspace, previews.if_built, logs, back, pictures),
    )
