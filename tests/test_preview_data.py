"""What apps keep: copied whole while they write, put back exactly, and never a way to somebody else's files."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.errors import TooLarge, Unavailable, UnsafePath
from previews import DataFolders
from sandboxes.uids import data_owners

MIB = 2**20


@pytest.fixture
def root() -> Iterator[Path]:
    """Not below pytest's own folder, which other users may not enter."""
    folder = Path(tempfile.mkdtemp(prefix="data-tests-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def folders(root: Path) -> DataFolders:
    return DataFolders(root / "data", most=4 * MIB, most_files=50)


def database(path: Path, mode: str = "WAL") -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid)
        opened.execute(f"PRAGMA journal_mode={mode}")
        opened.execute("CREATE TABLE notes (text)")
        opened.executemany("INSERT INTO notes VALUES (?)", [("0",), ("1",), ("2",)])


@contextmanager
def app(path: Path, act: str) -> Iterator[None]:
    """Another process that has the database open: a process that opens and closes it again loses its locks."""
    program = f"""
import sqlite3, sys, threading
db = sqlite3.connect({str(path)!r}, isolation_level=None, check_same_thread=False)
over = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), over.set())).start()
db.execute("SELECT * FROM notes").fetchall()
{act}
print("ready", flush=True)
over.wait()
db.close()
"""
    running = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert running.stdin and running.stdout
    try:
        assert running.stdout.readline() == b"ready\n"
        yield
    finally:
        running.communicate()
    assert running.returncode in {0, -9}


def rows(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as opened:
        return [text for (text,) in opened.execute("SELECT text FROM notes")]


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mode & 0o777, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    }


def test_each_project_has_a_folder_that_others_may_not_enter(folders: DataFolders) -> None:
    one, two = folders.of("one"), folders.of("two")
    assert one.stat().st_mode & 0o777 == 0o700
    assert folders.of("one") == one
    if os.geteuid() == 0:
        assert one.stat().st_uid in data_owners() and one.stat().st_uid != two.stat().st_uid


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_data_that_came_from_elsewhere_gets_its_owner(folders: DataFolders, root: Path) -> None:
    (root / "data" / "old" / "below").mkdir(parents=True)
    (root / "data" / "old" / "below" / "file").write_text("x")
    (root / "data" / "old" / "link").symlink_to(root)
    owner = folders.of("old").stat().st_uid
    assert owner in data_owners()
    assert (root / "data" / "old" / "below" / "file").stat().st_uid == owner
    assert root.stat().st_uid == 0


@pytest.mark.parametrize("name", ["../out", "", ".hidden", "a/b", "nul"])
def test_a_name_that_is_no_project_has_no_data(folders: DataFolders, name: str) -> None:
    with pytest.raises(UnsafePath):
        folders.of(name)


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_a_database_in_use_is_copied_whole_whatever_its_name(folders: DataFolders, root: Path, mode: str) -> None:
    home = folders.of("shop")
    (home / "below").mkdir()
    shutil.chown(home / "below", home.stat().st_uid)
    database(home / "below" / "no-ending", mode)
    with app(home / "below" / "no-ending", "db.execute('BEGIN'); db.execute(\"INSERT INTO notes VALUES ('not yet')\")"):
        copied = folders.snapshot("shop", root / "copy")
    assert copied.databases == 1
    assert rows(root / "copy" / "below" / "no-ending") == ["0", "1", "2"]
    assert not [path for path in tree(root / "copy") if path.endswith(("-wal", "-shm", "-journal"))]


def test_writers_go_on_while_copies_are_made_and_every_copy_is_of_one_moment(folders: DataFolders, root: Path) -> None:
    home = folders.of("shop")
    database(home / "app.db")
    write = """
def write():
    while not over.is_set():
        for statement in ("BEGIN", *(f"INSERT INTO notes VALUES ('{side}')" for side in ("left", "right")), "COMMIT"):
            db.execute(statement)
writer = threading.Thread(target=write); writer.start(); over.wait = writer.join
"""
    with app(home / "app.db", write):
        for number in range(5):
            assert folders.snapshot("shop", root / f"copy-{number}").databases == 1
            kept = rows(root / f"copy-{number}" / "app.db")
            assert kept.count("left") == kept.count("right")
    assert rows(home / "app.db").count("left") > 0


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_what_a_killed_app_left_beside_its_database_is_not_lost(folders: DataFolders, root: Path, mode: str) -> None:
    home = folders.of("shop")
    database(home / "app.db", mode)
    act = (
        "db.execute(\"INSERT INTO notes VALUES ('done')\"); db.execute('PRAGMA cache_size=1'); db.execute('BEGIN')\n"
        "for n in range(5000): db.execute(\"INSERT INTO notes VALUES ('half')\")\n"
        "print('ready', flush=True); import os; os.kill(os.getpid(), 9)"
    )
    with app(home / "app.db", act):
        pass
    for path in home.iterdir():
        shutil.chown(path, home.stat().st_uid)
    left = sorted(path.name for path in home.iterdir())
    folders.snapshot("shop", root / "copy")
    assert sorted(path.name for path in home.iterdir()) == left
    folders.restore("shop", root / "copy")
    assert rows(home / "app.db") == ["0", "1", "2", "done"]


def test_a_database_that_is_never_free_is_said(folders: DataFolders, root: Path) -> None:
    database(folders.of("shop") / "app.db", "DELETE")
    hasty = DataFolders(root / "data", patience=0.5)
    with app(folders.of("shop") / "app.db", "db.execute('BEGIN EXCLUSIVE')"):
        with pytest.raises(Unavailable, match="never free"):
            hasty.snapshot("shop", root / "copy")
    assert not (root / "copy").exists()
    assert [path.name for path in (root / "data").iterdir()] == ["shop"]


def test_what_only_looks_like_a_database_is_copied_as_it_is(folders: DataFolders, root: Path) -> None:
    broken = b"SQLite format 3\0" + b"\xff" * 5000
    for name, content in (("app.db", broken), ("app.db-wal", b"beside")):
        (folders.of("shop") / name).write_bytes(content)
        shutil.chown(folders.of("shop") / name, folders.of("shop").stat().st_uid)
    assert folders.snapshot("shop", root / "copy").databases == 0
    assert (root / "copy" / "app.db").read_bytes() == broken
    assert (root / "copy" / "app.db-wal").read_bytes() == b"beside"


def test_links_and_pipes_are_left_out_and_lead_nowhere(folders: DataFolders, root: Path) -> None:
    home = folders.of("shop")
    database(root / "secret.db")
    (root / "secret").mkdir()
    (home / "app.db").symlink_to(root / "secret.db")
    (home / "folder").symlink_to(root / "secret")
    os.mkfifo(home / "pipe")
    copied = folders.snapshot("shop", root / "copy")
    assert sorted(copied.left_out) == ["app.db", "folder", "pipe"]
    assert tree(root / "copy") == {}


def test_a_name_that_changes_under_the_copy_never_leads_elsewhere(folders: DataFolders, root: Path) -> None:
    """The owner of the data swaps its database for a link to another one, over and over."""
    home, over = folders.of("shop"), threading.Event()
    with closing(sqlite3.connect(root / "secret.db")) as secret:
        secret.executescript("CREATE TABLE notes (text); INSERT INTO notes VALUES ('secret')")
    (root / "secret.db").chmod(0o644)
    for name in ("real", "sub-real"):
        (home / name).mkdir()
        database(home / name / "app.db")
    (root / "outside").mkdir()
    shutil.copyfile(root / "secret.db", root / "outside" / "app.db")

    def swap() -> None:
        (home / "link").symlink_to(root / "secret.db")
        (home / "sub-link").symlink_to(root / "outside")
        (home / "app.db").symlink_to(root / "secret.db")
        while not over.is_set():
            (home / "real" / "app.db").replace(home / "app.db")
            (home / "sub-real").rename(home / "sub")
            (home / "sub").rename(home / "sub-real")
            (home / "sub-link").rename(home / "sub")
            (home / "sub").rename(home / "sub-link")
            (home / "real" / "app.db").hardlink_to(home / "app.db")
            (home / "link").replace(home / "app.db")
            (home / "link").symlink_to(root / "secret.db")

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for number in range(6):
            folders.snapshot("shop", root / f"copy-{number}")
    finally:
        over.set()
        swapper.join()
    for copy in root.glob("copy-*/**/app.db"):
        assert b"secret" not in copy.read_bytes()


def test_what_is_put_back_is_exactly_what_was_copied(folders: DataFolders, root: Path) -> None:
    home = folders.of("shop")
    owner = home.stat().st_uid
    (home / "empty").mkdir()
    (home / "run").write_bytes(b"#!/bin/sh")
    (home / "run").chmod(0o750)
    database(home / "app.db")
    folders.snapshot("shop", root / "copy")
    (home / "run").unlink()
    (home / "new").write_bytes(b"later")
    with closing(sqlite3.connect(home / "app.db", isolation_level=None)) as opened:
        opened.execute("INSERT INTO notes VALUES ('later')")
    folders.restore("shop", root / "copy")
    assert tree(home) == tree(root / "copy")
    assert rows(home / "app.db") == ["0", "1", "2"]
    assert {path.lstat().st_uid for path in [home, *home.rglob("*")]} == {owner}
    assert [path.name for path in (root / "data").iterdir()] == ["shop"]


def test_a_restore_that_was_killed_in_the_middle_loses_nothing(folders: DataFolders, root: Path) -> None:
    (folders.of("shop") / "file").write_text("kept")
    (root / "data" / "shop").rename(root / "data" / ".old-shop")
    (root / "data" / ".new-shop").mkdir()
    assert (folders.of("shop") / "file").read_text() == "kept"
    folders.snapshot("shop", root / "copy")
    folders.restore("shop", root / "copy")
    assert [path.name for path in (root / "data").iterdir()] == ["shop"]


def test_more_than_may_be_kept_is_neither_copied_nor_overlooked(folders: DataFolders, root: Path) -> None:
    home = folders.of("shop")
    assert folders.kept("shop").excess is None
    with (home / "large").open("wb") as file:
        file.truncate(5 * MIB)
    assert "more than the 4 MiB" in str(folders.kept("shop").excess)
    with pytest.raises(TooLarge):
        folders.snapshot("shop", root / "copy")
    (home / "large").unlink()
    for number in range(60):
        (home / str(number)).touch()
    assert "more than 50 files" in str(folders.kept("shop").excess)
    with pytest.raises(TooLarge):
        folders.snapshot("shop", root / "copy")
    assert not (root / "copy").exists()


def test_folders_without_end_are_too_much_and_can_be_removed(folders: DataFolders, root: Path) -> None:
    path = folders.of("shop")
    here = os.open(path, os.O_RDONLY)
    for _ in range(400):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    assert folders.kept("shop").excess
    folders.remove("shop")
    assert not path.exists()


def test_the_fingerprint_changes_with_what_is_kept_alone(folders: DataFolders) -> None:
    home = folders.of("shop")
    before = folders.fingerprint("shop")
    assert folders.fingerprint("shop") == before
    database(home / "app.db", "DELETE")
    after = folders.fingerprint("shop")
    assert after != before
    assert rows(home / "app.db") == ["0", "1", "2"]
    assert folders.fingerprint("shop") == after
    (home / "app.db").touch()
    assert folders.fingerprint("shop") != after
    assert folders.fingerprint("nothing") == DataFolders(home).fingerprint("nothing")


names = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=12).filter(
    lambda name: name not in {".", ".."} and len(name.encode()) < 200
)


@settings(max_examples=10, deadline=None)
@given(
    files=st.dictionaries(names, st.tuples(st.binary(max_size=200), st.sampled_from([0o600, 0o644, 0o755])), max_size=6)
)
def test_any_files_survive_a_copy_and_its_way_back(files: dict[str, tuple[bytes, int]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folders = DataFolders(Path(place) / "data")
        home = folders.of("shop")
        for name, (content, mode) in files.items():
            (home / name).write_bytes(content)
            (home / name).chmod(mode)
        expected = tree(home)
        folders.snapshot("shop", Path(place) / "copy")
        shutil.rmtree(home)
        folders.restore("shop", Path(place) / "copy")
        assert tree(home) == expected
