"""Command-line tools in Python: Typer for the commands, and a JSON file or SQLite for what they keep."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from contracts.app_spec import AppField, AppSpec, FieldType, Migration, Op, Resource
from scaffolds import python_parts, tables
from scaffolds.base import LINE, class_name, python_import, render, requirements
from scaffolds.python_parts.uses import Uses, natural, searched
from scaffolds.typer_tool import examples

FOLDER = Path(__file__).parent
OWN_NAMES = frozenset({"actions", "typer", "app", "item_id", "as_json", "search", "view", "file", "given", "wanted"})
"""What commands use beside their fields."""
LONGEST_PARAMETER = 28
MOST_LISTED = 5
METAVARS = {
    FieldType.TEXT: "TEXT",
    FieldType.LONG_TEXT: "TEXT",
    FieldType.NUMBER: "NUMBER",
    FieldType.INTEGER: "NUMBER",
    FieldType.YES_NO: "yes|no",
    FieldType.DATE: "YYYY-MM-DD",
    FieldType.TIME: "HH:MM",
    FieldType.EMAIL: "ADDRESS",
    FieldType.URL: "URL",
    FieldType.CHOICE: "VALUE",
    FieldType.MONEY: "AMOUNT",
}
TESTS = {
    Op.IS: "eq",
    Op.IS_NOT: "ne",
    Op.ABOVE: "gt",
    Op.BELOW: "lt",
    Op.BEFORE_TODAY: "lt",
    Op.TODAY: "eq",
    Op.AFTER_TODAY: "gt",
}
LIMITS = {
    "text": '("", "", 200)',
    "long_text": '("", "", 10_000)',
    "email": '("", "@example.com", 254)',
    "url": '("https://example.com/", "", 2000)',
}
TYPE_ORDER = "text long_text number integer money yes_no date time email url choice".split()


class ToolUses(Uses):
    """Values come from texts, but for yes and no, which are switches."""

    @property
    def initial(self) -> bool:
        return True

    @property
    def parsed(self) -> set[str]:
        return self.types - {"yes_no"}

    @property
    def done(self) -> bool:
        return any(can_be_done(resource) for resource in self.spec.resources)

    @property
    def asks(self) -> bool:
        """Whether lists can leave something out."""
        return self.search or self.filter or self.views or self.paging

    @property
    def listing(self) -> bool:
        return self.asks or self.sort


def can_be_done(resource: Resource) -> bool:
    done = any(field.name == "done" and field.type is FieldType.YES_NO for field in resource.fields)
    return done and not resource.append_only


@dataclass(frozen=True)
class Option:
    """A field as an option of a command."""

    spec: AppField
    param: str
    flags: str

    @property
    def help(self) -> str:
        choices = f" ({', '.join(self.spec.choices)})" if self.spec.choices else ""
        return self.spec.label + choices

    @property
    def metavar(self) -> str:
        return METAVARS[self.spec.type]

    @property
    def annotation(self) -> str:
        return "bool | None" if self.spec.type is FieldType.YES_NO else "str | None"

    @property
    def name(self) -> str:
        return f"--{_dashed(self.spec.name)}"


@dataclass(frozen=True)
class Kept:
    """A resource as the templates need it."""

    app: AppSpec
    spec: Resource

    @property
    def constant(self) -> str:
        return self.spec.plural.upper()

    @property
    def called(self) -> str:
        return self.spec.name.replace("_", " ")

    @property
    def called_all(self) -> str:
        return self.spec.plural.replace("_", " ")

    @cached_property
    def _params(self) -> dict[str, str]:
        names = [*self.spec.parents, *(field.name for field in self.spec.fields)]
        return {name: _parameter(name, number) for number, name in enumerate(names)}

    @cached_property
    def fields(self) -> list[Option]:
        names = {field.name for field in self.spec.fields}
        return [Option(field, self._params[field.name], _flags(field, names)) for field in self.spec.fields]

    @property
    def main(self) -> Option:
        return next(field for field in self.fields if field.spec.name == self.spec.main.name)

    @property
    def others(self) -> list[Option]:
        return [field for field in self.fields if field.spec.name != self.spec.main.name]

    @property
    def main_needed(self) -> bool:
        field = self.spec.main
        return field.required and field.default is None and field.type is not FieldType.YES_NO

    @property
    def main_annotation(self) -> str:
        return "str" if self.main_needed else self.main.annotation

    @property
    def parents(self) -> list[tuple[str, str]]:
        return [(name, self._params[name]) for name in self.spec.parents]

    @property
    def parent_constants(self) -> list[tuple[str, str]]:
        return [(f"{name}_id", self.app.resource(name).plural.upper()) for name in self.spec.belongs_to]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [*self.parents, *((field.spec.name, field.param) for field in self.fields)]

    @property
    def filters(self) -> list[Option]:
        """What lists can be filtered by: not what has the name of another option."""
        return [field for field in self.fields if field.spec.name not in examples.LIST_OPTIONS]

    @property
    def filter_pairs(self) -> list[tuple[str, str]]:
        return [*self.parents, *((field.spec.name, field.param) for field in self.filters)]

    @property
    def children(self) -> bool:
        return bool(self.app.children_of(self.spec))

    @property
    def done(self) -> bool:
        return can_be_done(self.spec)

    @property
    def search(self) -> bool:
        return bool(searched(self.spec))

    @property
    def lists(self) -> bool:
        one = self.spec
        return self.search or one.filter or one.sort or one.paging or bool(one.views)

    @property
    def list_count(self) -> int:
        """How many options `list` has."""
        single = [self.search, self.spec.sort, self.spec.paging, bool(self.spec.views), True]
        return sum(single) + (len(self.filter_pairs) if self.spec.filter else 0)

    @property
    def listed(self) -> list[str]:
        """What a list shows: what an item is known by, and a few other things that are short."""
        short = [field.name for field in self.spec.fields if field.type is not FieldType.LONG_TEXT]
        main = self.spec.main.name
        return [main, *[name for name in (*self.spec.parents, *short) if name != main][: MOST_LISTED - 1]]

    @property
    def unique(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.spec.fields if field.unique)

    @property
    def searched(self) -> Any:
        names = [field.name for field in searched(self.spec)]
        if self.app.storage == "json":
            return tuple(names)
        return f"fold({', '.join(map(tables.quoted, names))})" if names else ""

    @property
    def views(self) -> list[dict[str, Any]]:
        if self.app.storage == "json":
            return [
                {"slug": view.slug, "conditions": [_condition(one) for one in view.conditions]}
                for view in self.spec.views
            ]
        return [
            {
                "slug": view.slug,
                "where": python_parts.view_where(view),
                "values": python_parts.view_values(self.spec, view),
            }
            for view in self.spec.views
        ]

    @property
    def sql(self) -> dict[str, str]:
        return python_parts.statements(self.app, self.spec)


def generate(spec: AppSpec, migrations: tuple[Migration, ...] = ()) -> dict[str, str]:
    """The files of a tool, by path. Without migrations, those of a new tool."""
    kept = [Kept(spec, resource) for resource in spec.resources]
    history = migrations or ((tables.initial(spec),) if spec.storage == "sqlite" else ())
    values = _values(spec, kept, history)
    names = ["actions", "given", "main", "options", "output", "resources"]
    names += ["lists"] if values["uses"].listing else []
    files = {f"{name}.py": render(FOLDER, f"{name}.py.j2", **values) for name in names}
    files["store.py"] = render(FOLDER, f"store_{spec.storage}.py.j2", **values)
    files["values.py"] = render(python_parts.HERE, "values.py.j2", **values)
    if len(kept) > 1:
        files["commands/__init__.py"] = '"""The commands, a module for each kind of thing."""\n'
        files |= {
            f"commands/{one.spec.plural}.py": render(FOLDER, "commands_module.py.j2", **values, resource=one)
            for one in kept
        }
    if spec.storage == "sqlite":
        numbered = enumerate(history, start=1)
        files |= {tables.file_name(number, step): tables.file_text(step) for number, step in numbered}
    return dict(sorted({**files, **_around(spec, values)}.items()))


def _around(spec: AppSpec, values: dict[str, Any]) -> dict[str, str]:
    """What is not the tool itself: tests, and files for people."""
    tests = ["conftest", "examples", "tool", "test_commands", "test_store"]
    tests += ["test_lists"] if values["uses"].listing else []
    data = f"{spec.name}.{'json' if spec.storage == 'json' else 'db'}"
    usage = {
        "usage": [examples.usage(one.spec) for one in values["resources"]],
        "changes": [examples.change(one.spec) for one in values["resources"]],
    }
    return {
        **{f"tests/{name}.py": render(FOLDER, f"tests/{name}.py.j2", **values) for name in tests},
        "README.md": render(FOLDER, "README.md.j2", **values, **usage, data=data),
        "requirements.txt": requirements("typer"),
        "pytest.ini": "[pytest]\npythonpath = .\ntestpaths = tests\n",
        ".env.example": "# The folder for what is kept; without it, the folder of main.py.\nDATA_DIR=\n",
        ".gitignore": f"{data}\n.{data}.*\n.env\n.venv/\n__pycache__/\n.pytest_cache/\n",
    }


def _values(spec: AppSpec, kept: list[Kept], migrations: tuple[Migration, ...]) -> dict[str, Any]:
    uses = ToolUses(spec)
    json = spec.storage == "json"
    views = [view for resource in spec.resources for view in resource.views]
    return {
        "spec": spec,
        "uses": uses,
        "api": False,
        "types": uses.types,
        "ordered_types": [kind for kind in TYPE_ORDER if kind in uses.types],
        "bounded": uses.bounded,
        "resources": kept,
        "one": len(kept) == 1,
        "json": json,
        "migrations": migrations,
        "version": len(migrations) + 1,
        "today_views": any(one.value is None for view in views for one in view.conditions),
        "operators": sorted({TESTS[one.op] for view in views for one in view.conditions}) if json else [],
        "typing_names": [*(["Any"] if json and views else []), *(["Self"] if uses.parents else [])],
        "classes": _classes(uses),
        "given_names": [
            *("Given", "for_new"),
            *(["for_change"] if uses.change else []),
            *(["wrong"] if uses.unique else []),
        ],
        "limits": [(kind, limit) for kind, limit in LIMITS.items() if kind in uses.types],
        "tool_names": [
            *("Tool", "adding", "named", "run", "word_of"),
            *(["option"] if uses.change or uses.parents else []),
            *(["typed"] if uses.change else []),
        ],
        "asked": _asked(uses),
        "modules_import": _modules_import(kept),
        "lists_imports": _lists_imports(uses, json),
        "examples": [examples.of(spec, one.spec, done=one.done) for one in kept],
    }


def _asked(uses: ToolUses) -> list[str]:
    """What can make a list leave something out, in Python."""
    parts = {
        "self.search": uses.search,
        "self.view": uses.views,
        "*self.filters.values()": uses.filter,
        "self.page or 1": uses.paging,
    }
    return [part for part, used in parts.items() if used]


def _classes(uses: ToolUses) -> list[str]:
    """What `resources.py` needs of `values.py`."""
    return ["Field", *(["Value"] if uses.views else []), *map(class_name, uses.types)]


def _modules_import(kept: list[Kept]) -> str:
    names = sorted((one.spec.plural for one in kept), key=natural)
    line = f"from commands import {', '.join(names)}"
    return line if len(line) <= LINE else "from commands import (\n" + "".join(f"    {name},\n" for name in names) + ")"


def _lists_imports(uses: ToolUses, json: bool) -> str:
    """The imports of `lists.py` from other modules, in their order."""
    given = [*(["Given"] if uses.filter else []), *(["wrong"] if uses.filter or uses.sort or uses.views else [])]
    resources = ["Resource", *(["View"] if uses.views else []), *(["Condition"] if uses.views and json else [])]
    store = ["Item"] if json else (["bounded"] if uses.filter_parents else [])
    values = ["Field", "Wrong", *(["YesNo"] if "yes_no" in uses.types else [])] if uses.filter else []
    values += ["Value"] if uses.filter or not json else []
    modules = {"given": given, "resources": resources, "store": store, "values": values}
    lines = [python_import(names, module) for module, names in modules.items() if names]
    return "\n".join(lines)


def _condition(condition: Any) -> dict[str, Any]:
    return {"field": condition.field, "test": TESTS[condition.op], "value": condition.value}


def _parameter(name: str, number: int) -> str:
    """The name in Python, which must not hide what the command needs, nor be too long for its line."""
    if len(name) > LONGEST_PARAMETER:
        return f"{name[: LONGEST_PARAMETER - 4].rstrip('_')}__{number}"
    return f"{name}_" if name in OWN_NAMES else name


def _flags(field: AppField, names: set[str]) -> str:
    if field.type is not FieldType.YES_NO:
        return f"--{_dashed(field.name)}"
    opposite = "not" if f"no_{field.name}" in names else "no"
    return f"--{_dashed(field.name)}/--{opposite}-{_dashed(field.name)}"


def _dashed(name: str) -> str:
    return name.replace("_", "-")
