"""Who uses an API: people who sign in once and are remembered for all checks, and the key."""

from collections.abc import Iterable

from contracts.app_spec import AppSpec
from proving.api_door import ApiDoor, error_of
from proving.check import Check, Grounds, Person, Trial, came, expect, expect_status, object_of
from proving.door import Bench, Listing
from proving.item_checks import NOBODY, checking

WRONG_TRIES = 10


def enter_api(trial: Trial) -> ApiDoor:
    """Goes in as somebody who has an account, where that is needed."""
    if trial.spec.login:
        trial.person = known(trial, "one")
    return ApiDoor(trial)


def known(trial: Trial, who: str) -> Person:
    """Somebody with an account, signed in; made at the first time that anybody needs them."""
    people = trial.grounds.people
    if who not in people:
        person = stranger(trial.grounds, who)
        trial.hide(person)
        register(trial, person)
        sign_in(trial, person)
        people[who] = person
    return people[who]


def stranger(grounds: Grounds, who: str) -> Person:
    own = Trial(grounds, f"person {who}")
    return Person(f"{who}.{own.values.marker}", f"Pw-{own.secret('password')}")


def register(trial: Trial, person: Person) -> None:
    what = "`POST /register` with a new name"
    reply = trial.send("POST", "/register", value={"username": person.name, "password": person.password})
    found = object_of(expect_status(reply, 201, what), what)
    expect(found.get("username") == person.name, f"{what} should give back the name; what came is {came(reply)}")
    expect("password" not in str(found).lower(), "the answer to `POST /register` gives away the password")


def sign_in(trial: Trial, person: Person) -> None:
    what = "`POST /login` with the right password"
    reply = trial.send("POST", "/login", value={"username": person.name, "password": person.password})
    token = object_of(expect_status(reply, 200, what), what).get("token")
    expect(isinstance(token, str) and len(token) >= 16, f'{what} should give a "token"; what came is {came(reply)}')
    person.token = str(token)
    trial.hide(person)


def access_checks(spec: AppSpec) -> Iterable[Check]:
    if spec.api_key:
        yield Check("key", "Nothing but `/health` and the description answers without the right key", _key)
    if spec.login:
        yield Check("login", "Without signing in nothing is shown, and a wrong password does not sign in", _login)
        yield Check("accounts", "An account needs a usable name and password, and a name is given only once", _accounts)
        yield Check("guessing", "After ten wrong passwords a name is locked for a while", _guessing)
        if spec.login.private:
            yield Check("private", "What one person adds is not there for another", checking(enter_api, _private))
        else:
            yield Check("shared", "What one person adds is there for others who sign in", checking(enter_api, _shared))


def _paths(spec: AppSpec) -> list[str]:
    return [f"/{resource.path}" for resource in spec.resources]


def _closed(trial: Trial, headers: dict[str, str], whose: str) -> None:
    for path in _paths(trial.spec):
        for method, value in (("GET", None), ("POST", {})):
            reply = trial.send(method, path, value=value, headers=headers)
            error_of(expect_status(reply, 401, f"`{method} {path}` {whose}"), f"`{method} {path}` {whose}")
    path = f"{_paths(trial.spec)[0]}/1"
    expect_status(trial.send("GET", path, headers=headers), 401, f"`GET {path}` {whose}")


def _key(trial: Trial) -> None:
    expect(trial.grounds.api_key, "the key of this app is needed to check it, and was not given")
    _closed(trial, {"X-API-Key": ""}, "without a key")
    _closed(trial, {"X-API-Key": "x" * 32}, "with a wrong key")
    for path in ("/health", "/openapi.json"):
        expect_status(trial.send("GET", path, headers={"X-API-Key": ""}), 200, f"`GET {path}` without a key")
    path = _paths(trial.spec)[0]
    expect_status(trial.send("GET", path), 200, f"`GET {path}` with the right key")


