"""Backups in Google Drive. The only module that knows Google's client, and where its errors become ours."""

import email.utils
import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import google_auth_httplib2  # type: ignore[import-untyped]
import httplib2  # type: ignore[import-untyped]
from google.auth.exceptions import GoogleAuthError, TransportError
from google.oauth2 import credentials as person
from google.oauth2 import service_account
from googleapiclient import discovery  # type: ignore[import-untyped]
from googleapiclient.discovery_cache import get_static_doc  # type: ignore[import-untyped]
from googleapiclient.errors import Error, HttpError  # type: ignore[import-untyped]
from googleapiclient.http import MediaIoBaseDownload, MediaIoBaseUpload  # type: ignore[import-untyped]

from backups.base import LOG_NAME, TOP, Stored, Upload
from backups.drive_access import DriveAccess
from backups.drive_words import refusal, sign_in_refusal
from contracts.errors import AppError, BadSettings, Failed, NotFound, Unavailable

SCOPE = "https://www.googleapis.com/auth/drive"
FOLDER = "application/vnd.google-apps.folder"
FIELDS = "id,name,mimeType,modifiedTime,size,md5Checksum,webViewLink,trashed,appProperties"
TOKEN_URI = "https://oauth2.googleapis.com/token"  # noqa: S105  an address
TOP_NAME = "Task Agent"
WHOLE = 4 * 2**20
"""Larger files go in chunks of this size; Drive wants multiples of 256 KiB."""
IDS_AT_ONCE = 20
RESUMPTIONS = 3
"""How often a chunk whose connection was cut is taken up again before the whole file is tried anew."""
SECONDS = 60.0


