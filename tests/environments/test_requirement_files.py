"""What a Python project asks for is read exactly, and what it may not ask for is refused line by line."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import BadInput
from environments.requirement_files import Requirements, logical_lines, read_requirements
from project_files import Workspace

HASH = "sha256:" + "a" * 64


def read(folder: Path, files: Mapping[str, str | bytes]) -> Requirements:
    for path, content in files.items():
        place = folder / "workspace" / "p" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_requirements(Workspace(folder / "workspace").draft("p"))


def names(found: Requirements) -> list[str]:
    return [str(line) for line in found.wanted]


def test_names_versions_markers_extras_hashes_and_comments_are_understood(tmp_path: Path) -> None:
    text = f"""\
# what we need
Flask >= 3, <4   # web
requests[socks]==2.32.3 \\
    --hash={HASH} \\
    # via flask
tzdata; sys_platform == "win32"
"""
    found = read(tmp_path, {"requirements.txt": text})
    assert names(found) == [
        "flask<4,>=3",
        f"requests[socks]==2.32.3 --hash={HASH}",
        'tzdata; sys_platform == "win32"',
    ]
    assert found.wanted[1].where == "`requirements.txt` line 3"


def test_other_files_of_the_project_can_be_included(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "-r deps/base.txt\n-c deps/pins.txt\nflask\n",
        "requirements-dev.txt": "-r requirements.txt\npytest\n",
        "deps/base.txt": "-r ../deps/base.txt\nclick\n",
        "deps/pins.txt": "click<9\n",
    }
    found = read(tmp_path, files)
    assert names(found) == ["click", "flask", "pytest"]
    assert [str(line) for line in found.constraints] == ["click<9"]


def test_a_file_written_by_another_system_is_understood(tmp_path: Path) -> None:
    assert names(read(tmp_path, {"requirements.txt": "flask\r\nclick\r\n".encode("utf-16")})) == ["flask", "click"]


def test_a_project_file_is_read_when_there_is_no_list(tmp_path: Path) -> None:
    text = """
[project]
name = "mine"
dependencies = ["flask>=3"]
[project.optional-dependencies]
test = ["pytest", "mine[extra]"]
[dependency-groups]
dev = ["httpx", {include-group = "lint"}]
"""
    assert names(read(tmp_path, {"pyproject.toml": text})) == ["flask>=3", "httpx", "pytest"]
    assert names(read(tmp_path, {"requirements.txt": "click\n"})) == ["click"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("-e .", "cannot be installed in place"),
        ("--editable=./lib", "cannot be installed in place"),
        ("-i https://evil.example/simple", "set for the whole machine"),
        ("--extra-index-url https://evil.example", "set for the whole machine"),
        ("--find-links /tmp", "set for the whole machine"),
        ("--trusted-host evil.example", "set for the whole machine"),
        ("git+https://evil.example/x.git", "not from a repository"),
        ("x @ git+ssh://git@evil.example/x", "not from a repository"),
        ("x @ https://evil.example/x.whl", "not from an address"),
        ("https://evil.example/x.tar.gz", "not from an address"),
        ("x @ file:///etc/passwd", "not from an address"),
        ("./local", "not from a file"),
        ("/etc/passwd", "not from a file"),
        ("x-1.0-py3-none-any.whl", "not from a file"),
        ("flask==${SECRET}", "variables are not filled in"),
        ("flask --config-settings=a=b", "only `--hash`"),
        ("--no-binary :all:", "not built from source"),
        ("--pre", "name the version of the pre-release"),
        ("--unheard-of", "not known here"),
        ("-r ../other.txt", "only a file of this project"),
        ("-r https://evil.example/r.txt", "only a file of this project"),
        ("-r missing.txt", "there is no file `missing.txt`"),
        ("flask = 3", "this is not the name of a package"),
        ("flask==", "this is not the name of a package"),
        ("\x00", "this is not the name of a package"),
    ],
)
def test_a_line_that_cannot_be_used_is_named_with_the_reason(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path, {"requirements.txt": f"click\n\n{line}\n"})
    assert words in caught.value.message
    assert "`requirements.txt` line 3" in caught.value.message


def test_all_bad_lines_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="2 things are wrong") as caught:
        read(tmp_path, {"requirements.txt": "-e .\nflask\n???\n"})
    assert len(caught.value.details["problems"]) == 2


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("requirements.txt", b"\xff\x00\x81", "is not text"),
        ("requirements.txt", b"flask\n" * 200_000, "too large"),
        ("requirements.txt", "".join(f"p{n}\n" for n in range(1001)).encode(), "1000 is the most"),
        ("pyproject.toml", b"[project\n", "cannot be read: .*line 1"),
        ("pyproject.toml", b"[project]\ndependencies = 'flask'\n", "not a list of texts"),
        ("pyproject.toml", b"[project]\ndependencies = ['a @ file:///x']\n", "not from an address"),
        ("pyproject.toml", b"[tool.poetry.dependencies]\nflask = '3'\n", "for Poetry"),
    ],
)
def test_a_broken_file_is_refused_in_plain_words(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        read(tmp_path, {name: content})


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for number, line in logical_lines(text):
        assert 1 <= number <= text.count("\n") + text.count("\r") + len(text) + 1
        assert line == line.strip() != ""
