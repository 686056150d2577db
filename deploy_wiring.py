"""Wires hosts: builds each from the credential that is set, and says what is missing where there is none."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_manager import ContextManager
from contracts.deployments import Account, Parcel
from contracts.errors import NotFound
from contracts.plans import Need
from credential_kinds import kind_of
from credentials import Check, Credentials, Values, where_to_enter
from deployment_manager import (
    AppSecrets,
    DeploymentManager,
    EnvironmentOf,
    Export,
    Here,
    Host,
    LogFiles,
    Parts,
    connected,
)
from git_manager import GitManager
from later import Later
from logging_setup import Redactor
from providers.base import Provider
from settings import Settings

if TYPE_CHECKING:
    from demo_cloud import DemoCloud
    from sandbox_runner import SandboxRunner

Maker = Callable[[Values], Provider]
"""Builds a host from its credential."""
ONLINE = (Host("vercel", "Vercel"), Host("netlify", "Netlify"), Host("render", "Render"))
EXPORT = Host("export", "a zip file on this machine", here=True, checked=False)
DEMO = Host("demo", "the demo cloud on this machine", here=True)


def vercel(values: Values) -> Provider:
    from providers.vercel import Vercel  # noqa: PLC0415  loaded when the host is used

    return Vercel(values["token"], team=values.get("team", ""))


def netlify(values: Values) -> Provider:
    from providers.netlify import Netlify  # noqa: PLC0415  as above

    return Netlify(values["token"])


def render(values: Values) -> Provider:
    from providers.render import Render  # noqa: PLC0415  as above

    return Render(values["api_key"], owner=values.get("owner", ""))


NOBODY: Values = {"token": "nobody", "api_key": "nobody"}
"""In the place of a credential, for what needs none: nothing is sent with it."""
REAL: Mapping[str, Maker] = {"vercel": vercel, "netlify": netlify, "render": render}


class ConnectedHosts:
    """Every host that can be named. Threads may share it."""

    def __init__(
        self,
        credentials: Callable[[str], Values | None],
        makers: Mapping[str, Maker],
        exports: Path,
        demo: "Demo",
    ) -> None:
        self._credentials = credentials
        self._makers = makers
        self._export = Export(exports)
        self._demo = demo
        self._built: dict[str, tuple[Values, Provider]] = {}

    def known(self) -> tuple[Host, ...]:
        return (*(host for host in ONLINE if host.name in self._makers), EXPORT, DEMO)

    def connect(self, name: str) -> Provider | None:
        if name == EXPORT.name:
            return self._export
        if name == DEMO.name:
            return self._demo().provider
        values = self._credentials(name)
        if values is None or name not in self._makers:
            return None
        before = self._built.get(name)
        if before is None or before[0] != values:
            before = self._built[name] = (values, self._makers[name](values))
        return before[1]

    def unfit(self, name: str, parcel: Parcel) -> str:
        provider = self.connect(name) or self._makers[name](NOBODY)
        return provider.unfit(parcel)

    def forgot(self, name: str, place: str) -> bool:
        if name == EXPORT.name:
            return self._export.live(place) is None
        return name == DEMO.name and not self._demo.shows(place)

    def remedy(self, name: str) -> Mapping[str, Any]:
        try:
            kind = kind_of(name)
        except NotFound:
            return {"credential": name, "remedy": f"`{name}` cannot be connected", "guide": ()}
        label = kind.fields[0].label
        named = label if label.startswith("API") else label[:1].lower() + label[1:]
        remedy = where_to_enter(kind).replace("Enter it", f"Enter your {named}", 1)
        return {"credential": name, "remedy": remedy, "guide": tuple(kind.guide)}

    def lacking(self, name: str) -> Need | None:
        """What a plan has to name before it starts, if it puts something there."""
        host = next((host for host in self.known() if host.name == name), None)
        if host is None or host.here or self.connect(name) is not None:
            return None
        return Need(f"{host.title} is not connected yet", str(self.remedy(name)["remedy"]))

    def online(self) -> list[str]:
        return [host.name for host in connected(self)]


def checker(makers: Mapping[str, Maker], others: Check) -> Check:
    """Asks a host whose credential it is; `others` asks those of every other kind."""

    def check(name: str, values: Values) -> Account:
        return makers[name](values).check() if name in makers else others(name, values)

    return check


class Demo:
    """The demo cloud, made when something is put there, and ended with the service."""

    def __init__(self, build: "Callable[[], DemoCloud]") -> None:
        self._later = Later(build)

    def __call__(self) -> "DemoCloud":
        return self._later()

    def shows(self, place: str) -> bool:
        """Whether it is live there. A cloud that nothing was put on since the service began is not made for that."""
        built = self._later.if_built()
        return built is not None and built.provider.live(place) is not None

    def close(self) -> None:
        built = self._later.if_built()
        if built is not None:
            built.close()


def build_demo(
    settings: Settings,
    memory: ContextManager,
    sandbox: "Callable[[], SandboxRunner]",
    environment_of: EnvironmentOf,
) -> Demo:
    def build() -> "DemoCloud":
        from demo_cloud import DemoCloud, Stage  # noqa: PLC0415  only who wants a demo pays for it

        return DemoCloud(Stage(settings, memory, sandbox, environment_of))

    return Demo(build)


def build_hosts(
    settings: Settings, credentials: Credentials, makers: Mapping[str, Maker], demo: Demo
) -> ConnectedHosts:
    return ConnectedHosts(credentials.get, makers, settings.home / "exports", demo)


def build_deployments(
    settings: Settings,
    memory: ContextManager,
    git: GitManager,
    hosts: ConnectedHosts,
    here: Here,
    redactor: Redactor,
    boundary: Callable[[str], None],
) -> DeploymentManager:
    return DeploymentManager(
        Parts(
            memory=memory,
            git=git,
            hosts=hosts,
            here=here,
            secrets=AppSecrets(settings.home / "app-secrets.json", redactor),
            logs=LogFiles(settings.home / "deployments", redactor),
            exports=settings.home / "exports",
            proof_of=partial(current_proof, memory, git),
            clock=memory.clock,
            boundary=boundary,
        )
    )


def current_proof(memory: ContextManager, git: GitManager, project: str) -> dict[str, Any] | None:
    """How the newest proof of a project came out; None if its files have changed since."""
    proof = memory.proof_of(project)
    return proof if proof is not None and proof["tree"] == git.open(project).fingerprint() else None
