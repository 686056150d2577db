"""Packages that tests make themselves, and registries on the loopback that serve them as the real ones do."""

import base64
import hashlib
import html
import io
import json
import re
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def make_wheel(
    name: str,
    version: str = "1.0",
    files: Mapping[str, str | bytes] | None = None,
    *,
    needs: tuple[str, ...] = (),
    entry_points: str = "",
    licence: str = "MIT",
    extra: tuple[zipfile.ZipInfo, ...] = (),
    bomb: int = 0,
) -> tuple[str, bytes]:
    """A file name and the bytes of a wheel; `extra` are members with odd names or kinds, `bomb` is a size in MiB."""
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    metadata = [f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\nLicense-Expression: {licence}"]
    metadata += [
        f"Provides-Extra: {extra_name}" for need in needs for extra_name in re.findall(r'extra == "(\w+)"', need)
    ]
    metadata += [f"Requires-Dist: {need}" for need in needs]
    content: dict[str, str | bytes] = {
        **(files if files is not None else {f"{module}/__init__.py": f"VERSION = {version!r}\n"}),
        f"{info}/METADATA": "\n".join(metadata) + "\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    if entry_points:
        content[f"{info}/entry_points.txt"] = entry_points
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in content.items():
            archive.writestr(path, text)
        for member in extra:
            archive.writestr(member, "print('hostile')\n")
        if bomb:
            archive.writestr(f"{module}/zeros.bin", bytes(bomb * 1024 * 1024))
    return f"{module}-{version}-py3-none-any.whl", data.getvalue()


def make_tarball(prefix: str, files: Mapping[str, str]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for path, text in files.items():
            member = tarfile.TarInfo(f"{prefix}/{path}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return data.getvalue()


BACKEND = """
import pathlib, zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = "legacy-1.0-py3-none-any.whl"
    info = "legacy-1.0.dist-info"
    metadata = "Metadata-Version: 2.1\\nName: legacy\\nVersion: 1.0\\nLicense: BSD\\n"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w") as wheel:
        wheel.writestr("legacy.py", "WORD = 'built here'\\n")
        wheel.writestr(f"{info}/METADATA", metadata)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/RECORD", "")
    return name
"""


def make_source(name: str, requires: list[str]) -> tuple[str, bytes]:
    """A source package that brings its own way to be built."""
    settings = f"[build-system]\nrequires = {json.dumps(requires)}\nbuild-backend = 'own'\nbackend-path = ['.']\n"
    return f"{name}-1.0.tar.gz", make_tarball(f"{name}-1.0", {"pyproject.toml": settings, "own.py": BACKEND})


@dataclass(slots=True)
class Registries:
    """What is published. The same server answers as a Python index and as an npm registry."""

    files: dict[str, bytes] = field(default_factory=dict)
    simple: dict[str, list[str]] = field(default_factory=dict)
    packuments: dict[str, dict[str, Any]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    url: str = ""

    def publish(self, made: tuple[str, bytes]) -> None:
        """A wheel or a source package."""
        file, data = made
        self.files[file] = data
        self.simple.setdefault(file.split("-")[0].replace("_", "-").lower(), []).append(file)

    def publish_node(self, name: str, version: str = "1.0.0", **manifest: Any) -> None:
        """A package with this manifest, and an `index.js` that says its name."""
        files = {"index.js": f"module.exports = {name!r}\n", **manifest.pop("files", {})}
        whole = {"name": name, "version": version, "license": "ISC", **manifest}
        data = make_tarball("package", {"package.json": json.dumps(whole), **files})
        file = f"{name}/-/{name}-{version}.tgz"
        self.files[file] = data
        integrity = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
        found = self.packuments.setdefault(name, {"name": name, "versions": {}, "dist-tags": {}})
        found["versions"][version] = {**whole, "dist": {"integrity": integrity, "tarball": f"{self.url}/{file}"}}
        found["dist-tags"]["latest"] = version

    def answer(self, path: str) -> tuple[int, str, bytes]:
        self.asked.append(path)
        parts = path.split("?", maxsplit=1)[0].strip("/").split("/")
        if parts[0] == "simple" and parts[-1] in self.simple:
            links = [
                f'<a href="/{name}#{self._digest(name)}">{html.escape(name)}</a>' for name in self.simple[parts[-1]]
            ]
            return 200, "text/html", f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>".encode()
        name = "/".join(parts)
        if name in self.files:
            return 200, "application/octet-stream", self.files[name]
        if name in self.packuments:
            return 200, "application/json", json.dumps(self.packuments[name]).encode()
        return 404, "application/json", b'{"error": "not found"}'

    def _digest(self, name: str) -> str:
        return "sha256=" + hashlib.sha256(self.files[name]).hexdigest()


@contextmanager
def serve(published: Registries) -> Iterator[None]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, kind, body = published.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        published.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