def _login(trial: Trial) -> None:
    _closed(trial, {}, "without signing in")
    _closed(trial, {"Authorization": "Bearer " + "x" * 40}, "with a token that nobody was given")
    person = known(trial, "two")
    told = []
    for name, password in (
        (person.name, "wrong-" + person.password),
        (f"nobody.{trial.values.marker}", "wrong-password"),
    ):
        what = f"`POST /login` as {'somebody' if name == person.name else 'nobody'} with a wrong password"
        reply = trial.send("POST", "/login", value={"username": name, "password": password})
        told.append(error_of(expect_status(reply, 401, what), what)["message"])
    expect(told[0] == told[1], "a wrong sign-in should not tell whether the name exists")
    path = _paths(trial.spec)[0]
    visit = Person(person.name, person.password)
    sign_in(trial, visit)
    trial.person = visit
    expect_status(trial.send("GET", path), 200, f"`GET {path}` after signing in")
    expect_status(trial.send("POST", "/logout"), 204, "`POST /logout`")
    expect_status(trial.send("GET", path), 401, f"`GET {path}` after signing out")


def _accounts(trial: Trial) -> None:
    person = known(trial, "two")
    good = f"someone.{trial.values.marker}"
    for name, password, why in (
        ("ab", person.password, "a name of two characters"),
        ("a b c", person.password, "a name with spaces"),
        ("x" * 41, person.password, "a name of 41 characters"),
        (good, "short", "a password of five characters"),
        (good, "x" * 201, "a password of 201 characters"),
        (good, None, "no password"),
    ):
        reply = trial.send("POST", "/register", value={"username": name, "password": password})
        error_of(expect_status(reply, 422, f"`POST /register` with {why}"), f"`POST /register` with {why}")
    reply = trial.send("POST", "/register", value={"username": person.name, "password": "another-password"})
    expect_status(reply, 409, "`POST /register` with a name that is taken")
    sign_in(trial, Person(person.name, person.password))


def _guessing(trial: Trial) -> None:
    person = stranger(trial.grounds, "guessed")
    trial.hide(person)
    register(trial, person)
    for _ in range(WRONG_TRIES):
        reply = trial.send("POST", "/login", value={"username": person.name, "password": "not-this-one"})
        expect_status(reply, 401, "`POST /login` with a wrong password")
    reply = trial.send("POST", "/login", value={"username": person.name, "password": "not-this-one"})
    expect_status(reply, 429, "`POST /login` after ten wrong passwords")


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
            methods = [] if resource.append_only else ["PUT", "PATCH", "DELETE"]
            for method in methods:
                path = f"/{resource.path}/{number}"
                reply = trial.send(method, path, value=None if method == "DELETE" else values)
                expect_status(reply, 404, f"`{method} {path}` by somebody else")
            for child in trial.spec.children_of(resource):
                path = f"/{resource.path}/{number}/{child.path}"
                expect_status(trial.send("GET", path), 404, f"`GET {path}` by somebody else")
        finally:
            trial.person = owner
        wrong = door.differs(resource, number, values)
        expect(not wrong, f"{resource.name} {number} was changed by somebody else: {wrong}")
    _strange_parent(bench)


def _strange_parent(bench: Bench) -> None:
    """Nothing can be put below what belongs to somebody else."""
    trial = bench.trial
    for resource in trial.spec.resources:
        if resource.belongs_to:
            values = bench.item(resource)
            owner, trial.person = trial.person, known(trial, "two")
            try:
                bench.door.refuses(resource, values, resource.parents[0], "is somebody else's")
            finally:
                trial.person = owner
            return


def _shared(bench: Bench) -> None:
    trial = bench.trial
    resource = trial.spec.resources[0]
    number = bench.add(resource, bench.item(resource))
    owner, trial.person = trial.person, known(trial, "two")
    try:
        expect(bench.door.is_there(resource, number), f"{resource.name} {number} is not shown to others")
        expect(not bench.door.is_there(resource, NOBODY), f"there is no {resource.name} {NOBODY}, and yet it is shown")
    finally:
        trial.person = owner
