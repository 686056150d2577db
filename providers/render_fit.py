"""What Render can run, how it is told to, and what will be different there."""

import json
from typing import Any

from contracts.deployments import Parcel
from providers.parcels import keeps_a_database, own_keys, python_entry, python_target, site_folder
from providers.render_marks import NONE

Json = dict[str, Any]
NO_SOURCE = (
    "Render takes no files, only code from a Git repository. Connect GitHub with `./agent credentials set github` or "
    "in the panel, then `create_repository` and `push_project` bring the code there"
)
SLEEPS = "A free app on Render falls asleep after 15 minutes without visitors; the next one waits about a minute for it"
NO_DISK = (
    "What people enter is not kept: free apps on Render have no disk that lasts, so the app's database is empty again "
    "each time that it wakes up"
)


def framework(parcel: Parcel) -> str:
    """What it is: as the parcel says, or else by its files."""
    if parcel.framework:
        return parcel.framework
    if python_entry(parcel.files):
        return "flask"
    if "package.json" in parcel.files:
        return "node"
    return "static" if site_folder(parcel.files) is not None else ""


def unfit(parcel: Parcel) -> str:
    """Why Render cannot run this, in words; empty if it can."""
    if parcel.image or (parcel.repository and not is_known(parcel)):
        return ""
    kind = framework(parcel)
    if kind not in {"static", "flask", "node"}:
        return "It has no pages and answers no requests, so there is nothing in it that could be opened at an address"
    if kind == "static" and site_folder(parcel.files) is None:
        return "It has no `index.html`, which visitors would see first"
    if kind == "flask" and not python_target(parcel.files):
        return (
            "There is no Flask app in it that could be started: a file such as `app.py` has to have an object called "
            "`app` at its top level"
        )
    if kind == "node" and not _start_command(parcel):
        return "It does not say how it is started: add a `start` script to `package.json`"
    return "" if parcel.repository else NO_SOURCE


def is_known(parcel: Parcel) -> bool:
    """Whether it can be told how the app is built and started; not from the address of a repository alone."""
    return bool(parcel.image or parcel.files)


def source(parcel: Parcel) -> str:
    """The image or commit; `-` for whatever is the newest."""
    return parcel.image or parcel.commit or NONE


def service_type(parcel: Parcel) -> str:
    return "static_site" if not parcel.image and framework(parcel) == "static" else "web_service"


def details(parcel: Parcel) -> Json:
    """How the service is built and started."""
    if parcel.image:
        return {"runtime": "image", "plan": "free"}
    kind = framework(parcel)
    if kind == "static":
        return {"publishPath": site_folder(parcel.files) or "."}
    build, start = _node(parcel) if kind == "node" else _python(parcel)
    runtime = "node" if kind == "node" else "python"
    commands = {"buildCommand": build, "startCommand": start}
    return {"runtime": runtime, "plan": "free", "envSpecificDetails": commands}


def _python(parcel: Parcel) -> tuple[str, str]:
    listed = "-r requirements.txt " if "requirements.txt" in parcel.files else ""
    project = ". " if not listed and "pyproject.toml" in parcel.files else ""
    target = python_target(parcel.files)
    return f"pip install {listed}{project}gunicorn", f"gunicorn --bind 0.0.0.0:$PORT {target}"


def _node(parcel: Parcel) -> tuple[str, str]:
    return ("npm ci" if "package-lock.json" in parcel.files else "npm install"), _start_command(parcel)


def _start_command(parcel: Parcel) -> str:
    try:
        scripts = json.loads(parcel.files.get("package.json", b"{}")).get("scripts") or {}
    except (ValueError, AttributeError):
        return ""
    if isinstance(scripts, dict) and scripts.get("start"):
        return "npm start"
    return "node server.js" if "server.js" in parcel.files else ""


def variables(parcel: Parcel) -> dict[str, str]:
    """What the app finds in its environment there, besides what Render gives it."""
    listens = {"HOST": "0.0.0.0"} if framework(parcel) == "node" else {}  # noqa: S104  Render wants it
    return {**listens, **parcel.env}


def warnings(parcel: Parcel, *, free: bool) -> tuple[str, ...]:
    if service_type(parcel) == "static_site" or not free:
        return ()
    found = [SLEEPS]
    if keeps_a_database(parcel.files):
        found.append(NO_DISK)
    if keys := sorted(own_keys(parcel.files) - set(parcel.env)):
        names = " and ".join(f"`{key}`" for key in keys)
        found.append(f"Without {names} among its variables, it makes another one each time that it wakes up")
    return tuple(found)
