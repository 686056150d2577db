"""Runs in the sandbox: takes wheels or a folder apart and sends what an environment is made of to standard output.

Standard input says what to do, as JSON. Nothing of a package is run: modules are compiled and copied.
"""
# the sandbox's Python may be older than the service's
# ruff: noqa: PTH115, PTH118, PTH119, PTH123, PTH208

import configparser
import importlib.util
import json
import marshal
import os
import re
import stat
import sys
import warnings
import zipfile
import zlib
from typing import IO, Any

CHUNK = 1 << 20
RARELY_USED = re.compile(r"/tests?/")
"""Large packages bring more tests than code, and nobody runs them."""
MOST_SOURCE = 8 * CHUNK
BROKEN = 3
STARTS_CODE = re.compile(r"[^/]+\.pth|(site|user)customize([./].*)?")
"""Among the modules, what Python would run at every start."""
OWN = re.compile(r"pyvenv\.cfg|bin/python[0-9.]*")
SCRIPT_NAME = re.compile(r"[\w.-]+")
SCRIPT_TARGET = re.compile(r"([\w.]+)\s*:\s*([\w.]+)\s*(\[.*\])?")
SCRIPT = """#!{python}
import sys
from {module} import {name}
if __name__ == "__main__":
    sys.exit({attribute}())
"""
LONG_SHEBANG = 120


class Broken(Exception):
    """A package that is not installed, and why."""


