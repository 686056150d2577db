"""The way in through pages and forms, as a browser without scripts takes it."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode, urlsplit

from contracts.app_spec import COUNTABLE, AppField, FieldType, Resource
from proving.api_door import list_path, table_of
from proving.check import NotSo, Person, Trial, came, expect, expect_status, shown
from proving.door import FURTHEST, Json, Listing
from proving.html_reader import Form, Page, Unreadable, read_page
from proving.values import WRITTEN, same
from proving.wire import Reply, query

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
YES = ("true", "yes", "1")
NO = ("false", "no", "0")


def get_page(trial: Trial, path: str, status: int = 200) -> Page:
    """The page at a path, seen to be one."""
    return page_of(expect_status(trial.send("GET", path), status, f"`GET {path}`"), f"`GET {path}`")


def page_of(reply: Reply, what: str) -> Page:
    kind = reply.header("Content-Type")
    expect(kind.startswith("text/html"), f"{what} should be a page; what came is {came(reply)}")
    try:
        return read_page(reply.text)
    except Unreadable as error:
        raise NotSo(f"{what} is no page: {error}") from None


def form_on(page: Page, target: str, where: str) -> Form:
    """The form that leads to a target, with what guards it."""
    form = page.form_to(target)
    if form is None:
        raise NotSo(f"`{where}` should have a form that is sent to `{target}`")
    token = form.input("csrf_token")
    expect(token is not None and token.value, f"the form on `{where}` should have a `csrf_token`")
    return form


def post(trial: Trial, path: str, values: Mapping[str, str]) -> Reply:
    return trial.send("POST", path, body=urlencode(values).encode(), headers=FORM)


def leads_to(reply: Reply, path: str, what: str) -> None:
    expect_status(reply, 302, what)
    target = urlsplit(reply.header("Location")).path
    expect(target == path, f"{what} should lead to `{path}`, and leads to `{shown(target)}`")


class PageDoor:
    typed = False
    quick = True
    oldest_first = False
    lasting = True

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        if trial.person is None:
            trial.person = Person("", "")

    def add(self, resource: Resource, values: Mapping[str, Json]) -> int:
        before = set(self.numbers(resource, Listing())) if resource.quick_add else set()
        reply = self._send_new(resource, values)
        what = f"`POST /{resource.path}/new` with {shown(dict(values))}"
        expect(reply.status == 302, f"{what} should lead on with 302; what came is {self._complaint(reply)}")
        target = urlsplit(reply.header("Location")).path
        if resource.quick_add:
            leads_to(reply, f"/{resource.path}", what)
            fresh = set(self.numbers(resource, Listing())) - before
            expect(fresh, f"{what} was taken, but nothing new is in the list")
            return max(fresh)
        found = re.fullmatch(rf"/{re.escape(resource.path)}/(\d+)", target)
        expect(found, f"{what} should lead to the new item, and leads to `{shown(target)}`")
        return int(found[1]) if found else 0

    def refuses(
        self, resource: Resource, values: Mapping[str, Json], name: str, why: str, *, taken: bool = False
    ) -> None:
        before = self.numbers(resource, Listing())
        reply = self._send_new(resource, values)
        self._refused(reply, f"/{resource.path}/new", resource, values, f"a form where `{name}` {why}")
        fresh = set(self.numbers(resource, Listing())) - set(before)
        expect(not fresh, f"a {resource.name} whose `{name}` {why} was refused, and yet it is kept")

    def change(self, resource: Resource, number: int, values: Mapping[str, Json]) -> None:
        path = f"/{resource.path}/{number}"
        reply = self._send_edit(resource, number, values)
        what = f"`POST {path}/edit` with {shown(dict(values))}"
        expect(reply.status == 302, f"{what} should lead on with 302; what came is {self._complaint(reply)}")
        leads_to(reply, path, what)

    def refuses_change(
        self, resource: Resource, number: int, values: Mapping[str, Json], name: str, why: str, *, taken: bool = False
    ) -> None:
        reply = self._send_edit(resource, number, values)
        path = f"/{resource.path}/{number}/edit"
        self._refused(reply, path, resource, values, f"a change where `{name}` {why}")

    def cannot_change(self, resource: Resource, number: int) -> None:
        where = f"/{resource.path}/new"
        token = form_on(get_page(self._trial, where), where, where).values["csrf_token"]
        for ending in ("edit", "delete"):
            path = f"/{resource.path}/{number}/{ending}"
            for reply in (self._trial.send("GET", path), post(self._trial, path, {"csrf_token": token})):
                words = f"`{path}` should not be there, since nothing can be changed; what came is {came(reply)}"
                expect(reply.status in {404, 405}, words)

    def remove(self, resource: Resource, number: int) -> None:
        path = f"/{resource.path}/{number}/delete"
        form = form_on(get_page(self._trial, path), path, path)
        leads_to(post(self._trial, path, form.values), f"/{resource.path}", f"`POST {path}`")

    def is_there(self, resource: Resource, number: int) -> bool:
        reply = self._trial.send("GET", f"/{resource.path}/{number}")
        what = f"`GET /{resource.path}/{number}`"
        expect(reply.status in {200, 404}, f"{what} should be answered with 200 or 404; what came is {came(reply)}")
        page_of(reply, what)
        return reply.status == 200

    def differs(self, resource: Resource, number: int, expected: Mapping[str, Json]) -> str:
        path = f"/{resource.path}/{number}"
        shown_there = get_page(self._trial, path).text
        fields = {field.name: field for field in resource.fields}
        for name, value in expected.items():
            if name in fields and fields[name].type in WRITTEN and value and " ".join(value.split()) not in shown_there:
                return f"`{path}` should show {shown(value)}"
        wrong = self._differs_in_list(resource, number, expected.get(resource.main.name))
        if wrong:
            return wrong
        if resource.append_only:
            return ""
        form = form_on(get_page(self._trial, f"{path}/edit"), f"{path}/edit", f"{path}/edit")
        for name, value in expected.items():
            field = fields.get(name)
            got = _typed_value(form, field) if field else int(form.values.get(name) or 0)
            if not (same(field, value, got) if field else value == got):
                return f"`{name}` should be {shown(value)}, and is {shown(got)}"
        return ""

    def _differs_in_list(self, resource: Resource, number: int, main: Json) -> str:
        """What the first page of the list calls an item, if it is there and known by a text."""
        if resource.main.type is not FieldType.TEXT or not isinstance(main, str) or not main.strip():
            return ""
        path, wanted = f"/{resource.path}", " ".join(main.split())
        called = [
            " ".join(words.split())
            for href, words in get_page(self._trial, path).links
            if urlsplit(href).path == f"{path}/{number}"
        ]
        right = not called or any(wanted in words for words in called)
        return "" if right else f"`{path}` should call it {shown(wanted)}, and calls it {shown(called[0])}"

    def numbers(self, resource: Resource, listing: Listing) -> list[int]:
        found: dict[int, None] = {}
        asked = self._asked(resource, listing)
        paged = resource.paging and not listing.below
        path = f"/{listing.below[0].path}/{listing.below[1]}" if listing.below else list_path(resource, listing)
        for number in range(1, FURTHEST + 1):
            address = query(path, asked | ({"page": number} if paged and number > 1 else {}))
            page = get_page(self._trial, address)
            fresh = dict.fromkeys(numbers_on(page, resource))
            if not paged or not fresh.keys() - found.keys():
                return list(found | fresh)
            found |= fresh
            if not has_page(page, number + 1):
                break
        return list(found)

    def table(self, resource: Resource, listing: Listing) -> list[list[str]]:
        path = query(f"/{resource.path}.csv", self._asked(resource, listing))
        return table_of(self._trial.send("GET", path), path)

    def _asked(self, resource: Resource, listing: Listing) -> dict[str, object]:
        asked: dict[str, object] = {}
        for name, value in listing.filters.items():
            asked[name] = self._choice(resource, name, value) if isinstance(value, bool) else value
        return (
            asked | ({"q": listing.search} if listing.search else {}) | ({"sort": listing.sort} if listing.sort else {})
        )

    def _choice(self, resource: Resource, name: str, value: bool) -> str:
        """How the list's own filter says yes or no."""
        page = get_page(self._trial, f"/{resource.path}")
        inputs = [form.input(name) for form in page.forms if form.method == "get"]
        offered = {option for one in inputs if one for option, _ in one.options}
        words = YES if value else NO
        return next((word for word in words if word in offered), words[0])

    def _send_new(self, resource: Resource, values: Mapping[str, Json]) -> Reply:
        path = f"/{resource.path}/new"
        form = form_on(get_page(self._trial, path), path, path)
        return post(self._trial, path, _filled(form, resource, values, new=True))

    def _send_edit(self, resource: Resource, number: int, values: Mapping[str, Json]) -> Reply:
        path = f"/{resource.path}/{number}/edit"
        form = form_on(get_page(self._trial, path), path, path)
        return post(self._trial, path, _filled(form, resource, values, new=False))

    def _refused(self, reply: Reply, path: str, resource: Resource, values: Mapping[str, Json], what: str) -> None:
        expect_status(reply, 422, what)
        page = page_of(reply, what)
        form = form_on(page, path, path)
        for field in resource.fields:
            typed = values.get(field.name)
            if field.type in WRITTEN and isinstance(typed, str) and typed.strip():
                one = form.input(field.name)
                words = f"after {what}, `{field.name}` should still have what was typed"
                expect(one is not None and one.value.strip() == typed.strip(), words)
        plain_words = set(get_page(self._trial, path).text.split())
        expect(set(page.text.split()) - plain_words, f"{what} was refused without a word about what is wrong")

    def _complaint(self, reply: Reply) -> str:
        try:
            return f"{reply.status} {shown(read_page(reply.text).text)}"
        except Unreadable:
            return came(reply)


