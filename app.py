"""Wires the house: builds every part from the settings and hands it to those that need it. Knows all, does nothing."""

import hashlib
import ipaddress
import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import flask

from actions.apps import app_actions
from actions.archives import archive_actions
from actions.code import CodeRules, code_actions
from actions.files import file_actions
from actions.packages import installed, package_actions
from actions.permissions import permission_actions
from actions.queue import queue_actions
from actions.undo import undo_actions
from agent_home import AgentHome
from agent_runner import AgentRunner
from archives import ArchiveLimits
from context_manager import ContextManager
from contracts.actions import Catalogue
from contracts.errors import AppError
from contracts.times import stamp
from contracts.trust import Autonomy, Effect
from git_manager import GitManager
from later import Later
from logging_setup import LogFile, Redactor, set_up_logging, take_down_logging
from memory.state import MemoryFold
from project_files import Workspace
from running.gate import Gate
from running.housekeeping import Housekeeping
from running.task_logs import TaskLogs
from settings import CHECKOUT, Settings
from stores.json_file import JsonFileStore
from task_executor import TaskExecutor
from trust import Policy
from web.deps import Deps
from web.server import Address, Service, serve
from web.wiring import register

if TYPE_CHECKING:
    from environments.manager import Environments
    from previews import Previews, PreviewSpec, State
    from sandbox_runner import SandboxRunner
    from sandboxes.base import OnOutput
    from sandboxes.base import Service as Program

log = logging.getLogger(__name__)

VERSION = "0.1.0"
TIDY_EVERY = 300
"""Changes to a project after which its history is packed."""