class Sender:
    """Writes entries, each path once: the first package to have it keeps it."""

    def __init__(self, stream: IO[bytes], compiled_as: str, without: "list[str]") -> None:
        self._stream = stream
        self._compiled_as = compiled_as
        self._without = tuple(without)
        self._sent: set[str] = set()

    def file(self, path: str, size: int, mode: int, content: "IO[bytes]") -> None:
        if path in self._sent:
            return
        if self._compiled_as and path.endswith(".py") and size <= MOST_SOURCE:
            data = content.read(size)
            self.data(path, data, mode)
            self._compile(path, data)
            return
        self._head(b"F", path, size, mode)
        while size:
            piece = content.read(min(size, CHUNK))
            if not piece:
                raise Broken(f"`{path}` is shorter than it says")
            self._stream.write(piece)
            size -= len(piece)

    def data(self, path: str, data: bytes, mode: int = 0o644) -> None:
        if path not in self._sent:
            self._head(b"F", path, len(data), mode)
            self._stream.write(data)

    def link(self, path: str, target: str) -> None:
        text = os.fsencode(target)
        self._head(b"L", path, len(text), 0)
        self._stream.write(text)

    def end(self) -> None:
        self._head(b"E", "", 0, 0)
        self._stream.flush()

    def _head(self, kind: bytes, path: str, size: int, mode: int) -> None:
        self._sent.add(path)
        name = os.fsencode(path)
        self._stream.write(
            b"".join((kind, mode.to_bytes(2, "big"), len(name).to_bytes(4, "big"), size.to_bytes(8, "big"), name))
        )

    def _compile(self, path: str, source: bytes) -> None:
        """Marked as never to be checked against the source, since neither can change."""
        if path.startswith(self._without) or RARELY_USED.search(path):
            return
        try:
            code = compile(source, f"{self._compiled_as}/{path}", "exec", dont_inherit=True)
            body = marshal.dumps(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return
        head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + importlib.util.source_hash(source)
        self.data(importlib.util.cache_from_source(path), head + body)


def wheel(path: str, sender: Sender, job: "dict[str, Any]") -> None:
    """Sends the files of one wheel to where they belong in an environment."""
    with zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        for member in members:
            target = place_of(member, job["site"])
            if target is None:
                continue
            with archive.open(member) as content:
                if target.startswith("bin/"):
                    script(target, content.read(), sender, job["python"])
                else:
                    sender.file(target, member.file_size, member.external_attr >> 16, content)
        for member in members:
            if re.fullmatch(r"[^/]+\.dist-info/entry_points\.txt", member.filename):
                entry_points(archive.read(member).decode("utf-8", "replace"), sender, job["python"])


def place_of(member: zipfile.ZipInfo, site: str) -> "str | None":
    """The path in the environment; None for what is left out."""
    path = member.orig_filename
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise Broken(f"`{path}` is not an ordinary file")
    parts = path.split("/")
    if "\0" in path or "\\" in path or not {"", ".", ".."}.isdisjoint(parts):
        raise Broken(f"`{path}` is not inside its folder")
    target = in_scheme(parts, site)
    among_modules = target[len(site) + 1 :] if target.startswith(site + "/") else ""
    left_out = STARTS_CODE.fullmatch(among_modules) or OWN.fullmatch(target) or "__pycache__" in parts
    return None if left_out or shadows(among_modules) else target


def shadows(path: str) -> bool:
    """Whether it has the name of a module of Python itself, which would be found first in any case."""
    first = path.split("/", maxsplit=1)[0]
    name = first.split(".")[0]
    return name in getattr(sys, "stdlib_module_names", ()) and (first == name or first.endswith((".py", ".so")))


def in_scheme(parts: "list[str]", site: str) -> str:
    """Wheels keep what does not belong among the modules in `<name>.data/<kind>/`."""
    if not parts[0].endswith(".data") or len(parts) < 3:
        return "/".join([site, *parts])
    kind, rest = parts[1], parts[2:]
    roots = {"purelib": site, "platlib": site, "scripts": "bin", "headers": "include", "data": ""}
    if kind not in roots:
        raise Broken(f"it has files of the unknown kind `{kind}`")
    return "/".join([*filter(None, [roots[kind]]), *rest])


def script(target: str, data: bytes, sender: Sender, python: str) -> None:
    """A script for the environment's own Python, as its first line asks for."""
    first, newline, rest = data.partition(b"\n")
    if first.startswith(b"#!python"):
        data = b"#!" + os.fsencode(python) + newline + rest
        if len(python) > LONG_SHEBANG or " " in python:
            data = long_start(python) + rest
    sender.data(target, data, 0o755)


def long_start(python: str) -> bytes:
    """The kernel takes no long path and no space there: the shell runs the first line, and Python reads it as text."""
    return b"#!/bin/sh\n'''exec' \"" + os.fsencode(python) + b'" "$0" "$@"\n\' \'\'\'\n'


def entry_points(text: str, sender: Sender, python: str) -> None:
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    for section in ("console_scripts", "gui_scripts"):
        for name, value in parser.items(section) if parser.has_section(section) else ():
            found = SCRIPT_TARGET.fullmatch(value.strip())
            if found and SCRIPT_NAME.fullmatch(name) and not OWN.fullmatch("bin/" + name):
                module, attribute = found.group(1), found.group(2)
                lines = SCRIPT.format(
                    python="python", module=module, name=attribute.partition(".")[0], attribute=attribute
                )
                script("bin/" + name, lines.encode(), sender, python)


def tree(root: str, sender: Sender) -> None:
    """Sends a folder as it is; sockets, pipes and devices are left out."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        for name in sorted(os.listdir(os.path.join(root, folder))):
            path = folder + "/" + name if folder else name
            full = os.path.join(root, path)
            status = os.lstat(full)
            if stat.S_ISDIR(status.st_mode):
                waiting.append(path)
            elif stat.S_ISLNK(status.st_mode):
                sender.link(path, os.readlink(full))
            elif stat.S_ISREG(status.st_mode):
                with open(full, "rb") as content:
                    sender.file(path, status.st_size, status.st_mode, content)


def main() -> int:
    warnings.simplefilter("ignore")
    job = json.load(sys.stdin)
    sender = Sender(sys.stdout.buffer, job.get("compiled_as", ""), job.get("not_compiled", []))
    try:
        for path in job.get("wheels", []):
            try:
                wheel(path, sender, job)
            except (
                Broken,
                zipfile.BadZipFile,
                NotImplementedError,
                RuntimeError,
                EOFError,
                OSError,
                zlib.error,
            ) as error:
                raise Broken(f"`{os.path.basename(path)}` cannot be installed: {error}") from error
        if job.get("tree"):
            tree(job["tree"], sender)
        sender.end()
    except Broken as error:
        sys.stderr.write(f"{error}\n")
        return BROKEN
    return 0


if __name__ == "__main__":
    sys.exit(main())
