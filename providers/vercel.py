"""Vercel: static sites and Flask apps from files, each known by its SHA-1, so that only what is new is sent."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from contracts.deployments import Account, Parcel, Place, Quote, Release, Say, Tick
from contracts.errors import BadInput, NotFound, TooLarge, Unauthorized
from contracts.words import counted
from providers import vercel_fit, vercel_releases
from providers.http import Answer
from providers.parcels import place_name
from providers.vercel_api import Json, VercelApi
from providers.vercel_releases import inner, production, state_of
from providers.vercel_shipping import Shipping
from providers.vercel_waiting import Waiting
from providers.vercel_words import TOKEN_PAGE, event_line, taken

VERCEL_URL = "https://api.vercel.com"
PER_DAY = 100
"""Deployments on the free plan."""
DAY = 24 * 60 * 60


class Vercel:
    """One token, in the scope of one team if one is named. Threads may share it."""

    name = "vercel"
    title = "Vercel"

    def __init__(
        self,
        token: str,
        *,
        team: str = "",
        base_url: str = VERCEL_URL,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        most_bytes: int = vercel_fit.UPLOAD_BYTES,
        most_files: int = vercel_fit.UPLOAD_FILES,
    ) -> None:
        """Raises Unauthorized for a text that can be no token. Nothing is sent yet."""
        self._api = VercelApi(token, team, base_url, pause)
        self._shipping = Shipping(self._api)
        self._waiting = Waiting(self._api, clock)
        self._team = team
        self._limits = (most_bytes, most_files)

    def close(self) -> None:
        self._api.line.close()

    def check(self) -> Account:
        user = self._api.user()
        who = str(user.get("username") or user.get("email") or user.get("id") or "")
        if not self._team:
            return Account(who)
        team = self._find_team()
        return Account(who, str(team.get("slug") or team.get("name") or self._team))

    def _find_team(self) -> Json:
        teams = self._api.teams()
        for team in teams:
            if self._team in (team.get("id"), team.get("slug")):
                return team
        known = ", ".join(f"`{self._api.line.clean(team.get('slug'))}`" for team in teams) or "none"
        raise Unauthorized(
            f"The token does not work for the Vercel team `{self._api.line.clean(self._team)}`",
            hint=f"It works for these teams: {known}. Name one of them or none, or make another token at {TOKEN_PAGE}",
        )

    def places(self) -> list[Place]:
        projects = self._api.projects()
        return [vercel_releases.place(self._api.line, p, ours=self._shipping.is_ours(p)) for p in projects]

    def unfit(self, parcel: Parcel) -> str:
        return vercel_fit.unfit(parcel, *self._limits)

    def quote(self, parcel: Parcel, name: str) -> Quote:
        project = self._project(name)
        if project and not self._shipping.is_ours(project, parcel.project):
            raise taken(place_name(name))
        plan = self._plan(project or {})
        free = plan == "hobby"
        address = vercel_releases.address(self._api.line, project or {}) or f"https://{place_name(name)}.vercel.app"
        count = len(vercel_fit.sent_files(parcel))
        static = vercel_fit.framework(parcel) == "static"
        shown = f"all {counted(count, 'file')} of the site" if static else "what the app shows; its code stays hidden"
        return Quote(
            free=free,
            price="free tier, no cost expected" if free else f"part of the {plan.title()} plan of this account",
            standing=self._standing(free),
            public=f"Everybody can open {address} (or a similar address that Vercel gives it) and see {shown}",
            warnings=vercel_fit.warnings(parcel, free=free),
        )

    def _plan(self, project: Json) -> str:
        """As the live deployment or the team says; free unless something else is said."""
        team = self._find_team() if self._team else {}
        told = production(project).get("plan") or inner(team, "billing").get("plan")
        return self._api.line.clean(told or "hobby")

    def _standing(self, free: bool) -> str:
        now = datetime.now(UTC)
        since = int((now.timestamp() - DAY) * 1000)
        used = len(self._api.deployments(since=since, limit=3 * PER_DAY))
        of = f"{used} of {PER_DAY} free deployments" if free else counted(used, "deployment")
        return f"{of} made in the last 24 hours, as of {now:%H:%M} UTC"

    def ship(self, parcel: Parcel, name: str, key: str, *, say: Say, tick: Tick) -> Release:
        self._must_fit(parcel)
        project = self._shipping.own_project(parcel, place_name(name), say, tick)
        place = str(project["id"])
        if found := self._shipping.with_key(project, key):
            say("It was sent to Vercel before; looking what became of it")
            return self._waiting.until_live(place, str(found["uid"]), say, tick)
        if parcel.env:
            say(f"Setting {counted(len(parcel.env), 'variable')} of the app on Vercel")
            self._api.set_variables(place, parcel.env)
        tick()
        id = self._shipping.send(parcel, project, key, say, tick)
        return self._waiting.until_live(place, id, say, tick)

    def _must_fit(self, parcel: Parcel) -> None:
        if words := vercel_fit.too_large(parcel, *self._limits):
            raise TooLarge(words, hint="Leave large files out of the project, or choose another host")
        if words := self.unfit(parcel):
            raise BadInput(words, hint="Nothing was sent")

    def find(self, name: str, key: str) -> Release | None:
        project = self._project(name)
        found = self._shipping.with_key(project, key) if project else None
        return self._release(project, found) if project and found else None

    def live(self, name: str) -> Release | None:
        project = self._project(name)
        return self._release(project, production(project)) if project and production(project) else None

    def releases(self, name: str, limit: int = 20) -> list[Release]:
        project = self._project(name)
        found = self._api.deployments(project=str(project["id"]), limit=limit) if project else []
        return [self._release(project, deployment) for deployment in found if project]

    def bring_back(self, name: str, release: Release, key: str, *, say: Say, tick: Tick) -> Release:
        project = self._project(name)
        deployment = self._api.deployment(release.id, tick) if project else None
        if not project or not deployment or state_of(deployment) != "READY":
            raise NotFound("Vercel does not have that release any more", hint="Deploy that version of the app anew")
        if not self._shipping.is_ours(project):
            raise taken(str(project["name"]))
        place, live = str(project["id"]), production(project)
        if live.get("id") != release.id:
            say("Bringing that release back on Vercel; nothing is built anew")
            older = int(deployment.get("createdAt") or 0) < int(live.get("createdAt") or 0)
            self._accept(self._point(place, release.id, older))
            self._waiting.until_pointed(place, release.id, tick)
        return self._waiting.until_live(place, release.id, say, tick)

    def _point(self, place: str, id: str, older: bool) -> Answer:
        """Roll back to an older one, promote a newer one."""
        if older:
            answer = self._api.roll_back(place, id)
            # Free plans go back by one release only; promoting has no such limit.
            if answer.status not in {402, 409, 422}:
                return answer
        return self._api.promote(place, id)

    def _accept(self, answer: Answer) -> None:
        if not answer.ok:
            raise self._api.refusal(answer, "making that release the live one")

    def take_down(self, name: str) -> None:
        project = self._project(name)
        if project is None:
            return
        if not self._shipping.is_ours(project):
            raise taken(str(project["name"]))
        self._api.delete_project(str(project["id"]))

    def delete(self, release: Release) -> None:
        """Only this one, so that it cannot be brought back; nothing happens if it is gone."""
        self._api.delete_deployment(release.id)

    def log(self, release: Release, limit: int = 500) -> list[str]:
        lines = [text for _, text, _ in map(event_line, self._api.events(release.id)) if text.strip()]
        return [self._api.line.clean(text) for text in lines[-limit:]]

    def _project(self, name: str) -> Json | None:
        return self._api.project(place_name(name))

    def _release(self, project: Json, deployment: Json) -> Release:
        return vercel_releases.release(self._api.line, project, deployment)
