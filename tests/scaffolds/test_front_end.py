"""Front ends: the same files for the same spec, nothing in them that nobody uses, and labels that stay text."""

import json
import mimetypes
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Route, sync_playwright

from contracts.app_spec import AppSpec, FieldType, Kind, Login
from contracts.errors import Unavailable
from environments.allow_list import AllowList
from environments.manager import Environments
from environments.store import remove
from project_files import Workspace
from sandbox_runner import SandboxRunner
from sandboxes.bubblewrap import Bubblewrap
from scaffolds import flask_api, looks
from scaffolds.front_end import generate
from tests.scaffolds import specs
from tests.scaffolds.generated import ROOT, assert_ruff_is_content, mutate, python, run, write

FLAGS = ("search", "filter", "sort", "paging", "csv", "quick_add", "append_only")
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(r"/\*\*(?s:.*?)\*/|^ *//.*$", re.MULTILINE)
NAMED = r"(?:async function|function|class|const|type) (\w+)"


def full_stack(ui: str, *resources: object, **more: object) -> AppSpec:
    return specs.spec(Kind.FULL_STACK, *resources, ui=ui, **more)  # type: ignore[arg-type]


def variants(ui: str) -> Iterator[tuple[str, AppSpec]]:
    """Every feature alone, beside something without it, and all of them together."""
    title = specs.field("title", required=True)
    plain = specs.resource("memo", "memos", title)
    yield "notes", full_stack(ui, specs.notes())
    yield "everything", full_stack(ui, specs.everything(), dark_mode=True)
    yield "library", full_stack(ui, *specs.library(), login=Login())
    yield "key", full_stack(ui, *specs.odd_words(), api_key=True)
    yield "hostile", full_stack(ui, *specs.hostile(), title=specs.HOSTILE, summary=specs.HOSTILE)
    for flag in FLAGS:
        yield flag, full_stack(ui, specs.resource("note", "notes", title, **{flag: True}))
        done = specs.field("done", "yes_no")
        yield f"some {flag}", full_stack(ui, specs.resource("note", "notes", title, done, **{flag: True}), plain)
    log = specs.resource("line", "lines", title, belongs_to=("memo",), append_only=True, quick_add=True)
    yield "log", full_stack(ui, plain.model_copy(update={"append_only": True, "quick_add": True}), log)
    for kind in FieldType:
        choices = ("a", "b") if kind is FieldType.CHOICE else ()
        note = specs.resource("note", "notes", specs.field("body", kind.value, choices=choices), filter=True)
        yield kind.value, full_stack(ui, note)


def scripts(files: Mapping[str, str]) -> dict[str, str]:
    """What a browser runs, or what is made into it, without comments."""
    found = {path: text for path, text in files.items() if path.endswith((".js", ".ts", ".tsx"))}
    return {path: COMMENT.sub("", text) for path, text in found.items() if "theme" not in path}


def imports(text: str) -> Iterator[tuple[str, str]]:
    """The file and the name of each thing that is taken from another file."""
    for names, source in re.findall(r'^import (?:type )?\{([^}]*)\} from "\./([\w.]+)";$', text, re.MULTILINE):
        for name in names.split(","):
            yield source.removesuffix(".js"), name.strip().removeprefix("type ").partition(" as ")[0]


@pytest.mark.parametrize("ui", ["html", "react"])
def test_nothing_is_there_that_nobody_uses(ui: str) -> None:
    for name, spec in variants(ui):
        files = generate(spec)
        assert files == generate(spec) and list(files) == sorted(files)
        code = scripts(files)
        taken = {pair for text in code.values() for pair in imports(text)}
        given = {
            (Path(path).stem, word)
            for path, text in code.items()
            for word in re.findall(rf"^export {NAMED}", text, re.MULTILINE)
        }
        assert taken == given, f"{name}: {taken ^ given} is there or used, but not both"
        for path, text in code.items():
            words = Counter(re.findall(r"\w+", text))
            once = [word for word in re.findall(rf"^(?:export )?{NAMED}", text, re.MULTILINE) if words[word] < 2]
            assert not [word for word in once if (Path(path).stem, word) not in taken], f"{name}, {path}: {once}"


