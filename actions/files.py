"""File actions: read, list, search, create, write, modify, append, move, delete. All of them work on the draft."""

import base64
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from contracts.actions import (
    NOTHING_TO_UNDO,
    RESTORE_SNAPSHOT,
    Action,
    ActionContext,
    ActionResult,
    Handler,
    P,
    Params,
)
from contracts.errors import AlreadyExists, BadInput, Conflict, NotFound, TooLarge
from contracts.files import Draft, Kind, Node
from contracts.paths import FolderPath, ProjectPath, shown
from contracts.trust import Effect
from contracts.words import counted
from text_edits import decoded, replace_once

IGNORED = """.env
.venv/
node_modules/
__pycache__/
"""
"""What a new project keeps out of its history."""
LISTED = 1000
FOUND = 200
SEARCHED_BYTES = 2_000_000

Encoding = Annotated[
    Literal["text", "base64"],
    Field(description="How `content` is written: `text` (UTF-8), or `base64` for pictures and other binary files."),
]


class ReadFile(Params):
    path: ProjectPath
    encoding: Literal["auto", "text", "base64"] = Field(
        "auto", description="How to give the content back; `auto` is text where the file is text."
    )


class ListFiles(Params):
    path: FolderPath = ""
    recursive: bool = Field(False, description="Whether to list what is in the folders below, too.")


class SearchFiles(Params):
    text: str = Field(min_length=1, max_length=500, description="The words to look for, exactly as written.")
    path: FolderPath = ""
    ignore_case: bool = Field(True, description="Whether capitals and small letters count as the same.")


class NewContent(Params):
    path: ProjectPath
    content: str = Field("", description="What the file shall hold.")
    encoding: Encoding = "text"


class Edit(Params):
    search: str = Field(min_length=1, description="Text that stands in the file exactly once.")
    replace: str = Field(description="What shall stand there instead.")


class ModifyFile(Params):
    path: ProjectPath
    edits: tuple[Edit, ...] = Field(
        (), max_length=200, description="Replacements, made one after the other, all or none."
    )
    search: str | None = Field(None, min_length=1, description="For a single edit: the text to find.")
    replace: str | None = Field(None, description="For a single edit: the text to put there.")

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> Self:
        single = self.search is not None and self.replace is not None
        if (self.search is None) != (self.replace is None):
            raise ValueError("`search` and `replace` go together")
        if single == bool(self.edits):
            raise ValueError("give either `edits`, or `search` and `replace`")
        return self

    def all_edits(self) -> tuple[Edit, ...]:
        return self.edits or (Edit(search=self.search or "", replace=self.replace or ""),)


class MoveFile(Params):
    path: ProjectPath
    to: Annotated[ProjectPath, Field(description="Where it shall be, with its new name.")]


class DeleteFile(Params):
    path: ProjectPath
    recursive: bool = Field(False, description="Must be true to delete a folder with all that is in it.")


class Folder(Params):
    path: ProjectPath


class NoParams(Params):
    """Takes nothing but the project."""


