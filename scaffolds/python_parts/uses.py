"""What of the shared modules an app needs, asked by templates so that nothing is made that nothing uses."""

import re
from dataclasses import dataclass

from contracts.app_spec import API_KINDS, SEARCHABLE, AppField, AppSpec, FieldType, Resource


def searched(resource: Resource) -> tuple[AppField, ...]:
    """The fields in which a search looks; none if there is no search."""
    return tuple(field for field in resource.fields if resource.search and field.type in SEARCHABLE)


def natural(name: str) -> list[tuple[int, int | str]]:
    """A key that sorts names as ruff sorts imports: numbers in them by their value."""
    pieces = re.findall(r"\d+|\D", name)
    return [(0, int(piece)) if piece.isdigit() else (1, piece) for piece in pieces]


@dataclass(frozen=True)
class Uses:
    """Answers for the whole app."""

    spec: AppSpec

    @property
    def api(self) -> bool:
        return self.spec.kind in API_KINDS

    @property
    def fields(self) -> tuple[AppField, ...]:
        return tuple(field for resource in self.spec.resources for field in resource.fields)

    @property
    def types(self) -> set[str]:
        return {field.type.value for field in self.fields}

    def has(self, *types: str) -> bool:
        """Whether there is a field of one of these types."""
        return not self.types.isdisjoint(types)

    @property
    def bounded(self) -> set[str]:
        """The types of which some field has a smallest or largest value."""
        return {field.type.value for field in self.fields if field.minimum is not None or field.maximum is not None}

    @property
    def minimum(self) -> bool:
        return any(field.minimum is not None for field in self.fields)

    @property
    def maximum(self) -> bool:
        return any(field.maximum is not None for field in self.fields)

    @property
    def required(self) -> bool:
        return any(field.required for field in self.fields)

    @property
    def default(self) -> bool:
        return any(field.default is not None for field in self.fields)

    @property
    def initial(self) -> bool:
        """Whether a field that is not given can be anything but null."""
        return self.default or "yes_no" in self.types

    @property
    def today(self) -> bool:
        return any(field.default == "today" for field in self.fields if field.type is FieldType.DATE)

    @property
    def unique(self) -> bool:
        return any(field.unique for field in self.fields)

    @property
    def parents(self) -> bool:
        return any(resource.belongs_to for resource in self.spec.resources)

    @property
    def refusals(self) -> bool:
        """Whether the tables have rules that what is sent can break."""
        return self.unique or self.parents

    @property
    def views(self) -> bool:
        return any(resource.views for resource in self.spec.resources)

    @property
    def search(self) -> bool:
        return any(searched(resource) for resource in self.spec.resources)

    @property
    def filter(self) -> bool:
        return any(resource.filter for resource in self.spec.resources)

    @property
    def filter_parents(self) -> bool:
        return any(resource.filter and resource.belongs_to for resource in self.spec.resources)

    @property
    def sort(self) -> bool:
        return any(resource.sort for resource in self.spec.resources)

    @property
    def paging(self) -> bool:
        return any(resource.paging for resource in self.spec.resources)

    @property
    def csv(self) -> bool:
        return any(resource.csv for resource in self.spec.resources)

    @property
    def csv_yes_no(self) -> bool:
        """Whether some table of a download has a column of yes and no."""
        columns = (field for resource in self.spec.resources if resource.csv for field in resource.fields)
        return any(field.type is FieldType.YES_NO for field in columns)

    @property
    def append_only(self) -> bool:
        return any(resource.append_only for resource in self.spec.resources)

    @property
    def change(self) -> bool:
        return any(not resource.append_only for resource in self.spec.resources)

    @property
    def arguments(self) -> bool:
        """Whether addresses of lists can ask for something."""
        return self.search or self.filter or self.sort or self.paging

    @property
    def conditions(self) -> bool:
        """Whether there are lists that do not show everything."""
        return self.search or self.filter or self.views or self.parents

    @property
    def lists(self) -> bool:
        return self.arguments or self.conditions

    @property
    def numbers(self) -> bool:
        """Whether whole numbers are read from addresses."""
        return self.paging or self.filter_parents

    @property
    def parsed(self) -> set[str]:
        """The types whose values are read from text."""
        if not self.api:
            return self.types
        return {field.type.value for resource in self.spec.resources if resource.filter for field in resource.fields}

    @property
    def parse(self) -> bool:
        return bool(self.parsed)

    @property
    def private(self) -> bool:
        return self.spec.login is not None and self.spec.login.private

    @property
    def features(self) -> list[str]:
        """The switches that some resource has on, as they are named in a spec."""
        switches = ["filter", "sort", "paging", "csv", "append_only", *([] if self.api else ["quick_add"])]
        return [name for name in switches if any(getattr(resource, name) for resource in self.spec.resources)]
