import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import SecretInCommand
from credential_door import SecretDoor
from credential_kinds import kind_of

STORED = "an-older-token-without-a-prefix"
GITHUB = "ghp_" + "a1" * 18
LOOKS = {
    "github": GITHUB,
    "vercel": "vcp_" + "a1" * 12,
    "netlify": "nfp_" + "a1" * 18,
    "render": "rnd_" + "a1" * 14,
    "git": "glpat-" + "a1" * 10,
}


def door(hidden: list[str] | None = None) -> SecretDoor:
    return SecretDoor(lambda: [(kind_of("vercel"), STORED)], (hidden if hidden is not None else []).append)


def refused(said: Any) -> SecretInCommand:
    with pytest.raises(SecretInCommand) as caught:
        door()(said)
    text = json.dumps([caught.value.message, caught.value.hint, caught.value.details])
    assert not any(secret in text for secret in (STORED, *LOOKS.values()))
    return caught.value


@pytest.mark.parametrize("name", LOOKS)
def test_what_looks_like_a_token_is_sent_to_its_place(name: str) -> None:
    error = refused({"goal": f"deploy it with\n{LOOKS[name]}, please"})
    assert f"`./agent credentials set {name}`" in error.hint
    assert error.details == {"account": name}


@pytest.mark.parametrize(
    "said",
    [
        STORED,
        f"use {STORED}",
        STORED.encode(),
        {"intent": "deploy_app", "params": {"env": {"TOKEN": STORED}}},
        {"steps": [{"intent": "create_file", "content": f"x = '{STORED}'"}]},
        {"answers": {STORED: "x"}},
        {"content": base64.b64encode(f"TOKEN={STORED}".encode()).decode(), "encoding": "base64"},
        b"\0\xff" + GITHUB.encode() + b"\0",
        {"reason": f"\ud800 {STORED}"},
    ],
)
def test_a_secret_is_found_wherever_it_stands(said: Any) -> None:
    refused(said)


def test_a_token_that_was_seen_is_blanked_from_then_on() -> None:
    hidden: list[str] = []
    with pytest.raises(SecretInCommand):
        door(hidden)(f"it is {GITHUB}")
    assert hidden == [GITHUB]


@pytest.mark.parametrize(
    "said",
    [
        "Build a shop with a vcp_ prefix for coupons",
        {"intent": "create_file", "content": "token = os.environ['GITHUB_TOKEN']  # ghp_..."},
        {"content": "not base64!", "encoding": "base64"},
        {"content": 5, "encoding": "base64"},
        {"aws": "AKIAABCDEFGHIJKLMNOP"},
        [None, True, 1, 1.5, {}, [[]]],
        b"",
    ],
)
def test_what_holds_no_secret_of_a_known_account_goes_through(said: Any) -> None:
    door()(said)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.text(alphabet=" \n\"'=:,.{}äß"), st.integers(0, 3))
def test_no_wrapping_hides_a_secret(beside: Any, around: str, depth: int) -> None:
    said: Any = f"{around}{GITHUB}{around}"
    for number in range(depth):
        said = [beside, said] if number % 2 else {"beside": beside, "said": said}
    refused(said)
