"""Checks of a web app: pages that anybody can use, forms that guard themselves, charts, and people who sign in."""

from calendar import month_name
from collections.abc import Callable, Iterable
from datetime import date
from urllib.parse import parse_qsl, urljoin, urlsplit

from contracts.app_spec import AppField, AppSpec, FieldType, Page, Resource
from proving.access import WRONG_TRIES, stranger
from proving.api_checks import health
from proving.check import Check, Person, Trial, came, expect, expect_status, shown
from proving.door import Bench, Listing
from proving.html_reader import Page as Read
from proving.item_checks import NOBODY, checking, item_checks, one_of
from proving.list_checks import list_checks
from proving.page_door import PageDoor, form_on, get_page, has_page, leads_to, numbers_on, page_of, post
from proving.wire import Reply

A_PAGE = 20


def enter_pages(trial: Trial) -> PageDoor:
    """Goes in as somebody who has an account, where that is needed."""
    if trial.spec.login:
        trial.person = known(trial, "one")
    return PageDoor(trial)


def known(trial: Trial, who: str) -> Person:
    """Somebody with an account, signed in; made at the first time that anybody needs them."""
    people = trial.grounds.people
    if who not in people:
        person = stranger(trial.grounds, who)
        before, trial.person = trial.person, person
        trial.hide(person)
        reply = _submit(trial, "/register", person.name, person.password)
        expect_status(reply, 302, "registering with a new name")
        trial.person = before
        people[who] = person
    return people[who]


def _submit(trial: Trial, path: str, name: str, password: str) -> Reply:
    form = form_on(get_page(trial, path), path.partition("?")[0], path)
    for field in ("username", "password"):
        expect(form.input(field), f"the form on `{path}` should ask for `{field}`")
    return post(trial, form.action or path, {**form.values, "username": name, "password": password})


def page_checks(spec: AppSpec) -> Iterable[Check]:
    yield Check("health", "The app says that it is well", health)
    yield Check("home", "The start page shows what the app is for and leads to all of it", _home)
    yield Check(
        "readable", "Every page has a language, a title, one heading, and labels on what is typed into", _readable
    )
    yield Check("nothing-there", "Where nothing is, a page of the app says so", _nothing_there)
    yield Check("look", _look_words(spec), _look)
    if spec.pages:
        yield Check("texts", "Every page of text shows all of its text", _texts)
    yield from item_checks(spec, enter_pages)
    yield from list_checks(spec, enter_pages)
    yield from _of_lists(spec)
    if spec.resources:
        yield Check(
            "guarded", "A form that was not sent from the app's own page is refused", checking(enter_pages, _guarded)
        )
    if spec.charts:
        yield Check(
            "charts",
            "Charts show the figures of what was added, as a drawing and as a table",
            checking(enter_pages, _charts),
        )
    if spec.login:
        yield Check("login", "Without signing in nothing is shown, and a wrong password does not sign in", _login)
        yield Check("accounts", "An account needs a usable name and password, and a name is given only once", _accounts)
        yield Check("guessing", "After ten wrong passwords a name is locked for a while", _guessing)
        if spec.login.private:
            yield Check("private", "What one person adds is not there for another", checking(enter_pages, _private))
        else:
            yield Check(
                "shared", "What one person adds is there for others who sign in", checking(enter_pages, _shared)
            )


def _of_lists(spec: AppSpec) -> Iterable[Check]:
    def check(name: str, words: str, resource: Resource, body: Callable[[Bench, Resource], None]) -> Check:
        return Check(f"{name}-{resource.path}", words, checking(enter_pages, lambda bench: body(bench, resource)))

    for resource in spec.resources:
        if resource.paging:
            words = f"{resource.plural_label} come in pages of {A_PAGE} with links between them"
            yield check("pages", words, resource, _pages)
        if resource.quick_add:
            yield check("quick", f"{one_of(resource)} can be added on the list itself", resource, _quick)


def _paths(spec: AppSpec) -> list[str]:
    lists = [path for resource in spec.resources for path in (f"/{resource.path}", f"/{resource.path}/new")]
    texts = [f"/{page.slug}" for page in spec.pages if page.slug != "index"]
    return ["/", *lists, *texts, *(["/charts"] if spec.charts else [])]


