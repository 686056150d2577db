"""The calls of Render's REST API that are used, in one workspace, with its refusals in plain words."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from contracts.deployments import Tick
from contracts.errors import AppError, Forbidden, TooMany, Unauthorized, Unavailable
from providers.http import Answer, Line, Retry

QUESTIONS = Retry(times=4, statuses=frozenset({429, 500, 502, 503, 504}), after_cut=True, asked=(1.0, 60.0))
HARMLESS = Retry(times=3, statuses=frozenset({429, 500, 502, 503, 504}), after_cut=True, asked=(1.0, 60.0))
"""For changes that may be asked for twice."""
PAGE = 100
PAGES = 20
KEY_PAGE = "dashboard.render.com/u/settings"

Json = dict[str, Any]


class RenderApi:
    def __init__(self, api_key: str, base_url: str, pause: Callable[[float], None] = time.sleep) -> None:
        self.line = Line("Render", base_url, api_key, pause=pause)

    def owners(self) -> list[Json]:
        """The workspaces that the key opens."""
        return self._pages("/owners", "owner", {}, "asking whose key it is")

    def services(self, owner: str, name: str = "") -> list[Json]:
        query: dict[str, str | int] = {"ownerId": owner, "includePreviews": "false", **({"name": name} if name else {})}
        return self._pages("/services", "service", query, "listing the services")

    def create(self, body: Json) -> Answer:
        """Whatever comes. Never sent again by itself: whoever calls looks first whether it arrived."""
        return self.line.send("POST", "/services", body=body)

    def change(self, service: str, body: Json) -> None:
        answer = self.line.send("PATCH", f"/services/{service}", body=body, retry=HARMLESS)
        self.good(answer, "changing how the service is built")

    def delete(self, service: str) -> None:
        answer = self.line.send("DELETE", f"/services/{service}", retry=HARMLESS)
        if answer.status != 404:
            self.good(answer, "deleting the service")

    def variables(self, service: str) -> dict[str, str]:
        found = self._pages(f"/services/{service}/env-vars", "envVar", {}, "reading the variables of the service")
        return {str(one.get("key")): str(one.get("value") or "") for one in found}

    def variable(self, service: str, name: str) -> str | None:
        answer = self._ask(f"/services/{service}/env-vars/{name}")
        if answer.status == 404:
            return None
        found = self.good(answer, "reading a variable of the service").object
        return str(inner(found, "envVar").get("value") or found.get("value") or "")

    def set_variable(self, service: str, name: str, value: str) -> None:
        """One alone: the call for all of them would remove those that are not named."""
        path = f"/services/{service}/env-vars/{name}"
        answer = self.line.send("PUT", path, body={"value": value}, retry=HARMLESS)
        if not answer.ok:
            # What is refused may be repeated in the refusal, and it may be a secret.
            raise self.refusal(Answer(answer.status, answer.headers, "{}"), f"setting the variable `{name}`")

    def deploys(self, service: str, *, limit: int = PAGE, status: str = "") -> list[Json]:
        """The newest first."""
        query: dict[str, str | int] = {"status": status} if status else {}
        return self._pages(f"/services/{service}/deploys", "deploy", query, "listing the deploys", limit)

    def deploy(self, service: str, id: str, tick: Tick | None = None) -> Json | None:
        answer = self._ask(f"/services/{service}/deploys/{id}", tick=tick)
        return None if answer.status == 404 else self.good(answer, "asking how the deploy stands").object

    def trigger(self, service: str, body: Json) -> Answer:
        """Whatever comes; as with `create`."""
        return self.line.send("POST", f"/services/{service}/deploys", body=body)

    def roll_back(self, service: str, deploy: str) -> Answer:
        """Whatever comes; as with `create`."""
        return self.line.send("POST", f"/services/{service}/rollback", body={"deployId": deploy})

    def cancel(self, service: str, deploy: str) -> None:
        answer = self.line.send("POST", f"/services/{service}/deploys/{deploy}/cancel", retry=HARMLESS)
        if answer.status not in {404, 409}:
            self.good(answer, "stopping a build")

    def build_log(self, owner: str, service: str, start: str, end: str = "", tick: Tick | None = None) -> list[Json]:
        """The entries of that time, oldest first."""
        query: dict[str, str | int] = {"ownerId": owner, "resource": service, "type": "build", "startTime": start}
        query |= {"direction": "forward", "limit": PAGE, **({"endTime": end} if end else {})}
        found: list[Json] = []
        for _ in range(PAGES):
            answer = self._ask("/logs", query, tick)
            if answer.status == 404:
                break
            page = self.good(answer, "reading the build log").object
            found += [entry for entry in page.get("logs") or [] if isinstance(entry, dict)]
            if not page.get("hasMore"):
                break
            query |= {"startTime": str(page.get("nextStartTime")), "endTime": str(page.get("nextEndTime"))}
        return found

    def refusal(self, answer: Answer, doing: str) -> AppError:
        """An answer that is an error, as one of ours."""
        said = self.line.clean(answer.object.get("message") or "")
        details: Json = {"status": answer.status, "said": said}
        if answer.status == 401:
            return Unauthorized(
                "Render does not accept the API key",
                hint=f"Make a new one at {KEY_PAGE} and set it with `./agent credentials set render`, or in the panel",
                details=details,
            )
        if answer.status == 402:
            return Forbidden(
                "Render wants a payment card for this account, also for what is free",
                hint="Add a card at dashboard.render.com/billing if you want that, or choose another host; nothing "
                "was made and nothing was charged",
                details={**details, "card_needed": True},
            )
        if answer.status == 429:
            return TooMany(
                f"Render was asked too often (tried: {doing})",
                hint="Nothing was sent again by itself; try again in some minutes",
                details={**details, **({"retry_after": round(wait)} if (wait := answer.asked_wait()) else {})},
            )
        if answer.status == 410:
            return Unavailable(f"Render does not have that any more ({said})", details=details)
        return self.line.refusal(answer, said, doing=doing)

    def good(self, answer: Answer, doing: str) -> Answer:
        if not answer.ok:
            raise self.refusal(answer, doing)
        return answer

    def _ask(self, path: str, query: Mapping[str, str | int] | None = None, tick: Tick | None = None) -> Answer:
        return self.line.send("GET", path, query=query, retry=QUESTIONS, tick=tick)

    def _pages(
        self, path: str, name: str, query: Mapping[str, str | int], doing: str, limit: int = PAGE * PAGES
    ) -> list[Json]:
        """Every element of a list wraps the thing and the cursor that continues after it."""
        found: list[Json] = []
        asked: dict[str, str | int] = {**query, "limit": min(limit, PAGE)}
        while len(found) < limit:
            page = [one for one in self.good(self._ask(path, asked), doing).list if isinstance(one, dict)]
            found += [inner(one, name) for one in page]
            if len(page) < int(asked["limit"]) or not page[-1].get("cursor"):
                break
            asked["cursor"] = str(page[-1]["cursor"])
        return found[:limit]


def inner(value: Json, name: str) -> Json:
    found = value.get(name)
    return found if isinstance(found, dict) else {}
