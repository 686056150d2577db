"""Puts apps online: chooses where, says first what that means, ships, tries the live address, finds the way back."""

import hashlib
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from context_manager import ContextManager
from contracts.actions import ActionContext, ActionResult, Inspection, Note
from contracts.deployments import Quote, Release
from contracts.errors import AppError, BadInput, Conflict, NotFound, NotReady, TooMany, Unauthorized, Unavailable
from contracts.trust import Effect
from deploying.app import App, ProofOf, look_at
from deploying.app_secrets import AppSecrets
from deploying.choosing import AUTO, LOCAL, Choice, Host, Hosts, choose, connected, host_named, not_online, where_it_is
from deploying.direct import deploy_app, deploy_to_render, deploy_to_vercel
from deploying.exporting import Export, zip_directory
from deploying.here import EnvironmentOf, Here
from deploying.ledger import Ledger, Standing
from deploying.loading import Loader
from deploying.log_files import LogFiles
from deploying.parcels import Contents
from deploying.shipping import Delivered, Order, deliver, found_there, ref_of
from deploying.telling import Entry, Plan, card_facts, card_notes, message, price, telling_lines
from deploying.verifying import Verified, Visit, verify
from deploying.way_back import Target, WayBack, look_back
from git_manager import GitManager
from providers.base import Provider

__all__ = [
    "AUTO",
    "LOCAL",
    "AppSecrets",
    "DeploymentManager",
    "EnvironmentOf",
    "Export",
    "Here",
    "Host",
    "Hosts",
    "LogFiles",
    "Parts",
    "ProofOf",
    "Standing",
    "Wish",
    "connected",
    "deploy_app",
    "deploy_to_render",
    "deploy_to_vercel",
    "not_online",
    "zip_directory",
]