def _home(trial: Trial) -> None:
    enter_pages(trial)
    spec = trial.spec
    reply = trial.send("GET", "/")
    tops = [resource for resource in spec.resources if not resource.belongs_to]
    index = next((page for page in spec.pages if page.slug == "index"), None)
    if reply.status == 302 and not index and len(tops) == 1:
        leads_to(reply, f"/{tops[0].path}", "`GET /`")
        page = get_page(trial, f"/{tops[0].path}")
    else:
        page = page_of(expect_status(reply, 200, "`GET /`"), "`GET /`")
    expect(spec.title in page.text or spec.title in page.title, f"`GET /` should name the app, `{spec.title}`")
    if not spec.resources and not spec.pages:
        expect(
            any("Hello, World!" in one for one in page.headings), "the heading of `GET /` should say `Hello, World!`"
        )
        return
    if index:
        check_text(page, index, "/", spec.title)
    targets = {urlsplit(urljoin("/", href)).path for href, _ in page.links}
    targets |= {urlsplit(form.action).path for form in page.forms}
    for resource in tops:
        own = f"/{resource.path}"
        there = own in targets or (len(tops) == 1 and f"{own}/new" in targets)
        expect(there, f"`GET /` should lead to `{own}`")


def check_readable(page: Read, where: str) -> None:
    """What every page owes to those who cannot see it."""
    expect(page.lang, f"`{where}` should name its language")
    expect(page.title, f"`{where}` should have a title")
    expect(
        len(page.headings) == 1 and page.headings[0],
        f"`{where}` should have one heading `h1`; it has {shown(page.headings)}",
    )
    expect("width=device-width" in page.viewport, f"`{where}` should fit the width of a phone")
    for form in page.forms:
        bare = [one.name or one.type for one in form.inputs if one.typed_into and not one.labelled]
        expect(not bare, f"`{where}` should have a label on {shown(bare)}")


def _readable(trial: Trial) -> None:
    enter_pages(trial)
    paths = _paths(trial.spec)
    for path in paths:
        reply = trial.send("GET", path)
        if path == "/" and reply.status == 302:
            continue
        page = page_of(expect_status(reply, 200, f"`GET {path}`"), f"`GET {path}`")
        check_readable(page, path)
        skips = any(href.startswith("#") and len(href) > 1 and href[1:] in page.ids for href, _ in page.links)
        expect(skips, f"`{path}` should have a link that skips to its content")
    if trial.spec.login:
        trial.person = Person("", "")
        for path in ("/login", "/register"):
            check_readable(get_page(trial, path), path)


def _nothing_there(trial: Trial) -> None:
    enter_pages(trial)
    for path in ("/no-such-address", *(f"/{resource.path}/{NOBODY}" for resource in trial.spec.resources)):
        page = get_page(trial, path, 404)
        check_readable(page, path)
        home = any(urlsplit(href).path == "/" for href, _ in page.links)
        expect(home, f"the page at `{path}` should lead back to the start")


def _look_words(spec: AppSpec) -> str:
    if spec.dark_mode:
        return "Pages follow the system's dark mode, with a button to switch, and mind those whom motion troubles"
    return "Pages are light, and mind those whom motion troubles"


def _look(trial: Trial) -> None:
    enter_pages(trial)
    path = "/" if not trial.spec.resources else f"/{trial.spec.resources[0].path}"
    check_look(trial, path, get_page(trial, path), trial.send("GET", path).text)


def check_look(trial: Trial, path: str, page: Read, text: str) -> None:
    """Styles and scripts that the page names are there, and do what the spec says of dark mode."""
    together = [text]
    for asset in dict.fromkeys(page.assets):
        address = urljoin(path, asset)
        expect(not urlsplit(address).netloc, f"`{path}` should need nothing from elsewhere; it needs `{shown(asset)}`")
        together.append(expect_status(trial.send("GET", address), 200, f"`GET {address}`, which the page needs,").text)
    styles = "\n".join(together)
    expect("prefers-reduced-motion" in styles, "the styles should mind those whom motion troubles")
    if trial.spec.dark_mode:
        expect("prefers-color-scheme" in styles, "the styles should follow the system's dark mode")
        expect("theme" in page.ids, f"`{path}` should have a button `#theme`")
    else:
        expect("theme" not in page.ids, f"`{path}` has a button `#theme`, though there is no dark mode")


def check_text(page: Read, wanted: Page, where: str, title: str = "") -> None:
    """All the text of a page is on it. A home page may have the name of the app for its heading."""
    headings = {wanted.title, title} if wanted.slug == "index" and title else {wanted.title}
    right = len(page.headings) == 1 and page.headings[0] in {" ".join(one.split()) for one in headings}
    expect(right, f"the heading of `{where}` should be `{wanted.title}`, not {shown(page.headings)}")
    for section in wanted.sections:
        for words in (section.heading, *section.points, *section.text.splitlines()):
            once = " ".join(words.split())
            expect(once in page.text, f"`{where}` should say {shown(once)}")


