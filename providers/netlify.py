"""Netlify: static sites from files, each known by its SHA-1, so that only what is new is sent."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from urllib.parse import parse_qs, urlencode

from contracts.deployments import Account, Parcel, Place, Quote, Release, ReleaseState, Say, Tick
from contracts.errors import AppError, BadInput, Failed, NotFound, Unavailable
from contracts.times import parse, stamp
from contracts.words import counted
from providers.netlify_api import Json, NetlifyApi, is_taken, taken
from providers.once import make_once
from providers.parcels import digest, place_name, site_files, site_folder
from providers.uploads import in_parallel

NETLIFY_URL = "https://api.netlify.com/api/v1"
MARK = "task-agent"
"""How the title of a deployment of ours begins; its key, commit and project follow."""
AT_ONCE = 5
SCHEDULE = ((15.0, 1.0), (120.0, 5.0))
LONGEST = 30 * 60.0
PUBLISHED_AFTER = 10.0
"""Seconds in which a deployment that is ready is published by itself."""
WANTS_FILES = {"prepared", "uploading"}
FAILED = {"error", "rejected"}
FREE_PLANS = {"", "free", "starter"}
CREDITS = 300
A_DEPLOY = 15
PAUSED = (
    f"The free plan of Netlify has {CREDITS} credits a month, of which each deployment takes {A_DEPLOY} and visitors "
    "take some. Once they are used up, Netlify shows none of the account's sites until the next month"
)


class Netlify:
    """One token. Threads may share it."""

    name = "netlify"
    title = "Netlify"

    def __init__(
        self,
        token: str,
        *,
        base_url: str = NETLIFY_URL,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises Unauthorized for a text that can be no token. Nothing is sent yet."""
        self._api = NetlifyApi(token, base_url, pause)
        self._clock = clock

    def close(self) -> None:
        self._api.line.close()

    def check(self) -> Account:
        user = self._api.user()
        return Account(str(user.get("email") or user.get("full_name") or user.get("id") or ""))

    def places(self) -> list[Place]:
        return [
            Place("netlify", str(site["id"]), str(site.get("name")), _address(site), self._is_ours(site))
            for site in self._api.sites()
        ]

    def unfit(self, parcel: Parcel) -> str:
        if parcel.framework not in ("", "static"):
            return "Netlify shows pages as they are and runs no app of this kind. Vercel or Render can run it"
        if site_folder(parcel.files) is None:
            return "It has no `index.html`, which visitors would see first"
        odd = [path for path in site_files(parcel) if "#" in path or "?" in path]
        if odd:
            return f"Netlify takes no file with `#` or `?` in its name, such as `{odd[0]}`"
        return ""

    def quote(self, parcel: Parcel, name: str) -> Quote:
        site = self._site(name)
        if site:
            self._must_be_free(site, parcel.project)
        plans = [str(account.get("type_name") or "") for account in self._api.accounts()]
        free = all(plan.lower() in FREE_PLANS for plan in plans)
        address = _address(site) if site else f"https://{place_name(name)}.netlify.app"
        price = f"free tier, no cost expected; takes {A_DEPLOY} of {CREDITS} credits of this month"
        count = counted(len(site_files(parcel)), "file")
        return Quote(
            free=free,
            price=price if free else f"{A_DEPLOY} credits of the {self._api.line.clean(plans[0])} plan of this account",
            standing=self._standing(site),
            public=f"Everybody can open {address} and see all {count} of the site",
            warnings=(PAUSED,) if free else (),
        )

    def _standing(self, site: Json | None) -> str:
        now = datetime.now(UTC)
        since = stamp(now - timedelta(days=30))
        recent = self._api.deploys(str(site["id"]), limit=100) if site else []
        made = sum(str(deploy.get("created_at") or "") > since for deploy in recent)
        used = f"{counted(made, 'deployment')} of this site in the last 30 days ({made * A_DEPLOY} credits)"
        return f"{used}, as of {now:%H:%M} UTC; other sites of the account use the same credits"

    def ship(self, parcel: Parcel, name: str, key: str, *, say: Say, tick: Tick) -> Release:
        if words := self.unfit(parcel):
            raise BadInput(words, hint="Nothing was sent")
        site = self._own_site(parcel, place_name(name), say, tick)
        files = site_files(parcel)
        place = str(site["id"])
        before = self._with_key(place, key, tick)
        if before:
            say("It was sent to Netlify before; looking what became of it")
            deploy = self._api.deploy(str(before["id"]), tick) or before
            if deploy.get("published_at") and _published(site).get("id") != deploy["id"]:
                return _release(site, deploy)
        else:
            say(f"Telling Netlify about {counted(len(files), 'file')}")
            deploy = self._post(parcel, files, place, key, tick)
        self._upload(deploy, files, say, tick)
        return self._until_live(place, str(deploy["id"]), say, tick)

    def find(self, name: str, key: str) -> Release | None:
        site = self._site(name)
        found = self._with_key(str(site["id"]), key) if site else None
        return _release(site, found) if site and found else None

    def live(self, name: str) -> Release | None:
        site = self._site(name)
        published = _published(site) if site else {}
        return _release(site, published) if site and published else None

    def releases(self, name: str, limit: int = 20) -> list[Release]:
        site = self._site(name)
        found = self._api.deploys(str(site["id"]), limit) if site else []
        return [_release(site, deploy) for deploy in found if site]

    def bring_back(self, name: str, release: Release, key: str, *, say: Say, tick: Tick) -> Release:
        site = self._site(name)
        deploy = self._api.deploy(release.id, tick) if site else None
        if not site or not deploy or deploy.get("state") != "ready":
            raise NotFound("Netlify does not have that release any more", hint="Deploy that version of the site anew")
        if not self._is_ours(site):
            raise taken(str(site.get("name")))
        if _published(site).get("id") != release.id:
            say("Bringing that release back on Netlify; nothing is sent anew")
            self._api.restore(str(site["id"]), release.id)
        return self._until_live(str(site["id"]), release.id, say, tick)

    def take_down(self, name: str) -> None:
        site = self._site(name)
        marks = self._marks(site) if site else []
        if not site or not marks:
            return
        if not any(marks):
            raise taken(str(site.get("name")))
        self._api.delete_site(str(site["id"]))

    def delete(self, release: Release) -> None:
        """Only this one, so that it cannot be brought back; nothing happens if it is gone."""
        self._api.delete_deploy(release.id)

    def log(self, release: Release, limit: int = 500) -> list[str]:
        """Netlify builds nothing of what is sent as files, so this is only what it says of the deployment."""
        deploy = self._api.deploy(release.id)
        if deploy is None:
            return []
        said = {
            "Made": deploy.get("created_at"),
            "State": deploy.get("state"),
            "Error": deploy.get("error_message"),
            "Published": deploy.get("published_at"),
        }
        return [f"{what}: {self._api.line.clean(value)}" for what, value in said.items() if value][-limit:]

    def _site(self, name: str, tick: Tick | None = None) -> Json | None:
        wanted = place_name(name)
        found = next((site for site in self._api.sites(wanted, tick) if site.get("name") == wanted), None)
        # The one that was asked for by its id is never an old copy.
        return self._api.site(str(found["id"]), tick) if found else None

    def _own_site(self, parcel: Parcel, name: str, say: Say, tick: Tick) -> Json:
        """The site of this name, made if it is not there. Raises Conflict if it is somebody else's."""
        site = self._site(name, tick)
        if site is None:
            say(f"Making the site `{name}` on Netlify")
            site = self._make_site(name, tick)
        self._must_be_free(site, parcel.project)
        return site

    def _make_site(self, name: str, tick: Tick) -> Json:
        made = make_once(
            self._api.line,
            partial(self._api.create_site, name),
            partial(self._site, name, tick),
            partial(self._api.refusal, doing="making the site"),
            tick,
            decides=is_taken,
        )
        if isinstance(made, dict):
            return made
        # A name that is taken may be taken by us: by a request whose answer was lost.
        site = made.object if made.ok else self._site(name, tick)
        if site is None:
            raise taken(name)
        return site

    def _marks(self, site: Json) -> list[dict[str, str]]:
        """What the titles of its deployments say; empty for those of others."""
        published = _mark(_published(site))
        return [published] if published else [_mark(found) for found in self._api.deploys(str(site["id"]), limit=100)]

    def _is_ours(self, site: Json) -> bool:
        return any(self._marks(site))

    def _must_be_free(self, site: Json, owner: str) -> None:
        """Raises Conflict unless it is ours for this project, or has nothing on it that could be written over."""
        marks = self._marks(site)
        if marks and owner not in {mark.get("project") for mark in marks}:
            raise taken(str(site.get("name")))

    def _with_key(self, site: str, key: str, tick: Tick | None = None) -> Json | None:
        deploys = self._api.deploys(site, tick=tick)
        return next((deploy for deploy in deploys if _mark(deploy).get("key") == key), None)

    def _post(self, parcel: Parcel, files: dict[str, bytes], site: str, key: str, tick: Tick) -> Json:
        """The deployment, with what Netlify wants to be sent of it."""
        title = f"{MARK} {urlencode({'key': key, 'commit': parcel.commit, 'project': parcel.project})}"
        digests = {f"/{path}": digest(content) for path, content in sorted(files.items())}
        made = make_once(
            self._api.line,
            partial(self._api.create_deploy, site, title, digests),
            partial(self._with_key, site, key, tick),
            partial(self._api.refusal, doing="deploying"),
            tick,
        )
        if isinstance(made, dict):
            return self._api.deploy(str(made["id"]), tick) or made
        return made.object

    def _upload(self, deploy: Json, files: dict[str, bytes], say: Say, tick: Tick) -> None:
        """What Netlify asks for, one file a digest; all of it where a deployment waits and does not say for what."""
        paths = {digest(content): path for path, content in sorted(files.items())}
        wanted = [str(sha) for sha in deploy.get("required") or []]
        if not wanted and deploy.get("state") in WANTS_FILES:
            wanted = list(paths)
        if not wanted:
            return
        if not paths.keys() >= set(wanted):
            raise Failed("Netlify asks for files that are not part of the site", hint="Try again in some minutes")
        say(f"Sending {counted(len(wanted), 'file')} that Netlify does not have yet")
        sends = [
            partial(self._api.upload, str(deploy["id"]), paths[sha], files[paths[sha]]) for sha in dict.fromkeys(wanted)
        ]
        in_parallel(sends, AT_ONCE, tick)

    def _until_live(self, site: str, id: str, say: Say, tick: Tick) -> Release:
        began, told, asked = self._clock(), "", False
        ready: float | None = None
        while True:
            tick()
            deploy = self._api.deploy(id, tick)
            if deploy is None:
                raise NotFound("Netlify does not have that deployment any more", hint="Deploy again")
            if deploy.get("state") != told:
                told = str(deploy.get("state"))
                say(f"Netlify says: {self._api.line.clean(told)}")
            if told in FAILED:
                raise self._failure(deploy)
            if told == "ready":
                found = self._api.site(site, tick) or {}
                if _published(found).get("id") == id:
                    say(f"It is live at {_address(found)}")
                    return _release(found, deploy)
                ready = self._clock() if ready is None else ready
                if not asked and self._clock() - ready > PUBLISHED_AFTER:
                    asked = True
                    say("Netlify does not publish it by itself; asking for it")
                    self._api.restore(site, id)
            self._wait_on(began, tick)

    def _wait_on(self, began: float, tick: Tick) -> None:
        elapsed = self._clock() - began
        if elapsed > LONGEST:
            raise Unavailable(
                "Netlify is still not done after half an hour", hint="It is found again when the same is tried later"
            )
        self._api.line.wait(next((every for until, every in SCHEDULE if elapsed <= until), 15.0), tick)

    def _failure(self, deploy: Json) -> AppError:
        words = self._api.line.clean(deploy.get("error_message") or "it does not say why")
        return Failed(
            f"Netlify could not put the site online: {words}",
            hint="Mend what it says, then deploy again",
            details={"release": deploy.get("id"), "lines": [words], "page": deploy.get("admin_url") or ""},
        )


