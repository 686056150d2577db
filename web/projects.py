"""Projects: their files, history and archives."""

import base64
import hashlib
import io
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NotRequired
from urllib.parse import quote

import flask
from pydantic import ConfigDict, Field

from archives import ArchiveLimits, pack, read_archive
from contracts.errors import AlreadyExists, Conflict, NotFound, TooLarge
from contracts.files import Kind, Node
from contracts.paths import FolderPath, ProjectName, ProjectPath, shown
from git_manager import DEPENDENCY_FOLDERS
from web.deps import Deps
from web.models import TaskReply, Wait
from web.parts import Answered
from web.preview_links import seen_from_here
from web.routes import Input, Reply, Route, Said, example, said
from web.shapes import Commit, FileEntry, Project, ProjectInFull

BYTES = "application/octet-stream"
ZIP = "application/zip"
CHUNK = 256 * 1024
UPLOAD_DAYS = 30
APART = "sandbox; default-src 'none'; frame-ancestors 'none'"
"""A downloaded page is not ours: if a browser shows it after all, it runs nothing and reaches nothing."""
DONE = {200: TaskReply, 202: TaskReply}


class NewProject(Input):
    model_config = ConfigDict(json_schema_extra=example({"name": "notes"}))

    name: ProjectName
    wait: Wait = None


class FilesQuery(Input):
    path: FolderPath = ""
    recursive: bool = False


class FileQuery(Input):
    download: bool = Field(False, description="Give the bare bytes instead of JSON.")


class HistoryQuery(Input):
    limit: int = Field(50, ge=1, le=1000)


class Wanted(Input):
    model_config = ConfigDict(json_schema_extra=example({"path": None}))

    path: ProjectPath | None = Field(None, description="One file; without it the whole project as a zip file.")


DownloadCode = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="As the link has it.")]


class Download(Reply):
    url: Annotated[str, Field(description="Works once, for a minute, without the token.")]


class UploadQuery(Input):
    wait: Wait = None


class ProjectList(Reply):
    projects: list[Project]


class ProjectDetail(Reply):
    project: ProjectInFull


class Files(Reply):
    entries: list[FileEntry]


class File(Reply):
    path: str
    size: int
    mode: str
    text: NotRequired[str]
    base64: NotRequired[str]


class Commits(Reply):
    commits: list[Commit]


def projects(deps: Deps) -> Said:
    """List the projects."""
    found = [_brief(deps, name) for name in deps.projects.names()]
    return said(f"{len(found)} projects" if len(found) != 1 else "1 project", projects=found)


def new_project(deps: Deps, body: NewProject) -> Answered:
    """Make an empty project: gated like any action."""
    return deps.runner.run_agent({"intent": "create_project", "project": body.name}, wait=body.wait)


def project(deps: Deps, project: ProjectName) -> Said:
    """Show one project: its size, its newest change and what waits there for approval."""
    waiting = deps.runner.tasks(status="awaiting_approval", project=project)
    return said(f"`{project}`", project={**_brief(deps, project), "waiting": waiting})


def _brief(deps: Deps, name: str) -> dict[str, Any]:
    files = [node.size for _, node in deps.projects.walk(name) if node.kind is Kind.FILE]
    about = {"name": name, "files": len(files), "bytes": sum(files), "last_commit": None, **deps.showing.about(name)}
    about["preview"] = seen_from_here(deps, about["preview"])
    try:
        newest = deps.history.history(name, limit=1)
    except Conflict as error:
        return {**about, "problem": error.message, "updated": _updated(about, None)}
    last = newest[0] if newest else None
    return {**about, "last_commit": last, "updated": _updated(about, last)}


def _updated(about: dict[str, Any], commit: dict[str, Any] | None) -> str | None:
    task = about["newest"] or {}
    times = [task.get("finished") or task.get("created"), commit["at"] if commit else None]
    return max((time for time in times if time), default=None)


def files(deps: Deps, project: ProjectName, query: FilesQuery) -> Said:
    """List what is in a folder of the project."""
    draft = deps.projects.draft(project)
    found = [_node(path, node) for path, node in draft.children(query.path, recursive=query.recursive)]
    return said(f"{len(found)} entries" if len(found) != 1 else "1 entry", entries=found)


def _node(path: str, node: Node) -> dict[str, Any]:
    return {"path": shown(path), "kind": node.kind.value, "size": node.size, "mode": f"{node.mode:04o}"}


def file(deps: Deps, project: ProjectName, path: ProjectPath, query: FileQuery) -> Said | flask.Response:
    """Read a file: as JSON with its text (or `base64` if it is not text), or with `download` its bare bytes."""
    opened = deps.projects.open_file(project, path)
    status = os.fstat(opened.fileno())
    if query.download:
        return _attachment(_chunks(opened), path.rsplit("/", 1)[-1], BYTES, status.st_size)
    with opened:
        if status.st_size > deps.settings.max_body_bytes:
            raise TooLarge(f"`{path}` has {status.st_size:,} bytes", hint="Add `?download=1` to get its bare bytes")
        data = opened.read()
    about = {"path": path, "size": len(data), "mode": f"{status.st_mode & 0o7777:04o}"}
    try:
        return said(f"`{path}`", **about, text=data.decode())
    except UnicodeDecodeError:
        return said(f"`{path}`", **about, base64=base64.b64encode(data).decode())


