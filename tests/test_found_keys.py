"""Keys are recognised, and ordinary text is not taken for one."""

import pytest

from found_keys import KEYS, LONGEST_SEARCH, key_by_name, keys_in

SAMPLES = {
    b"-----BEGIN ": b"OPENSSH PRIVATE KEY-----",
    b"AKIA": b"ABCDEFGHIJKLMNOP",
    b"ASIA": b"ABCDEFGHIJKLMNOP",
    b"github_pat_": b"11AAAA_" + b"a1" * 20,
    b"glpat-": b"a1" * 12,
    b"sk-": b"proj-abcdef0123456789abcdef",
    b"sk_live_": b"a1" * 12,
    b"rk_live_": b"a1" * 12,
    b"xox": b"b-123456789012-abcdef",
    b"AIza": b"a1" * 17 + b"b",
    b"GOCSPX-": b"a1" * 14,
    b"1//0": b"a1" * 30,
    b"npm_": b"a1" * 18,
    b"pypi-AgE": b"a1" * 30,
    b"hf_": b"a1" * 17,
    b"SG.": b"a1" * 11 + b"." + b"a1" * 21,
    b"rnd_": b"a1" * 14,
    **dict.fromkeys((b"vcp_", b"vci_", b"vca_", b"vcr_", b"vck_"), b"a1" * 12),
    **dict.fromkeys((b"nfp_", b"nfc_", b"nfo_", b"nfu_", b"nfb_"), b"a1" * 18),
    **dict.fromkeys((b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"), b"a1" * 18),
}


@pytest.mark.parametrize(("kind", "beginning", "rest"), KEYS, ids=lambda value: str(value)[:20])
def test_every_kind_of_key_is_found_and_named(kind: str, beginning: bytes, rest: object) -> None:
    key = beginning + SAMPLES[beginning]
    assert keys_in(b"x = '" + key + b"'\n") == {key: kind}
    assert keys_in(key) == {key: kind}
    assert keys_in(b"\0" * 100 + key + b"\0") == {key: kind}
    assert keys_in(b"word" + key) == {}
    assert keys_in(key[: len(beginning) + 8]) == {}


@pytest.mark.parametrize(
    "text",
    [
        b"task-risk-aware-planning-for-everyone",
        b"sk-learn-contrib-project-templates",
        b"-----BEGIN PUBLIC KEY-----",
        b"",
    ],
)
def test_ordinary_text_has_none(text: bytes) -> None:
    assert keys_in(text) == {}


def test_only_the_beginning_of_a_huge_file_is_searched() -> None:
    key = b"AKIA" + b"ABCDEFGHIJKLMNOP"
    assert keys_in(b" " * LONGEST_SEARCH + key) == {}
    assert keys_in(b" " * (LONGEST_SEARCH - 100) + key) != {}


@pytest.mark.parametrize("path", [".env", "a/.env", ".env.local", ".ENV", "id_rsa", "home/.netrc"])
def test_some_names_alone_tell(path: str) -> None:
    assert key_by_name(path)


@pytest.mark.parametrize(
    "path", [".env.example", ".env.sample", "env", "environment", ".envrc.md", "id_rsa.pub", "x.pem"]
)
def test_other_names_do_not(path: str) -> None:
    assert key_by_name(path) is None
