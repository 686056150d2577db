"""The shape of the house: who may import whom, who may touch what, and how long anything may get.

A new module at the root gets a line in LAYERS. A group of modules (one string) may import each other; across groups,
imports only go up the page, to a layer above.
"""

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = [
    ["contracts"],
    [
        *("settings setting_sources", "logging_setup", "trust evidence", "safety scans python_source", "found_keys"),
        *("text_edits", "agent_home", "later"),
    ],
    ["llm", "sandboxes", "providers code_hosts", "stores", "scaffolds", "cloud_fakes"],
    [
        "context_manager memory",
        "git_manager repositories",
        "project_files workspaces",
        "sandbox_runner",
        "pictures picturing",
        "environments",
        "archives",
        "drive_uploader backups",
        "cost_meter",
        "credentials credential_kinds credential_file credential_door",
        "failure_memory",
    ],
    [
        *(
            "previews serving",
            "proof proving",
            "code_generator",
            "coding_loop",
        ),
        "planner understanding",
    ],
    ["deployment_manager deploying"],
    ["actions", "task_executor"],
    ["agent_runner running", "judge"],
    ["web"],
    [
        "app cli terminal action_pages action_wiring sandbox_wiring preview_wiring panel_wiring credential_wiring "
        "backup_wiring code_host_wiring wsgi deploy_wiring demo_cloud",
        "launcher",
    ],
]
BEHIND_FRONTS = (
    *("scans", "memory", "workspaces", "repositories", "running", "terminal", "environments", "serving"),
    *("understanding", "proving", "backups", "picturing", "deploying"),
)
PACKAGES = [
    *("contracts", "actions", *BEHIND_FRONTS, "llm", "sandboxes", "providers", "stores", "scaffolds", "web"),
    *("code_hosts", "cloud_fakes"),
]
PARTS: dict[str, set[str]] = {
    **{name: set() for name in BEHIND_FRONTS},
    "stores": {"json_file", "postgres"},
    "sandboxes": {"bubblewrap", "container", "landlock"},
    "cloud_fakes": {"google_drive", "vercel", "netlify", "render", "github"},
    "providers": {"vercel", "netlify", "render"},
    "code_hosts": {"github"},
    "scaffolds": {
        *("flask_api", "flask_pages", "static_site", "typer_tool", "csv_pipeline", "node_api", "node_tool"),
        "front_end",
    },
}
"""Of what a package has several. Other packages: every module but `base`; `web`: every module that has ROUTES."""
ASSEMBLERS = {"web.wiring", "web.hosted"}
HOMES = {
    "flask": ["web.*", "app"],
    "flask_cors": ["web.*", "app"],
    "granian": ["web.server"],
    "git": ["git_manager", "repositories.*"],
    "pygit2": ["git_manager", "repositories.*"],
    "typer": ["cli", "terminal.*"],
    "rich": ["cli", "terminal.*"],
    "h11": ["serving.*"],
    "yaml": ["setting_sources"],
    "dotenv": ["setting_sources"],
    "jinja2": ["scaffolds.*"],
    "google": ["backups.google_drive"],
    "google_auth_httplib2": ["backups.google_drive"],
    "googleapiclient": ["backups.google_drive"],
    "httplib2": ["backups.google_drive"],
    "websockets": ["picturing.devtools"],
}
"""A foreign package and the only modules that may import it."""
PROGRAMS = ["sandboxes.inside.*", "serving.backup_databases", "sandboxes.seccomp.make_filters"]
"""Started as programs of their own, never imported by the service."""
ENVIRONMENT = ["app", "cli", *PROGRAMS]
LONGEST_FILE = 450
LONGEST_TEST_FILE = 600
LONGEST_FUNCTION = 60


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@functools.cache
def modules() -> dict[str, Path]:
    """The product: modules at the root and in its packages."""
    paths = [*ROOT.glob("*.py"), *(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))]
    return {name_of(path): path for path in sorted(paths)}


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


@functools.cache
def imported(path: Path) -> tuple[str, ...]:
    """Every module that the file imports, wherever in it."""
    return tuple(imports_among(ast.walk(tree(path)), path))


