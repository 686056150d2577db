"""Names and paths: what is refused, and the laws that hold for whatever is let through."""

import json
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contracts.paths import (
    MAX_NAME_BYTES,
    check_folder,
    check_name,
    check_path,
    check_project,
    fold,
    is_git,
    shown,
)

GIT_IN_DISGUISE = [
    ".git",
    ".GIT",
    ".Git",
    ".git.",
    ".git ",
    ".git . .",
    "git~1",
    "GIT~2",
    "git~1.",
    ".git::$INDEX_ALLOCATION",
    ".git:x",
    "x\\.git",
    ".git\\config",
    ".g\u200cit",
    "\ufeff.git",
    ".gi\ufe0ft",
    ".g\u00adit",
    "．ｇｉｔ",
    ".ɢɪᴛ".replace("ɢɪᴛ", "ｇｉｔ"),
]
NOT_GIT = ["git", ".gitignore", ".github", "x.git", "git~", "git~x", "digit", ".gitt", "legit~1", ".gıt"]
BAD_NAMES = [
    "",
    ".",
    "..",
    "a\0b",
    "a\nb",
    "a\x1b[31m",
    "a:b",
    "a\\b",
    'a"b',
    "a|b",
    "a?b",
    "a*b",
    "<a>",
    "a.",
    "a ",
    " a",
    "...",
    "con",
    "CON.txt",
    "Aux",
    "nul .txt",
    "com1",
    "LPT9.log",
    "com¹",
    "conin$",
    "\u202etxt.exe",
    "a\u2028b",
    "\ud800",
    "a\udc80",
    "é" * 128,
    "x" * 256,
]
BAD_PATHS = [
    "",
    "/",
    "/etc/passwd",
    "~",
    "~root/x",
    "../x",
    "a/../b",
    "a//b",
    "./a",
    "a/.",
    "a/.git/config",
    "x" * 1025,
]


@pytest.mark.parametrize("name", GIT_IN_DISGUISE)
def test_git_is_recognised_in_every_disguise(name: str) -> None:
    assert is_git(name)
    with pytest.raises(ValueError, match="history"):
        check_path(f"sub/{name}/hooks")


@pytest.mark.parametrize("name", NOT_GIT)
def test_names_that_only_look_like_git_are_left_alone(name: str) -> None:
    assert not is_git(name)
    assert check_name(name) == name


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_name_is_refused_with_words_that_can_be_printed(name: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as refused:
        check_name(name)
    json.dumps(str(refused.value)).encode()
    str(refused.value).encode()


@pytest.mark.parametrize("path", BAD_PATHS)
def test_a_bad_path_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        check_path(path)


@pytest.mark.parametrize(
    "path", ["a", "src/app.py", ".env", "a-b_c/ü.txt", "日本/語.md", "Makefile", "a b.txt", "x.git"]
)
def test_ordinary_paths_are_taken_as_they_are(path: str) -> None:
    assert check_path(path) == path
    assert check_path(f"{path}/") == path


def test_a_decomposed_name_is_composed_before_it_is_measured() -> None:
    assert check_path("u\u0308ber") == "über"
    with pytest.raises(ValueError, match="bytes"):
        check_path("\u0958" * 85)  # composing this one makes it longer


@pytest.mark.parametrize("path", ["", ".", "./"])
def test_the_project_itself_can_be_named_as_a_folder(path: str) -> None:
    assert check_folder(path) == ""


@pytest.mark.parametrize(
    "name", ["", ".hidden", "-x", "a/b", "a b", "ä", "con", "nul.app", "a.", "x" * 65, "..", ".stage"]
)
def test_a_bad_project_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        check_project(name)


@pytest.mark.parametrize("name", ["a", "my-app", "v1.2_x", "9", "x" * 64])
def test_an_ordinary_project_name_is_taken(name: str) -> None:
    assert check_project(name) == name


@given(st.text(max_size=40) | st.lists(st.sampled_from([*GIT_IN_DISGUISE, "a", "B", "..", "ü", ""])).map("/".join))
def test_what_is_let_through_stays_inside_and_is_stable(path: str) -> None:
    try:
        checked = check_path(path)
    except ValueError:
        return
    assert check_path(checked) == checked
    for name in checked.split("/"):
        assert name not in {"", ".", ".."}
        assert not is_git(name)
        assert len(name.encode()) <= MAX_NAME_BYTES
        assert "\\" not in name
        assert shown(name) == name


@given(st.text())
@example("\u0345\u0301")
@example("ΰ")
@example("İ")
def test_folding_does_not_depend_on_how_letters_are_encoded(name: str) -> None:
    forms = {fold(unicodedata.normalize(form, name)) for form in ("NFC", "NFD")}
    assert forms == {fold(name)}
    assert fold(fold(name)) == fold(name)
    assert fold(unicodedata.normalize("NFD", name).casefold()) == fold(name)


@given(
    st.text(alphabet=st.characters(exclude_categories=()))
    | st.binary().map(lambda b: b.decode("utf-8", "surrogateescape"))
)
@example("\ud800")
@example("a\x1b]0;x\x07")
def test_any_name_can_be_shown(name: str) -> None:
    text = shown(name)
    text.encode()
    assert not any(unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for c in text)
    if not any(unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for c in name):
        assert text == name
