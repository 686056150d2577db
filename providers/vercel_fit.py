"""What Vercel can run, how it is told to, and what will be different there."""

from collections.abc import Mapping
from typing import Any

from contracts.deployments import Parcel
from contracts.words import counted
from providers.parcels import keeps_a_database, needs_flask, own_keys, python_entry, site_files, site_folder

UPLOAD_BYTES = 100 * 10**6
"""Of all files together, on the free plan."""
UPLOAD_FILES = 15_000
PAGES = "public"
"""The folder from which Vercel serves files as they are."""
NO_DISK = (
    "What people enter is not kept: Vercel has no disk that lasts, so the app's database is empty again each time that "
    "it is started there. For data that stays, choose a host with a disk"
)
PERSONAL = "The free plan of Vercel is for personal use that earns no money"


def framework(parcel: Parcel) -> str:
    """What it is: as the parcel says, or else by its files."""
    if parcel.framework:
        return parcel.framework
    if python_entry(parcel.files) and needs_flask(parcel.files):
        return "flask"
    return "static" if site_folder(parcel.files) is not None else ""


def unfit(parcel: Parcel, most_bytes: int = UPLOAD_BYTES, most_files: int = UPLOAD_FILES) -> str:
    """Why Vercel cannot run this, in words; empty if it can."""
    kind, files = framework(parcel), parcel.files
    if too_much := too_large(parcel, most_bytes, most_files):
        return too_much
    if kind == "static":
        return "" if site_folder(files) is not None else "It has no `index.html`, which visitors would see first"
    if kind == "node":
        return "" if _functions(files) else _listens_itself()
    if kind == "flask":
        return _unfit_python(parcel)
    return "It has no pages and answers no requests, so there is nothing in it that could be opened at an address"


def too_large(parcel: Parcel, most_bytes: int, most_files: int) -> str:
    files = sent_files(parcel)
    size = sum(map(len, files.values()))
    if size > most_bytes:
        return f"It has {size / 10**6:,.0f} MB, and Vercel's free plan takes {most_bytes / 10**6:,.0f} MB"
    if len(files) > most_files:
        return f"It has {counted(len(files), 'file')}, and Vercel takes {most_files:,}"
    return ""


def _unfit_python(parcel: Parcel) -> str:
    if not python_entry(parcel.files):
        return (
            "Vercel finds no Flask app in it: there has to be a file such as `app.py`, `main.py` or `wsgi.py` "
            "that has an object called `app` at its top level"
        )
    if not needs_flask(parcel.files):
        return "It does not say that it needs Flask, so Vercel would not install it: add Flask to `requirements.txt`"
    return ""


def _functions(files: Mapping[str, bytes]) -> bool:
    return any(
        path.startswith("api/") and path.endswith((".js", ".mjs", ".cjs", ".ts")) and _exports(files[path])
        for path in files
    )


def _exports(source: bytes) -> bool:
    return b"export default" in source or b"module.exports" in source


def _listens_itself() -> str:
    return (
        "It is a Node server that listens on a port of its own, and Vercel only runs functions that it calls itself. "
        "Render runs it as it is"
    )


def sent_files(parcel: Parcel) -> dict[str, bytes]:
    """What goes to Vercel: of a site only its pages, of an app everything.

    At the top of a project, Vercel would take `api/` for functions and a folder `public/` for the whole site. In a
    folder of their own, pages are nothing but pages.
    """
    if framework(parcel) != "static":
        return dict(parcel.files)
    return {f"{PAGES}/{path}": content for path, content in site_files(parcel).items()}


def project_settings(parcel: Parcel) -> dict[str, Any]:
    """How Vercel is told to build it. Null means that nothing is to be built."""
    kind = framework(parcel)
    return {
        "framework": "flask" if kind == "flask" else None,
        "buildCommand": None,
        "installCommand": None,
        "outputDirectory": PAGES if kind == "static" else None,
    }


def warnings(parcel: Parcel, *, free: bool) -> tuple[str, ...]:
    found: list[str] = []
    if framework(parcel) == "flask" and keeps_a_database(parcel.files):
        found.append(NO_DISK)
    if keys := sorted(own_keys(parcel.files) - set(parcel.env)):
        names = " and ".join(f"`{key}`" for key in keys)
        found.append(f"Without {names} among its variables, it makes another one each time that Vercel starts it anew")
    return (*found, PERSONAL) if free else tuple(found)
