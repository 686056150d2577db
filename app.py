"""Wires the house: builds every part from the settings and hands it to those that need it. Knows all, does nothing."""

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

from action_wiring import all_actions
from actions.code_hosting import code_hosting_actions
from actions.packages import installed
from agent_home import AgentHome
from agent_runner import AgentRunner
from backup_wiring import DRIVE, build_backups, check_drive, chosen_place
from code_host_wiring import GitHubAt, check_code_hosts
from context_manager import ContextManager
from contracts.actions import Action, Catalogue
from contracts.app_spec import AppSpec
from contracts.times import stamp
from contracts.trust import Autonomy, Effect
from credential_door import SecretDoor
from credential_wiring import account_variables, build_credentials, no_host
from credentials import Check, Credentials
from deploy_wiring import REAL, Maker, build_demo, build_deployments, build_hosts, checker
from deployment_manager import DeploymentManager, Here
from drive_uploader import GOOGLE, DriveUploader
from git_manager import GitManager
from later import Later
from logging_setup import LogFile, Redactor, set_up_logging, take_down_logging
from memory.state import MemoryFold
from panel_wiring import build_apps, build_views
from pictures import Pictures
from project_files import Workspace
from running.gate import Gate
from running.housekeeping import Housekeeping
from running.planning import Planning, Tools
from running.regression import Regression
from running.task_logs import TaskLogs
from settings import CHECKOUT, Settings
from stores.json_file import JsonFileStore
from task_executor import TaskExecutor
from trust import Policy
from web.deps import Deps
from web.panel_files import PanelFiles
from web.server import Address, Service, serve
from web.wiring import register

if TYPE_CHECKING:
    from environments.manager import Environments
    from previews import Previews
    from sandbox_runner import SandboxRunner

VERSION = "0.1.0"
ENDING_SECONDS = 10.0
"""How long the end of the service waits for a picture that its browser was ended under."""
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
    environ: Mapping[str, str] = field(default_factory=dict)
    """Variables that hold credentials, under the names that their hosts gave them."""
    check_credential: Check | None = None
    """Asks a host whose credential it is; without it, the real ones are asked."""
    github: GitHubAt = field(default_factory=GitHubAt)
    drive_url: str = GOOGLE
    hosts: Mapping[str, Maker] = field(default_factory=lambda: REAL)
    """How each host on the internet is built from its credential."""
    actions: tuple[Action[Any], ...] = ()
    """More that the agent can do, from whoever builds it."""
    panel: Path = CHECKOUT / "frontend" / "dist"
    """Where the build of the control panel is, if there is one."""


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
    pictures: Pictures
    catalogue: Catalogue
    redactor: Redactor
    backups: DriveUploader
    credentials: Credentials
    deployments: DeploymentManager
    token: str
    log_file: LogFile
    started: float
    outside: Outside
    closers: list[Callable[[], None]] = field(default_factory=list)
    enders: list[Callable[[], None]] = field(default_factory=list)
    """Called when nothing runs any more."""

    def health(self) -> dict[str, Any]:
        with self.memory.reading() as state:
            queued = len(state.queue)
        autonomy = self.memory.autonomy_view()
        return {
            "version": VERSION,
            "uptime": round(self.outside.monotonic() - self.started, 1),
            "queue": queued,
            "waiting": len(self.memory.waiting()),
            "workers": self.runner.steps.lanes.counts(),
            "autonomy": autonomy["mode"],
            "autonomy_until": autonomy["until"],
            "last_seq": self.store.last_seq(),
            "notices": [*self.store.notices(), *self.credentials.notices()],
            "sandbox": self.sandbox().standing().describe(),
            "backups": self.backups.status()["words"],
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
        self.backups.start()
        wanted = self.memory.wanted_apps()
        if wanted:
            from preview_wiring import can_run  # noqa: PLC0415  only who shows apps needs it
            from previews import spec_from  # noqa: PLC0415

            apps = {name: spec for name, spec in wanted.items() if self.workspace.exists(name)}
            self.previews().resume(spec_from(spec) for name, spec in apps.items() if can_run(self.workspace, name))

    def stop(self) -> None:
        """Let what runs finish and wake everybody who waits. Streams end, requests return."""
        for close in self.closers:
            close()
        self.runner.stop()

    def close(self) -> None:
        self.stop()
        self.pictures.close()
        for end in self.enders:
            end()
        for part in (self.previews.if_built(), self.sandbox.if_built()):
            if part is not None:
                part.close()
        self.pictures.ended(ENDING_SECONDS)
        self.backups.close()
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
    git = GitManager(settings.home / "workspace", keep_days=settings.snapshot_keep_days, environ=os.environ)
    check = outside.check_credential or check_code_hosts(
        outside.github, git, checker(outside.hosts, check_drive(outside.drive_url, no_host))
    )
    credentials = build_credentials(settings.home, memory, redactor, check, outside.environ)
    port = outside.address.port if outside.address else 0
    previews, pictures = build_apps(settings, port, memory, workspace, sandbox, token)
    hosting = code_hosting_actions(git, credentials.get, outside.github.connect, outside.github.web_url)
    environments = Later(lambda: build_environments(settings, sandbox))
    environment_of = partial(installed, environments)
    demo = build_demo(settings, memory, sandbox, environment_of)
    hosts = build_hosts(settings, credentials, outside.hosts, demo)
    here = Here(previews, environment_of)
    deployments = build_deployments(settings, memory, git, hosts, here, redactor, outside.boundary)
    own = all_actions(settings, memory, git, sandbox, previews, environments, deployments)
    catalogue = Catalogue([*own, *hosting, *outside.actions])
    effects.update({action.name: action.effects for action in catalogue})
    place = partial(chosen_place, settings, credentials, outside.drive_url)
    backups = build_backups(settings, memory, place(), outside.boundary)
    logs = TaskLogs(settings.home / "logs", redactor.value, settings.zone, backups.changed)
    executor = TaskExecutor(catalogue, workspace, git, step_seconds=settings.step_seconds, boundary=outside.boundary)
    runner = AgentRunner(
        memory,
        executor,
        Gate(memory, workspace, git),
        catalogue,
        logs,
        Regression(scratch_agent, (settings.home, CHECKOUT)),
        Planning(workspace, Tools(has_program, promised, deployments.not_online, hosts.lacking)),
        workers=settings.workers,
        wait_seconds=settings.wait_seconds,
        boundary=outside.boundary,
    )
    runner.steps.changed = after_changes(runner, memory, git, workspace, previews)
    credentials.on_change = lambda name: backups.use(place()) if name == DRIVE else runner.steps.look_again()
    started = outside.monotonic()
    agent = Agent(
        *(settings, home, store, memory, runner, workspace, git, logs, sandbox, previews, pictures, catalogue),
        *(redactor, backups, credentials, deployments, token, log_file, started, outside),
    )
    agent.enders.append(demo.close)
    return agent


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
    runner: AgentRunner,
    memory: ContextManager,
    git: GitManager,
    workspace: Workspace,
    previews: "Later[Previews]",
) -> Callable[[str], None]:
    """What happens when a step has changed a project: its history is kept small, and its app shows what is there."""
    tidy = Housekeeping(git, runner.steps.lanes, every=TIDY_EVERY)

    def changed(project: str) -> None:
        from preview_wiring import show_again, will_be_shown  # noqa: PLC0415  only who shows apps needs it

        tidy.changed(project)
        if project in memory.wanted_apps() and not will_be_shown(memory, project):
            runner.steps.lanes.submit(project, lambda: show_again(previews(), workspace, project))

    return changed


