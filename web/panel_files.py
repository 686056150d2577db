"""The built control panel as it lies on the disk: its page, its hashed files, and what its page may load and show."""

import ipaddress
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from settings import Settings
from web.guard import host_of

NONCE = "__CSP_NONCE__"
"""Stands in the built page where each answer puts a number of its own."""
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
KINDS = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "map": "application/json",
    "webmanifest": "application/manifest+json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webp": "image/webp",
    "ico": "image/x-icon",
    "woff2": "font/woff2",
}


@dataclass(frozen=True, slots=True)
class Asset:
    data: bytes
    kind: str
    encoding: str | None


@dataclass(frozen=True)
class PanelFiles:
    """What the build left in its folder. There may be nothing: then the service goes on without a panel."""

    folder: Path

    @property
    def built(self) -> bool:
        return self.page is not None

    @property
    def page(self) -> str | None:
        """Read anew each time: the panel may be built while the service runs."""
        try:
            return self.folder.joinpath("index.html").read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def asset(self, name: str, accepts: Callable[[str], bool]) -> Asset | None:
        """A file by the name that the build gave it, compressed if it was made so and the other side takes that."""
        kind = KINDS.get(name.rpartition(".")[2])
        if not NAME.fullmatch(name) or kind is None:
            return None
        whole = self.folder / "assets" / name
        for encoding, ending in ENCODINGS:
            packed = _read(whole.with_name(name + ending)) if accepts(encoding) else None
            if packed is not None:
                return Asset(packed, kind, encoding)
        data = _read(whole)
        return None if data is None else Asset(data, kind, None)

    def beside(self, name: str) -> Asset | None:
        """A file that stands beside the page under a name that never changes."""
        data = _read(self.folder / name)
        return None if data is None else Asset(data, KINDS[name.rpartition(".")[2]], None)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if not path.is_symlink() else None
    except OSError:
        return None


def page_policy(nonce: str, *, connect: str, frames: str) -> str:
    """The policy of the panel's page: it loads nothing but itself, calls `connect` and shows `frames`."""
    parts = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "connect-src": connect,
        "frame-src": frames,
        "worker-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "task-agent",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())


@dataclass(frozen=True)
class PanelPolicy:
    """What the panel's page may load, call and show: itself, and the apps on origins of their own."""

    settings: Settings

    def header(self, nonce: str, host: str) -> str:
        """`host` is the name under which the page was asked for."""
        return page_policy(nonce, connect=" ".join(["'self'", *self._service]), frames=self.frames(host))

    def frames(self, host: str) -> str:
        """Where previews are: one port a project on the machine's own address, or the names that a proxy gives."""
        pattern = self.settings.preview_url
        if pattern:
            place = urlsplit(pattern)
            name = re.sub(r"[^.]*\{project\}[^.:]*", "*", place.netloc).replace("{port}", "*")
            return f"{place.scheme}://{name}"
        name = self._bound or host_of(host)
        # A policy cannot name an address of IPv6.
        return "http:" if ":" in name or not name else f"http://{name}:*"

    @cached_property
    def _service(self) -> list[str]:
        address = urlsplit(self.settings.public_url or "")
        return [f"{address.scheme}://{address.netloc}"] if address.netloc else []

    @cached_property
    def _bound(self) -> str:
        """The address of previews, unless they are on every address of the machine."""
        bind = "127.0.0.1" if self.settings.bind == "localhost" else self.settings.bind
        return "" if ipaddress.ip_address(bind).is_unspecified else bind


def new_nonce() -> str:
    return secrets.token_urlsafe(18)
