"""The calls of Vercel's REST API that are used, each with the version of its own, always in the scope of one team."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from contracts.deployments import Tick
from contracts.errors import AppError, Failed
from providers.http import QUICK, Answer, Line, Retry
from providers.vercel_words import refusal, said

QUESTIONS = Retry(
    times=4,
    statuses=frozenset({429, 500, 502, 503, 504}),
    after_cut=True,
    first=2.0,
    asked=(5.0, 60.0),
    jitter=30.0,
)
UPLOADS = Retry(times=5, statuses=frozenset({500, 502, 503, 504}), after_cut=True, first=0.01, factor=6.0)
"""As Vercel's own client does it: a status from 400 on means that none of the files will be taken."""
HARMLESS = Retry(times=3, statuses=QUESTIONS.statuses, after_cut=True, asked=QUESTIONS.asked)
"""For changes that may be asked for twice."""
PAGE = 100
PAGES = 10
VARIABLE_TARGETS = ["production", "preview"]

Json = dict[str, Any]


class VercelApi:
    def __init__(self, token: str, team: str, base_url: str, pause: Callable[[float], None] = time.sleep) -> None:
        self.line = Line("Vercel", base_url, token, pause=pause)
        self._scope: dict[str, str | int] = {}
        if team:
            self._scope = {"teamId" if team.startswith("team_") else "slug": team}

    def user(self) -> Json:
        """Whose token it is, whatever the team."""
        answer = self.line.send("GET", "/v2/user", retry=QUICK)
        return _inner(self._good(answer, "asking whose token it is"), "user")

    def teams(self) -> list[Json]:
        return self._pages("/v2/teams", "teams", "until", {}, scoped=False)

    def project(self, id_or_name: str, tick: Tick | None = None) -> Json | None:
        answer = self._ask(f"/v9/projects/{id_or_name}", tick=tick)
        return None if answer.status == 404 else self._good(answer, f"looking for the project `{id_or_name}`").object

    def projects(self) -> list[Json]:
        return self._pages("/v10/projects", "projects", "from", {})

    def create_project(self, body: Json) -> Answer:
        """Whatever comes: 409 means that the name is taken."""
        return self.line.send("POST", "/v11/projects", query=self._scope, body=body)

    def delete_project(self, id: str) -> None:
        answer = self.line.send("DELETE", f"/v9/projects/{id}", query=self._scope, retry=HARMLESS)
        if answer.status != 404:
            self._good(answer, "deleting the project")

    def variables(self, project: str) -> dict[str, str]:
        """The names of the project's variables, with their values where Vercel shows them."""
        answer = self._good(self._ask(f"/v10/projects/{project}/env"), "reading the variables of the project")
        found = answer.object.get("envs")
        return {str(v["key"]): str(v.get("value") or "") for v in found or [] if isinstance(v, dict) and "key" in v}

    def set_variables(self, project: str, env: Mapping[str, str]) -> None:
        """Raises Failed with the names of those that were not taken, which Vercel says in a success."""
        body = [
            {"key": key, "value": value, "type": "encrypted", "target": VARIABLE_TARGETS} for key, value in env.items()
        ]
        query = {**self._scope, "upsert": "true"}
        answer = self.line.send("POST", f"/v10/projects/{project}/env", query=query, body=body, retry=HARMLESS)
        failed = self._good(answer, "setting the variables of the app").object.get("failed") or []
        errors = [entry.get("error", {}) for entry in failed if isinstance(entry, dict)]
        if errors:
            names = ", ".join(f"`{self.line.clean(e.get('key') or e.get('envVarKey') or '?')}`" for e in errors)
            words = "; ".join(self.line.clean(e.get("message") or e.get("code") or "") for e in errors)
            for value in filter(None, env.values()):
                words = words.replace(value, "***")
            raise Failed(f"Vercel did not take the variables {names}: {words}", hint="Give them other names or values")

    def create_deployment(self, body: Json) -> Answer:
        """Whatever comes. Never sent again by itself: whoever calls looks first whether it arrived."""
        options = {"forceNew": "1", "withCache": "1", "skipAutoDetectionConfirmation": "1"}
        return self.line.send("POST", "/v13/deployments", query={**self._scope, **options}, body=body)

    def upload(self, digest: str, content: bytes) -> None:
        headers = {"Content-Type": "application/octet-stream", "x-vercel-digest": digest}
        answer = self.line.send("POST", "/v2/files", query=self._scope, data=content, headers=headers, retry=UPLOADS)
        self._good(answer, "sending a file")

    def deployment(self, id: str, tick: Tick | None = None) -> Json | None:
        answer = self._ask(f"/v13/deployments/{id}", tick=tick)
        return None if answer.status == 404 else self._good(answer, "asking how the deployment stands").object

    def delete_deployment(self, id: str) -> None:
        answer = self.line.send("DELETE", f"/v13/deployments/{id}", query=self._scope, retry=HARMLESS)
        if answer.status != 404:
            self._good(answer, "deleting the deployment")

    def deployments(self, *, project: str = "", since: int = 0, limit: int = PAGE * PAGES) -> list[Json]:
        """The newest first."""
        query: dict[str, str | int] = {"projectId": project} if project else {}
        query |= {"since": since} if since else {}
        return self._pages("/v7/deployments", "deployments", "until", query, limit=limit)

    def events(self, deployment: str, tick: Tick | None = None) -> list[Any]:
        """The lines of the build log, oldest first; none if there is no log yet."""
        answer = self._ask(
            f"/v3/deployments/{deployment}/events", {"direction": "forward", "limit": -1, "builds": 1}, tick
        )
        return [] if answer.status == 404 else self._good(answer, "reading the build log").list

    def promote(self, project: str, deployment: str) -> Answer:
        path = f"/v10/projects/{project}/promote/{deployment}"
        return self.line.send("POST", path, query=self._scope, body={}, retry=HARMLESS)

    def roll_back(self, project: str, deployment: str) -> Answer:
        path = f"/v1/projects/{project}/rollback/{deployment}"
        return self.line.send("POST", path, query=self._scope, retry=HARMLESS)

    def refusal(self, answer: Answer, doing: str) -> AppError:
        return refusal(self.line, answer, doing)

    def _good(self, answer: Answer, doing: str) -> Answer:
        if not answer.ok:
            raise self.refusal(answer, doing)
        return answer

    def _ask(self, path: str, query: Mapping[str, str | int] | None = None, tick: Tick | None = None) -> Answer:
        return self.line.send("GET", path, query={**self._scope, **(query or {})}, retry=QUESTIONS, tick=tick)

    def _pages(
        self,
        path: str,
        name: str,
        continuation: str,
        query: Mapping[str, str | int],
        *,
        limit: int = PAGE * PAGES,
        scoped: bool = True,
    ) -> list[Json]:
        found: list[Json] = []
        for page in self._each_page(path, continuation, {**query, "limit": min(limit, PAGE)}, scoped):
            found += [entry for entry in page.get(name) or [] if isinstance(entry, dict)]
            if len(found) >= limit:
                break
        return found[:limit]

    def _each_page(self, path: str, continuation: str, query: dict[str, str | int], scoped: bool) -> Iterator[Json]:
        for _ in range(PAGES):
            full = {**(self._scope if scoped else {}), **query}
            page = self._good(self.line.send("GET", path, query=full, retry=QUESTIONS), "reading a list").object
            yield page
            following = _inner_of(page, "pagination").get("next")
            if following is None:
                return
            query[continuation] = following


def missing_files(answer: Answer) -> list[str] | None:
    """The digests that Vercel wants to be sent first; None if that is not what the answer says."""
    error = said(answer)
    missing = error.get("missing")
    if error.get("code") != "missing_files" or not isinstance(missing, list):
        return None
    return [str(digest) for digest in missing]


def _inner(answer: Answer, name: str) -> Json:
    return _inner_of(answer.object, name)


def _inner_of(value: Json, name: str) -> Json:
    found = value.get(name)
    return found if isinstance(found, dict) else {}
