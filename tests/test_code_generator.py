"""Bringing a new version of an app over files that people have edited: nothing of theirs is ever lost."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import code_generator as generator
from code_generator import AppRecord, NextVersion
from contracts.app_spec import AppSpec, Kind, Language, Page
from contracts.errors import Conflict, InvalidParams
from git_manager import GitManager
from project_files import Workspace
from tests.scaffolds import specs
from workspaces.draft import ProjectDraft

LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


@pytest.fixture
def place(tmp_path: Path) -> Iterator["Place"]:
    yield Place(tmp_path)


class Place:
    """A project with files on the disk, and an app whose versions are given by hand."""

    def __init__(self, root: Path) -> None:
        self.workspace = Workspace(root)
        self.workspace.create("shop")
        self.repo = GitManager(root).open("shop")
        self.folder = root / "shop"

    def bring(
        self, base: dict[str, str], new: dict[str, str], on_conflict: generator.OnConflict = "stop"
    ) -> tuple[generator.BroughtIn, ProjectDraft]:
        before = generator.record_of(SITE, (), base)
        version = NextVersion(generator.record_of(SITE, (), new, 2), base, new, ())
        draft = self.workspace.draft("shop")
        outcome = generator.bring_in(version, before, draft, self.repo.merge, on_conflict)
        self.workspace.apply("shop", draft.changes(), stage="t")
        return outcome, draft

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / f"{name}.txt").write_text(text)

    def text(self, name: str) -> str:
        return (self.folder / f"{name}.txt").read_text()


SITE = AppSpec(
    kind=Kind.SITE, name="shop", title="Shop", summary="A shop.", pages=(Page(slug="index", title="Welcome"),)
)


def test_what_nobody_touched_becomes_the_new_version(place: Place) -> None:
    place.write(a="old\n", gone="old\n", same="same\n")
    outcome, _ = place.bring(
        {"a.txt": "old\n", "gone.txt": "old\n", "same.txt": "same\n"},
        {"a.txt": "new\n", "same.txt": "same\n", "more.txt": "more\n"},
    )
    assert (place.text("a"), place.text("more"), place.text("same")) == ("new\n", "more\n", "same\n")
    assert not (place.folder / "gone.txt").exists()
    assert (outcome.written, outcome.removed, outcome.conflicts) == (["a.txt", "more.txt"], ["gone.txt"], {})


def test_edits_elsewhere_in_a_file_stay_beside_the_change(place: Place) -> None:
    place.write(a=LINES.replace("one", "ONE by me"))
    outcome, _ = place.bring({"a.txt": LINES}, {"a.txt": LINES.replace("seven", "SEVEN")})
    assert place.text("a") == LINES.replace("one", "ONE by me").replace("seven", "SEVEN")
    assert outcome.merged == ["a.txt"]


def test_edits_of_the_same_lines_are_shown_and_nothing_of_theirs_is_overwritten(place: Place) -> None:
    place.write(a=LINES.replace("two", "mine"))
    outcome, _ = place.bring({"a.txt": LINES}, {"a.txt": LINES.replace("two", "theirs")})
    assert place.text("a") == LINES.replace("two", "mine")
    assert "mine" in outcome.conflicts["a.txt"] and "theirs" in outcome.conflicts["a.txt"]


def test_places_are_numbered_as_in_the_own_file_whatever_is_merged_above_them(place: Place) -> None:
    place.write(a=LINES.replace("five", "mine"))
    new = LINES.replace("one\n", "one\nmore\nand more\n").replace("five", "theirs")
    outcome, _ = place.bring({"a.txt": LINES}, {"a.txt": new})
    own = place.text("a").splitlines()
    assert "more" in outcome.conflicts["a.txt"].partition("<<<<<<< yours")[0]
    assert [own[number - 1] for number in outcome.lines["a.txt"]] == ["mine"]


@pytest.mark.parametrize(("choice", "kept"), [("mine", "mine"), ("new", "theirs")])
def test_the_owner_can_say_whose_lines_count(place: Place, choice: generator.OnConflict, kept: str) -> None:
    place.write(a=LINES.replace("two", "mine"))
    outcome, _ = place.bring({"a.txt": LINES}, {"a.txt": LINES.replace("two", "theirs")}, choice)
    assert place.text("a") == LINES.replace("two", kept)
    assert not outcome.conflicts


def test_a_file_that_was_edited_is_not_removed_with_its_reason(place: Place) -> None:
    place.write(a="mine\n")
    outcome, _ = place.bring({"a.txt": "old\n"}, {})
    assert place.text("a") == "mine\n" and outcome.kept == ["a.txt"]


def test_a_file_that_was_deleted_and_is_needed_is_a_conflict(place: Place) -> None:
    outcome, _ = place.bring({"a.txt": "old\n"}, {"a.txt": "new\n"})
    assert list(outcome.conflicts) == ["a.txt"]
    place.bring({"a.txt": "old\n"}, {"a.txt": "new\n"}, "new")
    assert place.text("a") == "new\n"


def test_a_file_that_is_no_longer_text_is_a_conflict(place: Place) -> None:
    (place.folder / "a.txt").write_bytes(b"\xff\xfe")
    outcome, _ = place.bring({"a.txt": "old\n"}, {"a.txt": "new\n"})
    assert list(outcome.conflicts) == ["a.txt"]
    assert (place.folder / "a.txt").read_bytes() == b"\xff\xfe"


def test_a_file_that_an_earlier_agent_made_differently_counts_as_untouched(place: Place) -> None:
    place.write(a="as an older version wrote it\n")
    before = AppRecord(SITE, (), {"a.txt": generator.sum_of("as an older version wrote it\n")})
    version = NextVersion(
        generator.record_of(SITE, (), {"a.txt": "new\n"}, 2), {"a.txt": "old\n"}, {"a.txt": "new\n"}, ()
    )
    draft = place.workspace.draft("shop")
    assert generator.bring_in(version, before, draft, place.repo.merge, "stop").written == ["a.txt"]


def test_what_an_app_was_made_from_is_kept_with_it_and_read_back(place: Place) -> None:
    files = generator.new_app(SITE)
    draft = place.workspace.draft("shop")
    assert generator.read_record(draft) is None
    draft.write(generator.RECORD, files[generator.RECORD].encode())
    record = generator.read_record(draft)
    assert record is not None and record.spec == SITE and record.revision == 1
    assert set(record.sums) == set(files) - {generator.RECORD}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"spec": {}}', json.dumps({"spec": SITE.to_json(), "migrations": 3})])
def test_a_damaged_record_is_said_to_be_damaged(place: Place, text: str) -> None:
    draft = place.workspace.draft("shop")
    draft.write(generator.RECORD, text.encode())
    with pytest.raises(Conflict, match="damaged"):
        generator.read_record(draft)


def test_every_kind_and_language_that_a_spec_allows_has_a_generator() -> None:
    for kind in Kind:
        assert (kind, Language.PYTHON) in generator.SCAFFOLDS
    for kind in (Kind.HELLO_API, Kind.API, Kind.CLI_TOOL):
        assert (kind, Language.NODE) in generator.SCAFFOLDS


def test_what_does_not_describe_an_app_is_refused_with_what_is_wrong() -> None:
    with pytest.raises(InvalidParams, match=r"kind.*name"):
        generator.generate_app_code({"title": "Shop"})
    with pytest.raises(InvalidParams, match="no front end"):
        generator.generate_frontend_code(SITE)


def test_the_same_spec_gives_the_same_files() -> None:
    assert generator.new_app(SITE) == generator.new_app(SITE)
    assert generator.digest(SITE) == generator.digest(AppSpec.model_validate(SITE.to_json()))


def test_what_the_owner_kept_is_said(place: Place) -> None:
    place.write(a=LINES.replace("two", "mine"))
    (place.folder / "b.txt").write_bytes(b"\xff")
    outcome, _ = place.bring(
        {"a.txt": LINES, "b.txt": "old\n"}, {"a.txt": LINES.replace("two", "theirs"), "b.txt": "new\n"}, "mine"
    )
    assert outcome.kept == ["a.txt", "b.txt"] and not outcome.conflicts


def test_another_kind_of_app_is_not_made_of_one_that_keeps_something() -> None:
    tool = specs.spec(Kind.CLI_TOOL, specs.notes(), storage="json")
    record = generator.record_of(tool, (), {})
    with pytest.raises(Conflict, match="another kind of app"):
        generator.next_version(record, specs.spec(Kind.CLI_TOOL, specs.notes(), storage="sqlite"))


@pytest.mark.parametrize("language", ["python", "node"])
def test_a_file_of_json_is_of_a_new_version_when_what_it_keeps_is_changed(language: str) -> None:
    made = specs.spec(Kind.CLI_TOOL, specs.notes(), storage="json", language=language)
    record = generator.record_of(made, (), {})
    store = "src/store.js" if language == "node" else "store.py"
    more = specs.notes().model_copy(update={"fields": (*specs.notes().fields, specs.field("place"))})
    changed = generator.next_version(record, made.model_copy(update={"resources": (more,)}))
    assert [step.name for step in changed.record.migrations] == ["change_2"] and not changed.data
    assert "VERSION = 1" in changed.base[store] and "VERSION = 2" in changed.files[store]
    again = generator.next_version(changed.record, made)
    assert "VERSION = 3" in again.files[store]
    assert again.data == ("What Notes have as Place stays in the file and is no longer shown.",)
    titled = generator.next_version(record, made.model_copy(update={"title": "Other"}))
    assert titled.record.migrations == () and "VERSION = 1" in titled.files[store]
