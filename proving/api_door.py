"""The way in through a JSON API."""

import csv
import io
from collections.abc import Mapping
from urllib.parse import quote

from contracts.app_spec import Resource
from proving.check import Trial, came, expect, expect_status, object_of, shown
from proving.door import FURTHEST, Json, Listing
from proving.values import same
from proving.wire import Reply, query


class ApiDoor:
    typed = True
    quick = True
    oldest_first = True
    lasting = True

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def add(self, resource: Resource, values: Mapping[str, Json]) -> int:
        what = f"`POST /{resource.path}` with {shown(dict(values))}"
        reply = expect_status(self._trial.send("POST", f"/{resource.path}", value=dict(values)), 201, what)
        number = object_of(reply, what).get("id")
        whole = isinstance(number, int) and not isinstance(number, bool)
        expect(whole, f"{what} should give the new item with its `id`; what came is {came(reply)}")
        location = reply.header("Location")
        right = location.rpartition("://")[2].endswith(f"/{resource.path}/{number}")
        expect(
            right, f"the answer to {what} should have `Location: /{resource.path}/{number}`, not `{shown(location)}`"
        )
        return int(str(number))

    def refuses(
        self, resource: Resource, values: Mapping[str, Json], name: str, why: str, *, taken: bool = False
    ) -> None:
        before = self.total(resource)
        reply = self._trial.send("POST", f"/{resource.path}", value=dict(values))
        self._refused(reply, 409 if taken else 422, name, f"`POST /{resource.path}` where `{name}` {why}")
        after = self.total(resource)
        expect(after <= before, f"a {resource.name} whose `{name}` {why} was refused, and yet it is kept")

    def change(self, resource: Resource, number: int, values: Mapping[str, Json]) -> None:
        what = f"`PATCH /{resource.path}/{number}` with {shown(dict(values))}"
        reply = expect_status(self._trial.send("PATCH", f"/{resource.path}/{number}", value=dict(values)), 200, what)
        wrong = self._difference(resource, object_of(reply, what), values)
        expect(not wrong, f"{what} should be answered with the changed item: {wrong}")

    def refuses_change(
        self, resource: Resource, number: int, values: Mapping[str, Json], name: str, why: str, *, taken: bool = False
    ) -> None:
        reply = self._trial.send("PATCH", f"/{resource.path}/{number}", value=dict(values))
        self._refused(reply, 409 if taken else 422, name, f"`PATCH /{resource.path}/{number}` where `{name}` {why}")

    def cannot_change(self, resource: Resource, number: int) -> None:
        path = f"/{resource.path}/{number}"
        for method, value in (("PUT", {}), ("PATCH", {}), ("DELETE", None)):
            reply = self._trial.send(method, path, value=value)
            expect_status(reply, 405, f"`{method} {path}`, which cannot be changed once added,")

    def remove(self, resource: Resource, number: int) -> None:
        path = f"/{resource.path}/{number}"
        expect_status(self._trial.send("DELETE", path), 204, f"`DELETE {path}`")

    def is_there(self, resource: Resource, number: int) -> bool:
        reply = self._trial.send("GET", f"/{resource.path}/{number}")
        what = f"`GET /{resource.path}/{number}`"
        expect(reply.status in {200, 404}, f"{what} should be answered with 200 or 404; what came is {came(reply)}")
        if reply.status == 404:
            error_of(reply, what)
        return reply.status == 200

    def differs(self, resource: Resource, number: int, expected: Mapping[str, Json]) -> str:
        what = f"`GET /{resource.path}/{number}`"
        reply = expect_status(self._trial.send("GET", f"/{resource.path}/{number}"), 200, what)
        found = object_of(reply, what)
        order = ["id", *resource.parents, *(field.name for field in resource.fields), "created_at"]
        expect(list(found) == order, f"{what} should have {order}, in this order; it has {shown(list(found))}")
        return self._difference(resource, found, {"id": number, **expected})

    def numbers(self, resource: Resource, listing: Listing) -> list[int]:
        found: list[int] = []
        for page in range(1, FURTHEST + 1):
            answer = self.page(resource, listing, {"page": page, "per_page": 100} if resource.paging else {})
            found += [item["id"] for item in answer["items"]]
            if not resource.paging or page >= answer["pages"]:
                break
        return found

    def table(self, resource: Resource, listing: Listing) -> list[list[str]]:
        path = query(f"/{resource.path}.csv", _asked(listing))
        return table_of(self._trial.send("GET", path), path)

    def total(self, resource: Resource) -> int:
        return int(self.page(resource, Listing(), {"per_page": 1} if resource.paging else {})["total"])

    def page(self, resource: Resource, listing: Listing, paging: Mapping[str, int]) -> dict[str, Json]:
        """One answer of a list, seen to have the shape that lists have."""
        path = query(list_path(resource, listing), {**_asked(listing), **paging})
        what = f"`GET {path}`"
        found = object_of(expect_status(self._trial.send("GET", path), 200, what), what)
        items = found.get("items")
        fits = isinstance(items, list) and all(
            isinstance(item, dict) and isinstance(item.get("id"), int) for item in items
        )
        expect(fits, f'{what} should have "items", each with its `id`; what came is {shown(found)}')
        wanted = ["total", *(["page", "per_page", "pages"] if resource.paging else [])]
        for name in wanted:
            expect(
                isinstance(found.get(name), int), f'{what} should have a number "{name}"; what came is {shown(found)}'
            )
        return found

    def _refused(self, reply: Reply, status: int, name: str, what: str) -> None:
        expect_status(reply, status, what)
        error = error_of(reply, what)
        fields = error.get("fields")
        named = isinstance(fields, dict) and name in fields and isinstance(fields[name], str) and bool(fields[name])
        expect(named, f"{what} should be refused with words about `{name}`; what came is {came(reply)}")

    def _difference(self, resource: Resource, found: Mapping[str, Json], expected: Mapping[str, Json]) -> str:
        fields = {field.name: field for field in resource.fields}
        for name, value in expected.items():
            got = found.get(name)
            right = same(fields[name], value, got) if name in fields else value == got
            if name not in found or not right:
                return f"`{name}` should be {shown(value)}, and is {shown(got)}"
        return ""


