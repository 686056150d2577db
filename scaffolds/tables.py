"""The tables of an app in SQLite.

Names go into the statements as they are: their form is safe. Everything else goes through `literal`.
"""

import re
from typing import Any

from contracts.app_spec import API_KINDS, AppField, AppSpec, FieldType, Migration, Resource

AFFINITY = {
    FieldType.NUMBER: "REAL",
    FieldType.INTEGER: "INTEGER",
    FieldType.YES_NO: "INTEGER",
    FieldType.MONEY: "INTEGER",
}
"""How values are kept; all other types as text. Money is in cents, yes and no are 1 and 0."""
KEYWORDS = frozenset(
    "abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade "
    "case cast check collate column commit conflict constraint create cross current current_date current_time "
    "current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape "
    "except exclude exclusive exists explain fail filter first following for foreign from full generated glob group "
    "groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull join "
    "key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order "
    "others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex "
    "release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then "
    "ties to transaction trigger unbounded union unique update using vacuum values view virtual when where window "
    "with within without".split()
)
NOW = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"


def initial(spec: AppSpec) -> Migration:
    """All tables of a new app."""
    statements = [text for _, text in own_tables(spec)]
    for resource in spec.resources:
        statements += [definition(spec, resource), *indexes(spec, resource)]
    return Migration(name="initial", sql=tuple(statements))


def file_name(number: int, migration: Migration) -> str:
    """Where an app has its migration, counted from 1."""
    return f"migrations/{number:04d}_{migration.name}.sql"


def file_text(migration: Migration) -> str:
    return ";\n\n".join(migration.sql) + ";\n"


def quoted(name: str) -> str:
    """A name of a table or column, in quotes where SQLite would take it for something else."""
    return f'"{name}"' if name in KEYWORDS else name


def stored(field: AppField, value: Any) -> Any:
    """A value in its JSON form as it is kept in the table."""
    if value is None:
        return None
    if field.type is FieldType.MONEY:
        return round(float(value) * 100)
    if field.type is FieldType.YES_NO:
        return int(bool(value))
    if field.type is FieldType.NUMBER:
        return float(value)
    return value


def literal(value: Any) -> str:
    """A value as SQL."""
    if value is None:
        return "NULL"
    if not isinstance(value, str):
        return repr(value)
    if re.search(r"[\x00-\x1f\x7f]", value):
        return f"CAST(X'{value.encode().hex()}' AS TEXT)"
    return "'" + value.replace("'", "''") + "'"


def own_tables(spec: AppSpec) -> list[tuple[str, str]]:
    """The tables that a login needs, by name."""
    if spec.login is None:
        return []
    users = _table(
        "users",
        [
            "id INTEGER PRIMARY KEY AUTOINCREMENT",
            "username TEXT NOT NULL UNIQUE COLLATE NOCASE",
            "password_hash TEXT NOT NULL",
            "created_at TEXT NOT NULL",
        ],
    )
    wrong = _table("login", ["username TEXT NOT NULL COLLATE NOCASE", "failed_at TEXT NOT NULL"])
    sessions = _table(
        "sessions",
        [
            "token_hash TEXT PRIMARY KEY",
            "user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
            "expires_at TEXT NOT NULL",
        ],
    )
    return [("users", users), ("login", wrong), *([("sessions", sessions)] if spec.kind in API_KINDS else [])]


def definition(spec: AppSpec, resource: Resource, suffix: str = "") -> str:
    """The statement that makes the table of a resource."""
    lines = ["id INTEGER PRIMARY KEY AUTOINCREMENT"]
    if spec.login:
        lines.append("owner_id INTEGER REFERENCES users (id) ON DELETE CASCADE")
    for parent in resource.belongs_to:
        target = quoted(spec.resource(parent).plural)
        lines.append(f"{parent}_id INTEGER NOT NULL REFERENCES {target} (id) ON DELETE CASCADE")
    lines += [_column(field) for field in resource.fields]
    return _table(quoted(resource.plural + suffix), [*lines, "created_at TEXT NOT NULL"])


def _table(name: str, lines: list[str]) -> str:
    return f"CREATE TABLE {name} (\n    " + ",\n    ".join(lines) + "\n)"


def _column(field: AppField) -> str:
    never_null = field.required or field.type is FieldType.YES_NO
    return f"{quoted(field.name)} {AFFINITY.get(field.type, 'TEXT')}{' NOT NULL' if never_null else ''}"


def indexes(spec: AppSpec, resource: Resource) -> list[str]:
    """What makes lists fast, and what holds unique values apart."""
    pointers = [*(["owner_id"] if spec.login else []), *resource.parents]
    table = quoted(resource.plural)
    made = [f"CREATE INDEX {resource.plural}__{name} ON {table} ({name})" for name in pointers]
    among = "owner_id, " if spec.login and spec.login.private else ""
    return made + [
        f"CREATE UNIQUE INDEX {resource.plural}__{field.name} ON {table} ({among}{quoted(field.name)})"
        for field in resource.fields
        if field.unique
    ]


def columns(spec: AppSpec, resource: Resource) -> list[str]:
    """All columns of a table, in order."""
    owner = ["owner_id"] if spec.login else []
    return ["id", *owner, *resource.parents, *(field.name for field in resource.fields), "created_at"]
