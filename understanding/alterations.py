"""Changes of what is there: required, unique, defaults, choices, types, new names, and what is taken out."""

import re
from dataclasses import dataclass, field

from contracts.app_spec import AppField, AppSpec, FieldType, Resource
from contracts.plans import Question
from understanding.commands import Command, Do
from understanding.defaults import fit_default
from understanding.edits import (
    alter_field,
    bare,
    find_fields,
    find_resource,
    remove_field,
    remove_resource,
    rename_field,
    rename_resource,
    set_choices,
    set_default,
    set_type,
    swap,
)
from understanding.field_words import EXPLICIT
from understanding.fields import RANGE
from understanding.items import split_items
from understanding.text import line, slug

VALUES = re.compile(r"^(?:one of|either|a choice of|a choice between|a choice:)\s+", re.IGNORECASE)
DEFAULT = re.compile(r"^default(?:s|ing)?(?: to)?\s+", re.IGNORECASE)
OR = re.compile(r"\s+or\s+|\s*/\s*", re.IGNORECASE)
MOST_CHOICES = 50


@dataclass(slots=True)
class Altered:
    spec: AppSpec
    done: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    questions: tuple[Question, ...] = ()


def alter(spec: AppSpec, command: Command, answered: str) -> Altered:
    altered = Altered(spec)
    if command.do is Do.REMOVE:
        for words in split_items(command.what):
            _remove(altered, words, answered)
    elif command.do is Do.RENAME:
        _rename(altered, command, answered)
    else:
        value = DEFAULT.sub("", command.to) if command.do is Do.DEFAULT or DEFAULT.match(command.to) else ""
        for owner, known in _fields(altered, command.what, answered, value):
            _set(altered, altered.spec.resource(owner.name), known, command)
    return altered


def _fields(altered: Altered, words: str, answered: str, default: str) -> list[tuple[Resource, AppField]]:
    if re.fullmatch(r"(?:all\s+|the\s+|every\s+)*(?:fields?|columns?|everything|of them)", words.lower().strip()):
        return [
            (resource, known)
            for resource in altered.spec.resources
            for known in resource.fields
            if known.type is not FieldType.YES_NO
        ]
    found = [_field(altered, item, answered, default) for item in split_items(words)]
    return [pair for pair in found if pair is not None]


def _fitting(found: list[tuple[Resource, AppField]], default: str) -> list[tuple[Resource, AppField]]:
    """Of several fields of one name, those that can have the value."""
    able = [pair for pair in found if not fit_default(pair[1], default)[1]]
    return able or found


def _field(altered: Altered, words: str, answered: str, default: str = "") -> tuple[Resource, AppField] | None:
    """The field that is meant; where several things have one of that name, it is asked which."""
    found = find_fields(altered.spec, words)
    found = _fitting(found, default) if default else found
    if not found:
        altered.problems.append(f"there is no field “{bare(words)}”")
        return None
    chosen = find_resource(altered.spec, answered) if answered else None
    if chosen is not None:
        found = [pair for pair in found if pair[0].name == chosen.name] or found
    elif len(found) > 1:
        labels = tuple(resource.plural_label for resource, _ in found)
        altered.questions = (
            Question("resource", f"Several things have “{found[0][1].label}”. Which one is meant?", labels[0], labels),
        )
        altered.assumptions.append(f"“{found[0][1].label}” is taken to be that of {labels[0].lower()}")
    return found[0]


def _remove(altered: Altered, words: str, answered: str) -> None:
    spec = altered.spec
    resource = find_resource(spec, words)
    view = _view(spec, words)
    if view is not None:
        owner, wanted = view
        altered.spec = swap(spec, owner.model_copy(update={"views": tuple(v for v in owner.views if v.slug != wanted)}))
        altered.done.append(f"no more list “{wanted.replace('-', ' ')}”")
    elif resource is not None and not find_fields(spec, words):
        if len(spec.resources) == 1:
            altered.problems.append(f"{resource.plural_label.lower()} are all that this app keeps, so they stay")
            return
        altered.spec = remove_resource(spec, resource)
        altered.done.append(f"it no longer keeps {resource.plural_label.lower()}")
        altered.assumptions.append(
            f"What was kept of {resource.plural_label.lower()} goes with them; undo brings it back"
        )
    else:
        _remove_one(altered, words, answered)


def _remove_one(altered: Altered, words: str, answered: str) -> None:
    found = _field(altered, words, answered)
    if found is None:
        return
    owner, gone = found
    if len(owner.fields) == 1:
        altered.problems.append(f"“{gone.label}” is all that is known of {owner.plural_label.lower()}, so it stays")
        return
    altered.spec, told = remove_field(altered.spec, owner, gone)
    altered.done.append(f"{owner.plural_label.lower()} no longer have “{gone.label}”")
    altered.assumptions += told


def _view(spec: AppSpec, words: str) -> tuple[Resource, str] | None:
    name = slug(bare(words))
    for resource in spec.resources:
        for view in resource.views:
            if view.slug == name or slug(view.title) == name or name == f"{view.slug}-{resource.path}":
                return resource, view.slug
    return None