def _texts(trial: Trial) -> None:
    enter_pages(trial)
    for page in trial.spec.pages:
        path = "/" if page.slug == "index" else f"/{page.slug}"
        check_text(get_page(trial, path), page, path, trial.spec.title)


def _pages(bench: Bench, resource: Resource) -> None:
    trial = bench.trial
    for _ in range(A_PAGE + 1):
        bench.add(resource, bench.item(resource))
    first, second = (get_page(trial, f"/{resource.path}{ending}") for ending in ("", "?page=2"))
    expect(has_page(first, 2), f"the first page of {resource.plural} should lead to the second")
    expect(
        has_page(second, 1) or any(urlsplit(href).path == f"/{resource.path}" for href, _ in second.links),
        "no way back",
    )
    on_first, on_second = numbers_on(first, resource), numbers_on(second, resource)
    expect(len(on_first) == A_PAGE, f"a page should have {A_PAGE} {resource.plural}; it has {len(on_first)}")
    expect(on_second and not set(on_first) & set(on_second), f"the second page of {resource.plural} should have others")


def _quick(bench: Bench, resource: Resource) -> None:
    path = f"/{resource.path}"
    page = get_page(bench.trial, path)
    form = form_on(page, f"{path}/new", path)
    expect(form.input(resource.main.name), f"the form on `{path}` should ask for `{resource.main.name}`")
    number = bench.add(resource, bench.item(resource))
    expect(number in bench.own(resource, Listing()), f"{resource.name} {number} was added and is not in the list")


def _guarded(bench: Bench) -> None:
    trial = bench.trial
    for resource in trial.spec.resources:
        path = f"/{resource.path}/new"
        values = form_on(get_page(trial, path), path, path).values
        item = {name: str(value) for name, value in bench.item(resource).items()}
        before = bench.door.numbers(resource, Listing())
        for token in ({}, {"csrf_token": "x" * len(values["csrf_token"])}):
            reply = post(
                trial, path, {**{name: v for name, v in values.items() if name != "csrf_token"}, **item, **token}
            )
            expect_status(reply, 400, f"`POST {path}` {'with a wrong' if token else 'without a'} `csrf_token`")
        added = set(bench.door.numbers(resource, Listing())) - set(before)
        expect(not added, f"a {resource.name} was added by a form that was refused")


def _charts(bench: Bench) -> None:
    trial = bench.trial
    charts = trial.spec.charts
    for index, chart in enumerate(charts):
        resource = trial.spec.resource(chart.resource)
        given = {chart.by: bench.values.value(resource.field(chart.by))}
        if resource.field(chart.by).type is FieldType.CHOICE:
            given = {chart.by: resource.field(chart.by).choices[0]}
        wanted = bar_label(resource.field(chart.by), given[chart.by])
        before = _figure(get_page(trial, "/charts"), index, len(charts), wanted)
        items = [bench.item(resource, given) for _ in range(2)]
        for item in items:
            bench.add(resource, item)
        page = get_page(trial, "/charts")
        drawn = page.drawings >= len(charts) and len(page.svg_titles) >= len(charts)
        expect(drawn, f"`/charts` should have {len(charts)} drawings with a title each; it has {page.drawings}")
        after = _figure(page, index, len(charts), wanted)
        more = sum(float(item[chart.total]) for item in items) if chart.total else 2.0
        words = f"`/charts` should show {more:g} more for {shown(wanted)} after adding two {resource.plural}"
        expect(
            after is not None and abs(after - (before or 0.0) - more) < 0.006,
            f"{words}; it went from {before} to {after}",
        )


def bar_label(by: AppField, value: object) -> str:
    """What a bar is called; figures are compared without what groups them."""
    if by.type is FieldType.DATE:
        day = date.fromisoformat(str(value))
        return f"{day.day} {month_name[day.month]} {day.year}"
    if by.type is FieldType.MONEY:
        return f"{float(str(value)):.2f}"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _figure(page: Read, index: int, charts: int, wanted: str) -> float | None:
    """The number beside a value in the table of a chart."""
    tables = [page.tables[index]] if len(page.tables) == charts else page.tables
    for table in tables:
        for row in table:
            if len(row) >= 2 and wanted.casefold() in {row[0].casefold(), row[0].replace(",", "")}:
                number = "".join(letter for letter in row[-1] if letter in "0123456789.-")
                try:
                    return float(number)
                except ValueError:
                    return None
    return None


