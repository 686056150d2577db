"""A whole project from a zip file: checked name by name before anything is written."""

import io
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from contracts.actions import RESTORE_SNAPSHOT, Action, ActionContext, ActionResult, Params
from contracts.errors import AlreadyExists, BadInput, NotFound, TooLarge
from contracts.paths import check_path, fold, shown
from contracts.trust import Effect

SUMMARY = "Make a new project from a zip file that was uploaded."


class ImportArchive(Params):
    upload: str = Field(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="The name that the upload was given.")


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    bytes: int
    files: int
    ratio: float


class Archives:
    def __init__(self, uploads: Path, limits: ArchiveLimits) -> None:
        self._uploads = uploads
        self._limits = limits

    def import_archive(self, params: ImportArchive, ctx: ActionContext) -> ActionResult:
        if next(iter(ctx.files.children()), None) is not None:
            raise AlreadyExists(f"There is already something in `{ctx.project}`", hint="Choose a new project's name")
        try:
            data = (self._uploads / f"{params.upload}.zip").read_bytes()
        except FileNotFoundError:
            raise NotFound("That upload is no longer there", hint="Upload the archive again") from None
        with self._opened(data) as archive:
            entries = self._checked(archive)
            written = 0
            for path, info in entries.items():
                ctx.check_cancelled()
                if info.is_dir():
                    ctx.files.make_directory(path)
                    continue
                content = self._content(archive, info, self._limits.bytes - written)
                written += len(content)
                runnable = bool((info.external_attr >> 16) & stat.S_IXUSR)
                ctx.files.write(path, content, mode=0o755 if runnable else 0o644)
        files = sum(1 for info in entries.values() if not info.is_dir())
        return ActionResult(
            True, f"Imported {files} files into `{ctx.project}`", {"files": files, "bytes": written}, tainted=True
        )

    def _opened(self, data: bytes) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as wrong:
            raise BadInput(
                f"This is not a zip file that can be read: {wrong}", hint="Pack the project again"
            ) from wrong

    def _checked(self, archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
        """Every entry by its path, after all names and sizes have been looked at."""
        infos = archive.infolist()
        if len(infos) > self._limits.files:
            raise TooLarge(f"The archive has {len(infos):,} entries; at most {self._limits.files:,} are allowed")
        if sum(info.file_size for info in infos) > self._limits.bytes:
            raise TooLarge(f"Unpacked, the archive would have more than {self._limits.bytes:,} bytes")
        entries: dict[str, zipfile.ZipInfo] = {}
        seen: dict[str, str] = {}
        for info in infos:
            path = self._checked_entry(info)
            twin = seen.setdefault(fold(path), path)
            if twin != path or path in entries:
                raise BadInput(f"The archive has `{shown(path)}` twice, or twice but for capitals", hint="Rename one")
            entries[path] = info
        return entries

    def _checked_entry(self, info: zipfile.ZipInfo) -> str:
        name = shown(info.filename)
        try:
            path = check_path(info.filename.rstrip("/"))
        except ValueError as wrong:
            raise BadInput(f"`{name}` in the archive cannot be used: {wrong}", hint="Rename or leave it out") from wrong
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise BadInput(f"`{name}` in the archive is a link or a device", hint="Pack files and folders only")
        if info.flag_bits & 0x1:
            raise BadInput(f"`{name}` in the archive is locked with a password", hint="Pack it without one")
        if info.file_size > 1_000_000 and info.file_size > self._limits.ratio * max(info.compress_size, 1):
            raise TooLarge(f"`{name}` would unpack to {info.file_size / max(info.compress_size, 1):.0f} times its size")
        return path

    def _content(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, room: int) -> bytes:
        """The bytes of one entry, never more than it claims or than there is room for."""
        try:
            with archive.open(info) as packed:
                content = packed.read(min(info.file_size, room) + 1)
        except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, ValueError) as wrong:
            raise BadInput(
                f"`{shown(info.filename)}` in the archive is damaged: {wrong}", hint="Pack it again"
            ) from wrong
        if len(content) > min(info.file_size, room):
            raise TooLarge(f"`{shown(info.filename)}` is larger than the archive says")
        return content


def archive_actions(uploads: Path, limits: ArchiveLimits) -> list[Action[Any]]:
    return [
        Action(
            name="import_archive",
            summary=SUMMARY,
            params=ImportArchive,
            handler=Archives(uploads, limits).import_archive,
            title=lambda p: "Make a project from the uploaded archive",
            effects=frozenset({Effect.WRITE_PROJECT}),
            undo=RESTORE_SNAPSHOT,
            worst="The project holds files that you do not want; undo takes them away",
            makes_project=True,
        )
    ]
