"""Addresses of other repositories: what is taken, what is refused, and that no refusal repeats a password."""

import pytest

from contracts.errors import InvalidParams
from repositories.addresses import address_of


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://github.com/me/notes.git", "https://github.com/me/notes.git"),
        (" https://GitHub.com:443/me/notes/ ", "https://github.com/me/notes"),
        ("https://git.example.org:8443/a/b/c.git", "https://git.example.org:8443/a/b/c.git"),
        ("http://127.0.0.1:8000/me/x.git", "http://127.0.0.1:8000/me/x.git"),
        ("http://[::1]:8000/me/x.git", "http://[::1]:8000/me/x.git"),
        ("http://localhost/x.git", "http://localhost/x.git"),
    ],
)
def test_a_clean_address_is_taken(text: str, url: str) -> None:
    assert address_of(text).url == url


def test_the_same_repository_is_recognised_however_it_is_written() -> None:
    first = address_of("https://github.com/Me/Notes.git")
    assert first.same_as == address_of("https://GITHUB.com/me/notes/").same_as
    assert first.same_as != address_of("https://github.com/me/notes2").same_as


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("git@github.com:me/notes.git", "ssh"),
        ("ssh://git@github.com/me/notes.git", "user name or password"),
        ("ssh://github.com/me/notes.git", "ssh"),
        ("file:///etc", "begin with `https:`"),
        ("/srv/git/x.git", "begin with `https:`"),
        ("../x.git", "begin with `https:`"),
        ("ext::sh -c evil% >&2", "begin with `https:`"),
        ("http://github.com/me/notes.git", "readable over the network"),
        ("http://127.0.0.1.evil.example/x.git", "readable over the network"),
        ("https://github.com", "not the address"),
        ("https:///x.git", "not the address"),
        ("https://github.com/me/notes.git?x=1", "not the address"),
        ("https://github.com/me/notes.git#x", "not the address"),
        ("https://github.com/a/../b", "not the address"),
        ("https://github.com/a b", "not the address"),
        ("https://github.com/a\nb/c", "not the address"),
        ("https://-oProxy/x", "not the address"),
        ("https://github.com:99999/x", "not the address"),
        ("https://[::1/x", "not the address"),
        ("--upload-pack=evil", "begin with `https:`"),
        ("", "begin with `https:`"),
        ("https://github.com/" + "x" * 600, "too long"),
    ],
)
def test_other_addresses_are_refused_in_plain_words(text: str, words: str) -> None:
    with pytest.raises(InvalidParams, match=words) as refused:
        address_of(text)
    assert refused.value.hint


def test_an_address_over_ssh_is_answered_with_the_one_that_works() -> None:
    with pytest.raises(InvalidParams) as refused:
        address_of("git@github.com:me/notes.git")
    assert "https://github.com/me/notes.git" in refused.value.hint


def test_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(InvalidParams) as refused:
        address_of("https://me:hunter2secret@github.com/me/notes.git")
    assert "hunter2secret" not in f"{refused.value.message} {refused.value.hint} {refused.value.details}"