def _login(trial: Trial) -> None:
    paths = [f"/{resource.path}" for resource in trial.spec.resources]
    trial.person = Person("", "")
    for path in paths:
        what = f"`GET {path}` without signing in"
        reply = trial.send("GET", path)
        leads_to(reply, "/login", what)
        back = dict(parse_qsl(urlsplit(reply.header("Location")).query)).get("next", "")
        expect(back.startswith(path), f"{what} should remember `{path}` for later, and remembers `{shown(back)}`")
    person = known(trial, "two")
    for name, password in (
        (person.name, "wrong-" + person.password),
        (f"nobody.{trial.values.marker}", "wrong-password"),
    ):
        trial.person = Person("", "")
        reply = _submit(trial, "/login", name, password)
        refused = reply.status in {200, 401, 422}
        expect(refused, f"signing in with a wrong password should show the form again; what came is {came(reply)}")
        leads_to(trial.send("GET", paths[0]), "/login", f"`GET {paths[0]}` after a wrong password")
    trial.person = Person("", "")
    reply = _submit(trial, f"/login?next={paths[0]}", person.name, person.password)
    leads_to(reply, paths[0], "signing in on the way to a list")
    page = get_page(trial, paths[0])
    leaving = form_on(page, "/logout", paths[0])
    expect_status(post(trial, "/logout", leaving.values), 302, "`POST /logout`")
    leads_to(trial.send("GET", paths[0]), "/login", f"`GET {paths[0]}` after signing out")
    trial.person = Person("", "")
    reply = _submit(trial, "/login?next=https://example.org/", person.name, person.password)
    leads_away = bool(urlsplit(reply.header("Location")).netloc.endswith("example.org"))
    expect(reply.status == 302 and not leads_away, "signing in leads away to another site when an address asks for it")


def _accounts(trial: Trial) -> None:
    person = known(trial, "two")
    good = f"someone.{trial.values.marker}"
    for name, password, why in (
        ("ab", "long-enough-1", "a name of two characters"),
        ("a b c", "long-enough-1", "a name with spaces"),
        (good, "short", "a password of five characters"),
        (person.name, "long-enough-1", "a name that is taken"),
    ):
        trial.person = Person("", "")
        reply = _submit(trial, "/register", name, password)
        refused = reply.status in {409, 422}
        expect(refused, f"registering with {why} should show the form again with 422; what came is {came(reply)}")
        form_on(page_of(reply, f"registering with {why}"), "/register", "/register")


def _guessing(trial: Trial) -> None:
    person = stranger(trial.grounds, "guessed")
    trial.hide(person)
    trial.person = Person("", "")
    leads_on = _submit(trial, "/register", person.name, person.password)
    expect_status(leads_on, 302, "registering")
    for tries in range(WRONG_TRIES + 1):
        trial.person = Person("", "")
        reply = _submit(trial, "/login", person.name, "not-this-one")
        expect(reply.status != 302, f"a wrong password signs in; what came is {came(reply)}")
        locked = reply.status == 429
        expect(locked == (tries == WRONG_TRIES), f"wrong password number {tries + 1}: what came is {came(reply)}")


def _private(bench: Bench) -> None:
    trial, door = bench.trial, bench.door
    for resource in trial.spec.resources:
        values = bench.item(resource)
        number = bench.add(resource, values)
        owner, trial.person = trial.person, known(trial, "two")
        try:
            expect(not door.is_there(resource, number), f"{resource.name} {number} is shown to somebody else")
            expect(
                number not in door.numbers(resource, Listing()), f"{resource.name} {number} is in somebody else's list"
            )
            for ending in [] if resource.append_only else ["edit", "delete"]:
                path = f"/{resource.path}/{number}/{ending}"
                expect_status(trial.send("GET", path), 404, f"`GET {path}` by somebody else")
        finally:
            trial.person = owner
        wrong = door.differs(resource, number, values)
        expect(not wrong, f"{resource.name} {number} was changed by somebody else: {wrong}")


def _shared(bench: Bench) -> None:
    trial = bench.trial
    resource = trial.spec.resources[0]
    number = bench.add(resource, bench.item(resource))
    owner, trial.person = trial.person, known(trial, "two")
    try:
        expect(bench.door.is_there(resource, number), f"{resource.name} {number} is not shown to others")
    finally:
        trial.person = owner