class GoogleDrive:
    """Files and folders carry `appProperties` that say which backup they belong to, so names do not matter.

    Ids are taken from Drive beforehand: whoever creates a file of the same id twice is refused the second time.
    """

    def __init__(self, access: DriveAccess, seconds: float = SECONDS) -> None:
        """Raises BadSettings if the key cannot be used. Nothing is sent yet."""
        self._access = access
        self._seconds = seconds
        self._lock = threading.Lock()
        self._idle: list[Any] = []
        self._ids: list[str] = []
        self._scope: dict[str, str] | None = None
        self._closed = False
        document = json.loads(get_static_doc("drive", "v3"))
        document |= {"rootUrl": access.url, "baseUrl": access.url + document["servicePath"]}
        self._document = document
        self._credentials()

    @property
    def top(self) -> str:
        return self._access.folder

    def reserve(self, path: str) -> str:
        with self._lock:
            if self._ids:
                return self._ids.pop()
        with self._drive() as drive:
            ids = drive.files().generateIds(count=IDS_AT_ONCE, space="drive", type="files").execute()["ids"]
        with self._lock:
            self._ids += ids[1:]
        return str(ids[0])

    def make_folder(self, agent: str, path: str, id: str, parent: str) -> bool:
        name = TOP_NAME if path == TOP else path
        body = {"id": id, "name": name, "mimeType": FOLDER, "appProperties": self._marks(agent, path, "folder")}
        body |= {"parents": [parent]} if parent else {}
        with self._drive() as drive:
            files = drive.files()
            made = _tried(files.create(body=body, supportsAllDrives=True, fields="id"))
            if made == http.client.CONFLICT:
                made = _tried(files.get(fileId=id, supportsAllDrives=True, fields="trashed"))
        if isinstance(made, dict) and not made.get("trashed"):
            return True
        self._find_scope(again=True)
        return False

    def put(self, upload: Upload, id: str, folder: str, *, replaces: bool) -> Stored | None:
        marks = self._marks(upload.agent, upload.path, "log" if LOG_NAME.fullmatch(upload.name) else "memory")
        body = {"name": upload.name, "appProperties": marks | {"ta_sum": upload.sums.sha256}}
        options = {"supportsAllDrives": True, "fields": FIELDS}
        with self._drive() as drive:
            files = drive.files()
            found: dict[str, Any] | int = http.client.CONFLICT
            if not replaces:
                created = body | {"id": id, "parents": [folder]}
                found = _tried(files.create(body=created, media_body=_media(upload), **options))
            if found == http.client.CONFLICT:
                found = _tried(files.update(fileId=id, body=body, media_body=_media(upload), **options))
        if not isinstance(found, dict) or found.get("trashed"):
            self._find_scope(again=True)
            return None
        if found.get("md5Checksum") != upload.sums.md5:
            raise Failed(f"`{upload.path}` arrived damaged at Google Drive", hint="It is sent again by itself")
        return _stored(found)

    def check(self) -> str:
        """Whose access it is. Raises Unauthorized or Forbidden if it does not work, or could store nothing."""
        with self._drive() as drive:
            user = drive.about().get(fields="user").execute().get("user") or {}
        if not self._find_scope() and self._access.is_service_account and not self._access.subject:
            raise refusal(http.client.FORBIDDEN, "storageQuotaExceeded", None, self._access)
        return str(user.get("emailAddress") or user.get("displayName") or self._access.who)

    def everything(self) -> Iterator[Stored]:
        for found in self._list(self._ours() + " and trashed = false"):
            yield _stored(found)

    def recent_logs(self, limit: int) -> list[Stored]:
        log = _has("ta_kind", "log")
        pages = self._list(f"{self._ours()} and {log} and trashed = false", limit=limit, orderBy="modifiedTime desc")
        return [_stored(found) for found in pages]

    def fetch(self, id: str, into: IO[bytes]) -> None:
        with self._drive() as drive:
            request = drive.files().get_media(fileId=id, supportsAllDrives=True)
            download = MediaIoBaseDownload(into, request, chunksize=WHOLE)
            done = False
            while not done:
                _, done = download.next_chunk()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for drive in idle:
            drive.close()

    def _list(self, q: str, *, limit: int = 0, **options: Any) -> Iterator[dict[str, Any]]:
        token, left = None, limit
        scope = self._find_scope()
        while True:
            with self._drive() as drive:
                page = (
                    drive.files()
                    .list(
                        q=q,
                        pageSize=min(left, 1000) if limit else 1000,
                        pageToken=token,
                        fields=f"nextPageToken,files({FIELDS})",
                        supportsAllDrives=True,
                        includeItemsFromAllDrives=True,
                        **scope,
                        **options,
                    )
                    .execute()
                )
            found = page.get("files", [])[: left if limit else None]
            yield from found
            left -= len(found)
            token = page.get("nextPageToken")
            if not token or (limit and left <= 0):
                return

    def _find_scope(self, *, again: bool = False) -> dict[str, str]:
        """Where to search: in the shared drive of the chosen folder, if it lies in one. Raises if it is gone."""
        if not self.top:
            return {}
        if self._scope is None or again:
            with self._drive() as drive:
                fields = "id,driveId,trashed,mimeType"
                found = drive.files().get(fileId=self.top, supportsAllDrives=True, fields=fields).execute()
            if found.get("trashed") or found.get("mimeType") != FOLDER:
                raise NotFound(
                    "The folder for backups in Google Drive is in the bin, or is not a folder",
                    hint="Take it out of the bin or choose another folder, then have backups try again",
                )
            drive_id = found.get("driveId")
            self._scope = {"corpora": "drive", "driveId": drive_id} if drive_id else {}
        return self._scope

    def _ours(self) -> str:
        return _has("ta_top", self.top or "own")

    def _marks(self, agent: str, path: str, kind: str) -> dict[str, str]:
        return {"ta_top": self.top or "own", "ta_path": path, "ta_agent": agent, "ta_kind": kind}

    @contextmanager
    def _drive(self) -> Iterator[Any]:
        """A service object for this thread alone, as httplib2 wants it; errors leave as ours."""
        with self._lock:
            drive = self._idle.pop() if self._idle else None
        try:
            yield drive if drive is not None else (drive := self._build())
        except (HttpError, GoogleAuthError, Error, httplib2.HttpLib2Error, http.client.HTTPException, OSError) as error:
            raise self._translated(error) from None
        finally:
            if drive is not None:
                self._give_back(drive)

    def _give_back(self, drive: Any) -> None:
        with self._lock:
            if not self._closed and not self._idle:
                self._idle.append(drive)
                return
        drive.close()

    def _build(self) -> Any:
        connection = httplib2.Http(timeout=self._seconds)
        # 308 asks for more of an upload; it leads nowhere else.
        connection.redirect_codes = connection.redirect_codes - {308}
        authorized = google_auth_httplib2.AuthorizedHttp(self._credentials(), http=connection)
        return discovery.build_from_document(self._document, http=authorized)

    def _credentials(self) -> Any:
        info = dict(self._access.info)
        # Google's functions have no types.
        from_key: Any = service_account.Credentials.from_service_account_info
        of_person: Any = person.Credentials
        try:
            if self._access.is_service_account:
                return from_key(info, scopes=[SCOPE], subject=self._access.subject or None)
            return of_person(
                token=None,
                refresh_token=info["refresh_token"],
                token_uri=info.get("token_uri") or TOKEN_URI,
                client_id=info["client_id"],
                client_secret=info["client_secret"],
            )
        except (ValueError, GoogleAuthError):
            raise BadSettings(
                "The key file for Google Drive holds a key that cannot be read",
                hint="Download the key from Google Cloud again; do not edit it by hand",
            ) from None

    def _translated(self, error: Exception) -> AppError:
        if isinstance(error, HttpError):
            return refusal(error.status_code, _reason(error), _retry_after(error.resp), self._access)
        if isinstance(error, GoogleAuthError) and not isinstance(error, TransportError):
            return sign_in_refusal(_oauth_code(error), error.retryable, self._access)
        kind = "did not answer in time" if isinstance(error, TimeoutError) else "cannot be reached"
        return Unavailable(f"Google Drive {kind}", hint="It is tried again by itself")


