"""Data goes with the version of its app: back with an undo, forward again with its undoing, and never lost."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from previews import Copied, DataFolders, DataVersions, Version

FIRST, SECOND, OTHER = Version("first", 1), Version("second", 2), Version("other", 2)


class Shelf:
    def __init__(self, root: Path) -> None:
        self.data = DataFolders(root / "data")
        self.versions = DataVersions(self.data, root / "copies")
        self.folder = self.data.of("shop")

    def run(self, version: Version, *added: str) -> str:
        """As the app would: made to fit, then something is added."""
        said = self.versions.fit("shop", version)
        for name in added:
            (self.folder / name).write_text(name)
        return said

    @property
    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    root = Path(tempfile.mkdtemp(prefix="version-tests-"))
    root.chmod(0o711)
    yield Shelf(root)
    shutil.rmtree(root)


def test_going_on_keeps_everything(shelf: Shelf) -> None:
    shelf.run(FIRST, "a")
    assert shelf.run(FIRST) == "" and shelf.run(SECOND, "b") == ""
    assert shelf.names == ["a", "b"]


def test_going_back_brings_the_data_of_then(shelf: Shelf) -> None:
    shelf.run(FIRST, "a")
    shelf.run(SECOND, "b")
    assert "as it was" in shelf.run(FIRST)
    assert shelf.names == ["a"]


def test_undoing_the_undo_brings_back_what_came_later(shelf: Shelf) -> None:
    shelf.run(FIRST, "a")
    shelf.run(SECOND, "b")
    shelf.run(FIRST)
    assert "as it was" in shelf.run(SECOND)
    assert shelf.names == ["a", "b"]


def test_what_was_added_after_going_back_is_not_lost_by_going_on(shelf: Shelf) -> None:
    shelf.run(FIRST, "a")
    shelf.run(SECOND, "b")
    shelf.run(FIRST, "c")
    assert shelf.run(SECOND) == ""
    assert shelf.names == ["a", "c"]


def test_another_version_in_the_same_place_goes_on_from_what_is_there(shelf: Shelf) -> None:
    shelf.run(FIRST, "a")
    shelf.run(SECOND, "b")
    shelf.run(FIRST, "c")
    shelf.run(OTHER, "d")
    assert shelf.names == ["a", "c", "d"]
    shelf.run(FIRST)
    assert shelf.names == ["a", "c"]


def test_a_version_that_never_ran_takes_the_data_that_is_there(shelf: Shelf) -> None:
    shelf.run(SECOND, "b")
    assert shelf.run(FIRST) == ""
    assert shelf.names == ["b"]


def test_a_damaged_note_loses_no_data(shelf: Shelf) -> None:
    shelf.run(FIRST, "a")
    shelf.run(SECOND, "b")
    next(shelf.folder.parent.parent.glob("copies/shop/versions.json")).write_text("{")
    shelf.run(FIRST)
    assert shelf.names == ["a", "b"]


def test_a_version_that_never_ran_gets_the_data_of_the_one_before_it(shelf: Shelf) -> None:
    shelf.run(FIRST, "a")
    shelf.run(Version("third", 3), "c")
    assert "as it was" in shelf.run(SECOND)
    assert shelf.names == ["a"]


class CutOff(DataFolders):
    """Stops after it has put data back, as if the machine went down there."""

    def restore(self, project: str, source: Path) -> Copied:
        super().restore(project, source)
        raise OSError("power cut")


def test_being_cut_off_while_data_is_put_back_loses_neither_version(shelf: Shelf) -> None:
    shelf.run(FIRST, "a")
    shelf.run(SECOND, "b")
    root = shelf.folder.parent.parent
    with pytest.raises(OSError, match="power cut"):
        DataVersions(CutOff(root / "data"), root / "copies").fit("shop", FIRST)
    shelf.run(FIRST)
    assert shelf.names == ["a"]
    shelf.run(SECOND)
    assert shelf.names == ["a", "b"]
