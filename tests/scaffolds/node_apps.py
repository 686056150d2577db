"""What tests do with generated Node apps: look at their form, find what nothing uses, run their tests, break them."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from contracts.app_spec import AppSpec, Condition, Kind, Language, Op, Resource
from tests.scaffolds import specs
from tests.scaffolds.generated import mutate, run

LONGEST_LINE = 100
LONGEST_FILE = 260
IMPORT = re.compile(r'^import (?:\{ (?P<names>[^}]+) \}|(?P<whole>\w+)) from "(?P<source>[^"]+)";$', re.MULTILINE)
DEFINED = re.compile(r"^(?P<exported>export )?(?:async )?(?:function|const|class) \[?\{?(?P<name>\w+)", re.MULTILINE)
TYPE = re.compile(r"@typedef \{(?:[^{}]|\{[^{}]*\})*\} (\w+)")
COMMENT = re.compile(r"/\*\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)
STRING = re.compile(r"""["'`].*["'`]""")


def small_ones() -> dict[str, tuple[Resource, ...]]:
    """Resources with one feature each, so that code which only another feature needs would be left over."""
    field, resource = specs.field, specs.resource
    late = specs.view("late", Condition(field="due", op=Op.BEFORE_TODAY))
    return {
        "notes": (specs.notes(),),
        "search": (resource("entry", "entries", field("words", "long_text"), append_only=True, search=True),),
        "sort_and_pages": (
            resource("flag", "flags", field("up", "yes_no"), sort=True),
            resource("day", "days", field("when", "date", default="today"), paging=True),
        ),
        "filter": (
            resource(
                "bill", "bills", field("amount", "money", minimum=1), field("rate", "number", maximum=3), filter=True
            ),
        ),
        "views_and_tables": (resource("task", "tasks", field("due", "date"), views=(late,), csv=True),),
        "parents": (
            resource("box", "boxes", field("size", "choice", choices=("p", "q"))),
            resource("part", "parts", field("number", "integer"), belongs_to=("box",), filter=True),
        ),
        "mistakes": (
            resource("author", "authors", field("full_name", required=True, unique=True)),
            resource(
                "book",
                "books",
                field("pages", "integer", minimum=1),
                field("done", "yes_no"),
                belongs_to=("author",),
                sort=True,
                paging=True,
            ),
        ),
        "unique": (resource("user_name", "user_names", field("mail", "email", unique=True), field("at", "time")),),
    }


def rich_ones() -> dict[str, tuple[Resource, ...]]:
    return {
        "everything": (specs.everything(),),
        "library": specs.library(),
        "odd_words": specs.odd_words(),
        "hostile": specs.hostile(),
        "wide": (specs.wide(),),
    }


def node_specs(kind: Kind) -> dict[str, AppSpec]:
    made = {}
    for name, resources in {**small_ones(), **rich_ones()}.items():
        more: dict[str, object] = {"title": specs.HOSTILE, "summary": specs.HOSTILE} if name == "hostile" else {}
        if name == "odd_words" and kind is Kind.API:
            more["api_key"] = True
        made[name] = specs.spec(kind, *resources, language=Language.NODE, **more)
    return made


def misformed(files: Mapping[str, str]) -> Iterator[str]:
    """Lines that are too long or indented oddly; files that are too long, or do not end as they should."""
    for path, text in files.items():
        if not text.endswith("\n") or text.endswith("\n\n") or "\t" in text or "\r" in text or " \n" in text:
            yield f"{path} has odd spaces or ends"
        if path.endswith(".js"):
            if not text.removeprefix("#!/usr/bin/env node\n").startswith("// @ts-check\n"):
                yield f"{path} is not checked by its types"
            if text.count("\n") > LONGEST_FILE and not path.endswith(("resources.js", "samples.js")):
                yield f"{path} has {text.count(chr(10))} lines"
            yield from (f"{path}: {line}" for line in text.splitlines() if _is_odd(line))


def _is_odd(line: str) -> bool:
    indent = len(line) - len(line.lstrip(" "))
    inside_comment = line.lstrip().startswith("*")
    return (len(line) > LONGEST_LINE and not STRING.search(line)) or (indent % 2 == 1 and not inside_comment)


def unused(files: Mapping[str, str]) -> Iterator[str]:
    """What is imported, defined or exported, and then used by nobody."""
    imported = {
        (str(Path(path).parent.joinpath(found["source"])), name.strip())
        for path, text in files.items()
        for found in IMPORT.finditer(text)
        for name in (found["names"] or "").split(",")
    }
    wanted = {name for _, name in imported}
    for path, text in files.items():
        if not path.endswith(".js"):
            continue
        code = COMMENT.sub("", text)
        for found in IMPORT.finditer(text):
            names = [found["whole"]] if found["whole"] else [name.strip() for name in found["names"].split(",")]
            yield from (f"{path} imports `{name}`" for name in names if _count(name, code) < 2)
        for found in DEFINED.finditer(code):
            if _count(found["name"], code) < 2 and not (found["exported"] and found["name"] in wanted):
                yield f"{path} defines `{found['name']}`"
        yield from (
            f"{path} names the type `{name}`" for name in TYPE.findall(text) if not _names_type(name, path, files)
        )


def _count(name: str, code: str) -> int:
    return len(re.findall(rf"(?<![\w$]){re.escape(name)}(?![\w$])", code))


def _names_type(name: str, path: str, files: Mapping[str, str]) -> bool:
    here = _count(name, files[path]) > 1
    return here or any(f'{Path(path).name}").{name}' in text for text in files.values())


def assert_loads(folder: Path) -> None:
    """All modules of all apps in the folder but those that start something, in one process."""
    paths = [path for path in folder.rglob("*.js") if path.name not in {"server.js", "main.js"}]
    modules = [path.as_uri() for path in paths if not path.name.endswith(".test.js")]
    assert modules
    script = f"for (const one of {json.dumps(modules)}) await import(one);"
    loaded = run(folder, "node", "--input-type=module", "--eval", script)
    assert loaded.returncode == 0, loaded.stderr


def run_node_tests(folder: Path, *paths: str) -> tuple[int, str]:
    ran = run(folder, "node", "--test", *paths)
    failed = "\n".join(line for line in ran.stdout.splitlines() if "not ok" in line)
    return ran.returncode, f"{failed}\n{ran.stdout[-2000:]}{ran.stderr}"


def assert_node_tests_catch(folder: Path, test: str, path: str, before: str, after: str) -> None:
    """Puts the file back afterwards, so that one folder serves for many mutations."""
    whole = (folder / path).read_bytes()
    mutate(folder, path, before, after)
    try:
        code, said = run_node_tests(folder, f"tests/{test}.test.js")
        assert code == 1, f"{path}: {before} -> {after} was not caught\n{said}"
    finally:
        (folder / path).write_bytes(whole)
