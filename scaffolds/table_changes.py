"""The step from the tables of one spec to those of the next, which keeps the data."""

import math
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from contracts.app_spec import AppField, AppSpec, FieldType, Migration, Resource
from scaffolds.tables import AFFINITY, NOW, definition, indexes, literal, own_tables, quoted, stored

NEW = "__new"
"""Ends the name of a table while it is being made. No resource has two underscores in a row in its name."""


UNKNOWN = "Unknown"
Named = TypeVar("Named", AppField, Resource)


class CannotMigrate(ValueError):
    """Says in plain words why what is kept cannot become what the new spec asks for."""


def migrate(old: AppSpec, new: AppSpec, number: int) -> tuple[Migration | None, tuple[str, ...]]:
    """The step from the tables of one spec to those of the next, None if they are the same, and what it does to data.

    It is for a connection that neither checks foreign keys nor follows renames (`legacy_alter_table`). Raises
    CannotMigrate where rows that may be there could not be kept.
    """
    change = _Change(old, new)
    change.own()
    change.resources()
    sql = change.statements()
    return (Migration(name=f"change_{number}", sql=tuple(sql)) if sql else None), tuple(change.words)


class _Change:
    """Gathers statements in the order in which they can run: make, copy, drop, rename, index."""

    def __init__(self, old: AppSpec, new: AppSpec) -> None:
        self._old, self._new = old, new
        self._make: list[str] = []
        self._drop: list[str] = []
        self._rename: list[str] = []
        self._index: list[str] = []
        self.words: list[str] = []

    def statements(self) -> list[str]:
        return [*self._make, *self._drop, *self._rename, *self._index]

    def own(self) -> None:
        before, after = dict(own_tables(self._old)), dict(own_tables(self._new))
        self._make += [text for name, text in after.items() if name not in before]
        self._drop += [f"DROP TABLE {name}" for name in reversed(before) if name not in after]
        if "users" in after and "users" not in before:
            self.words.append("What is there already will belong to the first person who registers.")
        elif "users" in before and "users" not in after:
            self.words.append("The names and passwords of everyone who registered are deleted; all can see everything.")
        elif self._new.login and self._old.login and self._new.login.private != self._old.login.private:
            whose = "only what they added themselves" if self._new.login.private else "what everyone added"
            self.words.append(f"People who sign in see {whose}.")

    def resources(self) -> None:
        pairs = [(self._earlier(resource), resource) for resource in self._new.resources]
        stay = {known.name for known, _ in pairs if known is not None}
        for resource in self._old.resources:
            if resource.name not in stay:
                self._drop_table(resource)
                self.words.append(f"All {resource.plural_label} are deleted.")
        for known, resource in pairs:
            if known is None:
                self._make.append(definition(self._new, resource))
                self._index += indexes(self._new, resource)
            else:
                self._alter(known, resource)

    def _earlier(self, resource: Resource) -> Resource | None:
        """What a resource was before, by its name or the one that it had then."""
        return _of_old(resource, self._old.resources, self._new.resources)

    def _drop_table(self, resource: Resource) -> None:
        if self._old.login:
            self._drop.append(f"DROP TRIGGER IF EXISTS {resource.plural}__first_owner")
        self._drop.append(f"DROP TABLE {quoted(resource.plural)}")

    def _alter(self, before: Resource, after: Resource) -> None:
        values = self._values(before, after)
        same = all(quoted(name) == text for name, text in values.items())
        if same and definition(self._old, before) == definition(self._new, after):
            self._index += self._new_indexes(before, after)
            return
        target, source = quoted(after.plural + NEW), quoted(before.plural)
        names = ", ".join(quoted(name) for name in values)
        self._make += [
            definition(self._new, after, NEW),
            _lines(f"INSERT INTO {target} ({names})", f"SELECT {', '.join(values.values())}", f"FROM {source}"),
            _lines("DELETE FROM sqlite_sequence", f"WHERE name = {literal(after.plural + NEW)}"),
            _lines(
                f"INSERT INTO sqlite_sequence (name, seq) SELECT {literal(after.plural + NEW)}, seq",
                f"FROM sqlite_sequence WHERE name = {literal(before.plural)}",
            ),
        ]
        self._make += list(self._told_apart(before, after))
        self._drop_source(before, after)
        self._rename.append(f"ALTER TABLE {target} RENAME TO {quoted(after.plural)}")
        self._index += indexes(self._new, after)
        if self._new.login and (self._old.login is None or before.plural != after.plural):
            self._index.append(_first_owner(after))

    def _drop_source(self, before: Resource, after: Resource) -> None:
        if before.plural != after.plural:
            self._drop_table(before)
        else:
            gone = self._old.login and not self._new.login
            self._drop += [f"DROP TRIGGER IF EXISTS {before.plural}__first_owner"] if gone else []
            self._drop.append(f"DROP TABLE {quoted(before.plural)}")

    def _new_indexes(self, before: Resource, after: Resource) -> list[str]:
        """Of a table that stays as it is."""
        old, new = indexes(self._old, before), indexes(self._new, after)
        gone = [f"DROP INDEX {text.split(' ON ')[0].rsplit(' ', 1)[1]}" for text in old if text not in new]
        added = [text for text in new if text not in old]
        return [*self._told_apart(before, after, ""), *gone, *added] if gone or added else []

    def _values(self, before: Resource, after: Resource) -> dict[str, str]:
        """For each column of the new table, what it gets from a row of the old one."""
        values = {"id": "id"}
        if self._new.login:
            values["owner_id"] = "owner_id" if self._old.login else "NULL"
        parents = {}
        for parent in after.belongs_to:
            above = self._earlier(self._new.resource(parent))
            known_as = above.name if above is not None and above.name in before.belongs_to else None
            values[f"{parent}_id"] = f"{known_as}_id" if known_as else self._new_parent(before, after, parent)
            parents[known_as] = parent
        fields = {field.name: _of_old(field, before.fields, after.fields) for field in after.fields}
        for field in after.fields:
            values[field.name] = self._value(after, fields[field.name], field)
        values["created_at"] = "created_at"
        kept = {known.name for known in fields.values() if known is not None}
        for field in before.fields:
            if field.name not in kept:
                self.words.append(f"What {before.plural_label} have as {field.label} is deleted.")
        for parent in before.belongs_to:
            if parent not in parents:
                self.words.append(f"{after.plural_label} no longer know their {self._old.resource(parent).label}.")
        return values

    def _new_parent(self, before: Resource, after: Resource, parent: str) -> str:
        """Where there are rows already, they get one parent to begin with. Raises CannotMigrate."""
        above = self._new.resource(parent)
        apart = [field for field in above.fields if field.unique and field.required and field is not above.main]
        if above.belongs_to or apart or bool(self._old.login) != bool(self._new.login):
            raise CannotMigrate(
                f"every {after.label} that is there already would need its {above.label}, and "
                f"nobody has said which; make `{after.name}` anew under another name instead"
            )
        table = quoted(above.plural + (NEW if self._is_made_anew(above) else ""))
        values = _placeholder(above, table)
        owner = {"owner_id": "owner_id"} if self._new.login else {}
        columns = ", ".join(quoted(name) for name in (*owner, *values, "created_at"))
        shown = ", ".join((*owner, *values.values(), "created_at"))
        whose = "SELECT DISTINCT owner_id" if owner else "SELECT DISTINCT 1"
        self._make.append(
            _lines(
                f"INSERT INTO {table} ({columns})",
                f"SELECT {shown}",
                f"FROM ({whose}, {NOW} AS created_at FROM {quoted(before.plural)})",
            )
        )
        self.words.append(
            f"{after.plural_label} that are there already belong to a new {above.label} called “{UNKNOWN}”, "
            "until somebody says which it is."
        )
        mine = f" WHERE owner_id IS {quoted(before.plural)}.owner_id" if owner else ""
        return f"(SELECT MAX(id) FROM {table}{mine})"  # noqa: S608

    def _is_made_anew(self, resource: Resource) -> bool:
        """Whether the rows of a table are copied into a new one."""
        return any(text.startswith(f"CREATE TABLE {quoted(resource.plural + NEW)} ") for text in self._make)

    def _value(self, resource: Resource, before: AppField | None, after: AppField) -> str:
        if before is None:
            return self._of_nothing(resource, after)
        text = converted(before, after)
        text = self._of_choices(resource, before, after, text)
        if (after.required or after.type is FieldType.YES_NO) and not (
            before.required or before.type is FieldType.YES_NO
        ):
            filler, words = neutral(after)
            self.words.append(f"{resource.plural_label} without {after.label} get {words}.")
            return f"COALESCE({text}, {filler})"
        return text

    def _of_nothing(self, resource: Resource, field: AppField) -> str:
        if field.default is None and not field.required and field.type is not FieldType.YES_NO:
            return "NULL"
        if field.unique and not field.required and field.type is not FieldType.YES_NO:
            return "NULL"
        filler, words = neutral(field)
        self.words.append(f"{resource.plural_label} that are there already get {words} as {field.label}.")
        return filler

    def _of_choices(self, resource: Resource, before: AppField, after: AppField, text: str) -> str:
        gone = [choice for choice in before.choices if choice not in after.choices]
        if after.type is not FieldType.CHOICE or not gone:
            return text
        instead = (after.default or after.choices[0]) if after.required else None
        self.words += [
            f"{resource.plural_label} with {after.label} {choice} get {instead or 'none'} instead." for choice in gone
        ]
        listed = ", ".join(literal(choice) for choice in gone)
        return f"CASE WHEN {text} IN ({listed}) THEN {literal(instead)} ELSE {text} END"

    def _told_apart(self, before: Resource, after: Resource, suffix: str = NEW) -> Iterator[str]:
        """Statements after which values that become unique are."""
        was = {field.name for field in before.fields if field.unique}
        narrower = self._old.login is not None and self._old.login.private
        wider = narrower and not (self._new.login and self._new.login.private)
        for field in after.fields:
            known = _of_old(field, before.fields, after.fields)
            if not field.unique or known is None or (known.name in was and not wider):
                continue
            if field.type not in _TOLD_APART:
                raise CannotMigrate(
                    f"several {after.plural_label} may have the same {field.label} already, so it cannot become unique"
                )
            numbered, where = _TOLD_APART[field.type]
            self.words.append(
                f"Of {after.plural_label} with the same {field.label}, all but the first get their number {where}."
            )
            table, name = quoted(after.plural + suffix), quoted(field.name)
            private = self._new.login and self._new.login.private and self._old.login
            among = "first.owner_id IS same.owner_id AND " if private else ""
            earlier = f"{among}first.{name} = same.{name} AND first.id < same.id"
            yield _lines(
                f"UPDATE {table} AS same SET {name} = {numbered.format(name)}",  # noqa: S608
                f"WHERE EXISTS (SELECT 1 FROM {table} AS first WHERE {earlier})",  # noqa: S608
            )