OUTWARD = frozenset({Effect.NETWORK, Effect.PUBLISH})
LONGEST_NAME = 50
WORST = "Others see something that does not work, until it is set back"
UNKNOWN = Quote(False, "not known: the host could not be asked", "", "the app, at an address of its own")


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks for; what is left open is chosen."""

    provider: str = AUTO
    name: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    unproven: bool = False


@dataclass(frozen=True, slots=True)
class Parts:
    """What the manager works with."""

    memory: ContextManager
    git: GitManager
    hosts: Hosts
    here: Here
    secrets: AppSecrets
    logs: LogFiles
    exports: Path
    proof_of: ProofOf
    clock: Callable[[], str]
    boundary: Callable[[str], None] = lambda name: None
    pause: Callable[[float], None] = time.sleep


class DeploymentManager:
    """Threads may share it; steps of one project come one after the other."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._hosts = parts.hosts
        self._loader = Loader(parts.git, parts.secrets)
        self._ledger = Ledger(parts.memory)
        self._way_back = WayBack(self._loader, parts.logs, parts.boundary)

    def inspect(self, wish: Wish, ctx: ActionContext) -> Inspection:
        """What putting the app there means, before anything happens. Raises AppError if it cannot be."""
        if ctx.drafting:
            return self._foreseen(wish, ctx.project)
        with kept_if_it_fails():
            return self._inspected(wish, ctx)

    def _inspected(self, wish: Wish, ctx: ActionContext) -> Inspection:
        app = look_at(ctx.project, ctx.files, self._parts.proof_of(ctx.project))
        choice = self._choice(wish, app, ctx)
        if choice.name == LOCAL:
            self._refuse_here(app)
            return Inspection(settled={"provider": LOCAL}, notes=(choice.why,) if choice.why else ())
        host = host_named(self._hosts, choice.name)
        if missing := self._missing(host):
            self._refuse_unfit(host, app, ctx)
            return missing
        plan = self._plan(host, choice.why, wish, app, ctx)
        return plan if isinstance(plan, Inspection) else self._inspection(plan, wish)

    def not_online(self, project: str) -> str:
        """Why the app would run on this machine if it were to be online; empty if it would not."""
        return not_online(self._hosts, self._parts.memory.places(project))

    def _foreseen(self, wish: Wish, project: str) -> Inspection:
        """What can be said while the app may not even be written."""
        if wish.provider == AUTO:
            why = self.not_online(project)
            return Inspection(notes=(why,) if why else ())
        if wish.provider == LOCAL:
            return Inspection()
        host = host_named(self._hosts, wish.provider)
        words = f"It goes to {host.title}" + ("" if host.here else "; I show you what that means before it happens")
        return Inspection(
            effects=frozenset() if host.here else OUTWARD, notes=(words,), worst="" if host.here else WORST
        )

    def _choice(self, wish: Wish, app: App, ctx: ActionContext) -> Choice:
        if wish.provider != AUTO:
            return Choice(wish.provider, "you asked for it" if wish.provider != LOCAL else "")
        if why := self.not_online(app.project):
            return Choice(LOCAL, why)
        if not app.served:
            return Choice(LOCAL, "It has nothing to open in a browser, so it stays on this machine")
        if there := where_it_is(self._hosts, self._parts.memory.places(app.project)):
            return there
        contents = self._loader.now(app.project, ctx.files)
        return choose(self._hosts, self._loader.parcel(app, "", contents, {}), self._name(wish, app, ""))

    def _missing(self, host: Host) -> Inspection | None:
        """The card that asks for a credential, if the host cannot be used without one."""
        if host.here or self._hosts.connect(host.name) is not None:
            return None
        return self._waits(host, f"{host.title} is not connected yet")

    def _refuse_unfit(self, host: Host, app: App, ctx: ActionContext) -> None:
        """Nobody is sent to fetch a credential for a host that could not run the app."""
        parcel = self._loader.parcel(app, "", self._loader.now(app.project, ctx.files), {})
        pushed = replace(parcel, repository=parcel.repository or "https://git.example/not-yet")
        if unfit := self._hosts.unfit(host.name, pushed):
            raise Conflict(f"`{app.project}` cannot go to {host.title}: {unfit}", hint="Choose another `provider`")

    def _waits(self, host: Host, why: str) -> Inspection:
        """Nothing can be said or done until a person has entered a credential."""
        remedy = self._hosts.remedy(host.name)
        words = f"{why}. {remedy['remedy']}; the step waits, and goes on by itself then"
        return Inspection(
            effects=OUTWARD,
            blocked=words,
            facts={**remedy, "summary": f"Waits for access to {host.title}", "target": host.title},
            notes=tuple(remedy.get("guide", ())),
            cost=f"said once {host.title} is connected",
            worst=WORST,
        )

    def _plan(self, host: Host, why: str, wish: Wish, app: App, ctx: ActionContext) -> Plan | Inspection:
        provider = self._provider(host)
        self._refuse(app, host, wish)
        contents = self._loader.now(app.project, ctx.files)
        env = self._loader.env(app, ctx.files, wish.env)
        parcel = self._loader.parcel(app, "", contents, env)
        if unfit := provider.unfit(parcel):
            raise Conflict(f"`{app.project}` cannot go to {host.title}: {unfit}", hint="Choose another `provider`")
        standing = self._ledger.standing(app.project, host.name)
        name = self._name(wish, app, standing.name)
        if standing.live and name != standing.name:
            raise Conflict(
                f"`{app.project}` is on {host.title} as `{standing.name}` already",
                hint="Leave `name` out to put it there again, or take that down first with `take_down_app`",
            )
        try:
            quote = provider.quote(parcel, name)
            found = None if standing.live else found_there(provider, name)
        except Unauthorized as refused:
            return self._waits(host, f"{host.title} does not take the credential any more: {refused.message}")
        except (Unavailable, TooMany) as silent:
            quote, found = replace(UNKNOWN, standing=silent.message), None
        today = self._parts.clock()[:10]
        return Plan(
            host=host,
            why=why,
            app=app,
            name=name,
            contents=contents,
            quote=quote,
            live=standing.live,
            found=found,
            sent_today=self._ledger.sent_today(host.name, today),
            unproven=wish.unproven and not app.proven,
            dirty=self._loader.is_dirty(app.project),
            env=sorted(env),
        )

    def _inspection(self, plan: Plan, wish: Wish) -> Inspection:
        spends = not plan.quote.free or plan.quote.card_needed
        effects = frozenset() if plan.host.here else OUTWARD | ({Effect.SPEND} if spends else frozenset())
        unproven = "Nobody has proven that it works as it stands, and you said that it goes there all the same"
        return Inspection(
            effects=effects,
            size=plan.contents.size,
            notes=card_notes(plan),
            ask=unproven if plan.unproven else "",
            facts=card_facts(plan),
            settled={"provider": plan.host.name, "name": plan.name},
            identity=_identity(plan, wish),
            verified=bool((plan.live or {}).get("verified")) and not spends and not plan.unproven,
            cost=price(plan.quote, plan.host),
            worst="" if plan.host.here else WORST,
        )

    def _refuse_here(self, app: App) -> None:
        if app.record is not None:
            app.refuse_unproven()

    def _refuse(self, app: App, host: Host, wish: Wish) -> None:
        """Raises Conflict if there is nothing to put there, or nobody knows whether it works."""
        if host.checked and not app.served:
            what = "runs on a computer and has nothing" if app.spec else "has nothing I know how to start, and nothing"
            raise Conflict(
                f"`{app.project}` {what} to open in a browser, so it cannot be put online",
                hint="Apps with pages, APIs and sites can; `provider: export` packs anything into a zip. "
                "An `app.py` with a Flask app, a `package.json` with a `start` script or an `index.html` is found",
            )
        if not wish.unproven:
            app.refuse_unproven()

    def _provider(self, host: Host) -> Provider:
        provider = self._hosts.connect(host.name)
        if provider is None:
            raise NotReady(f"{host.title} is not connected", hint=str(self._hosts.remedy(host.name)["remedy"]))
        return provider

    def _name(self, wish: Wish, app: App, known: str) -> str:
        """The name at the host: as asked for, else as it is there already, else after the project."""
        plain = re.sub(r"[^a-z0-9]+", "-", (wish.name or known or app.project).lower()).strip("-")
        return plain[:LONGEST_NAME].strip("-") or "app"

    def deploy(self, wish: Wish, ctx: ActionContext) -> ActionResult:
        """Put it there, or find out what became of it after a crash: the same task never ships twice."""
        with kept_if_it_fails():
            return self._deploy(wish, ctx)

    def _deploy(self, wish: Wish, ctx: ActionContext) -> ActionResult:
        app = look_at(ctx.project, ctx.files, self._parts.proof_of(ctx.project))
        choice = self._choice(wish, app, ctx)
        if choice.name == LOCAL:
            self._refuse_here(app)
            return self._parts.here.show(app, ctx)
        host = host_named(self._hosts, choice.name)
        provider = self._provider(host)
        self._refuse(app, host, wish)
        ctx.progress("Packing the files")
        commit, contents = self._loader.committed(app.project, ctx.files)
        env = self._loader.env(app, ctx.files, wish.env)
        parcel = self._loader.parcel(app, commit, contents, env)
        standing = self._ledger.standing(app.project, host.name)
        key = self._ledger.key(ctx.task_id)
        log = self._parts.logs.open(key, ctx)
        name = self._name(wish, app, standing.name)
        before = standing.live or found_there(provider, name, key)
        order = Order(provider, parcel, name, key, before, log.say, ctx.check_cancelled, wish.env)
        quote = self._quote(order)
        ctx.progress(f"Sending it to {host.title}")
        done = deliver(order, self._check(host, app, env), self._parts.boundary)
        return self._ended(ctx.task_id, app, host, order, quote, contents, done, log.close())

    def _check(self, host: Host, app: App, env: Mapping[str, str]) -> Callable[..., Verified] | None:
        if not host.checked:
            return None
        api_key = env.get("API_KEY", "") if app.spec and app.spec.api_key else ""
        visit = Visit(app.spec, only_looks=not host.here, api_key=api_key, pause=self._parts.pause)
        return lambda url, say, tick: verify(url, visit, say=say, tick=tick)

    def _ended(
        self,
        task: str,
        app: App,
        host: Host,
        order: Order,
        quote: Quote,
        contents: Contents,
        done: Delivered,
        lines: list[str],
    ) -> ActionResult:
        said = message(app, host, done, price(quote, host))
        commit = order.parcel.commit
        release = ref_of(done.release, commit, verified=done.ok and host.checked) if done.release else None
        live = done.live
        note = Entry(
            project=app.project,
            host=host,
            name=order.name,
            task=task,
            key=order.key,
            outcome=done.outcome,
            note=done.words,
            free=quote.free,
            seconds=done.seconds,
            before=order.before,
            release=release,
            contents=contents,
        ).to_json()
        if done.known:
            note["live"] = live
        if done.ok and host.checked and done.release:
            self._tag(app.project, host, done.release, order.parcel.commit)
        return ActionResult(
            done.ok,
            said,
            self._data(app, host, order, done, said, lines),
            notes=(Note("deployment_logged", note),),
            breached=not done.ok,
            error=done.error,
            keep=not done.ok and not done.cancelled,
            release=self._moment(host, order.name, order.before, live) if done.known else None,
        )

    def _quote(self, order: Order) -> Quote:
        try:
            return order.provider.quote(order.parcel, order.name)
        except AppError:
            return UNKNOWN

    def _data(self, app: App, host: Host, order: Order, done: Delivered, said: str, lines: list[str]) -> dict[str, Any]:
        release = done.release
        data: dict[str, Any] = {
            "provider": host.name,
            "name": order.name,
            "deployment": order.key,
            "outcome": done.outcome,
            "headline": said,
            "log": lines[-40:],
            "files_sent": len(order.parcel.files),
            **app.facts(),
        }
        if release is not None:
            shown = {"url": release.url, "link": release.url, "release": release.id, **app.addresses(release.url)}
            data |= shown if host.checked else {"url": release.url, "path": release.details.get("path", "")}
        if done.ok and app.spec and app.spec.api_key and host.checked:
            data["headline"] += f". Its key is in `{self._parts.secrets.path}`"
        if not done.ok:
            data["lines"] = telling_lines(lines)
            if done.outcome == "wrong" and order.before is None:
                data["offer"] = {"intent": "take_down_app", "project": app.project, "provider": host.name}
        return data

    def _moment(self, host: Host, name: str, before: Any, after: Any) -> dict[str, Any]:
        return {"provider": host.name, "name": name, "before": before, "after": after}

    def _tag(self, project: str, host: Host, release: Release, commit: str) -> None:
        """`deploy/<host>/<time>`; the time is that of the release, so that it is the same after a crash."""
        at = re.sub(r"[^0-9TZ]+", "", release.created or self._parts.clock())
        self._parts.git.open(project).tag(f"deploy/{host.name}/{at}", commit)

    def look_back(self, standing: Standing, target: Target, ctx: ActionContext) -> Inspection:
        """What going back to a release, or offline, means; the card that asks for a credential if one is missing."""
        host = host_named(self._hosts, standing.provider)
        missing = None if ctx.drafting else self._missing(host)
        return missing or look_back(host, standing, target, drafting=ctx.drafting)

    def go_back(self, standing: Standing, target: Target, ctx: ActionContext) -> ActionResult:
        host = host_named(self._hosts, standing.provider)
        return self._way_back.go(host, self._provider(host), standing, target, ctx)

    def is_here(self, provider: str) -> bool:
        """Whether a host is on this machine, so that nobody else is concerned."""
        return host_named(self._hosts, provider).here

    def standing(self, project: str, provider: str | None, *, live: bool = True) -> Standing:
        return self._ledger.online(project, provider, live=live)

    def standing_at(self, project: str, provider: str) -> Standing:
        return self._ledger.standing(project, provider)

    def overview(self, project: str | None = None) -> dict[str, Any]:
        return self._ledger.overview(project, self._hosts.forgot)

    def export(self, name: str) -> Path:
        """A zip that was made, by its name. Raises NotFound."""
        path = self._parts.exports / name
        if Path(name).name != name or not path.is_file():
            raise NotFound(f"There is no export `{name}`", hint="`GET /deployments` lists what was made")
        return path

    def log(self, deployment_id: str) -> dict[str, Any]:
        """What was done and what the host printed."""
        entry = self._ledger.entry(deployment_id)
        lines = self._parts.logs.read(str(entry.get("id") or entry.get("key") or ""))
        return {
            "deployment": entry,
            "lines": lines,
            "matters": telling_lines(lines) if not entry.get("success") else [],
        }


@contextmanager
def kept_if_it_fails() -> Iterator[None]:
    """What cannot be put online now stays queued, unless the call itself is wrong."""
    try:
        yield
    except AppError as error:
        error.stays_queued = not isinstance(error, BadInput)
        raise


def _identity(plan: Plan, wish: Wish) -> str:
    sums = hashlib.sha256()
    for path, data in plan.contents.files.items():
        sums.update(path.encode() + b"\0" + hashlib.sha256(data).digest())
    told = [plan.host.name, plan.name, plan.quote.price, str(plan.unproven), str((plan.live or {}).get("id"))]
    told += [f"{name}={wish.env.get(name, '')}" for name in plan.env]
    sums.update("\0".join(told).encode())
    return sums.hexdigest()