def _published(site: Json) -> Json:
    found = site.get("published_deploy")
    return found if isinstance(found, dict) else {}


def _mark(deploy: Json) -> dict[str, str]:
    """What the title says of a deployment of ours; empty if it is not."""
    mark, _, rest = str(deploy.get("title") or "").partition(" ")
    return {name: values[0] for name, values in parse_qs(rest).items()} if mark == MARK else {}


def _address(site: Json) -> str:
    return str(site.get("ssl_url") or site.get("url") or "") if _published(site) else ""


def _release(site: Json, deploy: Json) -> Release:
    state, mark = _state(site, deploy), _mark(deploy)
    live = state is ReleaseState.LIVE
    own = str(deploy.get("deploy_ssl_url") or deploy.get("deploy_url") or "")
    return Release(
        provider="netlify",
        id=str(deploy["id"]),
        place=str(site["id"]),
        url=_address(site) if live else own,
        state=state,
        commit=mark.get("commit", ""),
        key=mark.get("key", ""),
        created=_moment(str(deploy.get("created_at") or "")),
        words={
            ReleaseState.LIVE: "It is live",
            ReleaseState.REPLACED: "Another release took its place",
            ReleaseState.FAILED: f"Netlify could not put it online: {deploy.get('error_message') or 'no reason given'}",
        }.get(state, "Netlify is working on it"),
        details={"name": site.get("name"), "page": deploy.get("admin_url") or ""},
    )


def _state(site: Json, deploy: Json) -> ReleaseState:
    if _published(site).get("id") == deploy["id"]:
        return ReleaseState.LIVE
    if deploy.get("state") in FAILED:
        return ReleaseState.FAILED
    if deploy.get("state") == "ready" and deploy.get("published_at"):
        return ReleaseState.REPLACED
    return ReleaseState.BUILDING


def _moment(said: str) -> str:
    try:
        return stamp(parse(said))
    except ValueError:
        return ""