def _of_old(one: Named, before: tuple[Named, ...], after: tuple[Named, ...]) -> Named | None:
    """What something was before: what has its name, or had the name that it was given up for."""
    known = {other.name: other for other in before}
    if one.name in known:
        return known[one.name]
    is_free = one.was is not None and one.was not in {other.name for other in after}
    return known.get(one.was) if one.was is not None and is_free else None


def _placeholder(resource: Resource, table: str) -> dict[str, str]:
    """What a row needs that stands for something unknown, by column, as SQL."""
    values = {}
    for field in resource.fields:
        if field is resource.main and field.type is FieldType.TEXT:
            number = f" || ' ' || (SELECT COUNT(*) + 1 FROM {table})" if field.unique else ""  # noqa: S608
            values[field.name] = literal(UNKNOWN) + number
        elif field.required or field.type is FieldType.YES_NO:
            values[field.name] = neutral(field.model_copy(update={"unique": False}))[0]
    return values


def _first_owner(resource: Resource) -> str:
    return _lines(
        f"CREATE TRIGGER {resource.plural}__first_owner AFTER INSERT ON users BEGIN",
        f"    UPDATE {quoted(resource.plural)} SET owner_id = NEW.id",  # noqa: S608
        "    WHERE owner_id IS NULL;",
        "END",
    )


