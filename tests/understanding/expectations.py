"""Checks what was understood against the expectations of a line in `benchmarks/requests.jsonl`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from contracts.app_spec import AppField, AppSpec, Resource
from contracts.errors import AppError
from contracts.plans import Understanding
from planner import plan_tasks

OF_RESOURCES = {"search", "filter", "sort", "paging", "csv", "quick_add", "append_only"}
KNOWN = {
    *(
        "outcome",
        "error",
        "kind",
        "resources",
        "exact",
        "labels",
        "types",
        "choices",
        "range",
        "required",
        "unique",
        "defaults",
    ),
    *(
        "belongs_to",
        "features",
        "no_features",
        "private",
        "views",
        "pages",
        "title",
        "name",
        "language",
        "storage",
        "ui",
    ),
    *("deploy", "target", "intents", "cannot", "assumes", "questions", "reads", "group_by", "measure"),
}


def understand(line: Mapping[str, Any], *, chosen: bool = False) -> Understanding | AppError:
    """The request of a line, after the one that it builds upon; `chosen` is said of that project."""
    projects: dict[str, AppSpec | None] = {}
    if "after" in line:
        first = plan_tasks(line["after"], projects={})
        assert first.project and first.spec
        projects[first.project] = first.spec
    try:
        return plan_tasks(line["request"], project=next(iter(projects), None) if chosen else None, projects=projects)
    except AppError as error:
        return error


def outcome(found: Understanding | AppError) -> str:
    if isinstance(found, AppError):
        return "refused"
    if not found.steps:
        return "question"
    return "question_with_plan" if found.questions else "built"


def wrong(line: Mapping[str, Any], *, chosen: bool = False) -> list[str]:
    """Everything that is not as expected, in words."""
    expect: dict[str, Any] = line["expect"]
    unknown = set(expect) - KNOWN
    found = understand(line, chosen=chosen)
    told = [f"unknown expectation {name}" for name in sorted(unknown)]
    if outcome(found) != expect["outcome"]:
        said = f" ({found.message})" if isinstance(found, AppError) else ""
        return [*told, f"outcome {outcome(found)}, not {expect['outcome']}{said}"]
    if isinstance(found, AppError):
        return told if found.code == expect["error"] else [*told, f"error {found.code}, not {expect['error']}"]
    return [
        *told,
        *_plan(found, expect, changes="after" in line),
        *(differences(found.spec, expect) if found.spec else []),
    ]


def _differs(what: str, is_so: object, wanted: object) -> Iterator[str]:
    if is_so != wanted:
        yield f"{what} is {is_so!r}, not {wanted!r}"


def _plan(found: Understanding, expect: Mapping[str, Any], *, changes: bool) -> Iterator[str]:
    if "intents" in expect:
        yield from _differs("intents", [step["intent"] for step in found.steps], expect["intents"])
    for name in ("deploy", "target"):
        if name in expect:
            yield from _differs(name, getattr(found, name), expect[name])
    yield from _cannot(found, expect)
    if changes and "intents" not in expect and any(step["intent"] == "create_app" for step in found.steps):
        yield "it builds something new instead of changing what is there"
    if "assumes" in expect and not any("what to keep" in line for line in found.assumptions):
        yield "the usual fields are not said as an assumption"
    for key in expect.get("questions", []):
        if key not in {question.key for question in found.questions}:
            yield f"no question {key!r}"


def _cannot(found: Understanding, expect: Mapping[str, Any]) -> Iterator[str]:
    for word in expect.get("cannot", []):
        if not any(word.lower() in line.lower() for line in found.cannot):
            yield f"nothing in cannot speaks of {word!r}: {found.cannot}"
    if "cannot" not in expect and found.cannot:
        yield f"cannot is {found.cannot}, and nothing was expected there"


def differences(spec: AppSpec, expect: Mapping[str, Any]) -> Iterator[str]:
    """What is expected of an app and not so."""
    pipeline = {name: getattr(spec.pipeline, name, None) for name in ("reads", "group_by", "measure")}
    parts: dict[str, object] = {
        "kind": spec.kind.value,
        "title": spec.title,
        "name": spec.name,
        "language": spec.language.value,
        "storage": spec.storage,
        "ui": spec.ui,
        "private": spec.login.private if spec.login else None,
        "pages": [page.slug for page in spec.pages],
        **pipeline,
    }
    for name, value in parts.items():
        if name in expect:
            yield from _differs(name, value, expect[name])
    yield from _resources(spec, expect)
    yield from _fields(spec, expect)
    yield from _features(spec, expect)


def _resources(spec: AppSpec, expect: Mapping[str, Any]) -> Iterator[str]:
    names = {resource.name: [field.name for field in resource.fields] for resource in spec.resources}
    if "resources" in expect:
        yield from _differs("resources", sorted(names), sorted(expect["resources"]))
        for name, fields in expect["resources"].items():
            have = names.get(name, [])
            kept = have if expect.get("exact") else [field for field in have if field in fields]
            yield from _differs(f"fields of {name} (all: {have})", kept, fields)
    for label, fields in expect.get("labels", {}).items():
        known = {resource.label: [field.name for field in resource.fields] for resource in spec.resources}
        yield from _differs(f"fields of “{label}”", known.get(label), fields)
    wanted = {**expect.get("belongs_to", {}), **expect.get("views", {})}
    yield from (f"there is nothing called {name}" for name in wanted if name not in names)
    for name, parents in expect.get("belongs_to", {}).items():
        if name in names:
            yield from _differs(f"parents of {name}", sorted(spec.resource(name).belongs_to), sorted(parents))
    for name, slugs in expect.get("views", {}).items():
        if name in names:
            yield from _differs(f"views of {name}", [view.slug for view in spec.resource(name).views], slugs)


def _owners(spec: AppSpec, path: str) -> list[Resource]:
    name = path.partition(".")[0]
    return [resource for resource in spec.resources if name in {"*", resource.name}]


def _fields(spec: AppSpec, expect: Mapping[str, Any]) -> Iterator[str]:
    readers: dict[str, Callable[[AppField], object]] = {
        "types": lambda field: field.type.value,
        "choices": lambda field: list(field.choices),
        "range": lambda field: [field.minimum, field.maximum],
        "defaults": lambda field: field.default,
    }
    wanted = [(what, path, value) for what in readers for path, value in expect.get(what, {}).items()]
    wanted += [(what, path, True) for what in ("required", "unique") for path in expect.get(what, [])]
    for what, path, value in wanted:
        fields = {field.name: field for resource in _owners(spec, path) for field in resource.fields}
        field = fields.get(path.partition(".")[2])
        if field is None:
            yield f"there is no field {path} (there are {sorted(fields)})"
        else:
            is_so = readers[what](field) if what in readers else getattr(field, what)
            yield from _differs(f"{what} of {path}", is_so, value)


def _features(spec: AppSpec, expect: Mapping[str, Any]) -> Iterator[str]:
    for name in expect.get("features", []):
        if not _has(spec, name):
            yield f"it lacks {name}"
    for name in expect.get("no_features", []):
        if _has(spec, name):
            yield f"it has {name}"


def _has(spec: AppSpec, name: str) -> bool:
    if name in OF_RESOURCES:
        return bool(spec.resources) and all(getattr(resource, name) for resource in spec.resources)
    return bool(getattr(spec, name))
