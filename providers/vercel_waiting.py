"""Waiting for Vercel: until a deployment is built and has its public address, until an address was moved."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from contracts.deployments import Release, ReleaseState, Say, Tick
from contracts.errors import AppError, Failed, NotFound, Unavailable
from providers.http import LineCut
from providers.vercel_api import Json, VercelApi
from providers.vercel_releases import has_failed, inner, production, release, state_of
from providers.vercel_words import alias_failure, build_failure, event_line, telling

SCHEDULE = ((15.0, 1.0), (60.0, 5.0), (300.0, 15.0))
"""Until so many seconds have passed, ask every so many; then every 30. As Vercel's own client does it."""
LONGEST = 60 * 60.0
UNASSIGNED = 60.0
"""Seconds after which a deployment that is built and has no public address is given it by asking."""
STATES = {
    "QUEUED": "It waits in Vercel's queue",
    "INITIALIZING": "Vercel begins",
    "BUILDING": "Vercel builds it",
    "READY": "Vercel has built it; it gets its public address",
}
LOGIN_MARKS = ("_vercel_sso_nonce", "vercel.com/sso-api", "vercel.com/login")
PROTECTED = (
    "It is live, but Vercel asks every visitor to sign in to Vercel first. To open it to everybody, go to vercel.com, "
    "choose the project, then Settings, Deployment Protection, and switch Vercel Authentication off"
)


@dataclass(slots=True)
class _Seen:
    """What is known of a deployment from earlier looks."""

    state: str = ""
    lines: set[str] = field(default_factory=set)
    ready: float | None = None
    asked: bool = False


class Waiting:
    def __init__(self, api: VercelApi, clock: Callable[[], float]) -> None:
        self._api = api
        self._clock = clock

    def until_live(self, project: str, id: str, say: Say, tick: Tick) -> Release:
        """Raises Failed with the lines that matter if it does not come to that."""
        began, seen = self._clock(), _Seen()
        while True:
            deployment = self._look(id, seen, say, tick)
            if seen.state == "READY":
                if deployment.get("aliasAssigned"):
                    return self._arrived(project, deployment, say)
                self._ask_for_address(project, id, seen, say, tick)
            self._wait_on(began, tick)

    def _look(self, id: str, seen: _Seen, say: Say, tick: Tick) -> Json:
        """How it stands, with all that is new said. Raises Failed."""
        tick()
        deployment = self._api.deployment(id, tick)
        if deployment is None:
            raise NotFound("Vercel does not have that deployment any more", hint="Deploy again")
        self._pass_on(id, seen.lines, say, tick)
        if state_of(deployment) != seen.state:
            seen.state = state_of(deployment)
            say(STATES.get(seen.state, f"Vercel says: {self._api.line.clean(seen.state)}"))
        if has_failed(deployment):
            raise self._failure(deployment)
        if deployment.get("aliasError"):
            raise alias_failure(self._api.line, deployment)
        return deployment

    def _ask_for_address(self, project: str, id: str, seen: _Seen, say: Say, tick: Tick) -> None:
        """Once, if Vercel does not give it the public address by itself."""
        seen.ready = self._clock() if seen.ready is None else seen.ready
        if not seen.asked and (self._clock() - seen.ready > UNASSIGNED or self._is_held(project)):
            seen.asked = True
            say("Vercel does not give it the public address by itself; asking for it")
            answer = self._api.promote(project, id)
            if not answer.ok:
                raise self._api.refusal(answer, "making it the live release")
            self.until_pointed(project, id, tick)

    def until_pointed(self, project: str, id: str, tick: Tick) -> None:
        """Until visitors see this deployment. Raises Failed if Vercel gives that up."""
        began = self._clock()
        while True:
            tick()
            fresh = self._api.project(project, tick) or {}
            job = inner(fresh, "lastAliasRequest")
            status = job.get("jobStatus") if job.get("toDeploymentId") == id else None
            if production(fresh).get("id") == id and status not in {"pending", "in-progress"}:
                return
            if status in {"failed", "skipped"}:
                raise Failed(
                    "Vercel could not move the public address to that release",
                    hint="What was live before still is; try again in some minutes",
                    details={"release": id},
                )
            self._wait_on(began, tick)

    def _wait_on(self, began: float, tick: Tick) -> None:
        elapsed = self._clock() - began
        if elapsed > LONGEST:
            raise Unavailable(
                "Vercel is still not done after an hour", hint="It is found again when the same is tried later"
            )
        self._api.line.wait(next((every for until, every in SCHEDULE if elapsed <= until), 30.0), tick)

    def _pass_on(self, id: str, heard: set[str], say: Say, tick: Tick) -> None:
        for identity, text, _ in map(event_line, self._api.events(id, tick)):
            if text.strip() and identity not in heard:
                heard.add(identity)
                say(self._api.line.clean(text))

    def _failure(self, deployment: Json) -> AppError:
        events = map(event_line, self._api.events(str(deployment["id"])))
        return build_failure(self._api.line, deployment, telling((text, wrong) for _, text, wrong in events))

    def _arrived(self, project: str, deployment: Json, say: Say) -> Release:
        found = self._api.project(project)
        if found is None:
            raise NotFound("Vercel does not have that project any more", hint="Deploy again")
        arrived = release(self._api.line, found, deployment)
        if arrived.state is not ReleaseState.LIVE:
            return arrived
        if self._asks_to_sign_in(arrived.url):
            say(PROTECTED)
            return replace(arrived, words=PROTECTED, details={**arrived.details, "protected": True})
        say(f"It is live at {arrived.url}")
        return arrived

    def _asks_to_sign_in(self, url: str) -> bool:
        """Whether Vercel stands before the app. The app's own refusals look otherwise."""
        try:
            answer = self._api.line.visit(url)
        except LineCut:
            return False
        seen = f"{answer.headers.get('location', '')} {answer.headers.get('set-cookie', '')} {answer.text[:20_000]}"
        return answer.status in {301, 302, 303, 307, 308, 401, 403} and any(mark in seen for mark in LOGIN_MARKS)

    def _is_held(self, project: str) -> bool:
        """After going back, Vercel gives the public address to nothing new until something is promoted."""
        return inner(self._api.project(project) or {}, "lastAliasRequest").get("type") == "rollback"