@pytest.mark.parametrize("ui", ["html", "react"])
def test_every_style_is_worn(ui: str) -> None:
    for name, spec in variants(ui):
        files = generate(spec)
        sheet = files["ui/style.css" if ui == "html" else "ui-src/style.css"].removeprefix(looks.style(spec, "buttons"))
        words = set(re.findall(r"[\w-]+", " ".join(text for path, text in files.items() if "style.css" not in path)))
        selectors = " ".join(re.findall(r"^ *([^\s@].*?)(?: \{|,)$", sheet, re.MULTILINE))
        assert not set(re.findall(r"\.([a-z-]+)", selectors)) - words, name


def test_the_page_and_its_modules_are_plain_files() -> None:
    files = generate(full_stack("html", *specs.library(), specs.everything(), login=Login(), dark_mode=True))
    assert {Path(path).parent.as_posix() for path in files} == {"ui", "tests"}
    for path, text in files.items():
        if path.endswith(".js") and path != "ui/theme.js":
            assert text.startswith("// @ts-check\n"), path
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|\.style\b", text), path
        assert not re.search(r"https?://(?!www\.w3\.org)[a-z]", text.replace("example.com", "")), path
        assert text.endswith("\n") and not re.search(r"[ \t]$", text, re.MULTILINE), path
        assert path.endswith(".py") or "\n\n\n" not in text, path


def test_react_is_built_but_nothing_is_started_by_it() -> None:
    files = generate(full_stack("react", *specs.library(), login=Login(), dark_mode=True))
    package = json.loads(files["package.json"])
    assert package["scripts"] == {"build": "vite build", "typecheck": "tsc"} and "main" not in package
    wanted = {**package["dependencies"], **package["devDependencies"]}
    assert all(
        re.fullmatch(r"\d+\.\d+\.\d+", version) for version in (*wanted.values(), *package["overrides"].values())
    )
    allowed = allow_list()
    assert all(allowed.has("node", name) for name in wanted)
    assert not [path for path in files if path.startswith("ui/")], "the build writes these"
    assert not any("dangerouslySetInnerHTML" in text for text in files.values())


def allow_list() -> AllowList:
    return AllowList.load(ROOT / "config" / "allowed_deps.json")


