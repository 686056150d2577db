"""Changes of one spec: fields and resources are found by what people call them, added, renamed, altered, removed."""

import re
from typing import Any

from contracts.app_spec import COUNTABLE, AppField, AppSpec, FieldType, Resource
from understanding.defaults import fit_default
from understanding.english import plural, singular
from understanding.names import name_field, name_thing
from understanding.text import sentence_case, snake

NOISE = re.compile(
    r"^(?:the|a|an|all|every|each|my|our|its|their|field|column|fields|columns|page of|list of)\s+|"
    r"\s+(?:fields?|columns?|resource|resources|list|table|page|button|feature|option|function|box)$"
)


def bare(words: str) -> str:
    """Without what only leads up to a name."""
    before = ""
    while before != words:
        before, words = words, NOISE.sub("", words.strip(" .,!\"'")).strip()
    return words


def find_resource(spec: AppSpec, words: str) -> Resource | None:
    plain = snake(bare(words.lower()))
    one = snake(singular(bare(words.lower())))
    for resource in spec.resources:
        names = {resource.name, resource.plural, snake(resource.label), snake(resource.plural_label)}
        if names & {plain, one}:
            return resource
    last = one.rpartition("_")[2]
    ends = [resource for resource in spec.resources if last and one == last and resource.name.endswith(f"_{last}")]
    return ends[0] if len(ends) == 1 else None


def find_fields(spec: AppSpec, words: str, within: Resource | None = None) -> list[tuple[Resource, AppField]]:
    """Every field that the words may mean; `email of the customer` means one."""
    text = bare(words.lower())
    of = re.match(r"^(?P<field>.+?)\s+(?:of|for|in|on|from)\s+(?P<thing>.+)$", text)
    thing = find_resource(spec, of["thing"]) if of else None
    if of and thing is not None:
        return find_fields(spec, of["field"], thing)
    name = snake(text)
    found = []
    for resource in spec.resources if within is None else (within,):
        own = text.removeprefix(resource.label.lower() + "'s ").removeprefix(resource.label.lower() + " ")
        wanted = {name, snake(own), snake(singular(text)), snake(plural(text))}
        found += [(resource, field) for field in resource.fields if wanted & {field.name, snake(field.label)}]
    return found


def swap(spec: AppSpec, resource: Resource) -> AppSpec:
    resources = tuple(resource if other.name == resource.name else other for other in spec.resources)
    return spec.model_copy(update={"resources": resources})


def alter_field(spec: AppSpec, resource: Resource, field: AppField, **changes: Any) -> AppSpec:
    new = field.model_copy(update=changes)
    return swap(
        spec,
        resource.model_copy(
            update={"fields": tuple(new if other.name == field.name else other for other in resource.fields)}
        ),
    )


def remove_field(spec: AppSpec, resource: Resource, field: AppField) -> tuple[AppSpec, list[str]]:
    """Views and charts that need the field go with it, and that is said."""
    lost = [view for view in resource.views if any(condition.field == field.name for condition in view.conditions)]
    charts = tuple(
        chart for chart in spec.charts if chart.resource != resource.name or field.name not in {chart.by, chart.total}
    )
    told = [f"“{view.title}” goes too, because it asks about {field.label.lower()}" for view in lost]
    told += ["the chart goes too, because it shows that"] if charts != spec.charts else []
    new = resource.model_copy(
        update={
            "fields": tuple(other for other in resource.fields if other.name != field.name),
            "views": tuple(view for view in resource.views if view not in lost),
        }
    )
    return swap(spec, new).model_copy(update={"charts": charts}), told


def rename_field(spec: AppSpec, resource: Resource, field: AppField, words: str) -> AppSpec:
    taken = {other.name for other in resource.fields if other.name != field.name} | set(resource.parents)
    name = name_field(words, resource.name, taken)
    views = tuple(
        view.model_copy(
            update={
                "conditions": tuple(
                    condition.model_copy(update={"field": name}) if condition.field == field.name else condition
                    for condition in view.conditions
                )
            }
        )
        for view in resource.views
    )
    charts = tuple(
        chart.model_copy(
            update={
                "by": name if chart.by == field.name else chart.by,
                "total": name if chart.total == field.name else chart.total,
            }
        )
        if chart.resource == resource.name
        else chart
        for chart in spec.charts
    )
    was = field.name if name != field.name else field.was
    new = field.model_copy(update={"name": name, "label": sentence_case(words), "was": was})
    fields = tuple(new if other.name == field.name else other for other in resource.fields)
    return swap(spec, resource.model_copy(update={"fields": fields, "views": views})).model_copy(
        update={"charts": charts}
    )


def rename_resource(spec: AppSpec, resource: Resource, words: str) -> AppSpec:
    named = name_thing(singular(words.lower()))
    words_for_it = {"label": named.label, "plural_label": named.plural_label}
    was = resource.name if named.name != resource.name else resource.was
    new = resource.model_copy(update={"name": named.name, "plural": named.plural, **words_for_it, "was": was})
    others = tuple(
        new
        if other.name == resource.name
        else other.model_copy(
            update={"belongs_to": tuple(new.name if parent == resource.name else parent for parent in other.belongs_to)}
        )
        for other in spec.resources
    )
    charts = tuple(
        chart.model_copy(update={"resource": new.name}) if chart.resource == resource.name else chart
        for chart in spec.charts
    )
    return spec.model_copy(update={"resources": others, "charts": charts})


def apart_from_login(spec: AppSpec) -> AppSpec:
    """With a login, an item's owner is who added it: owners of pets are called otherwise then, but not to people."""
    owner = next((resource for resource in spec.resources if resource.name == "owner"), None)
    if spec.login is None or owner is None:
        return spec
    renamed = rename_resource(spec, owner, "proprietor")
    labels = {"label": owner.label, "plural_label": owner.plural_label}
    return swap(renamed, renamed.resource("proprietor").model_copy(update=labels))


def remove_resource(spec: AppSpec, resource: Resource) -> AppSpec:
    """What belonged to it stays, on its own."""
    others = tuple(
        other.model_copy(update={"belongs_to": tuple(parent for parent in other.belongs_to if parent != resource.name)})
        for other in spec.resources
        if other.name != resource.name
    )
    charts = tuple(chart for chart in spec.charts if chart.resource != resource.name)
    return spec.model_copy(update={"resources": others, "charts": charts})


def set_type(spec: AppSpec, resource: Resource, field: AppField, kind: FieldType) -> AppSpec:
    counted = kind in COUNTABLE
    return alter_field(
        spec,
        resource,
        field,
        type=kind,
        choices=(),
        default=None,
        minimum=field.minimum if counted else None,
        maximum=field.maximum if counted else None,
        required=field.required and kind is not FieldType.YES_NO,
        unique=field.unique and kind is not FieldType.YES_NO,
    )


def set_choices(spec: AppSpec, resource: Resource, field: AppField, values: tuple[str, ...]) -> AppSpec:
    default = field.default if field.default in values else None
    return alter_field(
        spec, resource, field, type=FieldType.CHOICE, choices=values, default=default, minimum=None, maximum=None
    )


def set_default(spec: AppSpec, resource: Resource, field: AppField, said: str) -> tuple[AppSpec, str]:
    """The spec, and what is wrong with the value, if something is."""
    value, problem = fit_default(field, said)
    return (alter_field(spec, resource, field, default=value), problem) if not problem else (spec, problem)
