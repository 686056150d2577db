"""Puts apps online: chooses where, says first what that means, ships, tries the live address, finds the way back."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from contracts.actions import ActionContext, ActionResult, Inspection, Note
from contracts.deployments import Quote, Release
from contracts.errors import AppError, NotFound
from deploying.app import App, ProofOf, look_at
from deploying.app_secrets import AppSecrets
from deploying.choosing import AUTO, LOCAL, Host, Hosts, connected, host_named, not_online
from deploying.direct import deploy_app, deploy_to_render, deploy_to_vercel
from deploying.exporting import Export, zip_directory
from deploying.foreseeing import UNKNOWN, Foresight, Parts, Wish, kept_if_it_fails
from deploying.here import EnvironmentOf, Here
from deploying.ledger import Ledger, Standing
from deploying.loading import Loader
from deploying.log_files import LogFiles
from deploying.parcels import Contents
from deploying.shipping import Delivered, Order, deliver, found_there, ref_of
from deploying.telling import Entry, message, price, telling_lines
from deploying.verifying import Verified, Visit, verify
from deploying.way_back import Target, WayBack, look_back

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


class DeploymentManager:
    """Threads may share it; steps of one project come one after the other."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._hosts = parts.hosts
        self._loader = Loader(parts.git, parts.secrets)
        self._ledger = Ledger(parts.memory)
        self._foresight = Foresight(parts, self._loader, self._ledger)
        self._way_back = WayBack(self._loader, parts.logs, parts.boundary)

    def inspect(self, wish: Wish, ctx: ActionContext) -> Inspection:
        """What putting the app there means, before anything happens. Raises AppError if it cannot be."""
        return self._foresight.inspect(wish, ctx)

    def not_online(self, project: str) -> str:
        """Why the app would run on this machine if it were to be online; empty if it would not."""
        return self._foresight.not_online(project)

    def deploy(self, wish: Wish, ctx: ActionContext) -> ActionResult:
        """Put it there, or find out what became of it after a crash: the same task never ships twice."""
        with kept_if_it_fails():
            return self._deploy(wish, ctx)

    def _deploy(self, wish: Wish, ctx: ActionContext) -> ActionResult:
        app = look_at(ctx.project, ctx.files, self._parts.proof_of(ctx.project))
        choice = self._foresight.choice(wish, app, ctx)
        if choice.name == LOCAL:
            self._foresight.refuse_here(app)
            return self._parts.here.show(app, ctx)
        host = host_named(self._hosts, choice.name)
        provider = self._foresight.provider(host)
        self._foresight.refuse(app, host, wish)
        ctx.progress("Packing the files")
        commit, contents = self._loader.committed(app.project, ctx.files)
        env = self._loader.env(app, ctx.files, wish.env)
        parcel = self._loader.parcel(app, commit, contents, env)
        standing = self._ledger.standing(app.project, host.name)
        key = self._ledger.key(ctx.task_id)
        log = self._parts.logs.open(key, ctx)
        name = self._foresight.name(wish, app, standing.name)
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
        missing = None if ctx.drafting else self._foresight.missing(host)
        return missing or look_back(host, standing, target, drafting=ctx.drafting)

    def go_back(self, standing: Standing, target: Target, ctx: ActionContext) -> ActionResult:
        host = host_named(self._hosts, standing.provider)
        return self._way_back.go(host, self._foresight.provider(host), standing, target, ctx)

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
