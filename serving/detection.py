"""Finds out how the app of a project is run, from its files alone; nothing of it is run or imported."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import python_source
from contracts.errors import InvalidParams, NotFound
from contracts.files import Draft, Kind
from environments.base import Environment
from serving.spec import PORT, PreviewSpec

LARGEST = 1024 * 1024
PYTHON_FILES = ("app.py", "main.py", "wsgi.py", "server.py")
NODE_FILES = ("server.js", "server.mjs", "index.js", "index.mjs", "app.js")
STATIC_FOLDERS = ("", "public", "dist", "build", "site", "static")
FACTORIES = ("create_app", "make_app")
FLASKS = {"Flask", "APIFlask", "OpenAPI"}
SERVES = re.compile(r"\.listen\s*\(|createServer\s*\(")
LISTENS = re.compile(r"\.listen\s*\(\s*(\d{2,5})\b")
NAMED_PORT = re.compile(r"(?:--port[ =]|\s-p[ =]?|--bind[ =]\S*:|(?:^|\s)PORT=)(\d{2,5})\b")
PROCFILE_WEB = re.compile(r"^web:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
REMEDY = (
    "Add an `app.py` with a Flask app, a `package.json` with a `start` script, an `index.html`, or a `Procfile` with a "
    "line such as `web: python3 app.py`; the app has to listen on the port in `PORT`"
)


@dataclass(frozen=True, slots=True)
class Found:
    """How the app is run, and how that was found out, in words."""

    argv: tuple[str, ...]
    words: str
    port: int = PORT
    ready: tuple[str, ...] = ("/health", "/")

    def spec(self, project: str) -> PreviewSpec:
        return PreviewSpec(project=project, argv=self.argv, port=self.port, ready=self.ready)


def detect(files: Draft, *, python: str = "python3", node: str = "node") -> Found:
    """Raises NotFound with a remedy if there is nothing to run, InvalidParams if what says so cannot be read."""
    for found in _ways(files, python, node):
        if found:
            return found
    raise NotFound("there is nothing in this project that can be run as a web app", hint=REMEDY)


def runnable(
    project: str, files: Draft, environment: Environment, argv: tuple[str, ...] = (), port: int = PORT
) -> PreviewSpec:
    """How the project's app is run with its packages; `argv` where somebody says how. Raises as `detect` does."""
    spec = PreviewSpec(project=project, argv=argv, port=port) if argv else detect(files).spec(project)
    return replace(
        spec,
        env=dict(environment.env),
        mounts=environment.mounts,
        links={path: link.target for path, link in environment.links.items()},
    )


def _ways(files: Draft, python: str, node: str) -> Iterator[Found | None]:
    yield _procfile(files)
    yield _package(files, node)
    yield from (_flask(files, name, python) for name in PYTHON_FILES)
    yield from (_script(files, name, python) for name in PYTHON_FILES)
    yield from (_node(files, name, node) for name in NODE_FILES)
    yield from (_static(files, folder, python) for folder in STATIC_FOLDERS)


def _text(files: Draft, path: str) -> str:
    """Empty if there is no such file, or none that a person would have written."""
    node = files.node(path)
    if node is None or node.kind is not Kind.FILE or node.size > LARGEST:
        return ""
    return files.read(path).decode(errors="replace")


def _procfile(files: Draft) -> Found | None:
    text = _text(files, "Procfile")
    if not text:
        return None
    web = PROCFILE_WEB.search(text)
    if web is None:
        raise InvalidParams(
            "`Procfile` has no line that begins with `web:`", hint="Add one, such as `web: python3 app.py`"
        )
    return _shell(web[1], "`Procfile` says so")


def _shell(line: str, words: str) -> Found:
    named = NAMED_PORT.search(line)
    return Found(("/bin/sh", "-c", line), words, _usable(named[1] if named else ""))


