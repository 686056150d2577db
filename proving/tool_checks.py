"""Checks of a command-line tool, by commands that a person would type."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence

from contracts.app_spec import AppSpec, FieldType, Resource
from proving.check import SHOWN, Check, NotSo, Trial, expect, shown
from proving.command import Ran
from proving.door import Bench, Json, Listing
from proving.item_checks import NOBODY, checking, item_checks, one_of
from proving.list_checks import list_checks
from proving.values import same

ADDED = re.compile(r"Added \D*?(\d{1,15})\b")
TABLE = "table.csv"


def came(ran: Ran) -> str:
    """What came, for a sentence: of a long complaint its end, which says what is wrong."""
    complaint = " ".join(ran.stderr.split())
    said = shown(
        f"{ran.stdout[: SHOWN // 2]} … {complaint[-SHOWN // 2 :]}"
        if len(complaint) > SHOWN // 2
        else f"{ran.stdout} {complaint}"
    )
    return ran.words or f"exit code {ran.exit_code} and `{said}`"


def went_well(ran: Ran, line: str) -> Ran:
    expect(ran.exit_code == 0 and not ran.words, f"`{line}` should end well; what came is {came(ran)}")
    return ran


class ToolDoor:
    typed = False
    quick = False
    oldest_first = True
    lasting = False

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def run(self, resource: Resource, *words: str) -> tuple[Ran, str]:
        group = [resource.path] if len(self._trial.spec.resources) > 1 else []
        argv = [*group, *words]
        return self._trial.run(*argv), shown(" ".join(argv))

    def add(self, resource: Resource, values: Mapping[str, Json]) -> int:
        ran, line = self.run(resource, *_adding(resource, values))
        went_well(ran, line)
        found = ADDED.search(ran.stdout)
        expect(found, f"`{line}` should say `Added {resource.name} 1: ...`; it says `{shown(ran.stdout)}`")
        return int(found[1]) if found else 0

    def refuses(
        self, resource: Resource, values: Mapping[str, Json], name: str, why: str, *, taken: bool = False
    ) -> None:
        ran, line = self.run(resource, *_adding(resource, values))
        self._refused(ran, line, resource, name, why)

    def change(self, resource: Resource, number: int, values: Mapping[str, Json]) -> None:
        ran, line = self.run(resource, "edit", str(number), *_options(resource, values))
        went_well(ran, line)

    def refuses_change(
        self, resource: Resource, number: int, values: Mapping[str, Json], name: str, why: str, *, taken: bool = False
    ) -> None:
        ran, line = self.run(resource, "edit", str(number), *_options(resource, values))
        self._refused(ran, line, resource, name, why)

    def cannot_change(self, resource: Resource, number: int) -> None:
        for command in ("edit", "remove"):
            ran, line = self.run(resource, command, str(number))
            expect(ran.exit_code == 2, f"`{line}` should not exist and end with exit code 2; what came is {came(ran)}")

    def remove(self, resource: Resource, number: int) -> None:
        ran, line = self.run(resource, "remove", str(number))
        went_well(ran, line)

    def is_there(self, resource: Resource, number: int) -> bool:
        ran, line = self.run(resource, "show", str(number), "--json")
        if ran.exit_code == 0:
            return True
        words = f"`{line}` should end with exit code 1 if there is no such item, and say so; what came is {came(ran)}"
        expect(ran.exit_code == 1 and ran.stderr.strip() and "Traceback" not in ran.stderr, words)
        return False

    def differs(self, resource: Resource, number: int, expected: Mapping[str, Json]) -> str:
        ran, line = self.run(resource, "show", str(number), "--json")
        found = _json(went_well(ran, line), line)
        expect(isinstance(found, dict), f"`{line}` should print the item; what came is {came(ran)}")
        order = ["id", *resource.parents, *(field.name for field in resource.fields), "created_at"]
        expect(list(found) == order, f"`{line}` should print {order}; it prints {shown(list(found))}")
        fields = {field.name: field for field in resource.fields}
        for name, value in expected.items():
            got = found.get(name)
            if not (same(fields[name], value, got) if name in fields else value == got):
                return f"`{name}` should be {shown(value)}, and is {shown(got)}"
        return ""

    def numbers(self, resource: Resource, listing: Listing) -> list[int]:
        words = ["list", "--json", *(["--view", listing.view] if listing.view else [])]
        words += [f"--search={listing.search}"] if listing.search else []
        words += [f"--sort={listing.sort}"] if listing.sort else []
        ran, line = self._filtered(resource, words, listing.filters)
        found = _json(went_well(ran, line), line)
        fits = isinstance(found, list) and all(
            isinstance(one, dict) and isinstance(one.get("id"), int) for one in found
        )
        expect(fits, f"`{line}` should print an array of items; what came is {came(ran)}")
        if listing.below:
            parent, number = listing.below
            found = [item for item in found if item.get(f"{parent.name}_id") == number]
        return [item["id"] for item in found]

    def table(self, resource: Resource, listing: Listing) -> list[list[str]]:
        ran, line = self.run(resource, "export", TABLE)
        went_well(ran, line)
        expect(TABLE in ran.files, f"`{line}` should write `{TABLE}`")
        text = ran.files.get(TABLE, b"").decode("utf-8-sig", "replace")
        return list(csv.reader(io.StringIO(text, newline="")))

    def _filtered(self, resource: Resource, words: list[str], filters: Mapping[str, Json]) -> tuple[Ran, str]:
        given = [f"{_option(name)}={_word(value)}" for name, value in filters.items()]
        return self.run(resource, *words, *given)

    def _refused(self, ran: Ran, line: str, resource: Resource, name: str, why: str) -> None:
        what = f"`{line}`, where `{name}` {why},"
        expect(ran.exit_code == 2, f"{what} should end with exit code 2; what came is {came(ran)}")
        said = ran.stderr.casefold()
        label = next((field.label for field in resource.fields if field.name == name), name)
        named = any(word.casefold() in said for word in (name, name.replace("_", "-"), label))
        expect(named and "traceback" not in said, f"{what} should say on the standard error that it is about `{name}`")
        kept = [path for path in ran.files if not path.startswith(".") and "__pycache__" not in path]
        expect(not kept, f"{what} was refused, and yet {shown(kept)} changed")


def _json(ran: Ran, line: str) -> Json:
    try:
        return json.loads(ran.stdout)
    except (ValueError, RecursionError):
        raise NotSo(f"`{line}` should print JSON; what came is {came(ran)}") from None


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _word(value: Json) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _adding(resource: Resource, values: Mapping[str, Json]) -> list[str]:
    main = resource.main.name
    rest = {name: value for name, value in values.items() if name != main}
    return ["add", *_options(resource, rest), *(["--", _word(values[main])] if main in values else [])]


def _options(resource: Resource, values: Mapping[str, Json]) -> list[str]:
    yes_no = {field.name for field in resource.fields if field.type is FieldType.YES_NO}
    words: list[str] = []
    for name, value in values.items():
        if name in yes_no:
            words.append(_option(name) if value else f"--no-{name.replace('_', '-')}")
        elif value is not None:
            words.append(f"{_option(name)}={value}")
    return words


def tool_checks(spec: AppSpec) -> Iterable[Check]:
    yield Check("commands", "The tool explains its commands", _commands)
    yield from (check for check in item_checks(spec, ToolDoor) if not check.restarts)
    yield from list_checks(spec, ToolDoor)
    for resource in spec.resources:
        ticks = any(field.name == "done" and field.type is FieldType.YES_NO for field in resource.fields)
        if ticks and not resource.append_only:
            yield Check(
                f"done-{resource.path}",
                f"{one_of(resource)} can be ticked off",
                checking(ToolDoor, lambda bench, one=resource: _done(bench, one)),  # type: ignore[misc]
            )
    yield Check("people", "Lists and items are also printed for people to read", checking(ToolDoor, _for_people))
    yield Check("mistakes", "A command that is not understood is explained, and nothing is changed", _mistakes)
    yield Check("damaged", "Data that is damaged is told of and left as it is", checking(ToolDoor, _damaged))


def _prefix(trial: Trial) -> Sequence[str]:
    return [trial.spec.resources[0].path] if len(trial.spec.resources) > 1 else []


def _commands(trial: Trial) -> None:
    said = went_well(trial.run(*_prefix(trial), "--help"), "--help").stdout
    fixed = trial.spec.resources[0].append_only
    for command in ["add", "list", "show", *([] if fixed else ["edit", "remove"])]:
        expect(command in said, f"`--help` should name `{command}`; it says `{shown(said)}`")
    if fixed:
        expect(
            not re.search(r"\b(edit|remove)\b", said), "`--help` names a command that changes what cannot be changed"
        )
    if _prefix(trial):
        whole = went_well(trial.run("--help"), "--help").stdout
        for resource in trial.spec.resources:
            expect(resource.path in whole, f"`--help` should name `{resource.path}`; it says `{shown(whole)}`")


def _done(bench: Bench, resource: Resource) -> None:
    door = ToolDoor(bench.trial)
    values = bench.item(resource, {"done": False})
    number = bench.add(resource, values)
    ran, line = door.run(resource, "done", str(number))
    went_well(ran, line)
    wrong = door.differs(resource, number, {**values, "done": True})
    expect(not wrong, f"after `{line}`: {wrong}")
    ran, line = door.run(resource, "done", str(NOBODY))
    expect(ran.exit_code == 1, f"`{line}` should end with exit code 1; what came is {came(ran)}")


def _for_people(bench: Bench) -> None:
    door = ToolDoor(bench.trial)
    for resource in bench.spec.resources:
        ran, line = door.run(resource, "list")
        nothing = went_well(ran, line).stdout.strip()
        expect(
            nothing.startswith("No "),
            f"`{line}` with nothing there should say `No {resource.plural} yet`, not `{shown(nothing)}`",
        )
        values = bench.item(resource)
        number = bench.add(resource, values)
        wanted = _word(values[resource.main.name])
        for words in (("list",), ("show", str(number))):
            ran, line = door.run(resource, *words)
            said = " ".join(went_well(ran, line).stdout.split())
            there = str(number) in said and all(word in said for word in wanted.split())
            expect(there, f"`{line}` should show {number} and {shown(wanted)}; it shows `{shown(said)}`")


def _mistakes(trial: Trial) -> None:
    listed = went_well(trial.run(*_prefix(trial), "list", "--json"), "list --json")
    expect(listed.stdout.strip().startswith("["), f"`list --json` should print an array; what came is {came(listed)}")
    for words in (("no-such-command",), ("add", "x", "--no-such-option", "1"), ("show",), ("show", "many")):
        line = " ".join(words)
        ran = trial.run(*_prefix(trial), *words)
        told = ran.exit_code == 2 and ran.stderr.strip() and "Traceback" not in ran.stderr
        expect(told, f"`{line}` should end with exit code 2 and words on the standard error; what came is {came(ran)}")
        expect(not ran.files, f"`{line}` was not understood, and yet {shown(list(ran.files))} changed")


def _damaged(bench: Bench) -> None:
    trial, spec = bench.trial, bench.spec
    resource = spec.resources[0]
    bench.add(resource, bench.item(resource))
    file = f"{spec.name}.{'json' if spec.storage == 'json' else 'db'}"
    ruined = b'{"this is": not what it was'
    ran = trial.run(*_prefix(trial), "list", "--json", files={file: ruined})
    told = ran.exit_code == 1 and ran.stderr.strip() and "Traceback" not in ran.stderr
    expect(told, f"with a damaged `{file}`, `list` should end with exit code 1 and say so; what came is {came(ran)}")
    expect(file not in ran.files, f"a damaged `{file}` should be left as it is")
    ran = trial.run(*_prefix(trial), *_adding(resource, bench.values.item(resource)))
    expect(ran.exit_code != 0 and file not in ran.files, f"a damaged `{file}` was written over")
