"""Wires running apps: how one is started with its data, who is told, and what follows when a project changes."""

import hashlib
import ipaddress
import logging
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import code_generator as generator
from context_manager import ContextManager
from contracts.errors import AppError, InvalidParams, NotFound
from contracts.tasks import Status
from previews import Address, DataFolders, DataVersions, Previews, PreviewSpec, State, Version, app_job, detect
from project_files import Workspace
from sandbox_runner import SandboxRunner
from sandbox_wiring import sandbox_root
from sandboxes.base import OnOutput, Service
from settings import Settings

log = logging.getLogger(__name__)


def build_previews(
    settings: Settings,
    port: int,
    memory: ContextManager,
    workspace: Workspace,
    sandbox: Callable[[], SandboxRunner],
    token: str,
    started: Callable[[str], None],
) -> Previews:
    """`port` is that of the service itself, whose own pages may show an app in a frame.

    `started` is told of each app that runs.
    """
    data = DataFolders(data_root(settings))
    versions = DataVersions(data, settings.home / "app-data")

    def start(spec: PreviewSpec, on_output: OnOutput) -> Service:
        files = workspace.draft(spec.project)
        record = generator.read_record(files)
        if record is not None:
            key = f"{generator.digest(record.spec)[:16]}-{record.revision}"
            said = versions.fit(spec.project, Version(key, record.revision))
            if said:
                on_output("stdout", f"{said}\n".encode())
        return (
            sandbox().choose().start(app_job(spec, files, data=data.of(spec.project)), spec.port, on_output=on_output)
        )

    def tell(project: str, state: State, words: str) -> None:
        with memory.transaction() as tx:
            tx.emit("app_state", project=project, state=state.value, words=words)
        if state is State.RUNNING:
            started(project)

    address = Address(
        bind=settings.bind,
        first_port=settings.preview_first_port,
        last_port=settings.preview_last_port,
        panel_origins=panel_origins(settings, port),
        hosts=settings.allowed_hosts,
        public_url=settings.preview_url or "",
        link_secret=b"" if is_loopback(settings.bind) else hashlib.sha256(b"previews " + token.encode()).digest(),
        agent_token=token,
    )
    return Previews(start, memory, address=address, data=data, on_change=tell)


def data_root(settings: Settings) -> Path:
    """Where apps keep their data. As root that is shared by all homes, and two may have a project of the same name."""
    home = hashlib.sha256(os.fsencode(settings.home.resolve())).hexdigest()[:16]
    return sandbox_root(settings) / "data" / home


def panel_origins(settings: Settings, port: int) -> tuple[str, ...]:
    """The pages that may show an app in a frame: the panel, under every name that it can be opened by."""
    places = [urlsplit(url) for url in (settings.public_url, *settings.cors_origins) if url]
    names = ["127.0.0.1", "localhost", *(name for name in settings.allowed_hosts if ":" not in name)]
    if settings.bind not in names and not ipaddress.ip_address(settings.bind).is_unspecified:
        names.append(f"[{settings.bind}]" if ":" in settings.bind else settings.bind)
    here = [f"http://{name}:{port}" for name in names] if port else []
    return tuple(dict.fromkeys([*(f"{place.scheme}://{place.netloc}" for place in places), *here]))


def is_loopback(bind: str) -> bool:
    return bind == "localhost" or ipaddress.ip_address(bind).is_loopback


def can_run(workspace: Workspace, project: str) -> bool:
    """Whether there is anything to run, which an undo may have taken away."""
    try:
        detect(workspace.draft(project))
    except (NotFound, InvalidParams):
        return False
    return True


def will_be_shown(memory: ContextManager, project: str) -> bool:
    """Whether a step that is planned will show the app; until it is proven, the version before goes on running."""
    with memory.reading() as state:
        tasks = (task for task in state.tasks.values() if task.project == project and task.intent == "deploy_app")
        return any(task.status is Status.QUEUED and task.parent_id in state.draining for task in tasks)


def show_again(previews: Previews, workspace: Workspace, project: str) -> None:
    """Run an app anew after its files have changed, so that what is shown is what is there; stop it if that is gone."""
    try:
        if can_run(workspace, project):
            previews.restart(project)
        else:
            previews.stop(project)
    except AppError as error:
        log.warning("An app could not be shown again", extra={"data": {"project": project, "why": error.message}})