def _package(files: Draft, node: str) -> Found | None:
    text = _text(files, "package.json")
    if not text:
        return None
    try:
        package = json.loads(text)
    except ValueError as error:
        raise InvalidParams(f"`package.json` is not valid JSON: {error}", hint="Correct it") from error
    if not isinstance(package, dict):
        raise InvalidParams("`package.json` is not a JSON object", hint='It begins with `{` and has "scripts"')
    scripts, main = package.get("scripts"), package.get("main")
    start = scripts.get("start") if isinstance(scripts, dict) else None
    if isinstance(start, str) and start.strip():
        found = _shell(start, "the `start` script of `package.json`")
        return Found(found.argv, found.words, _port_of_script(files, start) or found.port)
    return _node(files, main.removeprefix("./"), node) if isinstance(main, str) else None


def _port_of_script(files: Draft, line: str) -> int | None:
    """A port that the file which `node file.js` runs has written into it."""
    ran = re.search(r"(?:^|\s)node\s+(?:\./)?([\w./-]+)", line)
    source = _text(files, ran[1] if ran[1].endswith(("js", "ts")) else ran[1] + ".js") if ran else ""
    return _listens(source) if source else None


def _node(files: Draft, name: str, node: str) -> Found | None:
    source = _text(files, name)
    if not SERVES.search(source):
        return None
    return Found((node, name), f"`{name}` is a server", _listens(source))


def _listens(source: str) -> int:
    fixed = LISTENS.search(source)
    return PORT if fixed is None or "env.PORT" in source else _usable(fixed[1])


def _usable(port: str) -> int:
    """Apps may not listen below 1024."""
    return int(port) if port and 1024 <= int(port) <= 65_535 else PORT


def _tree(files: Draft, name: str) -> ast.Module | None:
    try:
        return python_source.parse(_text(files, name))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise InvalidParams(
            f"`{name}` is not valid Python{line}", hint="Correct it, then start the app again"
        ) from error


def _flask(files: Draft, name: str, python: str) -> Found | None:
    tree = _tree(files, name)
    app = _flask_object(tree) if tree else ""
    if not app:
        return None
    module = name.removesuffix(".py")
    argv = (python, "-m", "flask", "--app", f"{module}:{app}", "run", "--host", "127.0.0.1", "--port", str(PORT))
    return Found(argv, f"`{name}` has the Flask app `{app}`")


def _flask_object(tree: ast.Module) -> str:
    """The name of a Flask app or of a function that makes one, or nothing."""
    made = [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and _makes_flask(node.value)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]
    factories = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name in FACTORIES and not _needs_arguments(node)
    ]
    return next((name for name in ("app", "application", *made) if name in made), next(iter(factories), ""))


def _makes_flask(value: ast.expr | None) -> bool:
    if not isinstance(value, ast.Call):
        return False
    called = value.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in FLASKS or name in FACTORIES


def _needs_arguments(function: ast.FunctionDef) -> bool:
    given = function.args
    without_default = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    return without_default > 0 or any(default is None for default in given.kw_defaults)


def _script(files: Draft, name: str, python: str) -> Found | None:
    """A program that reads `PORT`, or that has a port written into it."""
    tree = _tree(files, name)
    if tree is None:
        return None
    constants = {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    if "PORT" in constants:
        return Found((python, name), f"`{name}` listens on the port in `PORT`")
    fixed = next((port for node in ast.walk(tree) if (port := _fixed_port(node))), 0)
    return Found((python, name), f"`{name}` listens on port {fixed}", fixed) if fixed else None


def _fixed_port(node: ast.AST) -> int:
    """In calls such as `run(port=8080)` and `HTTPServer(("", 8080), ...)`."""
    if not isinstance(node, ast.Call):
        return 0
    named = [keyword.value for keyword in node.keywords if keyword.arg == "port"]
    address = [part.elts[1] for part in node.args if isinstance(part, ast.Tuple) and len(part.elts) == 2]
    for value in named + address:
        if isinstance(value, ast.Constant) and isinstance(value.value, int) and 1024 <= value.value <= 65_535:
            return value.value
    return 0


def _static(files: Draft, folder: str, python: str) -> Found | None:
    page = f"{folder}/index.html" if folder else "index.html"
    node = files.node(page)
    if node is None or node.kind is not Kind.FILE:
        return None
    argv = (python, "-m", "http.server", str(PORT), "--bind", "127.0.0.1", "--directory", folder or ".")
    return Found(argv, f"`{page}` is a static site", ready=("/",))
