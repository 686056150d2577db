"""Checks of lists: searching, filtering, sorting, views and CSV files, through any door."""

import itertools
from collections.abc import Callable, Iterable

from contracts.app_spec import SEARCHABLE, AppField, AppSpec, FieldType, Resource
from proving.check import Check, expect, shown
from proving.door import Bench, Json, Listing
from proving.item_checks import Enter, checking, listed, one_of
from proving.values import TEXTS, WRITTEN, matching, missing

FORMULA = "=1+1"
ACTING = "=+-@"
SORTED_AT_MOST = 2
"""Fields, where each look at a list takes a while."""


def list_checks(spec: AppSpec, enter: Enter) -> Iterable[Check]:
    for resource in spec.resources:
        yield from _of(resource, enter)


def _of(resource: Resource, enter: Enter) -> Iterable[Check]:
    several = resource.plural_label

    def check(name: str, words: str, body: Callable[[Bench, Resource], None]) -> Check:
        return Check(f"{name}-{resource.path}", words, checking(enter, lambda bench: body(bench, resource)))

    if _is_searched(resource):
        yield check(
            "search", f"Searching {several} finds a word in any of their texts, in any case, and nothing else", _search
        )
    if resource.filter:
        yield check("filter", f"{several} can be narrowed down to those with a certain value", _filter)
    if resource.sort:
        yield check("sort", f"{several} can be sorted by their fields, upwards and downwards", _sort)
    if resource.views:
        titles = listed([view.title for view in resource.views], "and")
        yield check("views", f"{several} under {titles} are those that belong there, and only those", _views)
    if resource.csv:
        yield check("csv", f"{several} can be saved as a table, in which no text acts as a formula", _csv)


def _is_searched(resource: Resource) -> bool:
    return resource.search and any(field.type in WRITTEN for field in resource.fields)


def _search(bench: Bench, resource: Resource) -> None:
    word = f"q{bench.values.marker[::-1]}x"
    fields = [field for field in resource.fields if field.type in SEARCHABLE and field.type in WRITTEN]
    fields = fields if bench.door.quick else fields[:2]
    with_word = {
        field.name: bench.add(resource, bench.item(resource, {field.name: _holding(field, word)})) for field in fields
    }
    bench.add(resource, bench.item(resource))
    for asked in (word, word.upper()):
        found = bench.own(resource, Listing(search=asked))
        lost = [name for name, number in with_word.items() if number not in found]
        expect(not lost, f"a search for `{asked}` should find it in {listed(lost, 'and') if lost else ''}")
        expect(len(found) == len(with_word), f"a search for `{asked}` finds {resource.plural} that do not have it")
    nothing = bench.own(resource, Listing(search=f"{word[:5]}%{word[-3:]}"))
    expect(not nothing, "a search takes `%` for any letters, instead of for itself")


def _holding(field: AppField, word: str) -> str:
    if field.type in TEXTS:
        return f"before {word} after"
    return f"{word}@example.org" if field.type is FieldType.EMAIL else f"https://example.org/{word}"


def _filter(bench: Bench, resource: Resource) -> None:
    first, other = bench.item(resource), bench.item(resource)
    for field in resource.fields:
        if field.type in {FieldType.CHOICE, FieldType.YES_NO} and first[field.name] == other[field.name]:
            other[field.name] = next((v for v in _few(field) if v != first[field.name]), other[field.name])
    number, neighbour = bench.add(resource, first), bench.add(resource, other)
    for field in resource.fields:
        if field.type is FieldType.LONG_TEXT or first[field.name] == other[field.name]:
            continue
        for value, expected in ((first[field.name], number), (other[field.name], neighbour)):
            found = bench.own(resource, Listing(filters={field.name: value}))
            what = f"{resource.plural} whose `{field.name}` is {shown(value)}"
            expect(found == [expected], f"{what} should be {resource.name} {expected}; shown are {found}")
            if not bench.door.quick:
                break
    for parent in resource.parents:
        found = bench.own(resource, Listing(filters={parent: first[parent]}))
        expect(
            set(found) == {number, neighbour}, f"{resource.plural} whose `{parent}` is {first[parent]} are not shown"
        )
        found = bench.own(resource, Listing(filters={parent: 999_999_999}))
        expect(not found, f"{resource.plural} are shown for a `{parent}` that they do not have")


