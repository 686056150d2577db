"""GitHub against its fake: found before made, limits kept, refusals that say which permission is missing."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cloud_fakes.github import FakeGitHub
from cloud_fakes.github_places import ALL, Actor
from code_hosts.base import CodeHost
from code_hosts.github import GitHub
from code_hosts.slugs import slug_at
from contracts.errors import (
    AppError,
    Conflict,
    Forbidden,
    InvalidParams,
    NotFound,
    TooMany,
    Unauthorized,
    Unavailable,
)
from tests.real_project import git

TOKEN = "github_pat_" + "a1" * 20


def still() -> None:
    """A tick that lets everything go on."""


class Stand:
    def __init__(self, hub: FakeGitHub) -> None:
        self.hub = hub
        self.now = 0.0
        self.pauses: list[float] = []
        self.actor = hub.actors[TOKEN] = Actor("me")

    def pause(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)

    def host(self, token: str = TOKEN) -> CodeHost:
        return GitHub(token, base_url=self.hub.api_url, web_url=self.hub.url, pause=self.pause, clock=lambda: self.now)

    def lacking(self, permission: str) -> CodeHost:
        self.actor.permissions = {name: level for name, level in ALL.items() if name != permission}
        return self.host()

    def with_branches(self, folder: Path, slug: str = "me/notes") -> None:
        """A repository with `main` and, one commit on, `change`."""
        self.hub.add(slug)
        there = self.hub.git.folder / f"{slug}.git"
        git(folder, "init", "--quiet", "-b", "main", "w")
        for branch in ("main", "change"):
            git(folder / "w", "checkout", "--quiet", "-B", branch)
            git(folder / "w", "commit", "--quiet", "--allow-empty", "-m", branch)
            git(folder / "w", "push", "--quiet", str(there), branch)


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Stand]:
    with FakeGitHub(tmp_path / "hub") as hub:
        yield Stand(hub)


def told(error: AppError) -> str:
    return f"{error.message} {error.hint} {error.details}"


def test_it_says_whose_token_it_is(stand: Stand) -> None:
    assert stand.host().check().who == "me"


def test_a_token_that_has_ended_is_said_without_showing_it(stand: Stand) -> None:
    ended = "github_pat_" + "zz" * 20
    with pytest.raises(Unauthorized, match="does not accept the token") as refused:
        stand.host(ended).check()
    assert ended not in told(refused.value) and "credentials set github" in refused.value.hint


def test_a_repository_is_made_and_found(stand: Stand) -> None:
    made = stand.host().create_repository("notes", private=True, description="My notes", tick=still)
    assert (made.slug, made.private, made.new, made.may_push) == ("me/notes", True, True, True)
    assert made.address == f"{stand.hub.url}/me/notes.git" == stand.host().address_of("me/notes")
    found = stand.host().repository("notes", tick=still)
    assert found.slug == "me/notes" and not found.new and found.default_branch == "main"
    assert stand.hub.places["me/notes"].description == "My notes"


def test_an_address_that_the_host_says_is_not_trusted(stand: Stand) -> None:
    """The fake says that clones are elsewhere; a token would go there."""
    found = stand.host().create_repository("notes", private=True, description="", tick=still)
    assert "elsewhere.example" not in f"{found.address} {found.page}"


def test_a_name_that_is_taken_gives_the_repository_that_is_there(stand: Stand) -> None:
    stand.hub.add("me/notes", private=False)
    found = stand.host().create_repository("notes", private=True, description="", tick=still)
    assert not found.new and not found.private


def test_a_repository_can_be_made_for_an_organisation(stand: Stand) -> None:
    stand.hub.members["club"] = frozenset({"me"})
    assert stand.host().create_repository("club/notes", private=True, description="", tick=still).slug == "club/notes"
    with pytest.raises(NotFound, match="`strangers`"):
        stand.host().create_repository("strangers/notes", private=True, description="", tick=still)


@pytest.mark.parametrize("what", [{"cut_answer": True}, {"cut_after": 0}])
def test_a_lost_answer_makes_no_second_repository(stand: Stand, what: dict[str, Any]) -> None:
    stand.hub.trouble("POST /api/user/repos", **what)
    if "cut_after" in what:
        with pytest.raises(Unavailable):
            stand.host().create_repository("notes", private=True, description="", tick=still)
        assert not stand.hub.places
    else:
        assert stand.host().create_repository("notes", private=True, description="", tick=still).slug == "me/notes"
    assert stand.hub.counted("POST /api/user/repos") == 1


@pytest.mark.parametrize("name", ["", "a b", "a/b/c", "../x", "..", "x" * 101, "ä", "-/x", "a?b"])
def test_a_name_that_no_repository_can_have_is_refused_here(stand: Stand, name: str) -> None:
    with pytest.raises(InvalidParams, match="not the name of a repository"):
        stand.host().repository(name, tick=still)
    assert stand.hub.requests == []


def test_what_is_not_there_and_what_may_not_be_seen_are_told_alike(stand: Stand) -> None:
    stand.hub.add("you/secret")
    for slug in ("you/secret", "me/nothing"):
        with pytest.raises(NotFound, match=r"or the token may not see it") as refused:
            stand.host().repository(slug, tick=still)
        assert slug in refused.value.message and "lacks access" in refused.value.hint


def test_a_repository_that_was_renamed_is_found_under_its_new_name(stand: Stand) -> None:
    stand.hub.add("me/old")
    stand.hub.rename("me/old", "me/new")
    assert stand.host().repository("me/old", tick=still).slug == "me/new"


def test_a_redirect_to_another_place_is_not_followed(stand: Stand) -> None:
    stand.hub.add("me/old")
    stand.hub.trouble("GET /api/repos", status=301, headers={"location": "https://elsewhere.example/repos/me/old"})
    with pytest.raises(Unavailable, match="elsewhere"):
        stand.host().repository("me/old", tick=still)


@pytest.mark.parametrize(
    ("permission", "words", "act"),
    [
        (
            "administration",
            "Administration: write",
            lambda host: host.create_repository("x", private=True, description="", tick=still),
        ),
        (
            "pull_requests",
            "Pull requests: read",
            lambda host: host.open_pull_request("me/notes", "change", "main", "t", "b", tick=still),
        ),
        ("issues", "Issues: write", lambda host: host.create_issue("me/notes", "t", "b", (), "k", tick=still)),
        ("issues", "Issues: read", lambda host: host.issues("me/notes", state="open", limit=5, tick=still)),
    ],
)
def test_a_refusal_names_the_permission_that_is_missing(stand: Stand, permission: str, words: str, act: Any) -> None:
    stand.hub.add("me/notes")
    with pytest.raises(Forbidden, match=f"lacks the permission {words}") as refused:
        act(stand.lacking(permission))
    assert refused.value.details["permission"] == words and TOKEN not in told(refused.value)


def test_a_token_of_the_older_kind_is_told_which_scope_it_lacks(stand: Stand) -> None:
    stand.hub.add("me/notes")
    stand.actor.classic = True
    with pytest.raises(Forbidden, match="lacks the permission `repo`"):
        stand.lacking("issues").create_issue("me/notes", "t", "b", (), "k", tick=still)


def test_several_ways_to_be_allowed_are_all_named(stand: Stand) -> None:
    accepted = {"x-accepted-github-permissions": "issues=read,metadata=read; pull_requests=read"}
    stand.hub.trouble("GET /api/user", status=403, headers=accepted)
    with pytest.raises(Forbidden, match="Issues: read and Metadata: read or Pull requests: read"):
        stand.host().check()


def test_an_organisation_that_wants_the_token_approved_is_told(stand: Stand) -> None:
    stand.hub.trouble("GET /api/user", status=403, headers={"x-github-sso": "required; url=https://x"})
    with pytest.raises(Forbidden, match="approved"):
        stand.host().check()


def test_a_pull_request_is_opened_once_for_a_branch(stand: Stand, tmp_path: Path) -> None:
    stand.with_branches(tmp_path)
    first = stand.host().open_pull_request("me/notes", "change", "main", "Better", "Why", tick=still)
    assert (first.number, first.new, first.page) == (1, True, f"{stand.hub.url}/me/notes/pull/1")
    second = stand.host().open_pull_request("me/notes", "change", "main", "Better", "Why", tick=still)
    assert (second.number, second.new) == (1, False) and stand.hub.counted("POST") == 1


def test_a_lost_answer_opens_no_second_pull_request(stand: Stand, tmp_path: Path) -> None:
    stand.with_branches(tmp_path)
    stand.hub.trouble("POST /api/repos/me/notes/pulls", cut_answer=True)
    assert stand.host().open_pull_request("me/notes", "change", "main", "Better", "", tick=still).number == 1
    assert len(stand.hub.places["me/notes"].pulls) == 1


def test_one_that_somebody_opened_in_the_same_moment_is_given_back(stand: Stand, tmp_path: Path) -> None:
    stand.with_branches(tmp_path)
    stand.host().open_pull_request("me/notes", "change", "main", "Better", "", tick=still)
    stand.hub.trouble("GET /api/repos/me/notes/pulls", instead=(200, {"content-type": "application/json"}, b"[]"))
    again = stand.host().open_pull_request("me/notes", "change", "main", "Better", "", tick=still)
    assert again.number == 1 and not again.new


def test_a_pull_request_that_makes_no_sense_is_explained(stand: Stand, tmp_path: Path) -> None:
    stand.with_branches(tmp_path)
    host = stand.host()
    with pytest.raises(Conflict, match="nothing that `change` does not have"):
        host.open_pull_request("me/notes", "main", "change", "t", "", tick=still)
    with pytest.raises(InvalidParams, match="no branch `trunk`"):
        host.open_pull_request("me/notes", "change", "trunk", "t", "", tick=still)
    git(tmp_path / "w", "checkout", "--quiet", "--orphan", "other")
    git(tmp_path / "w", "commit", "--quiet", "--allow-empty", "-m", "other")
    git(tmp_path / "w", "push", "--quiet", str(stand.hub.git.folder / "me/notes.git"), "other")
    with pytest.raises(Conflict, match="no commit in common"):
        host.open_pull_request("me/notes", "other", "main", "t", "", tick=still)


def test_issues_are_listed_over_all_pages_and_without_pull_requests(stand: Stand, tmp_path: Path) -> None:
    stand.with_branches(tmp_path)
    host = stand.host()
    host.open_pull_request("me/notes", "change", "main", "Not an issue", "", tick=still)
    place = stand.hub.places["me/notes"]
    for number in range(2, 152):
        about = {"number": number, "title": f"No {number}", "state": "open", "user": {"login": "you"}}
        place.issues.append({**about, "created_at": "2026-11-17T10:00:00Z", "labels": [{"name": "bug"}], "body": None})
    found = host.issues("me/notes", state="open", limit=120, tick=still)
    assert [issue.number for issue in found] == list(range(151, 31, -1)) and found[0].labels == ("bug",)
    assert stand.hub.counted("GET /api/repos/me/notes/issues") == 2
    assert host.issues("me/notes", state="closed", limit=5, tick=still) == []


def test_an_issue_is_opened_and_found_again_by_a_mark_that_nobody_sees(stand: Stand) -> None:
    stand.hub.add("me/notes")
    host = stand.host()
    made = host.create_issue("me/notes", "It breaks", "Here is how", ("bug",), "task-1", tick=still)
    assert (made.number, made.title, made.body, made.labels) == (1, "It breaks", "Here is how", ("bug",))
    found = host.find_issue("me/notes", "task-1", tick=still)
    assert found == made and host.find_issue("me/notes", "task-2", tick=still) is None


def test_a_lost_answer_opens_no_second_issue(stand: Stand) -> None:
    stand.hub.add("me/notes")
    stand.hub.trouble("POST /api/repos/me/notes/issues", cut_answer=True)
    assert stand.host().create_issue("me/notes", "t", "b", (), "task-1", tick=still).number == 1
    assert len(stand.hub.places["me/notes"].issues) == 1


def test_a_repository_without_issues_is_told(stand: Stand) -> None:
    stand.hub.add("me/notes", issues_on=False)
    with pytest.raises(Conflict, match="switched off"):
        stand.host().create_issue("me/notes", "t", "b", (), "k", tick=still)
    with pytest.raises(Conflict, match="switched off"):
        stand.host().issues("me/notes", state="open", limit=5, tick=still)


@pytest.mark.parametrize("status", [403, 429])
def test_a_limit_that_says_how_long_is_waited_for(stand: Stand, status: int) -> None:
    stand.hub.trouble("GET /api/user", status=status, headers={"retry-after": "7"})
    assert stand.host().check().who == "me" and sum(stand.pauses) == 7


def test_a_limit_that_ends_at_a_given_moment_is_waited_for(stand: Stand) -> None:
    until = str(int(time.time()) + 20)
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": until}
    stand.hub.trouble("GET /api/user", status=403, headers=headers)
    assert stand.host().check().who == "me" and 15 <= sum(stand.pauses) <= 21


def test_a_limit_that_says_nothing_is_waited_for_a_minute_and_then_two(stand: Stand) -> None:
    stand.hub.trouble("POST", status=403, code="You have exceeded a secondary rate limit", times=2)
    stand.host().create_repository("notes", private=True, description="", tick=still)
    assert sum(stand.pauses) == 180 and stand.hub.counted("POST") == 3


def test_a_limit_that_lasts_longer_than_one_waits_is_told(stand: Stand) -> None:
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time()) + 3000)}
    stand.hub.trouble("GET /api/user", status=403, headers=headers)
    with pytest.raises(TooMany, match="asked too often") as refused:
        stand.host().check()
    assert "about 50 minutes" in refused.value.hint and not stand.pauses


def test_whoever_waits_for_a_limit_can_stop(stand: Stand) -> None:
    class Stopped(Exception):
        pass

    def stop() -> None:
        if stand.pauses:
            raise Stopped

    stand.hub.add("me/notes")
    stand.hub.trouble("GET /api/repos", status=429, headers={"retry-after": "50"})
    with pytest.raises(Stopped):
        stand.host().repository("me/notes", tick=stop)


def test_two_changes_are_a_second_apart(stand: Stand) -> None:
    stand.hub.add("me/notes")
    host = stand.host()
    for number in range(3):
        host.create_issue("me/notes", "t", "b", (), f"task-{number}", tick=still)
    assert sum(stand.pauses) == 2


def test_a_host_in_trouble_is_asked_again_and_then_told(stand: Stand) -> None:
    stand.hub.trouble("GET /api/user", status=502, times=2)
    assert stand.host().check().who == "me"
    stand.hub.trouble("GET /api/user", status=502, times=9)
    with pytest.raises(Unavailable, match="in trouble"):
        stand.host().check()


def test_the_address_of_a_repository_tells_whether_it_is_here() -> None:
    assert slug_at("https://github.com", "https://github.com/me/notes.git") == "me/notes"
    assert slug_at("https://github.com", "https://GitHub.com/me/notes") == "me/notes"
    for other in ("https://github.com.evil.example/me/notes", "http://github.com/me/notes", "https://github.com/me"):
        assert slug_at("https://github.com", other) == ""
