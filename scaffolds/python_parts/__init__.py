"""The modules that every Flask app which keeps something has, whether it answers with JSON or with pages.

`parts(spec, migrations)` gives these files, only with what the spec uses:

- `migrations/0001_initial.sql` and so on.
- `service/db.py`: `init_app(app)` (folder, migrations, closing), `db()` (the connection of this request), `data_dir()`.
- `service/errors.py`: `Problem(status, message, fields)`, the one exception that is told to whoever asked.
- `service/values.py`: `Field` and a class for each type. `read(value)` takes the JSON form and `parse(text)` (where
  lists are filtered, and in web apps) text from a form or an address; both give the value as it is kept, or raise
  `Wrong`. `show(kept)` gives the JSON form. `initial()` is the default.
- `service/resource.py`: `Resource` (name, path, label, plural_label, parents, fields, views, features, statements;
  `main` in web apps) and `View` (slug, title, where, values).
- `service/resources/`: `RESOURCES`, and a module for each with the constant `BOOKS`. `book.parents` is a mapping from
  `author_id` to the resource `AUTHORS`.
- `service/lists.py`, where lists take arguments or have conditions: `read(resource, arguments, *conditions) -> Wanted`
  understands `q`, fields, `sort`, `page`, `per_page` and raises Problem (422); a condition is SQL with `?` and its
  values, such as `(view.where, view.values)` or `("author_id = ?", (1,))`. Without arguments: `Wanted(conditions=...)`.
- `service/store.py`: `listed(resource, wanted) -> (items, total)`, `find`, `exists`, `add`, `change`, `remove`. Items
  are in their JSON form. With a login, `g.user_id` has to be set; with a private one, only that user's items are there.
- `service/input.py`: `read_all(resource, given)` (defaults for what is missing) and `read_given(resource, given)` for
  JSON; in web apps `read_form(resource, form)` instead. Values as they are kept, or Problem (422) with `fields`.
- `service/csv_files.py` with a CSV download: `text(resource, items)`.
- `service/users.py` with a login: `register`, `sign_in` (Problem 401, 429) and in APIs tokens.

`uses(spec)` says what of all this a spec needs; templates of the generators may ask it as well.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from contracts.app_spec import AppSpec, Migration, Op, Resource, View
from scaffolds import tables
from scaffolds.base import class_name, python_import, render
from scaffolds.python_parts.uses import Uses, natural, searched

HERE = Path(__file__).parent


def parts(spec: AppSpec, migrations: Sequence[Migration] = ()) -> dict[str, str]:
    """The files, by path. Nothing for an app that keeps nothing; without migrations, those of a new app."""
    if not spec.resources:
        return {}
    history = tuple(migrations) or (tables.initial(spec),)
    names = ["db", "errors", "input", "resource", "store", "values"]
    uses = Uses(spec)
    names += ["lists"] if uses.lists else []
    names += ["csv_files"] if uses.csv else []
    names += ["users"] if spec.login else []
    shared = _shared(spec, history)
    files = {f"service/{name}.py": render(HERE, f"{name}.py.j2", **shared) for name in names}
    files["service/__init__.py"] = '"""What the app is made of."""\n'
    files["service/resources/__init__.py"] = render(HERE, "resources_init.py.j2", **shared)
    for resource in spec.resources:
        files[f"service/resources/{resource.plural}.py"] = _module(spec, resource, shared)
    for number, migration in enumerate(history, start=1):
        files[tables.file_name(number, migration)] = tables.file_text(migration)
    return files


def _shared(spec: AppSpec, migrations: Sequence[Migration]) -> dict[str, Any]:
    uses = Uses(spec)
    return {
        "spec": spec,
        "uses": uses,
        "api": uses.api,
        "private": uses.private,
        "types": uses.types,
        "ordered_types": [kind for kind in _ORDER if kind in uses.types],
        "bounded": uses.bounded,
        "optional_choices": any(field.choices and not field.required for field in uses.fields),
        "features": uses.features,
        "migrations": migrations,
        "imported": lambda plural: python_import([plural.upper()], f"service.resources.{plural}"),
        "sorted_plurals": sorted((resource.plural for resource in spec.resources), key=natural),
    }


_ORDER = "text long_text number integer money yes_no date time email url choice".split()


def _module(spec: AppSpec, resource: Resource, shared: dict[str, Any]) -> str:
    """The description of one resource."""
    columns = [tables.quoted(field.name) for field in searched(resource)]
    parents = sorted((spec.resource(name) for name in resource.belongs_to), key=lambda one: natural(one.plural))
    classes = {class_name(field.type.value) for field in resource.fields}
    return render(
        HERE,
        "resource_module.py.j2",
        **shared,
        resource=resource,
        parents=parents,
        value_import=python_import(classes, "service.values"),
        searched=f"fold({', '.join(columns)})" if columns else "",
        sql=statements(spec, resource),
        view_where=view_where,
        view_values=view_values,
    )


def statements(spec: AppSpec, resource: Resource) -> dict[str, str]:
    """What is asked of the table, but for conditions."""
    table = tables.quoted(resource.plural)
    all_columns = tables.columns(spec, resource)
    shown = ", ".join(tables.quoted(name) for name in all_columns if not (spec.login and name == "owner_id"))
    written = [name for name in all_columns if name != "id"]
    names, values = ", ".join(map(tables.quoted, written)), ", ".join(f":{name}" for name in written)
    return {
        "select": f"SELECT {shown} FROM {table}",  # noqa: S608
        "count": f"SELECT COUNT(*) FROM {table}",  # noqa: S608
        "insert": f"INSERT INTO {table} ({names}) VALUES ({values})",  # noqa: S608
        "update": f"UPDATE {table} SET ",  # noqa: S608
        "delete": f"DELETE FROM {table}",  # noqa: S608
    }


_TESTS = {
    Op.IS: "{} = ?",
    Op.IS_NOT: "{} <> ?",
    Op.ABOVE: "{} > ?",
    Op.BELOW: "{} < ?",
    Op.BEFORE_TODAY: "{} < date('now')",
    Op.TODAY: "{} = date('now')",
    Op.AFTER_TODAY: "{} > date('now')",
}


def view_where(view: View) -> str:
    """The conditions of a view as SQL, with a question mark for each value."""
    return " AND ".join(_TESTS[condition.op].format(tables.quoted(condition.field)) for condition in view.conditions)


def view_values(resource: Resource, view: View) -> tuple[Any, ...]:
    """The values for the question marks, as they are kept."""
    return tuple(
        tables.stored(resource.field(condition.field), condition.value)
        for condition in view.conditions
        if "?" in _TESTS[condition.op]
    )
