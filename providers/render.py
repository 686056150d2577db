"""Render: sites and apps with a server of their own, from a Git repository or a container image."""

import time
from collections.abc import Callable
from dataclasses import replace

from contracts.deployments import Account, Parcel, Place, Quote, Release, ReleaseState, Say, Tick
from contracts.errors import BadInput, NotFound
from contracts.words import counted
from providers import render_fit
from providers.parcels import place_name
from providers.render_api import Json, RenderApi, inner
from providers.render_marks import Marks
from providers.render_shipping import Shipping
from providers.render_waiting import FAILED, LIVE, REPLACED, WHY, Waiting
from providers.render_workspace import Workspace, is_suspended

RENDER_URL = "https://api.render.com/v1"
FREE_HOURS = 750
"""Of all free apps of a workspace together, in a month."""
STATES = {LIVE: ReleaseState.LIVE, REPLACED: ReleaseState.REPLACED, **dict.fromkeys(FAILED, ReleaseState.FAILED)}
WORDS = {
    ReleaseState.LIVE: "It is live",
    ReleaseState.REPLACED: "Another release took its place",
    ReleaseState.BUILDING: "Render is working on it",
}


class Render:
    """One API key, in one workspace. Threads may share it."""

    name = "render"
    title = "Render"

    def __init__(
        self,
        api_key: str,
        *,
        owner: str = "",
        base_url: str = RENDER_URL,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises Unauthorized for a text that can be no key. Nothing is sent yet."""
        self._api = RenderApi(api_key, base_url, pause)
        self._workspace = Workspace(self._api, owner)
        self._shipping = Shipping(self._api, self._workspace)
        self._waiting = Waiting(self._api, clock)

    def close(self) -> None:
        self._api.line.close()

    def check(self) -> Account:
        found, clean = self._workspace.about(), self._api.line.clean
        return Account(clean(found.get("email") or found.get("name")), clean(found.get("name") or ""))

    def places(self) -> list[Place]:
        return [self._place(service) for service in self._workspace.services()]

    def _place(self, service: Json) -> Place:
        url = "" if is_suspended(service) else self._workspace.address(service)
        return Place("render", str(service["id"]), str(service.get("name")), url, self._workspace.is_ours(service))

    def unfit(self, parcel: Parcel) -> str:
        return render_fit.unfit(parcel)

    def quote(self, parcel: Parcel, name: str) -> Quote:
        service = self._workspace.service(name)
        if service is not None:
            self._workspace.must_be_ours(service, parcel.project)
        static = render_fit.service_type(parcel) == "static_site"
        plan = self._api.line.clean(inner(service or {}, "serviceDetails").get("plan") or "free")
        free = static or plan == "free"
        address = self._workspace.address(service) if service else f"https://{place_name(name)}.onrender.com"
        shown = "all pages of the site" if static else "what the app shows; its code stays hidden"
        return Quote(
            free=free,
            price="free tier, no cost expected" if free else f"the plan `{plan}` that was chosen for it on Render",
            standing="" if static else self._standing(),
            public=f"Everybody can open {address} (or a similar address that Render gives it) and see {shown}",
            warnings=render_fit.warnings(parcel, free=free),
        )

    def _standing(self) -> str:
        services = [one for one in self._workspace.services() if not is_suspended(one)]
        free = [one for one in services if inner(one, "serviceDetails").get("plan") == "free"]
        return f"{counted(len(free), 'free app')} so far; all share {FREE_HOURS} free hours a month in this workspace"

    def ship(self, parcel: Parcel, name: str, key: str, *, say: Say, tick: Tick) -> Release:
        if words := self.unfit(parcel):
            raise BadInput(words, hint="Nothing was sent")
        tick()
        service = self._shipping.own_service(parcel, name, key, say, tick)
        tick()
        if id := self._shipping.with_key(service, key):
            say("Render has it; looking what became of it")
        else:
            id = self._shipping.send(service, parcel, key, say, tick)
        release = self._arrived(service, id, key, say, tick)
        if parcel.commit and release.commit and release.commit != parcel.commit:
            # A new service begins with the newest commit of its branch, and Render may say late which one that was.
            say("Render built another commit than this one; asking for the right one")
            id = self._shipping.send(service, parcel, key, say, tick)
            release = self._arrived(service, id, key, say, tick)
        return release

    def _arrived(self, service: Json, id: str, key: str, say: Say, tick: Tick) -> Release:
        self._shipping.keep_key(service, id, key)
        deploy = self._waiting.until_live(self._workspace.id, str(service["id"]), id, say, tick)
        release = replace(self._release(service, deploy), key=key)
        if release.state is ReleaseState.LIVE:
            say(f"It is live at {release.url}")
        return release

    def find(self, name: str, key: str) -> Release | None:
        service = self._workspace.service(name)
        id = self._shipping.with_key(service, key) if service else ""
        deploy = self._api.deploy(str(service["id"]), id) if service and id else None
        return replace(self._release(service, deploy), key=key) if service and deploy else None

    def live(self, name: str) -> Release | None:
        service = self._workspace.service(name)
        if service is None or is_suspended(service):
            return None
        found = self._api.deploys(str(service["id"]), limit=1, status=LIVE)
        return self._release(service, found[0], self._workspace.marks(service)) if found else None

    def releases(self, name: str, limit: int = 20) -> list[Release]:
        service = self._workspace.service(name)
        if service is None:
            return []
        marks = self._workspace.marks(service)
        return [self._release(service, one, marks) for one in self._api.deploys(str(service["id"]), limit=limit)]

    def bring_back(self, name: str, release: Release, key: str, *, say: Say, tick: Tick) -> Release:
        service = self._workspace.service(name)
        known = service is not None and service["id"] == release.place
        deploy = self._api.deploy(release.place, release.id, tick) if known else None
        if service is None or deploy is None or deploy.get("status") in FAILED:
            raise NotFound("Render does not have that release any more", hint="Deploy that version of the app anew")
        self._workspace.must_be_ours(service)
        if deploy.get("status") == LIVE:
            return self._release(service, deploy, self._workspace.marks(service))
        id = self._shipping.with_key(service, key) or self._shipping.bring_back(service, deploy, key, say, tick)
        return self._arrived(service, id, key, say, tick)

    def repository_of(self, name: str) -> str:
        """What the service of this name is built from; empty if there is none, or none that is built."""
        service = self._workspace.service(name)
        return str((service or {}).get("repo") or "")

    def take_down(self, name: str) -> None:
        service = self._workspace.service(name)
        if service is not None:
            self._workspace.must_be_ours(service)
            self._api.delete(str(service["id"]))

    def log(self, release: Release, limit: int = 500) -> list[str]:
        deploy = self._api.deploy(release.place, release.id)
        return self._waiting.lines(self._workspace.id, release.place, deploy)[-limit:] if deploy else []

    def _release(self, service: Json, deploy: Json, marks: Marks | None = None) -> Release:
        status, id = str(deploy.get("status")), str(deploy["id"])
        state = STATES.get(status, ReleaseState.BUILDING)
        return Release(
            provider="render",
            id=id,
            place=str(service["id"]),
            url=self._workspace.address(service),
            state=state,
            commit=str(inner(deploy, "commit").get("id") or ""),
            key=marks.keys.get(id, "") if marks else "",
            created=str(deploy.get("createdAt") or ""),
            words=WHY.get(status) or WORDS[state],
            details={"name": service.get("name"), "page": service.get("dashboardUrl") or ""},
        )