def _lines(*lines: str) -> str:
    return "\n".join(lines)


def neutral(field: AppField) -> tuple[str, str]:
    """What a field gets in rows that have no value for it: as SQL, and in words. Raises CannotMigrate."""
    if field.unique:
        return _neutral_unique(field)
    if field.default == "today" and field.type is FieldType.DATE:
        return "substr(created_at, 1, 10)", "the day on which they were added"
    if field.default is not None:
        return literal(stored(field, field.default)), _in_words(field, field.default)
    if field.type is FieldType.DATE:
        return "substr(created_at, 1, 10)", "the day on which they were added"
    value: Any = _NEUTRAL.get(field.type, "-")
    if field.type is FieldType.CHOICE:
        value = field.choices[0]
    elif field.type in {FieldType.NUMBER, FieldType.INTEGER, FieldType.MONEY}:
        value = _nearest_to_zero(field)
    return literal(stored(field, value)), _in_words(field, value)


_NEUTRAL: dict[FieldType, Any] = {
    FieldType.YES_NO: False,
    FieldType.TIME: "00:00",
    FieldType.EMAIL: "unknown@example.com",
    FieldType.URL: "https://example.com/",
}
_TOLD_APART = {
    FieldType.TEXT: ("{0} || ' (' || id || ')'", "behind it"),
    FieldType.LONG_TEXT: ("{0} || ' (' || id || ')'", "behind it"),
    FieldType.EMAIL: (
        "substr({0}, 1, instr({0}, '@') - 1) || '+' || id || substr({0}, instr({0}, '@'))",
        "before the @, as in `ada+2@example.com`",
    ),
    FieldType.URL: ("{0} || '#' || id", "behind it"),
}
"""What makes a value that somebody else has one of its own, as SQL, and where the number stands in words."""
_UNIQUE: dict[FieldType, tuple[str, str]] = {
    FieldType.TEXT: ("'#' || id", "their number"),
    FieldType.LONG_TEXT: ("'#' || id", "their number"),
    FieldType.EMAIL: ("'unknown-' || id || '@example.com'", "an address at `example.com` with their number"),
    FieldType.URL: ("'https://example.com/' || id", "an address at `example.com` with their number"),
    FieldType.INTEGER: ("id", "their number"),
    FieldType.NUMBER: ("CAST(id AS REAL)", "their number"),
}