def list_path(resource: Resource, listing: Listing) -> str:
    if listing.below:
        return f"/{listing.below[0].path}/{listing.below[1]}/{resource.path}"
    return f"/{resource.path}/{quote(listing.view)}" if listing.view else f"/{resource.path}"


def _asked(listing: Listing) -> dict[str, object]:
    asked: dict[str, object] = {name: _as_text(value) for name, value in listing.filters.items()}
    return asked | ({"q": listing.search} if listing.search else {}) | ({"sort": listing.sort} if listing.sort else {})


def _as_text(value: Json) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def error_of(reply: Reply, what: str) -> dict[str, Json]:
    """The error in an answer, seen to have the shape that errors have."""
    error = object_of(reply, what).get("error")
    told = isinstance(error, dict) and isinstance(error.get("message"), str) and bool(error["message"])
    expect(told, f'{what} should say what is wrong in "error" with a "message"; what came is {came(reply)}')
    return dict(error or {})


def table_of(reply: Reply, path: str) -> list[list[str]]:
    """The rows of a CSV file that is offered to be saved."""
    what = f"`GET {path}`"
    expect_status(reply, 200, what)
    kind, offered = reply.header("Content-Type"), reply.header("Content-Disposition")
    expect(kind.startswith("text/csv"), f"{what} should be `text/csv`, not `{shown(kind)}`")
    expect(offered.startswith("attachment"), f"{what} should be offered as a file to save")
    return list(csv.reader(io.StringIO(reply.body.decode("utf-8-sig", "replace"), newline="")))
