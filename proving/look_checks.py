"""Checks with a browser: that pages open without an error, and that a person sees what the spec promises."""

from collections.abc import Iterable
from functools import partial

from contracts.app_spec import AppSpec, FieldType, Kind, Page, Resource
from proving import access, page_checks
from proving.access import enter_api
from proving.check import Check, Person, Trial, expect, expect_status
from proving.door import Bench, Listing
from proving.page_checks import enter_pages
from proving.page_door import get_page, numbers_on
from proving.record import cut
from proving.sight import DARK, PHONE, WIDE, Scene, Screen, Sight, Want

LOOKER = "looking"
MOST_LISTS = 2
MOST_PAGES = 6
MOST_FIELDS = 12
MOST_WORDS = 24
NAMED = 4
PASSWORD = "*password"  # noqa: S105  a name for whatever field of a page takes one
HEADING = Want("heading", "a heading")
LOGIN = (
    HEADING,
    Want("field", "the field for the name", name="username"),
    Want("label", "the label of the name", ("name",), "username"),
    Want("field", "the field for the password", name="password"),
    Want("label", "the label of the password", ("password",), "password"),
    Want("button", "the button that signs in", name="password"),
)


def has_pages(spec: AppSpec) -> bool:
    return spec.kind in {Kind.WEB_APP, Kind.SITE} or spec.ui is not None


def look_checks(spec: AppSpec) -> Iterable[Check]:
    """Each promise that a look in a browser is needed for."""
    if not has_pages(spec):
        return
    yield Check("look-opens", "In a browser its pages open without an error", _opens)
    for screen in screens_of(spec):
        words = {
            WIDE.id: "On a wide screen one sees what it promises: headings, what is listed, fields and buttons",
            PHONE.id: "On a phone one sees all of it too, and no page is wider than the screen",
            DARK.id: "In the dark one can read all of it too",
        }[screen.id]
        yield Check(f"look-{screen.id}", words, partial(_seen_on, screen=screen))


def screens_of(spec: AppSpec) -> tuple[Screen, ...]:
    return (WIDE, DARK, PHONE) if spec.dark_mode else (WIDE, PHONE)


def _opens(trial: Trial) -> None:
    sights = _looked(trial)
    for sight in sights:
        told = "; ".join(sight.errors) or "it opens without an error"
        trial.recorder.add(f"Open {sight.scene.path} in a browser{sight.scene.when}", "", sight.status, told)
    for sight in sights:
        opened = sight.status is not None and sight.status < 400
        expect(opened, f"{sight.scene.called} does not open: it is answered with {sight.status or 'nothing'}")
        expect(not sight.errors, f"on {sight.scene.called} {'; '.join(sight.errors[:NAMED])}")


def _seen_on(trial: Trial, screen: Screen) -> None:
    sights = _looked(trial)
    for sight in sights:
        trial.recorder.add(
            f"Look at {sight.scene.path} on {screen.words}{sight.scene.when}", "", sight.status, _told(sight, screen)
        )
    for sight in sights:
        unseen = sight.unseen.get(screen.id)
        expect(unseen is not None, f"on {sight.scene.called} nothing can be seen")
        expect(not unseen, f"on {sight.scene.called} {_listed(unseen or [])}")
        beyond = sight.beyond.get(screen.id) if screen.phone else ""
        expect(not beyond, f"{sight.scene.called} has to be moved sideways: {beyond}")


def _told(sight: Sight, screen: Screen) -> str:
    unseen = sight.unseen.get(screen.id)
    if unseen is None:
        return "nothing can be seen"
    wants = [want.called for want in sight.scene.wants if want.phone or not screen.phone]
    missing = [f"Not seen: {one}" for one in unseen]
    seen = [called for called in wants if not any(one.startswith(f"{called} ") for one in unseen)]
    beyond = sight.beyond.get(screen.id)
    return "\n".join([f"Seen: {', '.join(seen) or 'nothing'}", *missing, *([f"Too wide: {beyond}"] if beyond else [])])


def _listed(unseen: list[str]) -> str:
    more = f" (and {len(unseen) - NAMED} more)" if len(unseen) > NAMED else ""
    return "; ".join(unseen[:NAMED]) + more


def _looked(trial: Trial) -> tuple[Sight, ...]:
    """What there is to see, looked at by the first check that asks."""
    eyes, visitor = trial.grounds.eyes, trial.grounds.visitor
    seen = eyes.seen if eyes else None
    if seen is not None:
        return seen
    spec = trial.spec
    if spec.kind is Kind.SITE:
        return _look(trial, None, _site(trial))
    bench = Bench(trial, enter_pages(trial) if spec.kind is Kind.WEB_APP else enter_api(trial))
    expect(visitor, "there is no address at which the app could be looked at")
    try:
        return _look(trial, bench, _web_app(bench) if spec.kind is Kind.WEB_APP else _front_end(bench))
    finally:
        bench.clear()


def _look(trial: Trial, bench: Bench | None, scenes: list[Scene]) -> tuple[Sight, ...]:
    eyes, visitor = trial.grounds.eyes, trial.grounds.visitor
    if eyes is None or visitor is None:
        raise AssertionError("nobody is there to look")
    return eyes.look(visitor, scenes[:MOST_PAGES], screens_of(trial.spec), trial.grounds.tick)


def _site(trial: Trial) -> list[Scene]:
    scenes = []
    for page in trial.spec.pages:
        path = f"/{page.slug}.html"
        get_page(trial, path)
        others = [_way_to(one) for one in trial.spec.pages if one is not page]
        scenes.append(Scene(path, (HEADING, *_texts(page), *others)))
    return scenes


