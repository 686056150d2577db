"""Making services and deploys on Render, each once: what is to come is noted there first, and looked for afterwards."""

from collections.abc import Callable

from contracts.deployments import Parcel, Say, Tick
from contracts.errors import AppError, BadInput, Conflict
from contracts.words import counted
from providers import render_fit
from providers.http import Answer
from providers.once import make_once
from providers.parcels import place_name
from providers.render_api import Json, RenderApi, inner
from providers.render_marks import NEXT, NONE, OF_OTHERS, PROJECT, RELEASES, Wanted, source_of
from providers.render_waiting import is_running
from providers.render_workspace import Workspace, is_suspended


class Shipping:
    def __init__(self, api: RenderApi, workspace: Workspace) -> None:
        self._api = api
        self._workspace = workspace

    def own_service(self, parcel: Parcel, name: str, key: str, say: Say, tick: Tick) -> Json:
        """The service of this name, made if there is none. Raises Conflict if it is not ours, or suspended."""
        service = self._workspace.service(name) or self._create(parcel, name, key, say, tick)
        self._workspace.must_be_ours(service, parcel.project)
        if is_suspended(service):
            raise Conflict(
                f"`{service.get('name')}` is suspended on Render",
                hint="Resume it at dashboard.render.com, or take it down here and deploy again",
            )
        return service

    def with_key(self, service: Json, key: str) -> str:
        """The id of the deploy with this key, whatever became of it; empty if there is none."""
        return self._workspace.marks(service).deploy_of(key, self._api.deploys(str(service["id"])))

    def keep_key(self, service: Json, deploy: str, key: str) -> None:
        """Have the service know from now on which key the deploy has."""
        marks = self._workspace.marks(service)
        if marks.keys.get(deploy) != key:
            self._api.set_variable(str(service["id"]), RELEASES, marks.with_key(deploy, key))

    def send(self, service: Json, parcel: Parcel, key: str, say: Say, tick: Tick) -> str:
        """Have this commit or image deployed; gives the id of the deploy."""
        self._prepare(service, parcel, say)
        tick()
        say("Asking Render to deploy it")
        place = str(service["id"])
        what = {"imageUrl": parcel.image} if parcel.image else {"commitId": parcel.commit} if parcel.commit else {}
        body = {"clearCache": "do_not_clear", **what}
        return self._ask_for(
            service, Wanted(key, "", render_fit.source(parcel)), lambda: self._api.trigger(place, body), tick
        )

    def bring_back(self, service: Json, deploy: Json, key: str, say: Say, tick: Tick) -> str:
        """Have an earlier deploy live again; gives the id of the new one that does it."""
        say("Bringing that release back on Render")
        place = str(service["id"])
        return self._ask_for(
            service,
            Wanted(key, "", source_of(deploy)),
            lambda: self._api.roll_back(place, str(deploy["id"])),
            tick,
        )

    def _create(self, parcel: Parcel, name: str, key: str, say: Say, tick: Tick) -> Json:
        """A new service, which Render begins to build at once."""
        if not render_fit.is_known(parcel):
            raise BadInput(
                f"Render has no service `{place_name(name)}` yet, and the address of a repository alone does not "
                "tell how its app is started",
                hint="Deploy it from its project here, with `provider: render`",
            )
        say("Making a service on Render")
        owner = self._workspace.id
        noted = {PROJECT: parcel.project, NEXT: str(Wanted(key, NONE, render_fit.source(parcel)))}
        env = {**render_fit.variables(parcel), **noted}
        image = {"image": {"ownerId": owner, "imagePath": parcel.image}}
        body: Json = {
            "type": render_fit.service_type(parcel),
            "name": place_name(name),
            "ownerId": owner,
            "autoDeployTrigger": "off",
            "envVars": [{"key": variable, "value": value} for variable, value in env.items()],
            "serviceDetails": render_fit.details(parcel),
            **(image if parcel.image else {"repo": parcel.repository}),
        }
        made = make_once(
            self._api.line,
            lambda: self._api.create(body),
            lambda: self._workspace.service(name),
            lambda answer: self._not_made(answer, parcel),
            tick,
            decides=lambda answer: answer.status == 409,
            proof="service",
        )
        if not isinstance(made, Answer):
            return made
        there = self._workspace.service(name) if made.status == 409 else inner(made.object, "service")
        if there is None:
            raise self._not_made(made, parcel)
        return there

    def _not_made(self, answer: Answer, parcel: Parcel) -> AppError:
        refused = self._api.refusal(answer, "making a service")
        if answer.status not in {400, 404} or parcel.image:
            return refused
        return BadInput(
            f"Render cannot use `{parcel.repository}`: {refused.details.get('said') or refused.message}",
            hint="If it is private, connect GitHub at dashboard.render.com/u/settings and let Render see it",
            details=refused.details,
        )

    def _prepare(self, service: Json, parcel: Parcel, say: Say) -> None:
        """Variables, and how it is built, as the new release needs them. What Render builds otherwise is stopped."""
        place = str(service["id"])
        if render_fit.is_known(parcel) and service.get("type") != render_fit.service_type(parcel):
            raise Conflict(
                f"`{service.get('name')}` is of another kind on Render than this app now",
                hint="Take it down first, then deploy again; its address may change",
            )
        there = self._api.variables(place)
        changed = {name: value for name, value in render_fit.variables(parcel).items() if there.get(name) != value}
        if changed:
            say(f"Setting {counted(len(changed), 'variable')} of the app on Render")
        for name, value in changed.items():
            self._api.set_variable(place, name, value)
        if different := _differences(service, parcel):
            self._api.change(place, different)
        for deploy in self._api.deploys(place, limit=5):
            if is_running(deploy) and deploy.get("trigger") not in OF_OTHERS:
                self._api.cancel(place, str(deploy["id"]))

    def _ask_for(self, service: Json, wanted: Wanted, send: Callable[[], Answer], tick: Tick) -> str:
        """Have Render make a deploy: what is to come is noted first, and looked for after a lost answer."""
        place = str(service["id"])
        self._settle(service)
        newest = self._api.deploys(place, limit=1)
        noted = Wanted(wanted.key, str(newest[0]["id"]) if newest else NONE, wanted.source)
        self._api.set_variable(place, NEXT, str(noted))
        made = make_once(
            self._api.line,
            send,
            lambda: {"id": id} if (id := self.with_key(service, wanted.key)) else None,
            lambda answer: self._api.refusal(answer, "deploying"),
            tick,
        )
        return str((made.object if isinstance(made, Answer) else made)["id"])

    def _settle(self, service: Json) -> None:
        """Keep the key of what was asked for last, if a crash came in between; its note is about to be replaced."""
        before = self._workspace.marks(service).wanted
        if before is not None and (id := self.with_key(service, before.key)):
            self.keep_key(service, id, before.key)


def _differences(service: Json, parcel: Parcel) -> Json:
    """What has to be changed of a service for this parcel; empty if nothing."""
    details = inner(service, "serviceDetails")
    wanted = render_fit.details(parcel) if render_fit.is_known(parcel) else {}
    own = {name: wanted[name] for name in ("publishPath", "envSpecificDetails") if name in wanted}
    changed: Json = {"serviceDetails": own} if any(details.get(name) != own[name] for name in own) else {}
    if not parcel.image and service.get("repo") != parcel.repository:
        changed["repo"] = parcel.repository
    return changed
