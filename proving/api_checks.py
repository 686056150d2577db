"""Checks of what an API promises beyond its items: its description, its errors, pages of lists, and its front end."""

import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urljoin, urlsplit

from contracts.app_spec import SEARCHABLE, AppSpec, Resource
from proving.access import access_checks, enter_api
from proving.api_door import ApiDoor, error_of
from proving.check import Check, NotSo, Trial, came, expect, expect_status, object_of, shown
from proving.door import Bench, Listing
from proving.html_reader import Unreadable, read_page
from proving.item_checks import NOBODY, as_sent, checking, item_checks
from proving.list_checks import list_checks
from proving.values import default_of

BRACES = re.compile(r"\{[^}]*\}")
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
IMPORTED = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.{1,2}/[^"']+)["']""")
MANY_ASSETS = 40
TOO_LARGE = 1_100_000


def api_checks(spec: AppSpec) -> Iterable[Check]:
    yield Check("health", "The app says that it is well", health)
    yield Check("home", "The start page leads to everything that the app keeps", _home)
    yield Check(
        "description", "The description of the API names every address, and nothing that is not there", _described
    )
    yield from item_checks(spec, enter_api)
    for resource in spec.resources:
        if not resource.append_only:
            yield Check(
                f"replace-{resource.path}",
                f"Replacing one of {resource.plural_label} sets all its fields anew",
                checking(enter_api, lambda bench, one=resource: _replaces(bench, one)),  # type: ignore[misc]
            )
    yield from list_checks(spec, enter_api)
    for resource in spec.resources:
        if resource.paging:
            yield Check(
                f"pages-{resource.path}",
                f"{resource.plural_label} come in pages that together hold each of them once",
                checking(enter_api, lambda bench, one=resource: _pages(bench, one)),  # type: ignore[misc]
            )
    yield Check(
        "nonsense",
        "What cannot be understood is refused, in words, and nothing is kept",
        checking(enter_api, _nonsense),
    )
    yield Check("nothing-there", "Where nothing is, the app says so", checking(enter_api, _nothing_there))
    yield from access_checks(spec)
    if spec.ui:
        yield Check("front-end", "The page for people opens, with everything that it needs", _front_end)


def health(trial: Trial) -> None:
    reply = expect_status(trial.send("GET", "/health"), 200, "`GET /health`")
    found = object_of(reply, "`GET /health`")
    expect(found.get("status") == "ok", f'`GET /health` should say {{"status": "ok"}}; what came is {came(reply)}')


def _home(trial: Trial) -> None:
    enter_api(trial)
    reply = trial.send("GET", "/")
    if trial.spec.ui:
        expect_status(reply, 302, "`GET /`")
        target = urlsplit(reply.header("Location")).path
        expect(target == "/ui/", f"`GET /` should lead to `/ui/`, and leads to `{shown(target)}`")
        return
    found = object_of(expect_status(reply, 200, "`GET /`"), "`GET /`")
    expected = {
        "name": trial.spec.title,
        "summary": trial.spec.summary,
        "resources": {resource.path: f"/{resource.path}" for resource in trial.spec.resources},
        "docs": "/openapi.json",
    }
    for name, value in expected.items():
        got = found.get(name)
        fits = got in {trial.spec.title, trial.spec.name} if name == "name" else got == value
        expect(fits, f"`{name}` of `GET /` should be {shown(value)}, and is {shown(got)}")


def _described(trial: Trial) -> None:
    what = "`GET /openapi.json`"
    found = object_of(expect_status(trial.send("GET", "/openapi.json"), 200, what), what)
    expect(found.get("openapi") == "3.0.3", f"{what} should be OpenAPI 3.0.3, and says {shown(found.get('openapi'))}")
    paths = found.get("paths")
    expect(isinstance(paths, dict), f"{what} should have `paths`")
    described = {BRACES.sub("{}", str(path)): methods for path, methods in dict(paths or {}).items()}
    for path, methods in _addresses(trial.spec).items():
        operations = described.get(path)
        expect(isinstance(operations, dict), f"{what} should describe `{path}`")
        there = {name.upper() for name in dict(operations or {})} & {"GET", "POST", "PUT", "PATCH", "DELETE"}
        expect(there == methods, f"{what} should describe {sorted(methods)} for `{path}`; it describes {sorted(there)}")
    for resource in trial.spec.resources:
        _parameters(found, described[f"/{resource.path}"]["get"], resource)


def _addresses(spec: AppSpec) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {"/health": {"GET"}}
    for resource in spec.resources:
        path = f"/{resource.path}"
        found[path] = {"GET", "POST"}
        found[f"{path}/{{}}"] = {"GET"} if resource.append_only else {"GET", "PUT", "PATCH", "DELETE"}
        found |= {f"{path}/{view.slug}": {"GET"} for view in resource.views}
        found |= {f"{path}/{{}}/{child.path}": {"GET"} for child in spec.children_of(resource)}
        found |= {f"{path}.csv": {"GET"}} if resource.csv else {}
    if spec.login:
        found |= {path: {"POST"} for path in ("/register", "/login", "/logout")}
    return found


def _parameters(document: dict[str, Any], operation: dict[str, Any], resource: Resource) -> None:
    given = operation.get("parameters", [])
    names = {_resolved(document, one).get("name") for one in given if isinstance(one, dict)}
    fields = {field.name for field in resource.fields}
    texts = any(field.type in SEARCHABLE for field in resource.fields)
    for there, wanted in (
        (resource.search, {"q"} if texts or not resource.search else set[str]()),
        (resource.sort, {"sort"}),
        (resource.paging, {"page", "per_page"}),
    ):
        words = f"the description of `GET /{resource.path}` should {'' if there else 'not '}name {sorted(wanted)}"
        expect(wanted <= names if there else not wanted & names, words)
    words = (
        f"the description of `GET /{resource.path}` should {'' if resource.filter else 'not '}name fields to filter by"
    )
    expect(bool(fields & names) == resource.filter, words)


def _resolved(document: dict[str, Any], one: dict[str, Any]) -> dict[str, Any]:
    found: Any = one
    if isinstance(one.get("$ref"), str):
        found = document
        for step in one["$ref"].removeprefix("#/").split("/"):
            found = found.get(step, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def _replaces(bench: Bench, resource: Resource) -> None:
    first, second = bench.item(resource), bench.item(resource, full=False)
    number = bench.add(resource, first)
    path = f"/{resource.path}/{number}"
    reply = bench.trial.send("PUT", path, value=second)
    expect_status(reply, 200, f"`PUT {path}` with {shown(second)}")
    expected = {field.name: default_of(field) for field in resource.fields} | second
    as_sent(bench, resource, number, expected, f"replaced, {resource.name}")
    required = next((field for field in resource.fields if field.required and field.default is None), None)
    if required:
        without = {name: value for name, value in second.items() if name != required.name}
        expect_status(bench.trial.send("PUT", path, value=without), 422, f"`PUT {path}` without `{required.name}`")
        as_sent(bench, resource, number, expected, f"after a replacement that was refused, {resource.name}")


def _pages(bench: Bench, resource: Resource) -> None:
    door = ApiDoor(bench.trial)
    numbers = [bench.add(resource, bench.item(resource)) for _ in range(3)]
    usual = door.page(resource, Listing(), {})
    told = (usual["page"], usual["per_page"])
    expect(told == (1, 20), f"without being asked, a list should show page 1 of 20 each; it shows {told}")
    last = door.page(resource, Listing(), {"page": 1, "per_page": 2})
    total, pages = last["total"], last["pages"]
    expect(len(last["items"]) == 2, f"a page of 2 should have 2 {resource.plural}; it has {len(last['items'])}")
    words = f"{total} {resource.plural} at 2 a page should make {-(-total // 2)} pages; it says {pages}"
    expect(total >= 3 and pages == -(-total // 2), words)
    seen = [
        item["id"]
        for page in range(max(1, pages - 2), pages + 1)
        for item in door.page(resource, Listing(), {"page": page, "per_page": 2})["items"]
    ]
    expect(len(set(seen)) == len(seen), f"some {resource.plural} are on two pages")
    expect(set(numbers) <= set(seen), f"the last {resource.plural} added should be on the last pages")
    path = f"/{resource.path}?page=0"
    error_of(expect_status(bench.trial.send("GET", path), 422, f"`GET {path}`"), f"`GET {path}`")
    reply = bench.trial.send("GET", f"/{resource.path}?per_page=1000")
    allowed = reply.status == 422 or (reply.status == 200 and object_of(reply, "a list").get("per_page", 1000) <= 100)
    expect(
        allowed,
        f"`GET /{resource.path}?per_page=1000` should not give more than 100 a page; what came is {came(reply)}",
    )


def _nonsense(bench: Bench) -> None:
    trial = bench.trial
    as_json = {"Content-Type": "application/json"}
    for resource in trial.spec.resources:
        path = f"/{resource.path}"
        before = bench.door.numbers(resource, Listing())
        for body in (b"{not json", b"[1, 2]", b'"text"', b"\xff\xfe{}"):
            what = f"`POST {path}` with {shown(body.decode('utf-8', 'replace'))}"
            error_of(expect_status(trial.send("POST", path, body=body, headers=as_json), 400, what), what)
        values = {**bench.item(resource), "no_such_field": 1}
        what = f"`POST {path}` with a field that does not exist"
        error_of(expect_status(trial.send("POST", path, value=values), 422, what), what)
        if resource.sort:
            what = f"`GET {path}?sort=no_such_field`"
            error_of(expect_status(trial.send("GET", f"{path}?sort=no_such_field"), 422, what), what)
        after = bench.door.numbers(resource, Listing())
        expect(set(after) <= set(before), f"{resource.plural} were added by requests that were refused")
    path = f"/{trial.spec.resources[0].path}"
    body = json.dumps({"x": "x" * TOO_LARGE}).encode()
    expect_status(trial.send("POST", path, body=body, headers=as_json), 413, f"`POST {path}` with more than 1 MB")


def _nothing_there(bench: Bench) -> None:
    trial = bench.trial
    for path in ("/no-such-address", "/no/such/address"):
        what = f"`GET {path}`"
        error_of(expect_status(trial.send("GET", path), 404, what), what)
    for resource in trial.spec.resources:
        path = f"/{resource.path}/{NOBODY}"
        values = bench.item(resource)
        methods = [("GET", None)]
        methods += [] if resource.append_only else [("PUT", values), ("PATCH", {}), ("DELETE", None)]  # type: ignore[list-item]
        for method, value in methods:
            what = f"`{method} {path}`"
            error_of(expect_status(trial.send(method, path, value=value), 404, what), what)
        for child in trial.spec.children_of(resource):
            what = f"`GET {path}/{child.path}`"
            error_of(expect_status(trial.send("GET", f"{path}/{child.path}"), 404, what), what)
        what = f"`DELETE /{resource.path}`"
        error_of(expect_status(trial.send("DELETE", f"/{resource.path}"), 405, what), what)


def _front_end(trial: Trial) -> None:
    reply = expect_status(trial.send("GET", "/ui/"), 200, "`GET /ui/`")
    expect(reply.header("Content-Type").startswith("text/html"), "`GET /ui/` should be a page")
    try:
        page = read_page(reply.text)
    except Unreadable as error:
        raise NotSo(f"`GET /ui/` is no page: {error}") from None
    expect(page.lang, "the page under `/ui/` should name its language")
    expect(
        trial.spec.title in page.title,
        f"the page under `/ui/` should be called `{trial.spec.title}`, not `{shown(page.title)}`",
    )
    scripts = _assets(trial, page.assets)
    expect(scripts, "the page under `/ui/` has no script, and so cannot show anything")
    together = "\n".join(scripts)
    for resource in trial.spec.resources:
        expect(resource.path in together, f"the front end under `/ui/` knows nothing of `{resource.path}`")


def _assets(trial: Trial, wanted: list[str]) -> list[str]:
    """Fetch all that the page needs; gives the scripts."""
    waiting, seen, scripts = [urljoin("/ui/", one) for one in wanted], set[str](), []
    while waiting and len(seen) < MANY_ASSETS:
        path = waiting.pop(0)
        if path in seen or urlsplit(path).netloc or path.startswith("data:"):
            continue
        seen.add(path)
        reply = expect_status(trial.send("GET", path), 200, f"`GET {path}`, which the front end needs,")
        expect(reply.body, f"`GET {path}`, which the front end needs, is empty")
        if "javascript" in reply.header("Content-Type"):
            scripts.append(reply.text)
            waiting += [urljoin(path, found) for found in IMPORTED.findall(reply.text)]
    return scripts
