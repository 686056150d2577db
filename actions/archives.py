"""A whole project from a zip file that was uploaded: all of it, or nothing if any entry is not fit."""

from pathlib import Path
from typing import Any

from pydantic import Field

from archives import ArchiveLimits, read_archive
from contracts.actions import RESTORE_SNAPSHOT, Action, ActionContext, ActionResult, Params
from contracts.errors import AlreadyExists, NotFound
from contracts.files import Kind
from contracts.trust import Effect
from contracts.words import counted


class ImportArchive(Params):
    upload: str = Field(pattern=r"^[A-Za-z0-9_-]{8,64}$", description="The name that the upload was given.")


def archive_actions(uploads: Path, limits: ArchiveLimits) -> list[Action[Any]]:
    def import_archive(params: ImportArchive, ctx: ActionContext) -> ActionResult:
        if next(iter(ctx.files.children()), None) is not None:
            raise AlreadyExists(f"There is already something in `{ctx.project}`", hint="Choose a new project's name")
        try:
            upload = (uploads / f"{params.upload}.zip").open("rb")
        except FileNotFoundError:
            raise NotFound("That upload is no longer there", hint="Upload the archive again") from None
        with upload:
            entries = read_archive(upload, limits)
            for entry in entries:
                ctx.check_cancelled()
                if entry.node.kind is Kind.DIRECTORY:
                    ctx.files.make_directory(entry.path)
                else:
                    ctx.files.write(entry.path, entry.read(), mode=entry.node.mode)
        files = sum(1 for entry in entries if entry.node.kind is Kind.FILE)
        said = f"Imported {counted(files, 'file')} into `{ctx.project}`"
        return ActionResult(True, said, {"files": files}, tainted=True)

    return [
        Action(
            name="import_archive",
            summary="Make a new project from a zip file that was uploaded.",
            params=ImportArchive,
            handler=import_archive,
            title=lambda p: "Make a project from the uploaded archive",
            effects=frozenset({Effect.WRITE_PROJECT}),
            undo=RESTORE_SNAPSHOT,
            worst="The project holds files that you do not want; undo takes them away",
            makes_project=True,
        )
    ]