def utc_now() -> str:
    return stamp(datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class Outside:
    """Everything that touches the world and that a test may want to hold in its hand."""

    clock: Callable[[], str] = utc_now
    monotonic: Callable[[], float] = time.monotonic
    stop: Callable[[], None] = lambda: None
    """Asks the process that serves this application to end."""
    address: Address | None = None
    boundary: Callable[[str], None] = lambda name: None
    """Told each time a part of a step has become durable."""


@dataclass(slots=True)
class Agent:
    """One agent on one home, from taking its lock to giving it back."""

    settings: Settings
    home: AgentHome
    store: JsonFileStore[Any]
    memory: ContextManager
    runner: AgentRunner
    workspace: Workspace
    git: GitManager
    logs: TaskLogs
    sandbox: "Later[SandboxRunner]"
    previews: "Later[Previews]"
    catalogue: Catalogue
    redactor: Redactor
    token: str
    log_file: LogFile
    started: float
    outside: Outside
    closers: list[Callable[[], None]] = field(default_factory=list)

    def health(self) -> dict[str, Any]:
        with self.memory.reading() as state:
            queued = len(state.queue)
        return {
            "version": VERSION,
            "uptime": round(self.outside.monotonic() - self.started, 1),
            "queue": queued,
            "waiting": len(self.memory.waiting()),
            "workers": self.runner.steps.lanes.counts(),
            "autonomy": self.memory.summary()["autonomy"],
            "notices": self.store.notices(),
            "sandbox": self.sandbox().standing().describe(),
        }

    def metrics(self) -> Mapping[str, float]:
        summary = self.memory.summary()
        lanes = self.runner.steps.lanes.counts()
        return {
            "uptime_seconds": round(self.outside.monotonic() - self.started, 1),
            "events_total": self.store.last_seq(),
            "queued_steps": summary["queued"],
            "waiting_for_approval": len(summary["waiting"]),
            "confirmed_total": summary["confirmed_count"],
            "auto_confirmed_total": summary["auto_confirmed_count"],
            "rejected_total": summary["rejected_count"],
            "trust_score": summary["trust_score"],
            "steps_running": lanes["running"],
            "steps_waiting": lanes["waiting"],
            "projects": len(self.workspace.names()),
        }

    def history(self, project: str, limit: int = 50) -> list[dict[str, Any]]:
        return [asdict(commit) for commit in self.git.open(project).history(limit)] if self.git.exists(project) else []

    def open_for_code(self) -> None:
        """After the port is open: have the sandbox prove itself, and show the apps again that were running."""
        self.sandbox().begin_check()
        wanted = self.memory.wanted_apps()
        if wanted:
            from previews import spec_from  # noqa: PLC0415  only who shows apps needs it

            self.previews().resume(spec_from(spec) for spec in wanted.values())

    def stop(self) -> None:
        """Let what runs finish and wake everybody who waits. Streams end, requests return."""
        for close in self.closers:
            close()
        self.runner.stop()

    def close(self) -> None:
        self.stop()
        for part in (self.previews.if_built(), self.sandbox.if_built()):
            if part is not None:
                part.close()
        self.store.close()
        self.home.withdraw()
        self.home.release()
        take_down_logging(self.log_file)


def build_agent(settings: Settings, outside: Outside) -> Agent:
    """Take the home and build every part. Raises HomeLocked if another service has it."""
    home = AgentHome(settings.home)
    home.take()
    token = settings.token.get_secret_value() if settings.token else home.token()
    redactor = Redactor([token])
    log_file = set_up_logging(
        settings.home / "logs" / "agent.log",
        redactor,
        level=settings.log_level,
        max_bytes=settings.log_bytes,
        keep=settings.log_files,
    )
    sandbox = Later(lambda: build_sandbox(settings))
    effects: dict[str, frozenset[Effect]] = {}
    store, memory = build_memory(settings, outside, sandbox, effects)
    workspace = Workspace(settings.home / "workspace")
    git = GitManager(settings.home / "workspace", keep_days=settings.snapshot_keep_days)
    previews = Later(lambda: build_previews(settings, outside, memory, workspace, sandbox, token))
    catalogue = Catalogue(all_actions(settings, memory, git, sandbox, previews))
    effects.update({action.name: action.effects for action in catalogue})
    logs = TaskLogs(settings.home / "logs", redactor.value, settings.zone)
    executor = TaskExecutor(catalogue, workspace, git, step_seconds=settings.step_seconds, boundary=outside.boundary)
    runner = AgentRunner(
        memory,
        executor,
        Gate(memory, workspace, git),
        catalogue,
        logs,
        scratch_agent,
        workers=settings.workers,
        wait_seconds=settings.wait_seconds,
        suites=(settings.home, CHECKOUT),
        boundary=outside.boundary,
    )
    runner.steps.changed = after_changes(runner, memory, git, previews)
    started = outside.monotonic()
    return Agent(
        *(settings, home, store, memory, runner, workspace, git, logs, sandbox, previews, catalogue, redactor),
        *(token, log_file, started, outside),
    )


def build_memory(
    settings: Settings, outside: Outside, sandbox: "Later[SandboxRunner]", effects: dict[str, frozenset[Effect]]
) -> tuple[JsonFileStore[Any], ContextManager]:
    """The store and the memory on it. `effects` says what each action touches, once they are known."""
    policy = trust_policy(settings)
    fold = MemoryFold(policy, recent_tasks=settings.recent_tasks, failure_patterns=settings.failure_patterns)
    store = JsonFileStore(settings.home, fold, clock=outside.clock, segment_bytes=settings.journal_segment_bytes)
    memory = ContextManager(
        store,
        policy,
        outside.clock,
        effects_of=effects.__getitem__,
        reduced_sandbox=lambda: (box := sandbox.if_built()) is not None and box.standing().level == "reduced",
        always_confirm=settings.always_confirm or settings.autonomy is Autonomy.ASK_ALL,
    )
    return store, memory


def after_changes(
    runner: AgentRunner, memory: ContextManager, git: GitManager, previews: "Later[Previews]"
) -> Callable[[str], None]:
    """What happens when a step has changed a project: its history is kept small, and its app shows what is there."""
    tidy = Housekeeping(git, runner.steps.lanes, every=TIDY_EVERY)

    def changed(project: str) -> None:
        tidy.changed(project)
        if project in memory.wanted_apps():
            runner.steps.lanes.submit(project, lambda: show_again(previews(), project))

    return changed


def show_again(previews: "Previews", project: str) -> None:
    """Run an app anew after its files have changed, so that what is shown is what is there."""
    try:
        previews.restart(project)
    except AppError as error:
        log.warning("An app could not be shown again", extra={"data": {"project": project, "why": error.message}})


def build_previews(
    settings: Settings,
    outside: Outside,
    memory: ContextManager,
    workspace: Workspace,
    sandbox: "Later[SandboxRunner]",
    token: str,
) -> "Previews":
    from previews import Address as PreviewAddress  # noqa: PLC0415  loaded when the first app is shown
    from previews import DataFolders, Previews, app_job  # noqa: PLC0415
    from sandbox_wiring import sandbox_root  # noqa: PLC0415

    # As root this folder is shared by all homes of the machine, and two of them may have a project of the same name.
    home = hashlib.sha256(os.fsencode(settings.home.resolve())).hexdigest()[:16]
    data = DataFolders(sandbox_root(settings) / "data" / home)

    def start(spec: "PreviewSpec", on_output: "OnOutput") -> "Program":
        job = app_job(spec, workspace.draft(spec.project), data=data.of(spec.project))
        return sandbox().choose().start(job, spec.port, on_output=on_output)

    def tell(project: str, state: "State", words: str) -> None:
        with memory.transaction() as tx:
            tx.emit("app_state", project=project, state=state.value, words=words)

    address = PreviewAddress(
        bind=settings.bind,
        first_port=settings.preview_first_port,
        last_port=settings.preview_last_port,
        panel_origins=tuple(filter(None, (settings.public_url, outside.address.url if outside.address else None))),
        hosts=settings.allowed_hosts,
        link_secret=b"" if is_loopback(settings.bind) else hashlib.sha256(b"previews " + token.encode()).digest(),
        agent_token=token,
    )
    return Previews(start, memory, address=address, data=data, on_change=tell)


def is_loopback(bind: str) -> bool:
    return bind == "localhost" or ipaddress.ip_address(bind).is_loopback


def build_sandbox(settings: Settings) -> "SandboxRunner":
    from sandbox_wiring import build_sandboxes  # noqa: PLC0415  loaded after the port is open, or when code is run

    return build_sandboxes(settings)


def build_environments(settings: Settings, sandbox: "Later[SandboxRunner]") -> "Environments":
    from environments.allow_list import AllowList  # noqa: PLC0415  loaded when something is run or installed
    from environments.manager import Environments  # noqa: PLC0415
    from sandbox_wiring import sandbox_root  # noqa: PLC0415

    return Environments(
        sandbox_root(settings) / "environments",
        sandbox().choose,
        allowed=AllowList.load(CHECKOUT / "config" / "allowed_deps.json"),
        environ=os.environ,
    )


def all_actions(
    settings: Settings,
    memory: ContextManager,
    git: GitManager,
    sandbox: "Later[SandboxRunner]",
    previews: "Later[Previews]",
) -> list[Any]:
    """Everything the agent can do. A new field of actions is listed here and nowhere else."""
    environments = Later(lambda: build_environments(settings, sandbox))
    limits = ArchiveLimits(settings.max_archive_files, settings.max_archive_bytes, settings.max_archive_ratio)
    rules = CodeRules(frozenset(settings.safety_block_operations), frozenset(settings.safety_watch_operations))
    environment_of = partial(installed, environments)
    return [
        *file_actions(max_bytes=settings.max_file_bytes),
        *archive_actions(settings.home / "uploads", limits),
        *code_actions(sandbox, environment_of, rules),
        *package_actions(environments),
        *app_actions(previews, environment_of),
        *queue_actions(),
        *undo_actions(memory, git),
        *permission_actions(),
    ]


def trust_policy(settings: Settings) -> Policy:
    return Policy(
        z=settings.trust_z,
        half_life=settings.trust_half_life,
        borrowed_weight=settings.trust_borrowed_weight,
        write=settings.trust_write,
        execute=settings.trust_execute,
        publish=settings.trust_publish,
        demotion=settings.trust_demotion,
    )


def create_app(settings: Settings, outside: Outside | None = None) -> flask.Flask:
    """The application on its home. `app.extensions["agent"]` is the Agent, to be closed by whoever made it."""
    outside = outside or Outside()
    agent = build_agent(settings, outside)
    app = flask.Flask("task_agent", static_folder=None)
    deps = Deps(
        settings=settings,
        token=agent.token,
        runner=agent.runner,
        memory=agent.memory,
        events=agent.store,
        projects=agent.workspace,
        history=agent,
        logs=agent.logs,
        actions=lambda: [action.describe() for action in agent.catalogue],
        health=agent.health,
        selftest=lambda: agent.sandbox().check().describe(),
        metrics=agent.metrics,
        stop=outside.stop,
        redact=agent.redactor,
        log=agent.log_file.write_soon,
        uploads=settings.home / "uploads",
        url=lambda: settings.public_url or (outside.address.url if outside.address else ""),
    )
    register(app, deps, version=VERSION)
    agent.closers.append(deps.feed.stop)
    app.extensions["agent"] = agent
    agent.runner.resume()
    return app


def run_service(settings: Settings, boundary: Callable[[str], None] = lambda name: None) -> int:
    """Serve until told to stop; gives the exit code."""

    def load(address: Address) -> Service:
        def stop_process() -> None:
            os.kill(os.getppid(), 15)

        app = create_app(settings, Outside(stop=stop_process, address=address, boundary=boundary))
        agent: Agent = app.extensions["agent"]
        agent.home.announce({"url": address.url, "pid": os.getppid(), "worker": os.getpid(), "started": utc_now()})
        threading.Thread(target=agent.open_for_code, name="after-start", daemon=True).start()
        return Service(app, stop=agent.stop, close=agent.close)

    return serve(load, host=settings.bind, port=settings.port, max_streams=settings.max_streams)


@contextmanager
def scratch_agent() -> Iterator[Callable[[str, str, Any], tuple[int, Any]]]:
    """A fresh agent on a home of its own, for tests that must not touch the owner's."""
    home = Path(tempfile.mkdtemp(prefix="task-agent-"))
    agent_app = create_app(Settings.from_sources({"AGENT_HOME": str(home)}, home))
    agent: Agent = agent_app.extensions["agent"]
    browser = agent_app.test_client()
    headers = {"Authorization": f"Bearer {agent.token}"}

    def send(method: str, path: str, body: Any) -> tuple[int, Any]:
        answer = browser.open(path, method=method, json=body, headers=headers, base_url="http://127.0.0.1")
        return answer.status_code, answer.get_json(silent=True)

    try:
        yield send
    finally:
        agent.close()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(run_service(Settings.from_sources(os.environ)))
