"""The address of a running app as the one who asks can reach it."""

import ipaddress
from typing import Any
from urllib.parse import urlsplit

import flask

from web.deps import Deps
from web.guard import host_of


def seen_from_here(deps: Deps, preview: dict[str, Any]) -> dict[str, Any]:
    """Where apps are on every address of this machine, the one under which the service was called is the right one."""
    settings = deps.settings
    if settings.preview_url or settings.bind == "localhost" or not ipaddress.ip_address(settings.bind).is_unspecified:
        return preview
    host = host_of(flask.request.environ.get("HTTP_HOST", ""))
    return {**preview, **{name: _under(host, preview[name]) for name in ("url", "link") if preview.get(name)}}


def _under(host: str, url: str) -> str:
    place = urlsplit(url)
    name = f"[{host}]" if ":" in host else host
    return place._replace(netloc=f"{name}:{place.port}").geturl() if host else url