def _chunks(opened: io.BufferedReader | Any) -> Iterator[bytes]:
    with opened:
        while data := opened.read(CHUNK):
            yield data


def _attachment(chunks: Iterator[bytes], name: str, kind: str, size: int | None = None) -> flask.Response:
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}",
        "Content-Security-Policy": APART,
    }
    if size is not None:
        headers["Content-Length"] = str(size)
    return flask.Response(chunks, content_type=kind, headers=headers)


def write_file(deps: Deps, project: ProjectName, path: ProjectPath, body: bytes, query: UploadQuery) -> Answered:
    """Upload a file: gated like any action, and undoable."""
    command = {"intent": "write_file", "project": project, "path": path, "encoding": "base64"}
    command["content"] = base64.b64encode(body).decode()
    return deps.runner.run_agent(command, wait=query.wait)


def history(deps: Deps, project: ProjectName, query: HistoryQuery) -> Said:
    """List the project's changes, newest first."""
    if not deps.projects.exists(project):
        raise NotFound(f"There is no project `{project}`", hint="`GET /projects` lists them")
    found = deps.history.history(project, limit=query.limit)
    return said(f"{len(found)} changes" if len(found) != 1 else "1 change", commits=found)


def archive(deps: Deps, project: ProjectName) -> flask.Response:
    """Download the project as a zip file, without its history, installed dependencies and `.env` files."""
    nodes = deps.projects.walk(project)
    chunks = pack(nodes, lambda path: deps.projects.open_file(project, path), DEPENDENCY_FOLDERS)
    return _attachment(chunks, f"{project}.zip", ZIP)


def new_download(deps: Deps, project: ProjectName, body: Wanted) -> Said:
    """Make a link that downloads a file, or the project as a zip file, once: for a browser, which sends no token."""
    if body.path is not None:
        deps.projects.open_file(project, body.path).close()
    elif not deps.projects.exists(project):
        raise NotFound(f"There is no project `{project}`", hint="`GET /projects` lists them")
    return said("The link works once, for a minute", url=f"/downloads/{deps.tickets.make((project, body.path))}")


def download(deps: Deps, code: DownloadCode) -> flask.Response:
    """Give what the link was made for."""
    wanted = deps.tickets.redeem(code)
    if wanted is None:
        raise NotFound("This link was used already or is too old", hint="Start the download again in the panel")
    project, path = wanted
    if path is None:
        return archive(deps, project)
    opened = deps.projects.open_file(project, path)
    return _attachment(_chunks(opened), path.rsplit("/", 1)[-1], BYTES, os.fstat(opened.fileno()).st_size)


def import_archive(deps: Deps, project: ProjectName, body: bytes, query: UploadQuery) -> Answered:
    """Make a new project from a zip file: all of it or nothing, gated like any action."""
    if deps.projects.exists(project):
        raise AlreadyExists(f"There is already a project `{project}`", hint="Choose another name")
    limits = deps.settings
    read_archive(
        io.BytesIO(body),
        ArchiveLimits(limits.max_archive_files, limits.max_archive_bytes, limits.max_archive_ratio),
    )
    name = _kept(deps.uploads, body)
    return deps.runner.run_agent({"intent": "import_archive", "project": project, "upload": name}, wait=query.wait)


def _kept(folder: Path, data: bytes) -> str:
    """Keep the archive until it is imported, named by its digest, so that an approval is for exactly these bytes."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for old in folder.glob("*.zip"):
        if old.stat().st_mtime < time.time() - UPLOAD_DAYS * 86_400:
            old.unlink(missing_ok=True)
    name = hashlib.sha256(data).hexdigest()
    beside = folder / f".{name}.{os.getpid()}.{time.monotonic_ns()}"
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    beside.replace(folder / f"{name}.zip")
    return name


FILE = "/projects/<project>/files/<path:path>"
ROUTES = (
    Route("GET", "/projects", projects, {200: ProjectList}),
    Route("POST", "/projects", new_project, DONE, errors=frozenset({409})),
    Route("GET", "/projects/<project>", project, {200: ProjectDetail}),
    Route("GET", "/projects/<project>/files", files, {200: Files}),
    Route("GET", FILE, file, {200: File}, media=(BYTES,), errors=frozenset({413})),
    Route("PUT", FILE, write_file, DONE, upload=BYTES, errors=frozenset({409})),
    Route("GET", "/projects/<project>/history", history, {200: Commits}, errors=frozenset({409})),
    Route("GET", "/projects/<project>/archive", archive, {}, media=(ZIP,)),
    Route("POST", "/projects/<project>/download", new_download, {200: Download}),
    Route("GET", "/downloads/<code>", download, {}, open=True, media=(BYTES, ZIP)),
    Route("POST", "/projects/<project>/archive", import_archive, DONE, upload=ZIP, errors=frozenset({409})),
)
