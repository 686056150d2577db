"""What leaves this machine: only the project's own files, never keys, never too much."""

from pathlib import Path

import pytest

from contracts.errors import Conflict, NotFound, TooLarge
from deploying.parcels import MOST_FILES, PlainFile, in_words, pack
from deployment_manager import zip_directory


def file(path: str, data: bytes = b"x") -> PlainFile:
    return PlainFile(path, len(data), lambda: data)


def link(path: str, target: str) -> PlainFile:
    return PlainFile(path, len(target), target.encode, link=True)


def test_what_belongs_to_this_machine_stays_here_without_a_word() -> None:
    kept = [".env", ".env.local", ".git/config", "node_modules/a/index.js", ".venv/bin/python", ".task-agent/app.json"]
    kept += ["web/__pycache__/a.pyc", "deep/down/.env", ".envrc", ".env-live", ".env/all.txt"]
    packed = pack([*map(file, kept), file("app.py"), file(".env.example")])
    assert list(packed.files) == [".env.example", "app.py"] and not packed.left_out


@pytest.mark.parametrize(
    "path", ["data.db", "var/app.sqlite3", "app.sqlite3-wal", "a.sqlite-journal", "id_rsa", "me.p12", "keys/.netrc"]
)
def test_data_and_key_files_are_left_out_and_named(path: str) -> None:
    packed = pack([file(path), file("app.py")])
    assert list(packed.files) == ["app.py"] and path in packed.left_out[0]


def test_a_key_in_a_file_stops_everything_and_is_never_repeated() -> None:
    key = "AKIA" + "A1B2C3D4E5F6G7H8"
    with pytest.raises(Conflict) as refused:
        pack([file("config.py", f"a = 1\nkey = '{key}'\n".encode()), file("app.py")])
    assert "`config.py` line 2 (an AWS key)" in refused.value.message
    assert key not in str(vars(refused.value))


def test_a_database_is_known_by_how_it_begins_whatever_its_name_is() -> None:
    packed = pack([file("var/store", b"SQLite format 3\0 rows"), link("data", "var/store"), file("app.py")])
    assert list(packed.files) == ["app.py"]
    assert "`var/store`: it is a database" in packed.left_out[0]


def test_a_key_far_behind_in_a_large_file_is_found() -> None:
    with pytest.raises(Conflict, match=r"`big.txt` line 2 \(an AWS key\)"):
        pack([file("big.txt", b"x" * (5 << 20) + b"\nAKIA" + b"A1B2C3D4E5F6G7H8")])


def test_links_that_multiply_are_refused_before_they_fill_the_memory() -> None:
    links = [link(f"d{n}/{side}", f"../d{n - 1}") for n in range(1, 40) for side in "ab"]
    with pytest.raises(TooLarge, match="at most 10,000"):
        pack([file("d0/page.html"), *links])


def test_links_inside_are_sent_as_content_and_others_are_left_out() -> None:
    sources = [
        *(file("shared/logo.svg", b"<svg/>"), file("shared/more/a.txt", b"a"), file("pages/index.html", b"home")),
        *(link("logo.svg", "shared/logo.svg"), link("pages/again.svg", "../logo.svg"), link("assets", "shared")),
        *(link("out", "/etc/passwd"), link("up", "../../elsewhere"), link("lost", "nowhere"), link("self", "self")),
        *(link("secret", ".env"), link("shared/around", "../shared"), file(".env", b"K=1")),
    ]
    packed = pack(sources)
    assert packed.files["logo.svg"] == packed.files["pages/again.svg"] == b"<svg/>"
    assert packed.files["assets/logo.svg"] == b"<svg/>" and packed.files["assets/more/a.txt"] == b"a"
    told = " ".join(packed.left_out)
    assert all(f"`{name}`" in told for name in ("out", "up", "lost", "self", "secret", "shared/around"))
    assert not any(b"K=1" in data for data in packed.files.values())


def test_names_in_any_alphabet_are_sent_and_broken_ones_are_left_out() -> None:
    packed = pack([file("страница.html"), file("日本/ページ.html"), file("br\udcffoken.html")])
    assert set(packed.files) == {"страница.html", "日本/ページ.html"} and len(packed.left_out) == 1


def test_a_folder_of_300_mb_is_refused_before_anything_is_read() -> None:
    def read() -> bytes:
        raise AssertionError("it was read")

    with pytest.raises(TooLarge, match="300 MB of files; at most 100 MB"):
        pack([PlainFile("video.mp4", 300 * 2**20, read)])
    with pytest.raises(TooLarge, match="at most 10,000 are sent"):
        pack([PlainFile(f"{number}.txt", 1, read) for number in range(MOST_FILES + 1)])


def test_amounts_are_said_as_people_say_them() -> None:
    assert in_words(pack([file("a", b"12345")])) == "1 file, 5 bytes"
    assert in_words(pack([file("a", b"1" * 20_000), file("b")])) == "2 files, 20 KB"
    assert in_words(pack([file("a", b"1" * 2_500_000)])) == "1 file, 2.5 MB"


def test_a_folder_becomes_a_zip_without_what_must_stay(tmp_path: Path) -> None:
    import io  # noqa: PLC0415
    import zipfile  # noqa: PLC0415

    (tmp_path / "app.py").write_text("app = 1\n")
    (tmp_path / ".env").write_text("SECRET=1\n")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "ü.html").write_text("<p>")
    (tmp_path / "pages" / "loop").symlink_to(tmp_path)
    packed = zip_directory(str(tmp_path))
    assert zipfile.ZipFile(io.BytesIO(packed)).namelist() == ["app.py", "pages/ü.html"]
    assert packed == zip_directory(tmp_path)
    with pytest.raises(NotFound):
        zip_directory(tmp_path / "nowhere")
