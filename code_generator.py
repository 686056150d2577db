"""Makes the files of an app from its spec, and brings a changed spec into an app that people may have edited."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from importlib import import_module
from typing import Any, Literal, Protocol

from pydantic import ValidationError

from contracts.app_spec import AppSpec, Kind, Language, Migration
from contracts.errors import Conflict, InvalidParams
from contracts.files import Draft
from contracts.files import Kind as NodeKind

RECORD = ".task-agent/app.json"
"""Where an app keeps what it was made from."""
SCAFFOLDS: dict[tuple[Kind, Language], str] = {
    (Kind.HELLO_API, Language.PYTHON): "flask_api",
    (Kind.API, Language.PYTHON): "flask_api",
    (Kind.FULL_STACK, Language.PYTHON): "flask_api",
    (Kind.WEB_APP, Language.PYTHON): "flask_pages",
    (Kind.SITE, Language.PYTHON): "static_site",
    (Kind.CLI_TOOL, Language.PYTHON): "typer_tool",
    (Kind.PIPELINE, Language.PYTHON): "csv_pipeline",
    (Kind.HELLO_API, Language.NODE): "node_api",
    (Kind.API, Language.NODE): "node_api",
    (Kind.CLI_TOOL, Language.NODE): "node_tool",
}
NOT_TEXT = "\0"
NEXT_SIDE = {("yours", "======="): "new", ("new", ">>>>>>> new"): ""}
OnConflict = Literal["stop", "mine", "new"]


def generate_app_code(spec: AppSpec | Mapping[str, Any], migrations: tuple[Migration, ...] = ()) -> dict[str, str]:
    """All files of an app, by path. The same spec always gives the same files. Raises InvalidParams."""
    spec = as_spec(spec)
    scaffold = import_module(f"scaffolds.{SCAFFOLDS[spec.kind, spec.language]}")
    files: dict[str, str] = dict(scaffold.generate(spec, migrations or first_migrations(spec)))
    return {**files, **(generate_frontend_code(spec) if spec.ui else {})}


def generate_frontend_code(spec: AppSpec | Mapping[str, Any]) -> dict[str, str]:
    """The files of the front end alone, by path. Raises InvalidParams if the app has none."""
    spec = as_spec(spec)
    if spec.ui is None:
        raise InvalidParams(f"`{spec.name}` has no front end", hint="Ask for one with `create_ui`")
    from scaffolds.front_end import generate  # noqa: PLC0415  read when an app has a front end

    return dict(generate(spec))


def as_spec(raw: AppSpec | Mapping[str, Any]) -> AppSpec:
    """A spec from its JSON form. Raises InvalidParams that names what is wrong."""
    if isinstance(raw, AppSpec):
        return raw
    try:
        return AppSpec.model_validate(raw)
    except ValidationError as wrong:
        found = [
            f"{'.'.join(map(str, error['loc'])) or 'the app'}: {error['msg'].removeprefix('Value error, ')}"
            for error in wrong.errors(include_url=False, include_input=False)[:10]
        ]
        raise InvalidParams(
            f"This does not describe an app: {'; '.join(found)}", hint="Say it in a sentence instead, or correct it"
        ) from None


def first_migrations(spec: AppSpec) -> tuple[Migration, ...]:
    from scaffolds import tables  # noqa: PLC0415  read when something is built

    return (tables.initial(spec),) if spec.storage == "sqlite" else ()


def digest(spec: AppSpec) -> str:
    """Stands for exactly this app."""
    return hashlib.sha256(json.dumps(spec.to_json(), sort_keys=True).encode()).hexdigest()


def sum_of(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class AppRecord:
    """What an app was made from, as it is kept beside its files."""

    spec: AppSpec
    migrations: tuple[Migration, ...]
    sums: Mapping[str, str]
    """Of each file as it was generated."""
    revision: int = 1
    """How many specs the app has had."""

    def text(self) -> str:
        document = {
            "about": "What this app was made from. Task Agent reads it when the app is to be changed.",
            "revision": self.revision,
            "spec": self.spec.to_json(),
            "migrations": [migration.model_dump(mode="json") for migration in self.migrations],
            "files": dict(sorted(self.sums.items())),
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def record_of(
    spec: AppSpec, migrations: tuple[Migration, ...], files: Mapping[str, str], revision: int = 1
) -> AppRecord:
    return AppRecord(spec, migrations, {path: sum_of(text) for path, text in files.items()}, revision)


def new_app(spec: AppSpec) -> dict[str, str]:
    """The files of a new app, with the record of what it was made from."""
    migrations = first_migrations(spec)
    files = generate_app_code(spec, migrations)
    return {**files, RECORD: record_of(spec, migrations, files).text()}


def read_record(files: Draft) -> AppRecord | None:
    """What the app in these files was made from; None if nobody built it here. Raises Conflict if it is damaged."""
    node = files.node(RECORD)
    if node is None or node.kind is not NodeKind.FILE:
        return None
    try:
        raw = json.loads(files.read(RECORD))
        migrations = tuple(Migration.model_validate(item) for item in raw["migrations"])
        sums = {str(path): str(digest) for path, digest in raw["files"].items()}
        return AppRecord(AppSpec.model_validate(raw["spec"]), migrations, sums, int(raw["revision"]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Conflict(
            f"`{RECORD}` is damaged, so what this app was made from is not known",
            hint="Undo the change that damaged it; its history has the file as it was",
        ) from error


@dataclass(frozen=True, slots=True)
class NextVersion:
    """An app after a change of its spec: the files as they would be had nobody edited them, before and after."""

    record: AppRecord
    base: Mapping[str, str]
    files: Mapping[str, str]
    data: tuple[str, ...]
    """What happens to what the app keeps already, in plain sentences."""


def next_version(record: AppRecord, spec: AppSpec) -> NextVersion:
    """Raises Conflict where what the app keeps cannot be carried over."""
    from scaffolds import table_changes  # noqa: PLC0415  read when something is built

    old = record.spec
    if old.storage != "none" and (old.storage, old.kind, old.language) != (spec.storage, spec.kind, spec.language):
        raise Conflict(
            "This would make another kind of app of it, and what it keeps could not be carried over",
            hint="Build a new app beside it",
        )
    migrations, said = record.migrations or first_migrations(spec), tuple[str, ...]()
    if spec.storage == "sqlite" and record.migrations:
        try:
            migration, said = table_changes.migrate(record.spec, spec, len(migrations) + 1)
        except ValueError as reason:
            raise Conflict(
                f"This change would lose data: {reason}", hint="Say it another way, or build a new app"
            ) from reason
        migrations = (*migrations, *((migration,) if migration else ()))
    elif spec.storage == "json" and _kept(record.spec) != _kept(spec):
        migrations = (*migrations, Migration(name=f"change_{len(migrations) + 2}", sql=()))
        said = tuple(_no_longer_shown(old, spec))
    base = generate_app_code(record.spec, record.migrations)
    files = generate_app_code(spec, migrations)
    return NextVersion(record_of(spec, migrations, files, record.revision + 1), base, files, said)


def _kept(spec: AppSpec) -> list[object]:
    """The form of what an app keeps; a JSON file is of a new version when this changes, though nothing is converted."""
    return [
        (resource.plural, resource.belongs_to, [(one.name, one.type) for one in resource.fields])
        for resource in spec.resources
    ]


def _no_longer_shown(before: AppSpec, after: AppSpec) -> Iterator[str]:
    """What stays in a JSON file and is not looked at any more."""
    now = {resource.plural: {one.name for one in resource.fields} for resource in after.resources}
    for resource in before.resources:
        if resource.plural not in now:
            yield f"All {resource.plural_label} stay in the file and are no longer shown."
            continue
        for field_before in resource.fields:
            if field_before.name not in now[resource.plural]:
                yield (
                    f"What {resource.plural_label} have as {field_before.label} stays in the file and is no longer "
                    "shown."
                )


class Merger(Protocol):
    def __call__(self, base: str, ours: str, theirs: str, /) -> "MergedText": ...


class MergedText(Protocol):
    @property
    def text(self) -> str: ...

    @property
    def clean(self) -> bool: ...


@dataclass(slots=True)
class BroughtIn:
    """What came of putting a new version over files that people may have edited."""

    written: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    """Edited by somebody, and changed beside those edits."""
    removed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Edited by somebody and left as they are: no longer generated, or the owner's word was that the edit counts."""
    conflicts: dict[str, str] = field(default_factory=dict)
    """Where an edit and the change touch the same lines: the file with both, marked."""
    lines: dict[str, list[int]] = field(default_factory=dict)
    """For each such file, where its marked places begin in the file as it is."""