def _few(field: AppField) -> list[Json]:
    return list(field.choices) if field.choices else [True, False]


def _sort(bench: Bench, resource: Resource) -> None:
    orders = list(itertools.permutations(range(3)))
    places: dict[str, tuple[int, ...]] = {}
    items = [bench.item(resource) for _ in range(3)]
    for index, field in enumerate(resource.fields):
        values = bench.values.ordered(field)
        if len(values) == 3:
            places[field.name] = orders[(index * 2 + 1) % 6]
            for item, place in zip(items, places[field.name], strict=True):
                item[field.name] = values[place]
    numbers = [bench.add(resource, item) for item in items]
    shown_by = list(places.items()) if bench.door.quick else list(places.items())[:SORTED_AT_MOST]
    for name, order in [("id", (0, 1, 2)), *shown_by]:
        upwards = [number for _, number in sorted(zip(order, numbers, strict=True))]
        for asked, expected in ((name, upwards), (f"-{name}", upwards[::-1])):
            found = bench.own(resource, Listing(sort=asked))
            words = f"{resource.plural} sorted by `{asked}` should come as {expected}; they come as {found}"
            expect(found == expected, words)
    _nothing_first(bench, resource, places)


def _nothing_first(bench: Bench, resource: Resource, places: dict[str, tuple[int, ...]]) -> None:
    for field in resource.fields:
        if field.name in places and not field.required and field.default is None:
            values = bench.item(resource)
            del values[field.name]
            number = bench.add(resource, values)
            found = bench.own(resource, Listing(sort=field.name))
            expect(
                found[:1] == [number], f"{resource.plural} without `{field.name}` should come first when sorted by it"
            )
            return


def _views(bench: Bench, resource: Resource) -> None:
    for view in resource.views:
        fits = matching(resource, view)
        if fits is None:
            bench.own(resource, Listing(view=view.slug))
            continue
        inside = bench.add(resource, bench.item(resource, fits))
        outside = [bench.add(resource, bench.item(resource, values)) for values in missing(resource, view)]
        lacking = _lacking(bench, resource, view.conditions[0].field, fits)
        found = bench.own(resource, Listing(view=view.slug))
        expect(inside in found, f"{one_of(resource)} with {shown(fits)} should be under `{view.slug}`")
        wrong = [number for number in (*outside, *lacking) if number in found]
        expect(not wrong, f"{resource.name} {wrong} should not be under `{view.slug}`: it does not fit")


def _lacking(bench: Bench, resource: Resource, name: str, fits: dict[str, Json]) -> list[int]:
    """An item that lacks what the view asks about, if it may."""
    field = resource.field(name)
    if field.required or field.default is not None or field.type is FieldType.YES_NO:
        return []
    values = {key: value for key, value in bench.item(resource, fits).items() if key != name}
    return [bench.add(resource, values)]


def _csv(bench: Bench, resource: Resource) -> None:
    texts = [field for field in resource.fields if field.type in TEXTS]
    values = bench.item(resource)
    formula = next((field for field in texts if not field.unique), None)
    if formula:
        values[formula.name] = f"{FORMULA} {bench.values.marker}"
    for field in texts:
        if field is not formula:
            values[field.name] = f'{bench.values.value(field)}, "quoted" é'
    number = bench.add(resource, values)
    rows = bench.door.table(resource, Listing())
    header = ["id", *resource.parents, *(field.name for field in resource.fields), "created_at"]
    expect(rows[:1] == [header], f"the table should begin with {header}; it begins with {shown(rows[:1])}")
    row = next((dict(zip(header, row, strict=False)) for row in rows[1:] if row[:1] == [str(number)]), None)
    expect(row is not None, f"{resource.name} {number} is not in the table")
    for field in resource.fields:
        if field.type in WRITTEN or field.type in {FieldType.CHOICE, FieldType.DATE, FieldType.TIME}:
            expected = f"'{values[field.name]}" if values[field.name][0] in ACTING else values[field.name]
            got = (row or {}).get(field.name)
            expect(got == expected, f"in the table, `{field.name}` should be {shown(expected)}, and is {shown(got)}")
    if _is_searched(resource) and bench.door.quick:
        found = bench.door.table(resource, Listing(search=f"{bench.values.marker}zzz"))
        expect(len(found) <= 1, "the table of a search should have only what was searched for")