def imported_at_run_time(path: Path) -> Iterator[str]:
    """All of these but what only a type checker sees."""
    guarded = [
        node for node in ast.walk(tree(path)) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
    ]
    hidden = {id(inner) for node in guarded for inner in ast.walk(node)}
    yield from imports_among((node for node in ast.walk(tree(path)) if id(node) not in hidden), path)


def imports_among(nodes: Iterable[ast.AST], path: Path) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name}: imports are absolute here"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in modules() else str(node.module)


def fits(module: str, patterns: list[str]) -> bool:
    return any(fnmatch(module, pattern) for pattern in patterns)


@functools.cache
def place(module: str) -> tuple[int, str]:
    top = module.partition(".")[0]
    for number, layer in enumerate(LAYERS):
        for group in layer:
            if fits(top, group.split()):
                return number, group
    raise AssertionError(f"`{top}` has no place: give it a line in LAYERS of {Path(__file__).name}")


def python_files() -> list[Path]:
    folders = [ROOT / name for name in [*PACKAGES, "tests", "benchmarks"]]
    return [*ROOT.glob("*.py"), *(path for folder in folders for path in folder.rglob("*.py"))]


def test_every_folder_of_code_has_a_place() -> None:
    folders = {path.parent.name for path in ROOT.glob("*/*.py")} - {"tests", "benchmarks"}
    assert folders <= set(PACKAGES), "a new package gets a name in PACKAGES and a line in LAYERS"


def test_imports_go_one_way() -> None:
    wrong = [
        f"`{module}` imports `{other}`, which is not below it"
        for module, path in modules().items()
        for other in imported(path)
        if other in modules() and not may_import(module, other)
    ]
    assert not wrong


def may_import(module: str, other: str) -> bool:
    (number, group), (other_number, other_group) = place(module), place(other)
    return other_number < number or other_group == group


