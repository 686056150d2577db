"""Checks of what an app keeps: adding, reading, changing, deleting, and the rules of each field, through any door."""

from collections.abc import Callable, Iterable

from contracts.app_spec import AppField, AppSpec, FieldType, Resource
from proving.check import Check, Trial, expect, shown
from proving.door import Bench, Door, Json, Listing
from proving.values import LONGEST, TEXTS, Wrong, default_of, edges, wrong_values

Enter = Callable[[Trial], Door]
"""Goes to the app, signed in where that is needed."""
NOBODY = 999_999_999
NAMED_AT_MOST = 6


def checking(enter: Enter, body: Callable[[Bench], None]) -> Callable[[Trial], None]:
    """A check that clears away what it added."""

    def run(trial: Trial) -> None:
        bench = Bench(trial, enter(trial))
        try:
            body(bench)
        finally:
            bench.clear()

    return run


def item_checks(spec: AppSpec, enter: Enter) -> Iterable[Check]:
    for resource in spec.resources:
        yield from _of(resource, spec, enter)
    if spec.resources:
        yield Check(
            "restart",
            "What was added is still there after the app was switched off and on again",
            checking(enter, lambda bench: _survives(bench, bench.spec.resources[-1])),
            restarts=True,
        )


def _of(resource: Resource, spec: AppSpec, enter: Enter) -> Iterable[Check]:
    one, several = one_of(resource), resource.plural_label
    path = resource.path

    def check(name: str, words: str, body: Callable[[Bench, Resource], None]) -> Check:
        return Check(f"{name}-{path}", words, checking(enter, lambda bench: body(bench, resource)))

    yield check("keep", f"{one} can be added, comes back as it was typed, and is in the list of {several}", _keeps)
    if resource.append_only:
        yield check("fixed", f"{one} can no longer be changed or deleted once it is added", _fixed)
    else:
        yield check("change", f"{one} can be changed without losing the rest of it", _changes)
        yield check("delete", f"{one} can be deleted, and the others stay", _deletes)
    needed = [*(field.label for field in resource.fields if field.required), *map(_spoken, resource.belongs_to)]
    if needed:
        yield check("required", f"{one} without {listed(needed, 'or')} is refused and nothing is kept", _requires)
    yield check(
        "rules", f"{one} with a value that does not fit its field is refused, and one that just fits is kept", _obeys
    )
    single = [field.label for field in resource.fields if field.unique]
    if single:
        yield check("unique", f"No two {several} have the same {listed(single, 'or')}", _unique)
    for child in spec.children_of(resource):
        yield Check(
            f"belongs-{child.path}-{path}",
            f"{one} shows its {child.plural_label}"
            + ("" if resource.append_only else ", and takes them with it when it is deleted"),
            checking(enter, lambda bench, child=child: _belongs(bench, resource, child)),  # type: ignore[misc]
        )


def one_of(resource: Resource) -> str:
    label = resource.label[0].lower() + resource.label[1:] if resource.label[1:].islower() else resource.label
    return f"{'An' if label[0].lower() in 'aeio' else 'A'} {label}"


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def listed(words: list[str], last: str) -> str:
    """`title, year or author`."""
    if len(words) > NAMED_AT_MOST:
        words = [*words[:NAMED_AT_MOST], f"{len(words) - NAMED_AT_MOST} others"]
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def as_sent(bench: Bench, resource: Resource, number: int, values: dict[str, Json], what: str) -> None:
    wrong = bench.door.differs(resource, number, values)
    expect(not wrong, f"{what} {number} came back otherwise: {wrong}")