def _neutral_unique(field: AppField) -> tuple[str, str]:
    bounded = (field.minimum or 0) > 1 or field.maximum is not None
    if field.type not in _UNIQUE or bounded:
        raise CannotMigrate(f"rows without {field.label} would all get the same value, and it has to be unique")
    return _UNIQUE[field.type]


def _nearest_to_zero(field: AppField) -> float | int:
    low, high = field.minimum or 0, field.maximum or 0
    value = low if low > 0 else high if high < 0 else 0
    return (math.ceil if value > 0 else math.floor)(value) if field.type is FieldType.INTEGER else value


def _in_words(field: AppField, value: Any) -> str:
    if field.type is FieldType.YES_NO:
        return "yes" if value else "no"
    return f"`{value}`"


_SAME: Callable[[str], str] = "{}".format
_TEXTS = {FieldType.TEXT, FieldType.LONG_TEXT}
_CONVERSIONS: dict[tuple[FieldType, FieldType], Callable[[str], str]] = {
    **{(old, FieldType.LONG_TEXT): _SAME for old in FieldType if AFFINITY.get(old) is None},
    **{(old, FieldType.TEXT): _SAME for old in (FieldType.DATE, FieldType.TIME, FieldType.EMAIL, FieldType.CHOICE)},
    **{(FieldType.INTEGER, text): "CAST({} AS TEXT)".format for text in _TEXTS},
    (FieldType.INTEGER, FieldType.NUMBER): "CAST({} AS REAL)".format,
    (FieldType.INTEGER, FieldType.MONEY): "{} * 100".format,
    (FieldType.MONEY, FieldType.NUMBER): "{} / 100.0".format,
}


def converted(before: AppField, after: AppField) -> str:
    """The SQL that makes the value of one type from that of the other. Raises CannotMigrate."""
    name = quoted(before.name)
    if before.type is after.type:
        return name
    way = _CONVERSIONS.get((before.type, after.type))
    if way is None:
        raise CannotMigrate(
            f"{after.label} is kept as {before.type.value} and not every such value can become {after.type.value}; "
            "add a new field instead"
        )
    return way(name)
