"""A Google Drive on this machine: as strict as the real one where that is known, with faults on demand."""

import json
import re
import secrets
from collections import Counter
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from cloud_fakes.drive_files import FOLDER, DriveFile, DriveFiles, Refused, Who
from cloud_fakes.drive_tokens import TokenRefused, Tokens
from cloud_fakes.loopback import Asked, Loopback, Reply, Trouble

QUARTER_MIB = 256 * 2**10
DEFAULT_FIELDS = "kind,id,name,mimeType,resourceKey"
ALWAYS = {"alt", "fields", "uploadType"}
ALLOWED = {
    "create": {"supportsAllDrives", "ignoreDefaultVisibility", "keepRevisionForever"},
    "update": {"supportsAllDrives", "addParents", "removeParents", "keepRevisionForever"},
    "get": {"supportsAllDrives", "acknowledgeAbuse"},
    "delete": {"supportsAllDrives"},
    "list": {
        *("q", "pageSize", "pageToken", "orderBy", "corpora", "driveId", "spaces"),
        *("supportsAllDrives", "includeItemsFromAllDrives"),
    },
    "generateIds": {"count", "space", "type"},
    "about": set(),
}


@dataclass(slots=True)
class _Session:
    """A resumable upload that goes on over several requests."""

    who: Who
    id: str
    meta: dict[str, Any]
    options: dict[str, str]
    received: bytearray
    done: DriveFile | None = None


class FakeDrive(Loopback):
    """`with FakeDrive() as drive:` serves at `drive.url` until the block ends. `drive.files` is what it holds."""

    def __init__(self) -> None:
        super().__init__()
        self.files = DriveFiles()
        self.tokens = Tokens()
        self.sessions: dict[str, _Session] = {}

    @property
    def url(self) -> str:
        return f"{super().url}/"

    @property
    def token_uri(self) -> str:
        return self.url + "token"

    def trouble(self, where: str, *, reason: str = "", retry_after: str = "", **what: Any) -> None:
        headers = {"retry-after": retry_after} if retry_after else {}
        super().trouble(where, code=reason, headers=headers, **what)

    def duplicates(self) -> list[str]:
        """What is there more than once: files of the same `appProperties` path, and folders of the same path."""
        kept = [*self.files.stored(), *self.files.folders()]
        marks = [file.meta.get("appProperties", {}) for file in kept]
        counted = Counter(f"{m.get('ta_top')} {m.get('ta_path', '')}" for m in marks)
        return sorted(path for path, count in counted.items() if count > 1)

    def answer(self, asked: Asked) -> Reply:
        try:
            return _Answer(self, asked).give()
        except Refused as refused:
            return _refused(refused)

    def refused(self, trouble: Trouble) -> Reply:
        return _refused(Refused(trouble.status, trouble.code, headers=trouble.headers))


def _refused(refused: Refused) -> Reply:
    return refused.status, {**refused.headers, "content-type": "application/json"}, refused.body()