def _keeps(bench: Bench, resource: Resource) -> None:
    tricky = {field.name: bench.values.tricky(field) for field in resource.fields if field.type in TEXTS}
    values = bench.item(resource, tricky)
    first = bench.add(resource, values)
    as_sent(bench, resource, first, values, resource.name)
    text = resource.main.type in TEXTS
    given = {resource.main.name: f"  {bench.values.value(resource.main)}  "} if text else {}
    bare = bench.item(resource, given, full=False)
    second = bench.add(resource, bare)
    expected = {field.name: default_of(field) for field in resource.fields} | {
        name: value.strip() if isinstance(value, str) else value for name, value in bare.items()
    }
    as_sent(bench, resource, second, expected, f"with only what it needs, {resource.name}")
    found = bench.own(resource, Listing())
    expect(set(found) == {first, second}, f"the list of {resource.plural} should have {first} and {second}, just added")
    if bench.door.oldest_first:
        expect(found == [first, second], f"the list of {resource.plural} should begin with the oldest")
    missing = f"there is no {resource.name} {NOBODY}, and yet it is shown"
    expect(not bench.door.is_there(resource, NOBODY), missing)


def _fixed(bench: Bench, resource: Resource) -> None:
    values = bench.item(resource)
    number = bench.add(resource, values)
    bench.door.cannot_change(resource, number)
    as_sent(bench, resource, number, values, resource.name)


def _changes(bench: Bench, resource: Resource) -> None:
    first, other = bench.item(resource), bench.item(resource)
    number, neighbour = bench.add(resource, first), bench.add(resource, other)
    change = {resource.main.name: _another(bench, resource.main, first[resource.main.name])}
    bench.door.change(resource, number, change)
    as_sent(bench, resource, number, {**first, **change}, f"after a change of `{resource.main.name}`, {resource.name}")
    everything = bench.values.item(resource)
    bench.door.change(resource, number, everything)
    as_sent(bench, resource, number, {**first, **everything}, f"after a change of all fields, {resource.name}")
    as_sent(bench, resource, neighbour, other, f"though another one was changed, {resource.name}")
    found = _first_wrong(resource, bench.door.typed)
    if found:
        field, wrong = found
        bench.door.refuses_change(resource, number, {field.name: wrong.value}, field.name, wrong.why)
        as_sent(bench, resource, number, everything, f"after a change that was refused, {resource.name}")


def _another(bench: Bench, field: AppField, than: Json) -> Json:
    return next((value for value in (bench.values.value(field) for _ in range(8)) if value != than), than)


def _first_wrong(resource: Resource, typed: bool) -> tuple[AppField, Wrong] | None:
    for field in (resource.main, *resource.fields):
        for wrong in wrong_values(field):
            if typed or not wrong.typed:
                return field, wrong
    return None


def _deletes(bench: Bench, resource: Resource) -> None:
    number = bench.add(resource, bench.item(resource))
    kept = bench.item(resource)
    neighbour = bench.add(resource, kept)
    expect(bench.door.is_there(resource, number), f"{resource.name} {number} was added and cannot be found")
    bench.door.remove(resource, number)
    bench.forget(resource, number)
    expect(not bench.door.is_there(resource, number), f"{resource.name} {number} was deleted and is still shown")
    listed_still = number in bench.door.numbers(resource, Listing())
    expect(not listed_still, f"{resource.name} {number} was deleted and is still in the list")
    as_sent(bench, resource, neighbour, kept, f"though another one was deleted, {resource.name}")


def _requires(bench: Bench, resource: Resource) -> None:
    door = bench.door
    bench.add(resource, bench.item(resource))
    for field in resource.fields:
        if field.required and field.type is not FieldType.YES_NO:
            values = bench.item(resource)
            if field.default is None:
                left_out = {name: value for name, value in values.items() if name != field.name}
                door.refuses(resource, left_out, field.name, "is not given")
            if field.type in TEXTS:
                door.refuses(resource, {**values, field.name: "   "}, field.name, "is empty")
            if door.typed:
                door.refuses(resource, {**values, field.name: None}, field.name, "is null")
    for parent in resource.parents:
        values = bench.item(resource)
        door.refuses(resource, {**values, parent: NOBODY}, parent, "points to nothing")
        del values[parent]
        door.refuses(resource, values, parent, "is not given")


