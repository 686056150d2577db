"""What package managers say becomes a sentence with a remedy; and the list of known packages."""

import json
from pathlib import Path

import pytest

from contracts.errors import AppError, BadSettings
from environments import npm_errors, pip_errors
from environments.allow_list import AllowList
from environments.dependency_graph import vouched
from tests.environments.shop import ALLOWED

ROOT = Path(__file__).resolve().parents[2]
PIP = [
    ("ERROR: Could not install packages: [Errno 28] No space left on device", "no room on the disk", "Free some space"),
    ("WARNING: 401 Error, Credentials not correct for http://u:p@x/simple", "refuses this machine", "password"),
    ("ERROR: User for index.example: ERROR: EOFError: EOF when reading a line", "refuses this machine", "password"),
    (
        "WARNING: Retrying: NameResolutionError\nERROR: No matching distribution found for flask",
        "index cannot be reached",
        "Check the network",
    ),
    (
        "ERROR: Package 'x' requires a different Python: 3.11.2 not in '>=3.99'",
        "`x` does not work with Python 3.11.2: it needs >=3.99",
        "another version",
    ),
    ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "hash", "Do not use it"),
    ("ERROR: In --require-hashes mode, all requirements must have their versions pinned", "hash and others", "or none"),
    ("ERROR: odd http://user:word@index.example/x", "could not be fetched: odd http://index.example/x", "try again"),
]
NPM = [
    ("npm ERR! code ENOSPC\nnpm ERR! nospc", "no room on the disk", "Free some space"),
    ("npm error code EAI_AGAIN\nnpm error request failed", "registry cannot be reached", "Check the network"),
    ("npm error code E401\nnpm error Unable to authenticate", "refuses this machine", "password"),
    ("npm error code EALLOWGIT\nnpm error git", "does not come from the package registry", "another package"),
    ("npm error code EODD\nnpm error something else", "could not be fetched: something else", "try again"),
    (
        "npm error code ERESOLVE\nnpm error ERESOLVE could not resolve\nnpm error\nnpm error While resolving: b@1.0.0\n"
        "npm error Found: react@19.0.0\nnpm error\nnpm error Could not resolve dependency:\n"
        'npm error peer react@"^17" from b@1.0.0\n',
        '`b@1.0.0` needs `react@"^17"`; there is `react@19.0.0`',
        "Change the version",
    ),
]


@pytest.mark.parametrize(("said", "words", "hint"), PIP)
def test_pips_last_words_become_a_sentence_with_a_remedy(said: str, words: str, hint: str) -> None:
    check(pip_errors.in_words(said), words, hint)


@pytest.mark.parametrize(("said", "words", "hint"), NPM)
def test_npms_last_words_become_a_sentence_with_a_remedy(said: str, words: str, hint: str) -> None:
    check(npm_errors.in_words(said, ALLOWED), words, hint)


def check(error: AppError, words: str, hint: str) -> None:
    assert words in error.message
    assert hint in error.hint
    assert "word@" not in error.message


def test_the_shipped_list_holds_real_names_and_knows_its_own() -> None:
    path = ROOT / "config" / "allowed_deps.json"
    found = json.loads(path.read_text())
    assert all(names == sorted(set(names)) and len(names) > 200 for names in found.values())
    allowed = AllowList.load(path)
    assert allowed.has("python", "Flask")
    assert allowed.has("python", "python_dateutil")
    assert allowed.has("node", "@types/node")
    assert not allowed.has("node", "flask")
    assert allowed.near("python", "reqests") == "requests"
    assert allowed.near("python", "requests") == ""
    assert allowed.near("python", "quite-another-thing") == ""


def test_a_missing_list_is_empty_and_a_broken_one_is_refused(tmp_path: Path) -> None:
    assert not AllowList.load(tmp_path / "none.json").has("python", "flask")
    for text in ("{", "[]", '{"python": "flask"}', '{"ruby": []}', '{"node": [1]}'):
        (tmp_path / "list.json").write_text(text)
        with pytest.raises(BadSettings):
            AllowList.load(tmp_path / "list.json")


def test_trust_reaches_down_from_the_list_and_never_up() -> None:
    needed = {"app": {"flask", "odd"}, "flask": {"click"}, "click": {"flask"}, "odd": {"requests"}}
    assert vouched({"flask"}, needed) == {"flask", "click"}
    assert vouched((), needed) == set()