class Tags(HTMLParser):
    """What a browser makes of a page: its elements with their attributes, and its texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.texts: list[str] = []
        self.values: list[str | None] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs)))
        self.values += [value for _, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


LINES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=60).filter(str.strip)
HOSTILE = st.one_of(
    LINES, st.sampled_from([specs.HOSTILE, "*/ alert(1) /*", "`${alert(1)}`", '"); x("', "\\", "{{ x }}"])
)


def labelled(ui: str, line: str, choice: str) -> AppSpec:
    """The same app with any label."""
    kind = specs.field("kind", "choice", label=line, choices=(choice, "other"), default=choice)
    first = specs.field("title", required=True, label=line, default=line)
    view = specs.hostile()[0].views[0].model_copy(update={"title": line, "slug": "odd"})
    view = view.model_copy(update={"conditions": (view.conditions[0].model_copy(update={"value": choice}),)})
    more = {"label": line, "plural_label": line, "views": (view,), **specs.FEATURES}
    things = specs.resource("thing", "things", first, kind, **more)
    return full_stack(ui, specs.notes(), things, title=line, summary=line, dark_mode=True)


@pytest.mark.parametrize("ui", ["html", "react"])
@given(line=HOSTILE, choice=HOSTILE.filter(lambda text: text != "other"))
def test_whatever_labels_say_they_stay_text(ui: str, line: str, choice: str) -> None:
    plain, odd = (generate(labelled(ui, *words)) for words in (("Label", "one"), (line, choice)))
    assert plain.keys() == odd.keys()
    folder, ending = ("ui", "js") if ui == "html" else ("ui-src", "ts")
    model, page = f"{folder}/model.{ending}", f"{folder}/index.html"
    assert TEXT.sub('""', odd[model]) == TEXT.sub('""', plain[model])
    assert {line, choice} <= {json.loads(text) for text in TEXT.findall(odd[model])}
    before, after = Tags(plain[page]), Tags(odd[page])
    assert after.elements == before.elements
    assert line in after.texts and line in after.values
    same = plain.keys() - {model, page, f"{folder}/icon.svg", f"{folder}/public/icon.svg", "tests/test_ui.py"}
    assert [path for path in same if plain[path] != odd[path]] in ([], ["ui-src/README.md"])


@pytest.mark.parametrize("framework", ["html", "react"])
def test_names_in_the_middle_of_a_sentence_are_written_small(framework: str) -> None:
    files = generate(
        full_stack(framework, specs.resource("cd_case", "cd_cases", specs.field("title"), label="CD case"))
    )
    folder = "ui/model.js" if framework == "html" else "ui-src/model.ts"
    assert 'label: "CD case"' in files[folder] and 'one: "CD case"' in files[folder]
    assert 'plural: "Cd cases"' in files[folder] and 'several: "cd cases"' in files[folder]
    text = "".join(files[path] for path in files if path.startswith("ui") and path != folder)
    assert re.search(r"Add \$?\{resource\.one\}", text) and not re.search(
        r"\b(Add|New|Edit) \$?\{resource\.label", text
    )


def test_a_module_with_hostile_labels_says_what_the_spec_says(tmp_path: Path) -> None:
    spec = full_stack("html", *specs.hostile(), title=specs.HOSTILE)
    folder = write(generate(spec), tmp_path)
    (folder / "ui" / "package.json").write_text('{"type": "module"}', "utf-8")
    code = 'import { resources } from "./ui/model.js"; console.log(JSON.stringify(resources))'
    ran = run(folder, "node", "--input-type=module", "-e", code)
    assert ran.returncode == 0, ran.stderr
    resource, made = spec.resources[0], json.loads(ran.stdout)[spec.resources[0].name]
    assert (made["label"], made["plural"]) == (resource.label, resource.plural_label)
    assert [field["label"] for field in made["fields"]] == [field.label for field in resource.fields]
    assert made["fields"][1]["choices"] == list(resource.fields[1].choices)
    assert [view["title"] for view in made["views"]] == [view.title for view in resource.views]


MUTATIONS = [
    ("ui/main.js", 'from "./item.js"', 'from "./items.js"'),
    ("ui/model.js", 'path: "text-lines"', 'path: "text_lines"'),
    ("ui/index.html", "<main ", '<main onclick="x()" '),
    ("ui/index.html", "<title>", "<title>x"),
]


def test_the_tests_of_the_app_look_at_its_front_end(tmp_path: Path) -> None:
    spec = full_stack("html", *specs.hostile(), api_key=True, dark_mode=True, title=specs.HOSTILE)
    folder = write({**flask_api.generate(spec), **generate(spec)}, tmp_path)
    passed = look_at(folder)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    for name, before, after in MUTATIONS:
        whole = (folder / name).read_bytes()
        mutate(folder, name, before, after)
        assert look_at(folder).returncode == 1, f"{name}: {before} -> {after} was not caught"
        (folder / name).write_bytes(whole)


def look_at(folder: Path) -> CompletedProcess[str]:
    """Without plugins, which take longer to load than the tests to run."""
    arguments = ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "tests/test_ui.py")
    return python(folder, *arguments, env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})


@pytest.mark.parametrize("ui", ["html", "react"])
def test_its_tests_are_as_ruff_would_write_them(ui: str, tmp_path: Path) -> None:
    titles = ["x", "wörd " * 15, specs.HOSTILE, *("t" * length for length in range(70, 90, 3))]
    for number, title in enumerate(titles):
        write(generate(full_stack(ui, specs.notes(), title=title.strip())), tmp_path / str(number))
    assert_ruff_is_content(tmp_path)


@pytest.fixture
def place() -> Iterator[Path]:
    """Not below pytest's own folder, which other users may not enter."""
    folder = Path(tempfile.mkdtemp(prefix="front-end-tests-"))
    folder.chmod(0o711)
    yield folder
    remove(folder)


