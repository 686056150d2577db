"""How the fake of Vercel builds: by the entry rules of the real one, with a log in one of its two shapes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ENTRY_FILES = ("app", "index", "server", "main", "wsgi", "asgi")
ENTRY_FOLDERS = ("", "src/", "app/", "api/")
ENTRY = re.compile(
    r"^(?:(?:app|application|handler)\s*(?::[^=\n]+)?=(?!=)"
    r"|(?:async\s+)?(?:def|class)\s+(?:app|application|handler)\b"
    r"|from\s+\S+\s+import\s+[^\n]*\b(?:app|application|handler)\b)",
    re.MULTILINE,
)
REQUIREMENT_FILES = ("requirements.txt", "pyproject.toml", "Pipfile")


@dataclass(frozen=True, slots=True)
class Built:
    """What became of a build."""

    lines: list[tuple[str, str]]
    """The type of each event, and its text."""
    error_code: str = ""
    error_message: str = ""
    static: bool = False
    output: Mapping[str, bytes] = field(default_factory=dict)


def build(files: Mapping[str, bytes], settings: Mapping[str, Any]) -> Built:
    """With no framework chosen, `api/` has functions, and the output folder, or else everything, is served as it is."""
    lines = [("stdout", "Running build in Washington, D.C., USA (East) – iad1"), ("command", "Vercel CLI 64.0.2")]
    if settings.get("framework") == "flask":
        return _flask(files, lines)
    if settings.get("framework") is not None:
        return _failed(lines, "BUILD_FAILED", f"No such framework here: {settings['framework']}")
    prefix = f"{settings.get('outputDirectory') or 'public'}/"
    output = {path.removeprefix(prefix): data for path, data in files.items() if path.startswith(prefix)}
    if not output:
        output = {path: data for path, data in files.items() if not path.startswith("api/") and path != "package.json"}
    return Built([*lines, ("stdout", "Build Completed in /vercel/output [47ms]")], static=True, output=output)


def _flask(files: Mapping[str, bytes], lines: list[tuple[str, str]]) -> Built:
    if not any(b"flask" in files.get(name, b"").lower() for name in REQUIREMENT_FILES):
        return _failed(lines, "BUILD_FAILED", "No flask dependency detected in the project.")
    lines = [*lines, ("stdout", "Installing required dependencies from requirements.txt...")]
    for folder in ENTRY_FOLDERS:
        for name in ENTRY_FILES:
            source = files.get(f"{folder}{name}.py")
            if source is not None and ENTRY.search(source.decode("utf-8", "replace")):
                return Built([*lines, ("stdout", "Build Completed in /vercel/output [3s]")], output=files)
    words = "No flask entrypoint found. Add an 'app' script in pyproject.toml or define an entrypoint in app.py."
    return _failed(lines, "FLASK_ENTRYPOINT_NOT_FOUND", words)


def _failed(lines: list[tuple[str, str]], code: str, words: str) -> Built:
    return Built([*lines, ("stderr", f"Error: {words}"), ("exit", "1")], code, words)


def event(number: int, kind: str, text: str, deployment: str, created: int, *, nested: bool) -> dict[str, Any]:
    """One line of a log, in either shape that Vercel gives it."""
    serial = f"{created}{number:05d}"
    level = {"level": "error"} if kind in {"stderr", "fatal"} else {}
    if nested:
        payload = {"deploymentId": deployment, "id": serial, "date": created, "serial": serial, "text": text}
        return {"created": created, "type": kind, "payload": payload, **level}
    flat = {"created": created, "date": created, "deploymentId": deployment, "id": serial, "serial": serial}
    return {**flat, "type": kind, "text": text, "info": {"type": "build", "name": "bld_1"}, **level}
