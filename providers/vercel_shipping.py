"""Bringing an app to Vercel: a project of our own, the digests of all files, and the content of those that are new."""

from functools import partial

from contracts.deployments import Parcel, Say, Tick
from contracts.errors import Failed
from contracts.words import counted
from providers import vercel_fit
from providers.once import make_once
from providers.parcels import digest
from providers.uploads import in_parallel
from providers.vercel_api import Json, VercelApi, missing_files
from providers.vercel_releases import COMMIT, KEY, MARK, meta_of, production
from providers.vercel_words import taken

PROJECT_MARK = "TASK_AGENT_PROJECT"
"""The variable that says of a project that it is ours. It is set as the project is made: no moment is without it."""
AT_ONCE = 10
"""Files that are sent at the same time; Vercel's own client sends up to 50."""
ROUNDS = 4


class Shipping:
    def __init__(self, api: VercelApi) -> None:
        self._api = api

    def is_ours(self, project: Json, owner: str = "") -> bool:
        """Whether this agent made it, and, if an owner is given, made it for that project."""
        mark = meta_of(production(project)).get(MARK)
        if mark is None:
            mark = self._api.variables(str(project["id"])).get(PROJECT_MARK)
        if mark is None:
            marks = (meta_of(found).get(MARK) for found in self._api.deployments(project=str(project["id"]), limit=100))
            mark = next((found for found in marks if found is not None), None)
        return mark is not None and (not owner or mark == owner)

    def own_project(self, parcel: Parcel, name: str, say: Say, tick: Tick) -> Json:
        """The project of this name, made if it is not there. Raises Conflict if it is somebody else's."""
        project = self._api.project(name, tick)
        if project is None:
            say(f"Making the project `{name}` on Vercel")
            project = self._make_project(parcel, name, tick)
        if not self.is_ours(project, parcel.project):
            raise taken(name)
        return project

    def _make_project(self, parcel: Parcel, name: str, tick: Tick) -> Json:
        mark = {"key": PROJECT_MARK, "value": parcel.project, "type": "plain", "target": ["production", "preview"]}
        framework = vercel_fit.project_settings(parcel)["framework"]
        body = {"name": name, "framework": framework, "ssoProtection": None, "environmentVariables": [mark]}
        made = make_once(
            self._api.line,
            partial(self._api.create_project, body),
            partial(self._api.project, name, tick),
            partial(self._api.refusal, doing="making the project"),
            tick,
            decides=lambda answer: answer.status == 409,
        )
        if isinstance(made, dict):
            return made
        # A name that is taken may be taken by us: by a request whose answer was lost.
        project = made.object if made.ok else self._api.project(name, tick)
        if project is None:
            raise taken(name)
        return project

    def with_key(self, project: Json, key: str) -> Json | None:
        found = self._api.deployments(project=str(project["id"]))
        return next((deployment for deployment in found if meta_of(deployment).get(KEY) == key), None)

    def send(self, parcel: Parcel, project: Json, key: str, say: Say, tick: Tick) -> str:
        """Post the digests, send what Vercel does not have, post again. Gives the id of the deployment."""
        files = vercel_fit.sent_files(parcel)
        digests = {path: digest(content) for path, content in sorted(files.items())}
        contents = {sha: files[path] for path, sha in digests.items()}
        body = {
            "name": project["name"],
            "project": project["id"],
            "files": [{"file": path, "sha": sha, "size": len(files[path])} for path, sha in digests.items()],
            "projectSettings": vercel_fit.project_settings(parcel),
            "target": "production",
            "meta": {MARK: parcel.project, KEY: key, COMMIT: parcel.commit},
        }
        size = sum(map(len, files.values())) / 10**6
        say(f"Telling Vercel about {counted(len(files), 'file')} ({size:,.1f} MB)")
        for _ in range(ROUNDS):
            made, missing = self._post(body, project, key, tick)
            if made:
                return made
            if not contents.keys() >= set(missing):
                raise Failed("Vercel asks for files that are not part of the app", hint="Try again in some minutes")
            say(f"Sending {counted(len(missing), 'file')} that Vercel does not have yet")
            in_parallel([partial(self._api.upload, sha, contents[sha]) for sha in missing], AT_ONCE, tick)
        raise Failed("Vercel keeps asking for files that it was sent", hint="Try again in some minutes")

    def _post(self, body: Json, project: Json, key: str, tick: Tick) -> tuple[str, list[str]]:
        """The id of the deployment, or the digests that Vercel wants first."""
        made = make_once(
            self._api.line,
            partial(self._api.create_deployment, body),
            partial(self.with_key, project, key),
            partial(self._api.refusal, doing="making the deployment"),
            tick,
            decides=lambda answer: missing_files(answer) is not None,
        )
        if isinstance(made, dict):
            return str(made["uid"]), []
        missing = missing_files(made)
        return ("", list(dict.fromkeys(missing))) if missing is not None else (str(made.object["id"]), [])
