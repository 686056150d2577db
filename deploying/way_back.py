"""Going back: an earlier release becomes the live one again, or the place goes offline."""

import time
from collections.abc import Mapping
from typing import Any

from contracts.actions import ActionContext, ActionResult, Inspection, Note
from contracts.deployments import Parcel
from contracts.times import parse
from contracts.trust import Effect
from deploying.app import look_at
from deploying.choosing import Host
from deploying.ledger import Standing
from deploying.loading import Loader
from deploying.log_files import LogFiles
from deploying.shipping import Boundary, Order, Ref, return_to
from deploying.telling import Entry
from providers.base import Provider

Target = Mapping[str, Any] | None
"""A release as memory keeps it; None: nothing is there afterwards."""
GONE_FOR_GOOD = "Visitors find nothing there any more, and what only the host had, such as data, is gone for good"


def look_back(host: Host, standing: Standing, target: Target, *, drafting: bool) -> Inspection:
    """What going back means, before it happens."""
    where = f"`{standing.name}` on {host.title}"
    now = f"visitors see {standing.live['url']} now" if standing.live else "nothing is there now"
    if target is None:
        words = f"{where} goes offline; {now}"
    else:
        words = f"{where} shows {_named(standing, target)} again; {now}"
    effects = frozenset({Effect.NETWORK, *([Effect.PUBLISH] if target else [])})
    return Inspection(
        effects=frozenset() if host.here else effects,
        notes=(words,),
        facts={"summary": words, "provider": host.name, "target": host.title},
        settled={} if drafting else {"provider": host.name},
        identity=f"{host.name} {standing.name} {(standing.live or {}).get('id')} {(target or {}).get('id')}",
        verified=bool((target or {}).get("verified", target is None)),
        ask="" if host.here or target else GONE_FOR_GOOD,
    )


def _named(standing: Standing, target: Mapping[str, Any]) -> str:
    """A release as people know it: by when it was put there, as clocks on this machine say."""
    known = (release.get("at") for release in (target, *standing.releases) if release["id"] == target["id"])
    at = next(filter(None, known), None)
    return f"the release of {parse(at).astimezone():%Y-%m-%d %H:%M}" if at else "an earlier release"


class WayBack:
    def __init__(self, loader: Loader, logs: LogFiles, boundary: Boundary) -> None:
        self._loader = loader
        self._logs = logs
        self._boundary = boundary

    def go(
        self, host: Host, provider: Provider, standing: Standing, target: Target, ctx: ActionContext
    ) -> ActionResult:
        """Make the place what it once was; after a crash it is simply done again."""
        began = time.monotonic()
        log = self._logs.open(ctx.task_id, ctx)
        nothing = Parcel(ctx.project, "", {})
        order = Order(provider, nothing, standing.name, ctx.task_id, standing.live, log.say, ctx.check_cancelled)
        try:
            live = return_to(order, target, lambda ref: self._parcel(ctx, ref), self._boundary)
        finally:
            log.close()
        outcome = "brought back" if live else "taken down"
        where = f"`{standing.name}` on {host.title}"
        said = f"{where} shows an earlier release again, at {live['url']}" if live else f"{where} is offline now"
        entry = Entry(
            project=ctx.project,
            host=host,
            name=standing.name,
            task=ctx.task_id,
            key=ctx.task_id,
            outcome=outcome,
            note=said,
            free=True,
            seconds=time.monotonic() - began,
            before=standing.live,
            release=live,
        )
        data = {"provider": host.name, "name": standing.name, "outcome": outcome}
        if live and host.checked:
            data |= {"url": live["url"], "link": live["url"]}
        return ActionResult(
            True,
            said,
            data,
            notes=(Note("deployment_logged", {**entry.to_json(), "live": live}),),
            release={"provider": host.name, "name": standing.name, "before": standing.live, "after": live},
        )

    def _parcel(self, ctx: ActionContext, ref: Ref) -> Parcel:
        """The files of an earlier commit, with the variables that its app had then."""
        app = look_at(ctx.project, ctx.files, None)
        env = self._loader.env(app, ctx.files, ref.get("env") or {})
        commit = str(ref["commit"])
        return self._loader.parcel(app, commit, self._loader.at(ctx.project, commit), env)