def test_no_module_imports_itself_by_a_detour() -> None:
    graph = {module: set(imported_at_run_time(path)) & set(modules()) for module, path in modules().items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("these import each other: " + " -> ".join(error.args[1]))


def parts(package: str) -> set[str]:
    inside = {module.partition(".")[2] for module in modules() if module.startswith(f"{package}.")}
    if package == "web":
        return {name for name in inside if f"web.{name}" not in ASSEMBLERS and declares(f"web.{name}", "ROUTES")}
    return PARTS.get(package, inside - {"base"})


def declares(module: str, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name
        for statement in tree(modules()[module]).body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for node in ast.walk(statement)
    )


@pytest.mark.parametrize("package", [name for name in PACKAGES if name != "contracts"])
def test_the_parts_of_a_package_do_not_know_each_other(package: str) -> None:
    siblings = {f"{package}.{name}" for name in parts(package)}
    for module, path in modules().items():
        if module.startswith(f"{package}.") and module not in ASSEMBLERS:
            known = (set(imported(path)) & siblings) - {module}
            assert not known, f"`{module}` imports its siblings {sorted(known)}"


@pytest.mark.parametrize("foreign", HOMES)
def test_a_foreign_package_stays_behind_its_adapter(foreign: str) -> None:
    for module, path in modules().items():
        if not fits(module, HOMES[foreign]):
            tops = {name.partition(".")[0] for name in imported(path)}
            assert foreign not in tops, f"`{module}` imports `{foreign}`, which only {HOMES[foreign]} may"


def test_only_the_entry_points_read_the_environment() -> None:
    for module, path in modules().items():
        if not fits(module, ENVIRONMENT):
            lines = [getattr(node, "lineno", 0) for node in ast.walk(tree(path)) if reads_environment(node)]
            assert not lines, f"`{module}` reads the environment in line {lines}"


def reads_environment(node: ast.AST) -> bool:
    names = {"environ", "environb", "getenv", "getenvb", "putenv"}
    if isinstance(node, ast.ImportFrom):
        return node.module == "os" and any(alias.name in names for alias in node.names)
    return isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "os" and node.attr in names


def test_a_module_only_defines_things() -> None:
    acting = [
        f"`{module}` does something when imported, in line {statement.lineno}"
        for module, path in modules().items()
        for statement in tree(path).body
        if not only_defines(statement)
    ]
    assert not acting


def only_defines(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.If):
        return ast.unparse(statement.test) in {"__name__ == '__main__'", "TYPE_CHECKING"}
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    definitions = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
    return isinstance(statement, ast.Import | ast.ImportFrom | definitions)


def test_importing_every_module_does_nothing() -> None:
    """Nothing is written, started or connected to, and the environment stays as it is."""
    names = [name for name in modules() if not fits(name, PROGRAMS)]
    program = f"""
import importlib, os, sys, threading
def refuse(event, arguments):
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    acts = event in {{"os.mkdir", "os.remove", "os.rename", "os.system", "os.fork", "os.posix_spawn", "os.putenv",
        "subprocess.Popen", "socket.connect", "socket.bind", "shutil.rmtree"}}
    if writes or acts:
        raise RuntimeError(f"importing does {{event}} {{arguments}}")
sys.addaudithook(refuse)
for name in {names!r}:
    importlib.import_module(name)
assert threading.active_count() == 1, threading.enumerate()
"""
    ran = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_no_module_keeps_state() -> None:
    for module, path in modules().items():
        lines = [node.lineno for node in ast.walk(tree(path)) if isinstance(node, ast.Global)]
        assert not lines, f"`{module}` changes a global in line {lines}"


def test_there_is_no_drawer_for_odds_and_ends() -> None:
    odd = {"utils", "util", "helpers", "helper", "common", "misc", "core"}
    assert not [module for module in modules() if odd & set(module.split("."))]


def test_nothing_gets_too_long() -> None:
    long = [words for path in python_files() for words in too_long(path)]
    assert not long, "split these by ideas"


def too_long(path: Path) -> Iterator[str]:
    name = str(path.relative_to(ROOT))
    length = len(path.read_text("utf-8").splitlines())
    if length > (LONGEST_TEST_FILE if name.startswith("tests/") else LONGEST_FILE):
        yield f"{name} has {length} lines"
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            if length > LONGEST_FUNCTION:
                yield f"`{node.name}` in {name} has {length} lines"


def test_tests_use_real_things() -> None:
    fakes = [words for path in sorted((ROOT / "tests").rglob("*.py")) for words in faked(path)]
    assert not fakes


def faked(path: Path) -> Iterator[str]:
    if any(name.split(".")[:2] in (["unittest", "mock"], ["mock"]) for name in imported(path)):
        yield f"{path.name} uses mocks"
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "monkeypatch":
            if node.attr not in {"setenv", "delenv", "chdir", "context"}:
                yield f"{path.name} line {node.lineno}: monkeypatch is for the environment only"


def test_what_is_imported_is_in_the_requirements() -> None:
    run, dev = (ROOT / "requirements.txt").read_text(), (ROOT / "requirements-dev.txt").read_text()
    product = {path for module, path in modules().items() if not fits(module, PROGRAMS)}
    missing = [
        f"{path.relative_to(ROOT)} imports `{top}`"
        for path in python_files()
        for top in sorted({name.partition(".")[0] for name in imported(path)})
        if not is_required(top, run if path in product else run + dev)
    ]
    assert not missing, "pin these, and say in docs/decisions/0001-dependencies.md why they are here"


def is_required(top: str, requirements: str) -> bool:
    ours = (ROOT / f"{top}.py").exists() or (ROOT / top).is_dir() or list((ROOT / "tests").rglob(f"{top}.py"))
    if ours or top in sys.stdlib_module_names:
        return True
    pinned = {re.sub(r"[-_.]+", "-", name).lower() for name in re.findall(r"^([\w.-]+)==", requirements, re.MULTILINE)}
    return any(re.sub(r"[-_.]+", "-", name).lower() in pinned for name in distributions().get(top, []))


@functools.cache
def distributions() -> Mapping[str, list[str]]:
    return packages_distributions()