class FileActions:
    """The handlers. What they write is bounded by `max_bytes` a file."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes

    def read_file(self, params: ReadFile, ctx: ActionContext) -> ActionResult:
        data = self._read(ctx.files, params.path)
        text = decoded(data) if params.encoding != "base64" else None
        if params.encoding == "text" and text is None:
            raise BadInput(f"`{params.path}` is not a text file", hint='Ask for `"encoding": "base64"`')
        content = text if text is not None else base64.b64encode(data).decode()
        return ActionResult.done(
            f"Read `{params.path}` ({len(data):,} bytes)",
            path=params.path,
            content=content,
            encoding="text" if text is not None else "base64",
            size=len(data),
        )

    def list_files(self, params: ListFiles, ctx: ActionContext) -> ActionResult:
        if params.path:
            existing(ctx.files, params.path, Kind.DIRECTORY)
        entries: list[dict[str, Any]] = []
        more = False
        for path, node in ctx.files.children(params.path, recursive=params.recursive):
            ctx.check_cancelled()
            if len(entries) == LISTED:
                more = True
                break
            entries.append({"path": shown(path), "kind": node.kind.value, "size": node.size})
        count = f"the first {LISTED}" if more else str(len(entries))
        where = f"`{params.path}`" if params.path else f"`{ctx.project}`"
        return ActionResult.done(f"Listed {count} in {where}", entries=entries, truncated=more)

    def search_files(self, params: SearchFiles, ctx: ActionContext) -> ActionResult:
        if params.path:
            existing(ctx.files, params.path, Kind.DIRECTORY)
        matches = list(islice(_matches(params, ctx), FOUND + 1))
        more, matches = len(matches) > FOUND, matches[:FOUND]
        files = len({match["path"] for match in matches})
        count = f"the first {FOUND} lines" if more else counted(len(matches), "line")
        found = f"Found {count} in {counted(files, 'file')}" if matches else "Found nothing"
        return ActionResult.done(found, matches=matches, truncated=more)

    def create_file(self, params: NewContent, ctx: ActionContext) -> ActionResult:
        if ctx.files.node(params.path) is not None:
            raise AlreadyExists(
                f"`{params.path}` is there already",
                hint="Use `write_file` to replace it, or `modify_file` to change a part",
            )
        return self._write(params, ctx, "Created")

    def write_file(self, params: NewContent, ctx: ActionContext) -> ActionResult:
        there = ctx.files.node(params.path)
        if there is not None and there.kind is not Kind.FILE:
            raise Conflict(f"`{params.path}` is a {there.kind}, not a file", hint="Choose another path")
        return self._write(params, ctx, "Replaced" if there else "Created")

    def append_file(self, params: NewContent, ctx: ActionContext) -> ActionResult:
        added = self._data(params)
        self._store(ctx, params.path, self._read(ctx.files, params.path) + added)
        return ActionResult.done(f"Added {len(added):,} bytes to `{params.path}`", path=params.path, size=len(added))

    def modify_file(self, params: ModifyFile, ctx: ActionContext) -> ActionResult:
        text = decoded(self._read(ctx.files, params.path))
        if text is None:
            raise BadInput(f"`{params.path}` is not a text file", hint="Use `write_file` with base64 to replace it")
        edits = params.all_edits()
        for number, edit in enumerate(edits, 1):
            text = replace_once(text, edit.search, edit.replace, f"edit {number} of {len(edits)} in `{params.path}`")
        self._store(ctx, params.path, text.encode())
        return ActionResult.done(
            f"Changed {counted(len(edits), 'place')} in `{params.path}`", path=params.path, edits=len(edits)
        )

    def move_file(self, params: MoveFile, ctx: ActionContext) -> ActionResult:
        if ctx.files.node(params.path) is None:
            raise missing(ctx.files, params.path)
        ctx.files.move(params.path, params.to)
        return ActionResult.done(f"Moved `{params.path}` to `{params.to}`", path=params.path, to=params.to)

    def delete_file(self, params: DeleteFile, ctx: ActionContext) -> ActionResult:
        node = ctx.files.node(params.path)
        if node is None:
            raise missing(ctx.files, params.path)
        if node.kind is Kind.DIRECTORY and not params.recursive:
            raise Conflict(
                f"`{params.path}` is a folder", hint="Say `recursive: true` to delete it with all that is in it"
            )
        ctx.files.remove(params.path)
        return ActionResult.done(f"Deleted `{params.path}`", path=params.path)

    def create_directory(self, params: Folder, ctx: ActionContext) -> ActionResult:
        if ctx.files.node(params.path) is not None:
            raise AlreadyExists(f"`{params.path}` is there already", hint="Choose another name")
        ctx.files.make_directory(params.path)
        return ActionResult.done(f"Created the folder `{params.path}`", path=params.path)

    def create_project(self, params: NoParams, ctx: ActionContext) -> ActionResult:
        if next(iter(ctx.files.children()), None) is not None:
            raise AlreadyExists(f"There is already a project `{ctx.project}`", hint="Choose another name")
        ctx.files.write(".gitignore", IGNORED.encode())
        return ActionResult.done(f"Made the project `{ctx.project}`", name=ctx.project)

    def _write(self, params: NewContent, ctx: ActionContext, verb: str) -> ActionResult:
        data = self._data(params)
        self._store(ctx, params.path, data)
        return ActionResult.done(f"{verb} `{params.path}` ({len(data):,} bytes)", path=params.path, size=len(data))

    def _read(self, files: Draft, path: str) -> bytes:
        node = existing(files, path)
        if node.size > self._max_bytes:
            raise TooLarge(
                f"`{path}` has {node.size:,} bytes; at most {self._max_bytes:,} can be read at once",
                hint="Download it from `/projects/<project>/files/<path>?download=1`, or raise `max_file_bytes`",
            )
        return files.read(path)

    def _data(self, params: NewContent) -> bytes:
        if params.encoding == "text":
            try:
                return params.content.encode()
            except UnicodeEncodeError as wrong:
                raise BadInput(
                    "The content has characters that are not valid text", hint="Send it as base64"
                ) from wrong
        try:
            return base64.b64decode(params.content, validate=True)
        except ValueError as wrong:
            raise BadInput(f"The content is not valid base64: {wrong}", hint="Check how it was encoded") from wrong

    def _store(self, ctx: ActionContext, path: str, data: bytes) -> None:
        if len(data) > self._max_bytes:
            raise TooLarge(
                f"`{path}` would have {len(data):,} bytes; at most {self._max_bytes:,} are allowed",
                hint="Split it, or raise `max_file_bytes`",
            )
        ctx.files.write(path, data)


def _matches(params: SearchFiles, ctx: ActionContext) -> Iterator[dict[str, Any]]:
    """The lines with the words, one by one, from all text files that are not too large to search."""
    wanted = params.text.casefold() if params.ignore_case else params.text
    for path, node in ctx.files.children(params.path, recursive=True):
        ctx.check_cancelled()
        if node.kind is not Kind.FILE or node.size > SEARCHED_BYTES:
            continue
        text = decoded(ctx.files.read(path))
        for number, line in enumerate((text or "").splitlines(), 1):
            if wanted in (line.casefold() if params.ignore_case else line):
                yield {"path": shown(path), "line": number, "text": line[:300]}


def existing(files: Draft, path: str, kind: Kind = Kind.FILE) -> Node:
    """What is at the path, which must be of that kind. Raises NotFound or Conflict."""
    node = files.node(path)
    if node is None:
        raise missing(files, path)
    if node.kind is not kind:
        raise Conflict(f"`{path}` is a {node.kind}, not a {kind}", hint="`list_files` shows what is there")
    return node


def missing(files: Draft, path: str) -> NotFound:
    folder = path.rpartition("/")[0]
    parent = files.node(folder) if folder else None
    there = not folder or (parent is not None and parent.kind is Kind.DIRECTORY)
    names = [shown(p) for p, _ in files.children(folder)][:20] if there else []
    return NotFound(
        f"There is no `{path}`", hint="`list_files` shows what is there", details={"folder": folder, "has": names}
    )


def looks(name: str, summary: str, params: type[P], handler: Handler[P], title: Callable[[P], str]) -> Action[P]:
    return Action(
        name=name,
        summary=summary,
        params=params,
        handler=handler,
        title=title,
        effects=frozenset({Effect.READ}),
        undo=NOTHING_TO_UNDO,
        worst="Nothing: it only looks",
    )


def writes(
    name: str,
    summary: str,
    params: type[P],
    handler: Handler[P],
    title: Callable[[P], str],
    *,
    makes_project: bool = False,
) -> Action[P]:
    return Action(
        name=name,
        summary=summary,
        params=params,
        handler=handler,
        title=title,
        effects=frozenset({Effect.WRITE_PROJECT}),
        undo=RESTORE_SNAPSHOT,
        worst="The files are not as you want them; undo puts them back",
        makes_project=makes_project,
    )


def file_actions(*, max_bytes: int) -> list[Action[Any]]:
    """All file actions, for files of at most `max_bytes`."""
    do = FileActions(max_bytes)
    read = looks("read_file", "Show what is in a file.", ReadFile, do.read_file, lambda p: f"Read `{p.path}`")
    listing = "List the files in a folder of the project."
    search = "Find words in the files of the project."
    create = "Create a file that is not there yet."
    write = "Create a file, or replace all of it."
    modify = "Replace exact pieces of text in a file, all of them or none."
    append = "Add text to the end of a file."
    move = "Move or rename a file or folder."
    folder = "Create a folder."
    delete = Action(
        name="delete_file",
        summary="Delete a file, or a folder with all that is in it.",
        params=DeleteFile,
        handler=do.delete_file,
        title=lambda p: f"Delete `{p.path}`",
        effects=frozenset({Effect.WRITE_PROJECT, Effect.DELETE}),
        undo=RESTORE_SNAPSHOT,
        worst="It is gone from the project; undo brings it back",
    )
    project = "Make a new project."
    return [
        writes(
            "create_project", project, NoParams, do.create_project, lambda p: "Make the project", makes_project=True
        ),
        read,
        looks("list_files", listing, ListFiles, do.list_files, lambda p: f"List `{p.path or 'the project'}`"),
        looks("search_files", search, SearchFiles, do.search_files, lambda p: f"Search for “{p.text[:60]}”"),
        writes("create_file", create, NewContent, do.create_file, lambda p: f"Create `{p.path}`", makes_project=True),
        writes("write_file", write, NewContent, do.write_file, lambda p: f"Write `{p.path}`", makes_project=True),
        writes("modify_file", modify, ModifyFile, do.modify_file, lambda p: f"Change `{p.path}`"),
        writes("append_file", append, NewContent, do.append_file, lambda p: f"Add to `{p.path}`"),
        writes("move_file", move, MoveFile, do.move_file, lambda p: f"Move `{p.path}` to `{p.to}`"),
        delete,
        writes(
            "create_directory",
            folder,
            Folder,
            do.create_directory,
            lambda p: f"Create the folder `{p.path}`",
            makes_project=True,
        ),
    ]