class _Answer:
    """Answers one request."""

    def __init__(self, drive: FakeDrive, asked: Asked) -> None:
        self._drive = drive
        self._files = drive.files
        self._method = asked.method
        self._path = asked.path
        self._options = asked.query
        self._headers = asked.headers
        self._body = asked.body

    def give(self) -> Reply:
        if self._path == "/token" and self._method == "POST":
            return self._token()
        who = self._drive.tokens.who(self._headers.get("authorization", ""))
        if who is None:
            raise Refused(401, message="Invalid Credentials")
        if self._path == "/upload/drive/v3/session":
            return self._chunk()
        if found := re.fullmatch(r"/upload/drive/v3/files(?:/([\w-]+))?", self._path):
            return self._upload(who, found[1] or "")
        if self._path == "/drive/v3/about" and self._method == "GET":
            return self._about(who)
        if found := re.fullmatch(r"/drive/v3/files(?:/([\w-]+))?", self._path):
            return self._plain(who, found[1] or "")
        raise Refused(404, message="No such address")

    def _token(self) -> Reply:
        try:
            return _json(self._drive.tokens.grant(dict(parse_qsl(self._body.decode()))))
        except TokenRefused as refused:
            return 400, {"content-type": "application/json"}, refused.body()

    def _about(self, who: Who) -> Reply:
        self._check("about")
        if "fields" not in self._options:
            raise Refused(400, "required", "The 'fields' parameter is required for this method.")
        said = {"user": {"emailAddress": who.name}, "storageQuota": {"usage": "0"}}
        return _json({name: said[name] for name in self._options["fields"].split(",") if name in said})

    def _plain(self, who: Who, id: str) -> Reply:
        if id == "generateIds" and self._method == "GET":
            self._check("generateIds")
            count = int(self._options.get("count", "10"))
            if not 1 <= count <= 1000 or self._options.get("space", "drive") != "drive":
                raise Refused(400, "invalid")
            return _json({"kind": "drive#generatedIds", "space": "drive", "ids": self._files.generate(count)})
        if not id:
            return self._list(who) if self._method == "GET" else self._create(who)
        if self._method == "GET":
            return self._get(who, id)
        if self._method == "PATCH":
            self._check("update")
            return self._said(self._files.update(who, id, _object(self._body), None, all_drives=self._all_drives()))
        if self._method == "DELETE":
            self._check("delete")
            self._files.remove(self._files.find(who, id, all_drives=self._all_drives()).meta["id"])
            return 204, {}, b""
        raise Refused(405, "httpMethodNotAllowed")

    def _create(self, who: Who) -> Reply:
        if self._method != "POST":
            raise Refused(405, "httpMethodNotAllowed")
        self._check("create")
        return self._said(self._files.create(who, _object(self._body), None, all_drives=self._all_drives()))

    def _get(self, who: Who, id: str) -> Reply:
        self._check("get")
        file = self._files.find(who, id, all_drives=self._all_drives())
        if self._options.get("alt") != "media":
            return self._said(file)
        if file.meta["mimeType"] == FOLDER:
            raise Refused(403, "fileNotDownloadable")
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self._headers.get("range", ""))
        if not asked:
            return 200, {"content-type": "application/octet-stream"}, file.content
        first, total = int(asked[1]), len(file.content)
        if first >= total:
            return 416, {"content-range": f"bytes */{total}"}, b""
        last = min(int(asked[2] or total - 1), total - 1)
        return 206, {"content-range": f"bytes {first}-{last}/{total}"}, file.content[first : last + 1]

    def _list(self, who: Who) -> Reply:
        self._check("list")
        options = self._options
        both = self._all_drives() and options.get("includeItemsFromAllDrives") == "true"
        if options.get("corpora") == "drive" and not options.get("driveId"):
            raise Refused(400, "invalid", "corpora=drive needs driveId")
        found = self._files.search(
            *(who, options.get("q", "")),
            order_by=options.get("orderBy", ""),
            drive_id=options.get("driveId", ""),
            corpora=options.get("corpora", "user"),
            all_drives=both,
        )
        size = min(int(options.get("pageSize", "100")), 1000)
        start = int(options.get("pageToken") or 0)
        fields = options.get("fields", f"nextPageToken,files({DEFAULT_FIELDS})")
        inner = re.search(r"files\(([^)]*)\)", fields)
        shown = [_picked(self._files.shown(f), inner[1] if inner else DEFAULT_FIELDS) for f in found]
        page: dict[str, Any] = {"files": shown[start : start + size]}
        if start + size < len(found) and "nextPageToken" in fields:
            page["nextPageToken"] = str(start + size)
        return _json(page)

    def _upload(self, who: Who, id: str) -> Reply:
        if self._method != ("PATCH" if id else "POST"):
            raise Refused(405, "httpMethodNotAllowed")
        self._check("update" if id else "create")
        kind = self._options.get("uploadType")
        if kind == "resumable":
            return self._begin_session(who, id)
        if kind != "multipart":
            raise Refused(400, "invalid", "uploadType must be multipart or resumable")
        meta, media = self._parts()
        return self._said(self._save(who, id, _object(meta), media))

    def _parts(self) -> tuple[bytes, bytes]:
        """The two parts, byte by byte as they were sent."""
        kind = self._headers.get("content-type", "")
        boundary = re.search(r'boundary="?([^";]+)', kind)
        parts = self._body.split(b"--" + boundary[1].encode()) if boundary else []
        if not kind.startswith("multipart/related") or len(parts) != 4 or not parts[3].startswith(b"--"):
            raise Refused(400, "badContent", "An upload of this kind has two parts")
        end = b"\r\n" if parts[1].startswith(b"\r\n") else b"\n"
        meta, media = (part.partition(end + end)[2].removesuffix(end) for part in parts[1:3])
        return meta, media

    def _save(self, who: Who, id: str, meta: dict[str, Any], content: bytes) -> DriveFile:
        if id:
            return self._files.update(who, id, meta, content, all_drives=self._all_drives())
        return self._files.create(who, meta, content, all_drives=self._all_drives())

    def _begin_session(self, who: Who, id: str) -> Reply:
        meta = _object(self._body)
        if id:
            self._files.find(who, id, all_drives=self._all_drives())
        else:
            self._files.check_new(who, meta, all_drives=self._all_drives(), has_content=True)
        name = secrets.token_urlsafe(16)
        self._drive.sessions[name] = _Session(who, id, meta, self._options, bytearray())
        return 200, {"location": f"{self._drive.url}upload/drive/v3/session?upload_id={name}"}, b""

    def _chunk(self) -> Reply:
        session = self._drive.sessions.get(self._options.get("upload_id", ""))
        if session is None or self._method != "PUT":
            raise Refused(404)
        self._options = session.options
        if session.done:
            return self._said(session.done)
        asked = re.fullmatch(r"bytes (?:\*|(\d+)-(\d+))/(\d+)", self._headers.get("content-range", ""))
        if not asked:
            raise Refused(400, "invalid", "Content-Range is missing or wrong")
        if asked[1]:
            self._take(session, int(asked[1]), int(asked[2]), int(asked[3]))
        if len(session.received) == int(asked[3]):
            session.done = self._save(session.who, session.id, session.meta, bytes(session.received))
            return self._said(session.done)
        known = {"range": f"bytes=0-{len(session.received) - 1}"} if session.received else {}
        return 308, known, b""

    def _take(self, session: _Session, first: int, last: int, total: int) -> None:
        if first != len(session.received) or last - first + 1 != len(self._body) or last >= total:
            raise Refused(400, "invalid", "These bytes are not the next ones")
        if last + 1 < total and len(self._body) % QUARTER_MIB:
            raise Refused(400, "invalid", "Chunks must be multiples of 256 KiB")
        session.received += self._body

    def _said(self, file: DriveFile) -> Reply:
        return _json(_picked(self._files.shown(file), self._options.get("fields", DEFAULT_FIELDS)))

    def _all_drives(self) -> bool:
        return self._options.get("supportsAllDrives") == "true"

    def _check(self, method: str) -> None:
        if unknown := set(self._options) - ALLOWED[method] - ALWAYS:
            raise Refused(400, "invalidParameter", f"Unknown parameters: {sorted(unknown)}")


def _json(value: object) -> Reply:
    return 200, {"content-type": "application/json"}, json.dumps(value).encode()


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body or b"{}")
    except ValueError:
        raise Refused(400, "parseError") from None
    if not isinstance(value, dict):
        raise Refused(400, "parseError")
    return value


def _picked(said: dict[str, Any], fields: str) -> dict[str, Any]:
    """Only the fields that were asked for, as Drive does it."""
    names = set(fields.split(","))
    return said if fields == "*" else {name: value for name, value in said.items() if name in names}