def _rename(altered: Altered, command: Command, answered: str) -> None:
    new = line(bare(command.to), longest=60)
    if not new or not slug(new):
        altered.problems.append("the new name has no letters")
        return
    fields = find_fields(altered.spec, command.what)
    resource = find_resource(altered.spec, command.what)
    if resource is not None and not fields:
        other = find_resource(altered.spec, new)
        if other is not None and other.name != resource.name:
            altered.problems.append(f"there are {other.plural_label.lower()} already")
            return
        altered.spec = rename_resource(altered.spec, resource, new)
        altered.done.append(
            f"{resource.plural_label.lower()} are now called "
            f"{altered.spec.resources[altered_index(altered.spec, new)].plural_label.lower()}"
        )
        return
    found = _field(altered, command.what, answered)
    if found is not None:
        owner, known = found
        if find_fields(altered.spec, new, owner):
            altered.problems.append(f"{owner.plural_label.lower()} have “{new}” already")
            return
        altered.spec = rename_field(altered.spec, owner, known, new)
        altered.done.append(f"“{known.label}” of {owner.plural_label.lower()} is now called “{new}”")


def altered_index(spec: AppSpec, words: str) -> int:
    found = find_resource(spec, words)
    return next((n for n, resource in enumerate(spec.resources) if found and resource.name == found.name), 0)


def _set(altered: Altered, owner: Resource, known: AppField, command: Command) -> None:
    to = command.to.strip(" .")
    low = to.lower()
    if command.do is Do.DEFAULT or low.startswith("default"):
        _set_default(altered, owner, known, DEFAULT.sub("", to))
    elif command.do is Do.CHOICES:
        _set_choices(altered, owner, known, (*known.choices, *_values(to)))
    elif VALUES.match(low):
        _set_choices(altered, owner, known, _values(VALUES.sub("", to)))
    elif RANGE.search(low):
        _set_range(altered, owner, known, low)
    elif _type(low) is not None:
        kind = _type(low) or FieldType.TEXT
        altered.spec = set_type(altered.spec, owner, known, kind)
        altered.done.append(f"“{known.label}” of {owner.plural_label.lower()} is now {low}")
    else:
        _set_rules(altered, owner, known, low)


def _values(text: str) -> tuple[str, ...]:
    parts = [value.strip(" \"'.") for item in split_items(text.strip("()")) for value in OR.split(item)]
    return tuple(dict.fromkeys(line(part) for part in parts if line(part)))[:MOST_CHOICES]


def _type(words: str) -> FieldType | None:
    return EXPLICIT.get(re.sub(r"^an? |\s+field$", "", words))


def _set_choices(altered: Altered, owner: Resource, known: AppField, values: tuple[str, ...]) -> None:
    plain = tuple(dict.fromkeys(values))[:MOST_CHOICES]
    if len(plain) < 2:
        altered.problems.append(f"“{known.label}” needs at least two values to choose from")
        return
    altered.spec = set_choices(altered.spec, owner, known, plain)
    altered.done.append(f"“{known.label}” of {owner.plural_label.lower()} is one of {', '.join(plain)}")


def _set_range(altered: Altered, owner: Resource, known: AppField, words: str) -> None:
    found = RANGE.search(words)
    if found is None:
        return
    low, high = sorted((float(found["low"]), float(found["high"])))
    countable = known.type in {FieldType.NUMBER, FieldType.INTEGER, FieldType.MONEY}
    kind = known.type if countable else FieldType.INTEGER
    altered.spec = alter_field(
        altered.spec, owner, known, type=kind, minimum=low, maximum=high, choices=(), default=None
    )
    altered.done.append(f"“{known.label}” of {owner.plural_label.lower()} is from {low:g} to {high:g}")


def _set_default(altered: Altered, owner: Resource, known: AppField, value: str) -> None:
    altered.spec, problem = set_default(altered.spec, owner, known, value)
    if problem:
        altered.problems.append(problem)
    else:
        altered.done.append(f"a new {owner.label.lower()} has {value} as its {known.label.lower()}")


def _set_rules(altered: Altered, owner: Resource, known: AppField, words: str) -> None:
    """`required and unique`, `not unique`, `optional`; the last word counts."""
    for part in re.split(r"\s*(?:,|\band\b|\bbut\b)\s*", words):
        no = bool(re.match(r"(?:not|no longer|never)\b", part))
        current = altered.spec.resource(owner.name)
        now = current.field(known.name)
        if now.type is FieldType.YES_NO:
            altered.problems.append(f"“{known.label}” is yes or no, so it always has a value")
        elif "unique" in part:
            altered.spec = alter_field(altered.spec, current, now, unique=not no, default=now.default if no else None)
            altered.done.append(
                f"“{known.label}” of {owner.plural_label.lower()} is {'no longer' if no else 'now'} unique"
            )
        elif re.search(r"required|mandatory|compulsory|optional|empty", part):
            required = (re.search(r"required|mandatory|compulsory", part) is not None) != no
            required = True if no and "empty" in part else required
            altered.spec = alter_field(altered.spec, current, now, required=required)
            altered.done.append(
                f"“{known.label}” of {owner.plural_label.lower()} is now {'required' if required else 'optional'}"
            )
