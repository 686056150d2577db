"""What putting an app somewhere means, before anything happens: where it goes, what it costs, what forbids it."""

import hashlib
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from context_manager import ContextManager
from contracts.actions import ActionContext, Inspection
from contracts.deployments import Quote
from contracts.errors import AppError, BadInput, Conflict, NotReady, TooMany, Unauthorized, Unavailable
from contracts.trust import Effect
from deploying.app import App, ProofOf, look_at
from deploying.app_secrets import AppSecrets
from deploying.choosing import AUTO, LOCAL, Choice, Host, Hosts, choose, host_named, not_online, where_it_is
from deploying.here import Here
from deploying.ledger import Ledger
from deploying.loading import Loader
from deploying.log_files import LogFiles
from deploying.parcels import Contents
from deploying.shipping import found_there
from deploying.telling import Plan, card_facts, card_notes, price
from git_manager import GitManager
from providers.base import Provider

OUTWARD = frozenset({Effect.NETWORK, Effect.PUBLISH})
LONGEST_NAME = 50
WORST = "Others see something that does not work, until it is set back"
ELSEWHERE = "Name another host, or none: then I choose one that can run it (`provider: auto`)"
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


class Foresight:
    """Looks and asks, and changes nothing."""

    def __init__(self, parts: Parts, loader: Loader, ledger: Ledger) -> None:
        self._parts = parts
        self._hosts = parts.hosts
        self._loader = loader
        self._ledger = ledger

    def inspect(self, wish: Wish, ctx: ActionContext) -> Inspection:
        """What putting the app there means, before anything happens. Raises AppError if it cannot be."""
        if ctx.drafting:
            return self._foreseen(wish, ctx)
        with kept_if_it_fails():
            return self._inspected(wish, ctx)

    def _inspected(self, wish: Wish, ctx: ActionContext) -> Inspection:
        app = look_at(ctx.project, ctx.files, self._parts.proof_of(ctx.project))
        choice = self.choice(wish, app, ctx)
        if choice.name == LOCAL:
            self.refuse_here(app)
            return Inspection(settled={"provider": LOCAL}, notes=(choice.why,) if choice.why else ())
        host = host_named(self._hosts, choice.name)
        if missing := self.missing(host):
            self._refuse_unfit(host, app, self._loader.now(app.project, ctx.files))
            return missing
        plan = self._plan(host, choice.why, wish, app, ctx)
        return plan if isinstance(plan, Inspection) else self._inspection(plan, wish)

    def not_online(self, project: str) -> str:
        """Why the app would run on this machine if it were to be online; empty if it would not."""
        return not_online(self._hosts, self._parts.memory.places(project))

    def _foreseen(self, wish: Wish, ctx: ActionContext) -> Inspection:
        """What can be said while the app may not even be written."""
        if wish.provider == AUTO:
            why = self.not_online(ctx.project)
            return Inspection(notes=(why,) if why else ())
        if wish.provider == LOCAL:
            return Inspection()
        host = host_named(self._hosts, wish.provider)
        app = look_at(ctx.project, ctx.files, None)
        if app.record is not None and host.checked:
            self._refuse_unfit(host, app, self._loader.drafted(ctx.files))
        words = f"It goes to {host.title}" + ("" if host.here else "; I show you what that means before it happens")
        return Inspection(
            effects=frozenset() if host.here else OUTWARD, notes=(words,), worst="" if host.here else WORST
        )

    def choice(self, wish: Wish, app: App, ctx: ActionContext) -> Choice:
        if wish.provider != AUTO:
            return Choice(wish.provider, "you asked for it" if wish.provider != LOCAL else "")
        if why := self.not_online(app.project):
            return Choice(LOCAL, why)
        if not app.served:
            return Choice(LOCAL, "It has nothing to open in a browser, so it stays on this machine")
        if there := where_it_is(self._hosts, self._parts.memory.places(app.project)):
            return there
        contents = self._loader.now(app.project, ctx.files)
        return choose(self._hosts, self._loader.parcel(app, "", contents, {}), self.name(wish, app, ""))

    def missing(self, host: Host) -> Inspection | None:
        """The card that asks for a credential, if the host cannot be used without one."""
        if host.here or self._hosts.connect(host.name) is not None:
            return None
        return self._waits(host, f"{host.title} is not connected yet")

    def _refuse_unfit(self, host: Host, app: App, contents: Contents) -> None:
        """Nobody waits for a build or fetches a credential for a host that could not run the app."""
        parcel = self._loader.parcel(app, "", contents, {})
        pushed = replace(parcel, repository=parcel.repository or "https://git.example/not-yet")
        if unfit := self._hosts.unfit(host.name, pushed):
            raise Conflict(f"`{app.project}` cannot go to {host.title}: {unfit}", hint=ELSEWHERE)

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
        provider = self.provider(host)
        self.refuse(app, host, wish)
        contents = self._loader.now(app.project, ctx.files)
        env = self._loader.env(app, ctx.files, wish.env)
        parcel = self._loader.parcel(app, "", contents, env)
        if unfit := provider.unfit(parcel):
            raise Conflict(f"`{app.project}` cannot go to {host.title}: {unfit}", hint=ELSEWHERE)
        standing = self._ledger.standing(app.project, host.name)
        name = self.name(wish, app, standing.name)
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

    def refuse_here(self, app: App) -> None:
        if app.record is not None:
            app.refuse_unproven()

    def refuse(self, app: App, host: Host, wish: Wish) -> None:
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

    def provider(self, host: Host) -> Provider:
        provider = self._hosts.connect(host.name)
        if provider is None:
            raise NotReady(f"{host.title} is not connected", hint=str(self._hosts.remedy(host.name)["remedy"]))
        return provider

    def name(self, wish: Wish, app: App, known: str) -> str:
        """The name at the host: as asked for, else as it is there already, else after the project."""
        plain = re.sub(r"[^a-z0-9]+", "-", (wish.name or known or app.project).lower()).strip("-")
        return plain[:LONGEST_NAME].strip("-") or "app"


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