@pytest.mark.registry
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_it_is_checked_and_built_in_the_sandbox_with_packages_of_the_registry(place: Path) -> None:
    spec = full_stack("react", *specs.library(), specs.everything(), login=Login(), dark_mode=True)
    write(generate(spec), place / "workspace" / "app")
    plain = generate(spec.model_copy(update={"ui": "html"}))
    write({f"plain/{path}": text for path, text in plain.items()}, place / "workspace" / "app")
    sandbox = Bubblewrap(place / "sandbox", pool_size=0)
    environments = Environments(place / "packages", lambda: sandbox, allowed=allow_list(), environ=os.environ)
    files = Workspace(place / "workspace").draft("app")
    try:
        downloaded = environments.download(environments.plan(files))
    except Unavailable as error:
        pytest.skip(f"registry: {error.message}")
    assert all(package.known and not package.notes for package in downloaded.packages), "no question, no script"
    given = environments.build(downloaded)
    runner = SandboxRunner([sandbox], root=place)
    strict = "--noEmit --allowJs --checkJs --strict --noUnusedLocals --noUnusedParameters --noUncheckedIndexedAccess"
    modules = "--module esnext --moduleResolution bundler --target es2023 --types '' --ignoreConfig"
    listed = f"node node_modules/typescript/bin/tsc {strict} {modules} $(ls plain/ui/*.js | grep -v theme)"
    steps = ("node node_modules/typescript/bin/tsc", listed, "node node_modules/vite/bin/vite.js build")
    try:
        for step in steps:
            argv = ("sh", "-c", step)
            done = runner.run_command(argv, files, env=given.env, mounts=given.mounts, links=given.links)
            assert done.ok, done.stdout.text + done.stderr.text
    finally:
        runner.close()
    built = {path.rpartition(".")[2] for path in done.files if path.startswith("ui/")}
    assert set(done.files) >= {"ui/index.html", "ui/icon.svg", "ui/theme.js"} and built == {"html", "svg", "js", "css"}
    page = done.files["ui/index.html"].data.decode()
    assert all(f"ui/{path}" in done.files for path in re.findall(r'(?:src|href)="/ui/([^"]+)"', page))


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_a_text_without_any_space_does_not_widen_the_page_and_a_year_has_no_comma() -> None:
    spec = full_stack("html", specs.everything())
    resource = spec.resources[0]
    item = {"id": 1, "created_at": "2026-11-17T10:00:00Z", **{field.name: None for field in resource.fields}}
    texts = {field.name: "0" * 200 for field in resource.fields if field.type is FieldType.TEXT}
    years = {field.name: 2001 for field in resource.fields if field.type is FieldType.INTEGER}
    listed = json.dumps({"items": [item | texts | years], "total": 1, "page": 1, "per_page": 20, "pages": 1})
    files = generate(spec)

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path.removeprefix("/")
        if path in files:
            route.fulfill(body=files[path], content_type=mimetypes.guess_type(path)[0])
        else:
            route.fulfill(body=listed, content_type="application/json")

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for width in (390, 1440):
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.route("**/*", answer)
            page.goto("http://app.test/ui/index.html")
            page.get_by_text("0" * 200).first.wait_for()
            assert years and page.get_by_text("2001", exact=True).count()
            assert page.evaluate("document.documentElement.scrollWidth") == width
        browser.close()
