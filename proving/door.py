"""The ways into an app that keeps things, so that a promise is checked alike through an API, pages or commands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from contracts.app_spec import AppSpec, Resource
from proving.check import NotSo, Trial
from proving.wire import NoAnswer

Json = Any
FURTHEST = 60
"""Pages of a list that are looked through for what a check has added."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Which items are asked for, and in which order."""

    view: str = ""
    search: str = ""
    filters: Mapping[str, Json] = field(default_factory=dict)
    sort: str = ""
    below: tuple[Resource, int] | None = None
    """Only what belongs to this item."""


class Door(Protocol):
    """One way in. What does not go as promised raises NotSo in words."""

    typed: bool
    """Whether values have types here, so that a number can be sent where a text belongs."""
    quick: bool
    """Whether asking costs so little that everything can be asked."""
    oldest_first: bool
    """Whether lists come in the order in which items were added."""
    lasting: bool
    """Whether what a check adds is there after its end."""

    def add(self, resource: Resource, values: Mapping[str, Json]) -> int: ...

    def refuses(
        self, resource: Resource, values: Mapping[str, Json], name: str, why: str, *, taken: bool = False
    ) -> None:
        """Adding these must be refused, naming the field; `taken` if another item has the value."""

    def change(self, resource: Resource, number: int, values: Mapping[str, Json]) -> None: ...

    def refuses_change(
        self, resource: Resource, number: int, values: Mapping[str, Json], name: str, why: str, *, taken: bool = False
    ) -> None: ...

    def cannot_change(self, resource: Resource, number: int) -> None:
        """No way leads to changing or deleting this item."""

    def remove(self, resource: Resource, number: int) -> None: ...

    def is_there(self, resource: Resource, number: int) -> bool: ...

    def differs(self, resource: Resource, number: int, expected: Mapping[str, Json]) -> str:
        """In words what is shown of an item that should be otherwise; empty if all is as expected."""

    def numbers(self, resource: Resource, listing: Listing) -> list[int]:
        """Of the items in a list, in its order, on all its pages."""

    def table(self, resource: Resource, listing: Listing) -> list[list[str]]:
        """The rows of the CSV file."""


class Bench:
    """A door with the items that one check has added behind it, to be cleared away at its end."""

    def __init__(self, trial: Trial, door: Door) -> None:
        self.trial, self.door, self.values = trial, door, trial.values
        self.spec: AppSpec = trial.spec
        self._added: list[tuple[Resource, int]] = []
        self._parents: dict[str, int] = {}

    def item(
        self, resource: Resource, given: Mapping[str, Json] | None = None, *, full: bool = True
    ) -> dict[str, Json]:
        """Values for a new item, with something that it can belong to."""
        parents = {f"{name}_id": self.parent(name) for name in resource.belongs_to if f"{name}_id" not in (given or {})}
        return {**parents, **self.values.item(resource, given, full=full)}

    def parent(self, name: str) -> int:
        """An item of this kind that others can belong to."""
        if name not in self._parents:
            resource = self.spec.resource(name)
            self._parents[name] = self.add(resource, self.item(resource))
        return self._parents[name]

    def add(self, resource: Resource, values: Mapping[str, Json]) -> int:
        number = self.door.add(resource, values)
        self._added.append((resource, number))
        return number

    def own(self, resource: Resource, listing: Listing) -> list[int]:
        """Of a list, those that this check has added."""
        mine = {number for one, number in self._added if one.name == resource.name}
        return [number for number in self.door.numbers(resource, listing) if number in mine]

    def forget(self, resource: Resource, number: int) -> None:
        """It has been deleted already."""
        self._added = [one for one in self._added if one != (resource, number)]

    def clear(self) -> None:
        """Leave the app as it was, as far as it lets things be deleted."""
        for resource, number in reversed(self._added) if self.door.lasting else ():
            if not resource.append_only:
                try:
                    self.door.remove(resource, number)
                except NotSo:
                    continue  # it went with what it belonged to
                except NoAnswer:
                    return
