"""What the fake of Google Drive holds: files, folders, shared drives, who may see them and who pays for them."""

import hashlib
import itertools
import json
import secrets
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from cloud_fakes.drive_query import parse

FOLDER = "application/vnd.google-apps.folder"
WRITABLE = {"id", "name", "mimeType", "parents", "appProperties", "properties", "description", "createdTime", "trashed"}
PROPERTY_BYTES = 124
REASONS = {400: "badRequest", 401: "authError", 403: "insufficientFilePermissions", 404: "notFound", 409: "fileIdInUse"}


class Refused(Exception):
    """An answer that is an error, in the shape that Drive gives it."""

    def __init__(self, status: int, reason: str = "", message: str = "", headers: dict[str, str] | None = None) -> None:
        self.status = status
        self.reason = reason or REASONS.get(status, "backendError")
        self.message = message or self.reason
        self.headers = headers or {}

    def body(self) -> bytes:
        one = {"domain": "global", "reason": self.reason, "message": self.message}
        return json.dumps({"error": {"code": self.status, "message": self.message, "errors": [one]}}).encode()


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a token stands for."""

    name: str
    has_storage: bool = True


@dataclass(slots=True)
class DriveFile:
    meta: dict[str, Any]
    owner: str
    drive_id: str = ""
    content: bytes = b""
    order: int = 0
    shared_with: set[str] = field(default_factory=set)


class DriveFiles:
    """Threads may share it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.files: dict[str, DriveFile] = {}
        self.removed: set[str] = set()
        self._issued: set[str] = set()
        self._members: dict[str, set[str]] = {}
        self._counter = itertools.count(1)

    def add_shared_drive(self, *members: str) -> str:
        """The id of a new shared drive, which is that of its topmost folder too."""
        with self.lock:
            id = self._new_id()
            self._members[id] = set(members)
            self._add(id, {"name": "Shared", "mimeType": FOLDER}, "", id)
            return id

    def add_folder(self, name: str, owner: str, parent: str = "") -> str:
        with self.lock:
            id = self._new_id()
            above = self.files[parent or self.root_of(owner)]
            self._add(id, {"name": name, "mimeType": FOLDER, "parents": [above.meta["id"]]}, owner, above.drive_id)
            return id

    def share(self, id: str, name: str) -> None:
        self.files[id].shared_with.add(name)

    def trash(self, id: str) -> None:
        self.files[id].meta["trashed"] = True

    def remove(self, id: str) -> None:
        """For good, with all that lies in it."""
        with self.lock:
            for inner in [i for i, f in self.files.items() if id in f.meta.get("parents", [])]:
                self.remove(inner)
            self.files.pop(id, None)
            self.removed.add(id)

    def stored(self) -> list[DriveFile]:
        """Every file that is not a folder and not in the bin."""
        with self.lock:
            return [f for f in self.files.values() if f.meta["mimeType"] != FOLDER and not self._trashed(f)]

    def folders(self) -> list[DriveFile]:
        """Every folder that somebody made through the API."""
        with self.lock:
            made = [f for f in self.files.values() if f.meta["mimeType"] == FOLDER and f.meta.get("appProperties")]
            return [f for f in made if not self._trashed(f)]

    def root_of(self, name: str) -> str:
        id = f"root-{hashlib.sha256(name.encode()).hexdigest()[:12]}"
        with self.lock:
            if id not in self.files:
                self._add(id, {"name": "My Drive", "mimeType": FOLDER}, name, "")
        return id

    def generate(self, count: int) -> list[str]:
        with self.lock:
            ids = [self._new_id() for _ in range(count)]
            self._issued.update(ids)
            return ids

    def find(self, who: Who, id: str, *, all_drives: bool) -> DriveFile:
        """Raises 404 also for what is not shared with whoever asks, as Drive does."""
        with self.lock:
            file = self.files.get(self.root_of(who.name) if id == "root" else id)
            if file is None or not self._visible(who, file) or (file.drive_id and not all_drives):
                raise Refused(404, message=f"File not found: {id}.")
            return file

    def check_new(self, who: Who, meta: dict[str, Any], *, all_drives: bool, has_content: bool) -> None:
        """Raises what creating this would be refused with."""
        _check_meta(meta)
        parents = meta.get("parents", ["root"])
        if len(parents) != 1:
            raise Refused(400, "invalid", "A file has one parent.")
        parent = self.find(who, parents[0], all_drives=all_drives)
        if parent.meta["mimeType"] != FOLDER:
            raise Refused(403, "parentNotAFolder")
        id = meta.get("id")
        if id is not None and id not in self._issued:
            raise Refused(400, "invalid", "The provided file ID is not usable.")
        if id in self.files or id in self.removed:
            raise Refused(409, message="A file already exists with the provided ID.")
        if has_content and not parent.drive_id and not who.has_storage:
            raise Refused(
                403,
                "storageQuotaExceeded",
                "Service Accounts do not have storage quota. Leverage shared drives, or use OAuth delegation instead.",
            )

    def create(self, who: Who, meta: dict[str, Any], content: bytes | None, *, all_drives: bool) -> DriveFile:
        with self.lock:
            self.check_new(who, meta, all_drives=all_drives, has_content=content is not None)
            parent = self.find(who, meta.get("parents", ["root"])[0], all_drives=all_drives)
            kept = {name: value for name, value in meta.items() if name in WRITABLE}
            kept["parents"] = [parent.meta["id"]]
            kept.setdefault("mimeType", "application/octet-stream")
            id = meta.get("id") or self._new_id()
            return self._add(id, kept, "" if parent.drive_id else who.name, parent.drive_id, content)

    def update(self, who: Who, id: str, meta: dict[str, Any], content: bytes | None, *, all_drives: bool) -> DriveFile:
        with self.lock:
            file = self.find(who, id, all_drives=all_drives)
            _check_meta(meta)
            if "id" in meta or "parents" in meta:
                raise Refused(403, "fieldNotWritable")
            marks = file.meta.get("appProperties", {}) | meta.get("appProperties", {})
            file.meta |= {name: value for name, value in meta.items() if name in WRITABLE}
            file.meta["appProperties"] = {key: value for key, value in marks.items() if value is not None}
            if content is not None:
                file.content = content
            self._touch(file)
            return file

    def search(
        self, who: Who, q: str, *, order_by: str, drive_id: str, corpora: str, all_drives: bool
    ) -> list[DriveFile]:
        try:
            test = parse(q) if q else lambda file: True
        except ValueError as error:
            raise Refused(400, "invalid", f"Invalid Value: q: {error}") from None
        with self.lock:
            found = [f for f in self.files.values() if self._visible(who, f) and (all_drives or not f.drive_id)]
            if corpora == "drive":
                found = [f for f in found if f.drive_id == drive_id]
            found = [f for f in found if "parents" in f.meta and test(self.shown(f))]
        newest_first = order_by == "modifiedTime desc"
        key = (lambda f: (f.meta["modifiedTime"], f.order)) if "modifiedTime" in order_by else lambda f: f.meta["name"]
        return sorted(found, key=key, reverse=newest_first) if order_by else found

    def shown(self, file: DriveFile) -> dict[str, Any]:
        """All that Drive would say of a file."""
        said = {**file.meta, "kind": "drive#file", "trashed": self._trashed(file)}
        said["webViewLink"] = f"https://drive.google.com/file/d/{file.meta['id']}/view"
        if file.drive_id:
            said["driveId"] = file.drive_id
        if file.meta["mimeType"] != FOLDER:
            said["size"] = str(len(file.content))
            said["md5Checksum"] = hashlib.md5(file.content, usedforsecurity=False).hexdigest()
            said["sha256Checksum"] = hashlib.sha256(file.content).hexdigest()
        return said

    def _add(self, id: str, meta: dict[str, Any], owner: str, drive_id: str, content: bytes | None = None) -> DriveFile:
        file = DriveFile({**meta, "id": id}, owner, drive_id, content or b"")
        self._touch(file)
        self.files[id] = file
        return file

    def _touch(self, file: DriveFile) -> None:
        file.meta["modifiedTime"] = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        file.order = next(self._counter)

    def _visible(self, who: Who, file: DriveFile) -> bool:
        if file.drive_id:
            return who.name in self._members[file.drive_id]
        return file.owner == who.name or any(who.name in above.shared_with for above in self._line(file))

    def _trashed(self, file: DriveFile) -> bool:
        return any(above.meta.get("trashed") for above in self._line(file))

    def _line(self, file: DriveFile) -> list[DriveFile]:
        """The file and the folders that it lies in."""
        line = [file]
        while (parents := line[-1].meta.get("parents")) and parents[0] in self.files:
            line.append(self.files[parents[0]])
        return line

    def _new_id(self) -> str:
        return secrets.token_urlsafe(24)


def _check_meta(meta: dict[str, Any]) -> None:
    if not isinstance(meta, dict) or set(meta) - WRITABLE:
        raise Refused(400, "invalid", f"Unknown fields: {sorted(set(meta) - WRITABLE)}")
    for key, value in meta.get("appProperties", {}).items():
        if len(key.encode()) + len((value or "").encode()) > PROPERTY_BYTES:
            raise Refused(400, "invalid", "A property is too long.")
    if len(meta.get("appProperties", {})) > 30:
        raise Refused(400, "invalid", "Too many properties.")
