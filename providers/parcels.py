"""What is in a parcel, as hosts look at it: digests, a site's own folder, the entry point of a Python app."""

import ast
import hashlib
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from contracts.deployments import Parcel

SITE_FOLDERS = ("public", "dist", "build", "out", "site", "www")
"""Where the pages of a site are, if not at the top of it."""
NOT_OF_A_SITE = frozenset({"tests", "test", "node_modules", "venv", "__pycache__"})
NOT_OF_A_SITE_FILES = frozenset(
    {"readme.md", "package.json", "package-lock.json", "requirements.txt", "pyproject.toml", "vercel.json"}
)
ENTRY_FOLDERS = ("", "src/", "app/", "api/")
ENTRY_FILES = ("app", "index", "server", "main", "wsgi", "asgi")
ENTRY_OBJECTS = frozenset({"app", "application", "handler"})
REQUIREMENT_FILES = ("requirements.txt", "pyproject.toml", "Pipfile")
DATABASE = re.compile(rb"\b(?:import|from)\s+sqlite3\b|sqlite:///")


def digest(content: bytes) -> str:
    """SHA-1, by which hosts know the content of a file."""
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()


def site_folder(files: Iterable[str]) -> str | None:
    """The folder that is the top of a site, empty for the project's own; None if there is no home page."""
    names = set(files)
    for folder in ("", *(f"{name}/" for name in SITE_FOLDERS)):
        if f"{folder}index.html" in names:
            return folder.rstrip("/")
    return None


def site_files(parcel: Parcel) -> dict[str, bytes]:
    """The pages of a site by their paths in it. What only serves to make or test them is not among them.

    A host of static sites shows every file that it is given to everybody.
    """
    folder = site_folder(parcel.files)
    prefix = f"{folder}/" if folder else ""
    inside = {path[len(prefix) :]: data for path, data in parcel.files.items() if path.startswith(prefix)}
    return {path: data for path, data in inside.items() if _belongs(path)}


def _belongs(path: str) -> bool:
    first, *_ = steps = path.split("/")
    hidden = any(step.startswith(".") and step != ".well-known" for step in steps)
    return not hidden and first not in NOT_OF_A_SITE and path.lower() not in NOT_OF_A_SITE_FILES


def place_name(name: str, longest: int = 60) -> str:
    """A name that hosts take: small letters, digits and dashes. What loses letters by that gets a mark of its own."""
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    if not name.isascii() or not slug or len(slug) > longest:
        mark = hashlib.sha256(name.encode()).hexdigest()[:6]
        return f"{slug[: longest - 7].strip('-') or 'app'}-{mark}"
    return slug


def python_entry(files: Mapping[str, bytes]) -> str:
    """The file in which a zero-configuration host finds the app; empty if there is none."""
    declared = _declared_entry(files.get("pyproject.toml", b""))
    if declared:
        module = declared.partition(":")[0].replace(".", "/")
        return next((path for path in (f"{module}.py", f"{module}/__init__.py") if path in files), "")
    for folder in ENTRY_FOLDERS:
        for name in ENTRY_FILES:
            path = f"{folder}{name}.py"
            if path in files and ENTRY_OBJECTS & _top_level_names(files[path]):
                return path
    return ""


def python_target(files: Mapping[str, bytes]) -> str:
    """Module and object of a Python app, as servers such as gunicorn are told; empty if there is none."""
    path = python_entry(files)
    if not path:
        return ""
    names = ENTRY_OBJECTS & _top_level_names(files[path])
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"{module}:{'app' if 'app' in names or not names else min(names)}"


def _declared_entry(pyproject: bytes) -> str:
    try:
        known = tomllib.loads(pyproject.decode())
    except ValueError:
        return ""
    own = _inner(known, "tool", "vercel").get("entrypoint")
    return str(own or _inner(known, "project", "scripts").get("app") or "")


def _inner(table: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        found = table.get(name)
        table = found if isinstance(found, dict) else {}
    return table


def _top_level_names(source: bytes) -> set[str]:
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError):
        return set()
    names: set[str] = set()
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(statement.name)
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in statement.names}
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names |= {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    return names


def needs_flask(files: Mapping[str, bytes]) -> bool:
    """Whether the project says that it needs Flask, so that a host installs it."""
    return any(b"flask" in files.get(name, b"").lower() for name in REQUIREMENT_FILES)


def keeps_a_database(files: Mapping[str, bytes]) -> bool:
    """Whether the app writes a SQLite file beside itself."""
    sources = (data for path, data in files.items() if path.endswith(".py") and not path.startswith("tests/"))
    return any(DATABASE.search(data) for data in sources)


def own_keys(files: Mapping[str, bytes]) -> set[str]:
    """Keys that the app makes for itself where none is given, of those that its example file names."""
    named = re.findall(r"^#?\s*(SECRET_KEY|API_KEY)=", files.get(".env.example", b"").decode("utf-8", "replace"), re.M)
    return set(named)
