"""Which chart is meant: what is counted or added up, and by what."""

from contracts.app_spec import COUNTABLE, AppField, Chart, FieldType, Resource
from understanding.english import singular
from understanding.text import snake


def make_chart(resources: tuple[Resource, ...], by: str, of: str) -> Chart | None:
    """None if nothing that is kept could be shown as bars."""
    for resource in _most_likely_first(resources, of):
        field = _by_field(resource, by)
        if field is not None:
            return Chart(resource=resource.name, by=field.name, total=_total(resource, of, field))
    return None


def most_likely(resources: tuple[Resource, ...], of: str) -> Resource | None:
    """What the chart is of."""
    return next(iter(_most_likely_first(resources, of)), None)


def _most_likely_first(resources: tuple[Resource, ...], of: str) -> list[Resource]:
    words = {snake(of), snake(singular(of))} if of else set()
    return sorted(resources, key=lambda resource: not words & {resource.name, resource.plural})


def _by_field(resource: Resource, by: str) -> AppField | None:
    named = [
        field
        for field in resource.fields
        if by and snake(singular(by.lower())) in {field.name, snake(singular(field.label.lower()))}
    ]
    if by and not named:
        named = [field for field in resource.fields if by and snake(by) in field.name]
    choices = [field for field in resource.fields if field.type in {FieldType.CHOICE, FieldType.YES_NO}]
    texts = [field for field in resource.fields if field.type is FieldType.TEXT and not field.required]
    return next(iter([*named, *([] if by else [*choices, *texts])]), None)


def _total(resource: Resource, of: str, by: AppField) -> str | None:
    numbers = [field for field in resource.fields if field.type in COUNTABLE and field is not by]
    named = next((field for field in numbers if of and snake(singular(of)) in field.name), None)
    money = next((field for field in numbers if field.type is FieldType.MONEY), None)
    chosen = named or money
    return chosen.name if chosen else None