def _obeys(bench: Bench, resource: Resource) -> None:
    for values in _just_within(bench, resource):
        as_sent(bench, resource, bench.add(resource, values), values, f"with values that just fit, {resource.name}")
    for field in resource.fields:
        wrongs = [wrong for wrong in wrong_values(field) if bench.door.typed or not wrong.typed]
        for wrong in wrongs if bench.door.quick else wrongs[:1]:
            values = {**bench.item(resource), field.name: wrong.value}
            bench.door.refuses(resource, values, field.name, wrong.why)
    optional = next((field for field in resource.fields if field.type in TEXTS and not field.required), None)
    if optional and bench.door.quick:
        values = {**bench.item(resource), optional.name: "  "}
        number = bench.add(resource, values)
        as_sent(bench, resource, number, {optional.name: None}, f"with an empty `{optional.name}`, {resource.name}")


def _just_within(bench: Bench, resource: Resource) -> list[dict[str, Json]]:
    most = max((len(_edges(bench, field)) for field in resource.fields), default=0)
    items = []
    for number in range(most if bench.door.quick else min(most, 1)):
        just = {field.name: _edges(bench, field) for field in resource.fields}
        items.append(
            {**bench.item(resource), **{name: found[number % len(found)] for name, found in just.items() if found}}
        )
    return items


def _edges(bench: Bench, field: AppField) -> list[Json]:
    """Values just within the rules, of which a text is another one each time."""
    if field.type in LONGEST:
        return [(bench.values.value(field) + " " + "é" * LONGEST[field.type])[: LONGEST[field.type]]]
    found = [] if field.unique else edges(field)
    return found if len(found) <= 3 else [found[0], found[-1]]


def _unique(bench: Bench, resource: Resource) -> None:
    for field in resource.fields:
        if not field.unique:
            continue
        first, other = bench.item(resource), bench.item(resource)
        taken = first[field.name]
        bench.add(resource, first)
        bench.door.refuses(
            resource, {**other, field.name: taken}, field.name, f"is {shown(taken)}, which is taken,", taken=True
        )
        if other[field.name] == taken:
            continue  # a field with so few values that another one cannot be made
        number = bench.add(resource, other)
        if not resource.append_only:
            why = f"is {shown(taken)}, which another one has,"
            bench.door.refuses_change(resource, number, {field.name: taken}, field.name, why, taken=True)
            bench.door.change(resource, number, {field.name: other[field.name]})
        if not field.required and field.default is None and field.type is not FieldType.YES_NO:
            for _ in range(2):
                values = {name: value for name, value in bench.item(resource).items() if name != field.name}
                bench.add(resource, values)


def _belongs(bench: Bench, resource: Resource, child: Resource) -> None:
    one, two = (bench.add(resource, bench.item(resource)) for _ in range(2))
    pointer = f"{resource.name}_id"
    first, second = (bench.add(child, bench.item(child, {pointer: parent})) for parent in (one, two))
    as_sent(bench, child, first, {pointer: one}, child.name)
    for parent, number in ((one, first), (two, second)):
        found = bench.own(child, Listing(below=(resource, parent)))
        words = f"{resource.name} {parent} should show {child.name} {number} and no other; it shows {found}"
        expect(found == [number], words)
    if not resource.append_only:
        bench.door.remove(resource, one)
        bench.forget(resource, one)
        bench.forget(child, first)
        gone = not bench.door.is_there(child, first)
        expect(gone, f"{resource.name} {one} was deleted, and its {child.name} {first} is still there")
        expect(
            bench.door.is_there(child, second),
            f"{child.name} {second} went with a {resource.name} that it is not part of",
        )


def _survives(bench: Bench, resource: Resource) -> None:
    values = bench.item(resource)
    number = bench.add(resource, values)
    bench.trial.restart()
    as_sent(bench, resource, number, values, f"after the app was switched off and on again, {resource.name}")