def build_sandbox(settings: Settings) -> "SandboxRunner":
    from sandbox_wiring import build_sandboxes  # noqa: PLC0415  loaded after the port is open, or when code is run

    return build_sandboxes(settings)


def build_environments(settings: Settings, sandbox: "Later[SandboxRunner]") -> "Environments":
    from sandbox_wiring import build_environments as build  # noqa: PLC0415  loaded when something is run or installed

    return build(settings, sandbox, os.environ)


def has_program(program: str) -> bool:
    return shutil.which(program) is not None


def promised(spec: AppSpec) -> list[str]:
    """What would be proven of an app, in plain sentences."""
    import proof  # noqa: PLC0415  loaded when an app is planned

    return [check.words for check in proof.checks_for(spec)]


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
    views = build_views(
        *(agent.memory, agent.git, agent.workspace, agent.runner, agent.previews, agent.logs, agent.pictures),
    )
    deps = Deps(
        settings=settings,
        token=agent.token,
        runner=agent.runner,
        memory=agent.memory,
        events=agent.store,
        projects=agent.workspace,
        history=agent,
        logs=agent.logs,
        back=views.back,
        ahead=views.ahead,
        showing=views.showing,
        backups=agent.backups,
        credentials=agent.credentials,
        deployments=agent.deployments,
        refuse_secrets=SecretDoor(agent.credentials.secrets, agent.redactor.add),
        actions=lambda: [action.describe() for action in agent.catalogue],
        health=agent.health,
        selftest=lambda: agent.sandbox().check().describe(),
        metrics=agent.metrics,
        stop=outside.stop,
        redact=agent.redactor,
        log=agent.log_file.write_soon,
        uploads=settings.home / "uploads",
        url=lambda: settings.public_url or (outside.address.url if outside.address else ""),
        panel=PanelFiles(outside.panel),
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

        known = account_variables(os.environ, settings.home)
        app = create_app(settings, Outside(stop=stop_process, address=address, boundary=boundary, environ=known))
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