def bring_in(
    version: NextVersion, before: AppRecord, files: Draft, merge: Merger, on_conflict: OnConflict
) -> BroughtIn:
    """Put the new version into the draft, keeping every edit. A conflict is left out of the draft and reported."""
    outcome = BroughtIn()
    for path in sorted({*version.base, *version.files}):
        place = _Place(path, version.base.get(path), version.files.get(path), _read(files, path), before.sums.get(path))
        _bring_in_one(place, files, merge, on_conflict, outcome)
    files.write(RECORD, version.record.text().encode())
    return outcome


@dataclass(frozen=True, slots=True)
class _Place:
    path: str
    base: str | None
    new: str | None
    ours: str | None
    known_sum: str | None

    @property
    def untouched(self) -> bool:
        """Whether the file is as it was generated, by this version of the agent or an earlier one."""
        if self.ours is None:
            return self.base is None
        return self.ours == self.base or sum_of(self.ours) == self.known_sum


def _bring_in_one(place: _Place, files: Draft, merge: Merger, on_conflict: OnConflict, outcome: BroughtIn) -> None:
    if place.ours == place.new or (place.new == place.base and not place.untouched):
        return
    if place.untouched or (place.new is not None and on_conflict == "new" and place.ours is None):
        _take_new(place, files, outcome)
    elif place.new is None:
        outcome.kept.append(place.path)
    else:
        _merge_one(place, files, merge, on_conflict, outcome)