def numbers_on(page: Page, resource: Resource) -> list[int]:
    """Of the items that a page links to, in its order."""
    form = re.compile(rf"/{re.escape(resource.path)}/(\d{{1,15}})(?:/edit|/delete)?")
    found = (form.fullmatch(urlsplit(href).path) for href, _ in page.links)
    return list(dict.fromkeys(int(one[1]) for one in found if one))


def has_page(page: Page, number: int) -> bool:
    return any(("page", str(number)) in parse_qsl(urlsplit(href).query) for href, _ in page.links)


def _filled(form: Form, resource: Resource, values: Mapping[str, Json], *, new: bool) -> dict[str, str]:
    """What a browser sends when a person has typed these values and, in a new form, emptied what has no default."""
    sent = form.values
    for field in resource.fields:
        if field.name in values:
            sent.pop(field.name, None)
            text = _as_typed(field, values[field.name])
            sent |= {field.name: text} if text is not None else {}
        elif new and field.default is None and field.type is not FieldType.YES_NO:
            sent[field.name] = ""
    for parent in resource.parents:
        if parent in values or new:
            sent[parent] = str(values.get(parent, ""))
    return sent


def _as_typed(field: AppField, value: Json) -> str | None:
    """What a form sends for a value; None if it sends nothing at all."""
    if field.type is FieldType.YES_NO:
        return "yes" if value else None
    return "" if value is None else str(value)


def _typed_value(form: Form, field: AppField) -> Json:
    """The value that stands in a form, in the JSON form of its type."""
    inputs = [one for one in form.inputs if one.name == field.name]
    if field.type is FieldType.YES_NO:
        return any(one.checked for one in inputs if one.type == "checkbox")
    text = form.values.get(field.name, "")
    if not text:
        return None
    if field.type in COUNTABLE:
        try:
            return float(text)
        except ValueError:
            return text
    return text.replace("\r\n", "\n")