def _send(request: Any) -> dict[str, Any]:
    """Send at once or in chunks. A connection that is cut in a chunk is taken up where Drive says it stopped."""
    if request.resumable is None:
        answer: dict[str, Any] = request.execute()
        return answer
    cuts, reached, body = 0, -1, None
    while body is None:
        try:
            _, body = request.next_chunk()
        except (OSError, httplib2.HttpLib2Error, http.client.HTTPException):
            cuts = cuts + 1 if request.resumable_progress <= reached else 1
            reached = request.resumable_progress
            if request.resumable_uri is None or cuts > RESUMPTIONS:
                raise
            time.sleep(0.2 * cuts)
    return dict(body)


def _tried(request: Any) -> dict[str, Any] | int:
    """The answer, or the status if the id is in use already or nowhere to be found."""
    try:
        return _send(request)
    except HttpError as error:
        if error.status_code in {http.client.CONFLICT, http.client.NOT_FOUND}:
            return int(error.status_code)
        raise


def _media(upload: Upload) -> Any:
    upload.file.seek(0)
    return MediaIoBaseUpload(
        upload.file, mimetype="application/json", chunksize=WHOLE, resumable=upload.sums.size > WHOLE
    )


def _stored(found: dict[str, Any]) -> Stored:
    marks = found.get("appProperties") or {}
    return Stored(
        id=found["id"],
        path=str(marks.get("ta_path", "")),
        agent=str(marks.get("ta_agent", "")),
        modified=str(found.get("modifiedTime", "")),
        size=int(found.get("size", 0)),
        link=str(found.get("webViewLink", "")),
        sums=(str(marks["ta_sum"]),) if "ta_sum" in marks else (),
        is_folder=found.get("mimeType") == FOLDER,
    )


def _has(key: str, value: str) -> str:
    return f"appProperties has {{ key='{_quoted(key)}' and value='{_quoted(value)}' }}"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


def _reason(error: HttpError) -> str:
    """The machine's word for it. Where there are `details`, the client hides the list that has the word."""
    try:
        said = json.loads(error.content)["error"]
        return str(said["errors"][0]["reason"]) if said.get("errors") else str(said.get("status", ""))
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""


def _oauth_code(error: GoogleAuthError) -> str:
    """`invalid_grant` and the like, from wherever google-auth put it; nothing else of what the server said."""
    for said in error.args:
        if isinstance(said, dict):
            return str(said.get("error", ""))
        for code in ("invalid_grant", "unauthorized_client", "invalid_client", "invalid_scope", "deleted_client"):
            if code in str(said):
                return code
    return ""


def _retry_after(headers: Any) -> float | None:
    text = headers.get("retry-after", "")
    if text.isascii() and text.isdigit():
        return float(text)
    moment = email.utils.parsedate_tz(text) if text else None
    return max(0.0, email.utils.mktime_tz(moment) - time.time()) if moment else None