def _take_new(place: _Place, files: Draft, outcome: BroughtIn) -> None:
    if place.new is None:
        files.remove(place.path)
        outcome.removed.append(place.path)
    else:
        files.write(place.path, place.new.encode())
        outcome.written.append(place.path)


def _merge_one(place: _Place, files: Draft, merge: Merger, on_conflict: OnConflict, outcome: BroughtIn) -> None:
    new = place.new or ""
    if place.ours is None:
        _overlap(place, "You deleted this file, and the change needs it", files, on_conflict, outcome)
        return
    if place.ours == NOT_TEXT:
        _overlap(place, "This is no longer a text file", files, on_conflict, outcome)
        return
    merged = merge(place.base or "", place.ours, new)
    if merged.clean:
        files.write(place.path, merged.text.encode())
        outcome.merged.append(place.path)
    else:
        _overlap(place, merged.text, files, on_conflict, outcome)
        outcome.lines[place.path] = _own_lines(merged.text, place.ours)


def _own_lines(marked: str, ours: str) -> list[int]:
    """The numbers of lines in `ours`: what was merged beside the marked places has moved them."""
    kept: list[str] = []
    starts: list[int] = []
    side = ""
    for line in marked.splitlines():
        if line == "<<<<<<< yours":
            side = "yours"
            starts.append(len(kept))
        elif (side, line) in NEXT_SIDE:
            side = NEXT_SIDE[side, line]
        elif side != "new":
            kept.append(line)
    blocks = SequenceMatcher(None, kept, ours.splitlines()).get_matching_blocks()
    following = [next(block for block in blocks if block.a + block.size > start or not block.size) for start in starts]
    return [block.b + max(0, start - block.a) + 1 for start, block in zip(starts, following, strict=True)]


def _overlap(place: _Place, shown: str, files: Draft, on_conflict: OnConflict, outcome: BroughtIn) -> None:
    """An edit and the change cannot both be had: as the owner says, and in any case said."""
    if on_conflict == "new":
        _take_new(place, files, outcome)
    elif on_conflict == "mine":
        outcome.kept.append(place.path)
    else:
        outcome.conflicts[place.path] = shown


def _read(files: Draft, path: str) -> str | None:
    node = files.node(path)
    if node is None or node.kind is not NodeKind.FILE:
        return None
    try:
        return files.read(path).decode()
    except UnicodeDecodeError:
        return NOT_TEXT