def _way_to(page: Page) -> Want:
    also = ("/",) if page.slug == "index" else ()
    return Want("link", f"a way to `{page.slug}.html`", also, f"/{page.slug}.html", phone=False)


def _texts(page: Page) -> list[Want]:
    lines = [
        " ".join(line.split())
        for section in page.sections
        for line in (section.heading, *section.text.splitlines(), *section.points)
    ]
    return [_words(line) for line in dict.fromkeys(lines) if any(map(str.isalnum, line))][:MOST_WORDS]


def _words(*words: str) -> Want:
    return Want("words", " or ".join(f"“{cut(word, 60)}”" for word in words), words)


def _web_app(bench: Bench) -> list[Scene]:
    trial, spec = bench.trial, bench.spec
    scenes = [Scene("/login", LOGIN)] if spec.login else []
    person = _signed_in(trial)
    home = trial.send("GET", "/")
    if home.status != 302:
        expect_status(home, 200, "`GET /`")
    if home.status != 302 and not _is_list(spec):
        scenes.append(Scene("/", _home(spec), person.cookies))
    for resource in spec.resources[:MOST_LISTS]:
        bench.add(resource, bench.item(resource))
        path = f"/{resource.path}"
        scenes.append(Scene(path, _list(bench, resource), person.cookies))
        get_page(trial, f"{path}/new")
        scenes.append(Scene(f"{path}/new", (HEADING, *_form(spec, resource)), person.cookies))
    if spec.charts:
        get_page(trial, "/charts")
        scenes.append(Scene("/charts", (HEADING, Want("drawing", "a drawing")), person.cookies))
    for page in spec.pages:
        if page.slug != "index":
            get_page(trial, f"/{page.slug}")
            scenes.append(Scene(f"/{page.slug}", (HEADING, *_texts(page)), person.cookies))
    return scenes


def _signed_in(trial: Trial) -> Person:
    """Somebody for whom all is as new, where people have accounts."""
    if trial.spec.login:
        trial.person = page_checks.known(trial, LOOKER)
    return trial.person or Person("", "")


def _is_list(spec: AppSpec) -> bool:
    """Whether the start page is the one list that there is."""
    return (
        all(page.slug != "index" for page in spec.pages)
        and len([resource for resource in spec.resources if not resource.belongs_to]) == 1
    )


def _home(spec: AppSpec) -> tuple[Want, ...]:
    index = next((page for page in spec.pages if page.slug == "index"), None)
    if not spec.resources and not spec.pages:
        return (HEADING, _words("Hello, World!"))
    tops = [resource for resource in spec.resources if not resource.belongs_to]
    ways = [
        Want("link", f"a way to {one.plural_label}", name=f"/{one.path}", phone=False) for one in tops if len(tops) > 1
    ]
    return (HEADING, *(_texts(index) if index else ()), *ways)


def _list(bench: Bench, resource: Resource) -> tuple[Want, ...]:
    """The name of the list, something in it, and the way to add to it where that is on the page."""
    path = f"/{resource.path}"
    page = get_page(bench.trial, path)
    own = set(bench.own(resource, Listing()))
    shown = [number for number in numbers_on(page, resource) if number in own] or numbers_on(page, resource)
    items = [_item(resource, f"{path}/{shown[0]}")] if shown else []
    quick = _form(bench.spec, resource)[:3] if resource.quick_add else ()
    return (HEADING, _words(resource.plural_label), *items, *quick)


def _item(resource: Resource, path: str) -> Want:
    return Want("link", f"the {resource.name} that was added", (f"{path}/edit", f"{path}/delete"), path)


def _form(spec: AppSpec, resource: Resource) -> tuple[Want, ...]:
    main = resource.main
    fields = [main, *(field for field in resource.fields if field is not main)][:MOST_FIELDS]
    wants = [Want("button", "the button that adds it", name=main.name)]
    for field in fields:
        wants.append(Want("field", f"the field “{cut(field.label, 60)}”", name=field.name))
        wants.append(Want("label", f"the label “{cut(field.label, 60)}”", (field.label,), field.name))
    return tuple(wants)


def _front_end(bench: Bench) -> list[Scene]:
    trial, spec = bench.trial, bench.spec
    path = "/ui/"
    expect_status(trial.send("GET", path), 200, f"`GET {path}`")
    types: tuple[str, ...] = ()
    if spec.login:
        trial.person = person = access.known(trial, LOOKER)
        types = (person.name, person.password)
    elif spec.api_key:
        types = (trial.grounds.api_key,)
    scenes = [Scene(path, _door(spec))] if types else []
    added = []
    for resource in spec.resources[:MOST_LISTS]:
        item = bench.item(resource)
        bench.add(resource, item)
        if resource.main.type is FieldType.TEXT and not resource.append_only:
            added.append(str(item[resource.main.name]))
    first = spec.resources[0]
    lists = _words(*(resource.plural_label for resource in spec.resources))
    items = [Want("words", "anything that was added", tuple(added))] if added and not first.append_only else []
    quick = _form(spec, first)[:3] if first.quick_add and len(spec.resources) == 1 else ()
    scenes.append(Scene(path, (HEADING, lists, *items, *quick), types=types))
    return scenes


def _door(spec: AppSpec) -> tuple[Want, ...]:
    what = "the password" if spec.login else "the key"
    words = ("password",) if spec.login else ("key",)
    return (
        HEADING,
        Want("field", f"the field for {what}", name=PASSWORD),
        Want("label", f"the label of {what}", words, PASSWORD),
        Want("button", f"the button below {what}", name=PASSWORD),
    )
