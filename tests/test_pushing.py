"""Pushing to a real git server over HTTP: what arrives, what never leaves, and what is said when it does not work."""

import base64
import hashlib
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import git as gitpython
import pytest

from cloud_fakes.git_http import FakeGitServer
from contracts.errors import (
    AppError,
    Conflict,
    Failed,
    Forbidden,
    InvalidParams,
    NotFound,
    TooLarge,
    TooMany,
    Unauthorized,
    Unavailable,
)
from git_manager import GitManager, Login, Outgoing, Pushed, PushWish, address_of
from tests.real_project import CLEAN_ENVIRONMENT, RealProject, git

TOKEN = "tok-8f2b6c1d90aa4e77"
LOGIN = Login("x-access-token", TOKEN)
ENCODED = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()
FOUND_KEY = "ghp_" + "a1B2" * 10
NAME = "me/notes.git"


class Pair:
    """A project here and a server there."""

    def __init__(self, folder: Path, server: FakeGitServer) -> None:
        self.pauses: list[float] = []
        self.said: list[str] = []
        self.server = server
        manager = GitManager(folder / "work", pause=self.pauses.append)
        self.project = RealProject(folder / "work", manager=manager)
        self.project.repo.history()
        self.server.tokens.add(TOKEN)
        self.server.repositories.create(NAME)
        self.there = server.repositories.folder / NAME

    def wish(self, **more: Any) -> PushWish:
        return PushWish(**{"address": address_of(f"{self.server.url}/{NAME}"), "login": LOGIN, **more})

    def push(self, tick: Any = lambda: None, **more: Any) -> Pushed:
        return self.project.manager.push(self.project.name, self.wish(**more), say=self.said.append, tick=tick)

    def outgoing(self) -> Outgoing:
        with self.project.repo.departure() as departure:
            return departure.outgoing(self.wish())

    def origin(self) -> str:
        with self.project.repo.departure() as departure:
            return departure.origin()

    def refs(self) -> dict[str, str]:
        return self.server.repositories.refs(NAME)

    def head(self) -> str:
        return self.project.git("rev-parse", "HEAD").strip()

    def commit(self, path: str, text: str, message: str = "By hand") -> str:
        """A commit made with git itself, past the agent's own rules."""
        self.project.write(path, text.encode())
        self.project.git("add", "--force", path)
        self.project.git("commit", "--quiet", "-m", message)
        return self.head()

    def elsewhere(self, folder: Path) -> None:
        """Somebody else pushes a commit."""
        git(folder, "clone", "--quiet", str(self.there), "other")
        (folder / "other" / "theirs.txt").write_text("theirs")
        git(folder / "other", "add", ".")
        git(folder / "other", "commit", "--quiet", "-m", "Theirs")
        git(folder / "other", "push", "--quiet", "origin", "HEAD:main")

    def posts(self) -> int:
        return self.server.counted("POST /me/notes.git/git-receive-pack")


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    with FakeGitServer(tmp_path / "server") as server:
        yield Pair(tmp_path, server)


def test_the_history_arrives_and_nothing_of_the_agents_own_does(pair: Pair) -> None:
    pair.project.put("a.txt", b"one\n")
    pair.project.put("a.txt", b"two\n")
    assert pair.project.git("for-each-ref", "refs/agent").count("\n") >= 4
    pushed = pair.push()
    assert pair.refs() == {"refs/heads/main": pair.head()}
    pair.push()
    assert pair.refs() == {"refs/heads/main": pair.head()}, "nor what the agent notes about pushes"
    assert (pushed.commit, pushed.branch, pushed.commits, pushed.before) == (pair.head(), "main", 2, "")
    objects = git(pair.there, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype)").split()
    assert objects.count("commit") == 2, "snapshots stay here"


def test_what_arrived_reads_the_same_for_another_library(pair: Pair) -> None:
    pair.commit("a.txt", "one\n", "First")
    pair.commit("b/c.txt", "two\n", "Second")
    pair.push()
    with gitpython.Repo(pair.there) as there:
        newest = there.commit("main")
        assert (newest.hexsha, newest.message.strip()) == (pair.head(), "Second")
        assert [str(commit.message).strip() for commit in there.iter_commits("main")][:2] == ["Second", "First"]
        assert newest.tree["b/c.txt"].data_stream.read() == b"two\n"


def test_all_commits_since_the_last_push_go_in_one(pair: Pair) -> None:
    pair.project.put("a.txt", b"0")
    pair.push()
    for number in range(5):
        pair.project.put("a.txt", b"%d" % number * 3)
    pushed = pair.push()
    assert pushed.commits == 5 and len(pushed.titles) == 5 and pair.posts() == 2
    assert pair.refs()["refs/heads/main"] == pair.head()


def test_a_push_of_what_is_there_already_sends_nothing(pair: Pair) -> None:
    pair.project.put("a.txt")
    pair.push()
    again = pair.push()
    assert again.commits == 0 and again.before == again.commit and pair.posts() == 1


def test_where_it_was_pushed_is_remembered_as_git_does(pair: Pair) -> None:
    pair.project.put("a.txt")
    assert not pair.outgoing().known_place
    pair.push()
    assert pair.origin() == pair.wish().address.url
    assert pair.project.git("rev-parse", "origin/main").strip() == pair.head()
    pair.project.put("b.txt")
    out = pair.outgoing()
    assert out.known_place and out.commits == 1 and out.size == 2
    assert "ahead 1" in pair.project.git(
        "-c", "branch.main.remote=origin", "-c", "branch.main.merge=refs/heads/main", "status", "--short", "--branch"
    )


def test_a_place_that_only_the_owner_has_pushed_to_is_new_to_the_agent(pair: Pair, tmp_path: Path) -> None:
    pair.commit("a.txt", "a")
    pair.push()
    url = pair.wish().address.url
    git(tmp_path / "work", "clone", "--quiet", str(pair.there), "clone")
    clone = RealProject(tmp_path / "work", "clone", manager=pair.project.manager)
    clone.git("remote", "set-url", "origin", url)
    clone.put("b.txt")
    with clone.repo.departure() as departure:
        out = departure.outgoing(pair.wish())
    assert out.commits == 1 and not out.known_place, "what was cloned is there, but the agent never sent anything"


def test_an_address_that_the_owner_gave_another_name_is_left_as_it_is(pair: Pair) -> None:
    pair.project.put("a.txt")
    pair.project.git("remote", "add", "origin", "https://example.org/else.git")
    pair.project.git("remote", "add", "mine", f"{pair.server.url}/me/notes")
    pair.push()
    assert pair.project.git("remote").split() == ["mine", "origin"]
    assert pair.project.git("rev-parse", "mine/main").strip() == pair.head()
    assert pair.origin() == "https://example.org/else.git"


def command_lines() -> dict[int, list[str]]:
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                found[int(folder.name)] = (folder / "cmdline").read_bytes().decode().split("\0")
            except OSError:
                continue
    return found


def test_while_git_pushes_the_token_is_in_no_command_line(pair: Pair) -> None:
    pair.project.put("a.txt")
    go_on, asked = threading.Event(), threading.Event()
    seen: list[dict[int, list[str]]] = []

    def look() -> None:
        if any("receive-pack" in line for line in pair.server.requests) and not asked.is_set():
            asked.set()
            seen.append(command_lines())
            go_on.set()

    pair.server.trouble("service=git-receive-pack", until=go_on)
    pair.push(tick=look)
    ours = {pid: line for pid, line in seen[0].items() if any(pair.server.url in word for word in line)}
    assert any(line[:2] == ["git", "push"] for line in ours.values()), "the one that was started"
    assert any("remote-http" in " ".join(line) for line in ours.values()), "and its own child, which has the token"
    everything = str(seen[0])
    assert TOKEN not in everything and ENCODED not in everything


def test_after_a_push_the_token_is_in_no_file(pair: Pair, tmp_path: Path) -> None:
    pair.project.put("a.txt")
    pair.push()
    for file in tmp_path.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert TOKEN.encode() not in data and ENCODED.encode() not in data, file
    assert TOKEN not in repr(LOGIN) and TOKEN not in str(pair.said)


@pytest.mark.parametrize(
    ("what", "kind", "words"),
    [
        ({"status": 401}, Unauthorized, "does not accept the token"),
        ({"status": 403}, Forbidden, "may not push"),
        ({"status": 404}, NotFound, "no repository"),
        ({"status": 302, "headers": {"location": "https://example.org/x"}}, NotFound, "moved"),
        ({"status": 418}, Failed, "418"),
        ({"status": 429}, TooMany, "too many"),
        ({"instead": (200, {"content-type": "text/html"}, b"<html>Sign in</html>")}, NotFound, "no git repository"),
    ],
)
def test_a_refusal_is_said_in_plain_words_and_without_the_token(
    pair: Pair, what: dict[str, Any], kind: type[AppError], words: str
) -> None:
    pair.project.put("a.txt")
    pair.server.trouble("info/refs", times=99, **what)
    with pytest.raises(kind, match=words) as refused:
        pair.push()
    told = f"{refused.value.message} {refused.value.hint} {refused.value.details}"
    assert refused.value.hint and TOKEN not in told and ENCODED not in told
    assert not pair.pauses, "trying again would not help"


def test_a_token_that_nobody_knows_is_refused_without_waiting_for_anybody_to_type(pair: Pair) -> None:
    pair.project.put("a.txt")
    with pytest.raises(Unauthorized):
        pair.push(login=Login("x-access-token", "wrong-token-1"))
    with pytest.raises(Unauthorized):
        pair.push(login=None)
    assert pair.refs() == {}


def test_a_token_that_may_only_read_is_told_so(pair: Pair) -> None:
    pair.project.put("a.txt")
    pair.server.read_only.add("read-only-1")
    with pytest.raises(Forbidden, match="may not push"):
        pair.push(login=Login("x-access-token", "read-only-1"))


def test_a_redirect_is_not_followed_so_the_token_goes_nowhere_else(pair: Pair, tmp_path: Path) -> None:
    pair.project.put("a.txt")
    with FakeGitServer(tmp_path / "thief") as thief:
        elsewhere = {"location": f"{thief.url}/{NAME}/info/refs?service=git-upload-pack"}
        pair.server.trouble("info/refs", status=302, headers=elsewhere, times=9)
        with pytest.raises(NotFound, match="moved"):
            pair.push()
        assert thief.requests == []


@pytest.mark.parametrize(
    ("where", "what"),
    [
        ("GET", {"status": 503}),
        ("GET", {"cut_after": 0}),
        ("POST", {"status": 502}),
        ("POST", {"cut_after": 0}),
        ("POST", {"cut_answer": True}),
    ],
)
def test_a_network_fault_is_tried_again_until_it_is_there_once(pair: Pair, where: str, what: dict[str, Any]) -> None:
    pair.project.put("a.txt")
    pair.server.trouble(f"{where} /{NAME}", times=2, **what)
    pushed = pair.push()
    assert pair.refs() == {"refs/heads/main": pair.head()} and pushed.commit == pair.head()
    assert pair.project.git("rev-parse", "origin/main").strip() == pair.head()


def test_a_server_that_stays_away_is_given_up_after_growing_pauses(pair: Pair) -> None:
    pair.project.put("a.txt")
    pair.server.trouble("info/refs", status=503, times=99)
    with pytest.raises(Unavailable, match="cannot be reached") as refused:
        pair.push()
    assert refused.value.retryable and sum(pair.pauses) == pytest.approx(15, abs=0.5)
    assert [line.rpartition(" in ")[2] for line in pair.said] == ["1 s", "2 s", "4 s", "8 s"]


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/x.git", "https://nowhere.invalid/x.git"])
def test_a_host_that_is_not_there_is_said(pair: Pair, address: str) -> None:
    pair.project.put("a.txt")
    with pytest.raises(Unavailable, match="cannot be reached"):
        pair.push(address=address_of(address))


def test_what_others_pushed_is_never_written_over(pair: Pair, tmp_path: Path) -> None:
    pair.project.put("a.txt")
    pair.push()
    pair.elsewhere(tmp_path)
    theirs = pair.refs()
    pair.project.put("b.txt")
    with pytest.raises(Conflict, match="commits that this project does not have") as refused:
        pair.push()
    assert "git fetch" in refused.value.hint and "open_pull_request" in refused.value.hint
    assert pair.refs() == theirs and pair.posts() == 1
    pushed = pair.push(branch="agent/mine")
    assert pushed.commits == 1 and pair.refs()["refs/heads/agent/mine"] == pair.head()


def test_a_history_that_was_rewritten_here_is_not_forced(pair: Pair) -> None:
    pair.project.put("a.txt")
    pair.commit("b.txt", "b")
    pair.push()
    there = pair.refs()
    pair.project.git("commit", "--quiet", "--amend", "-m", "Told differently")
    with pytest.raises(Conflict, match="commits that this project does not have"):
        pair.push()
    assert pair.refs() == there


def test_whoever_pushes_in_the_very_moment_keeps_what_he_pushed(pair: Pair, tmp_path: Path) -> None:
    pair.project.put("a.txt")
    pair.push()
    pair.project.put("b.txt")
    go_on = threading.Event()
    pair.server.trouble("service=git-receive-pack", until=go_on)

    def meanwhile() -> None:
        if not go_on.is_set() and "receive-pack" in pair.server.requests[-1]:
            pair.elsewhere(tmp_path)
            go_on.set()

    with pytest.raises(Conflict, match="commits that this project does not have"):
        pair.push(tick=meanwhile)
    assert git(pair.there, "log", "-1", "--format=%s", "main").strip() == "Theirs"


def test_a_key_in_an_earlier_commit_stays_here_and_its_place_is_named(pair: Pair) -> None:
    pair.project.put("a.txt")
    with_key = pair.commit("config.py", f"TOKEN = '{FOUND_KEY}'\n")
    pair.commit("config.py", "TOKEN = read()\n")
    with pytest.raises(Forbidden, match=r"`config.py` in commit .* holds a GitHub token") as refused:
        pair.outgoing()
    assert refused.value.details["found"] == [{"path": "config.py", "commit": with_key, "holds": "a GitHub token"}]
    with pytest.raises(Forbidden):
        pair.push()
    assert pair.refs() == {} and FOUND_KEY not in str(refused.value.details) + refused.value.message


def test_a_key_far_behind_in_a_large_file_is_found_too(pair: Pair) -> None:
    pair.commit("data.txt", "x" * (5 << 20) + f"\n{FOUND_KEY}\n")
    with pytest.raises(Forbidden, match=r"`data.txt` .* holds a GitHub token"):
        pair.push()


def test_a_file_whose_name_says_that_it_is_private_stays_here(pair: Pair) -> None:
    pair.commit(".env", "MODE=test\n")
    with pytest.raises(Forbidden, match=r"`.env` .* settings that are meant to stay private"):
        pair.push()


def test_what_is_there_already_is_not_looked_at_again(pair: Pair) -> None:
    pair.commit("sample.py", f"EXAMPLE = '{FOUND_KEY}'\n")
    pair.project.git("push", "--quiet", str(pair.there), "HEAD:main")
    pair.commit("sample.py", f"EXAMPLE = '{FOUND_KEY}'  # not a real one\n")
    assert pair.push().commits == 1


def test_a_merge_brings_nothing_that_one_side_had_already(pair: Pair) -> None:
    pair.commit("a.txt", "a")
    pair.project.git("checkout", "--quiet", "-b", "side")
    pair.commit("sample.py", f"EXAMPLE = '{FOUND_KEY}'\n")
    pair.project.git("push", "--quiet", str(pair.there), "side", "main")
    pair.project.git("checkout", "--quiet", "main")
    pair.commit("b.txt", "b")
    pair.project.git("merge", "--quiet", "--no-edit", "side")
    assert pair.push().commits == 2


def test_a_file_that_is_too_large_for_the_place_is_named(pair: Pair) -> None:
    pair.commit("film.bin", "x" * (3 << 20))
    with pytest.raises(TooLarge, match=r"`film.bin` has 3 MB"):
        pair.push(largest=2 << 20)
    assert pair.push(largest=4 << 20).commits == 1


def test_the_settings_and_hooks_of_the_project_have_no_say(pair: Pair, tmp_path: Path) -> None:
    pair.project.put("a.txt")
    trap = tmp_path / "trapped"
    hook = pair.project.path / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nenv > {trap}\n")
    hook.chmod(0o755)
    pair.project.git("config", f"url.{tmp_path}/elsewhere.git.insteadOf", pair.server.url)
    pair.project.git("config", "credential.helper", f"!env > {trap};")
    pair.project.git("config", "http.proxy", "http://127.0.0.1:9")
    pair.project.git("config", "push.followTags", "true")
    pair.project.git("tag", "-a", "-m", "x", "private-tag")
    pair.push()
    assert not trap.exists() and pair.refs() == {"refs/heads/main": pair.head()}


def test_the_environment_of_the_agent_has_no_say_but_for_proxies(tmp_path: Path, pair: Pair) -> None:
    pair.project.put("a.txt")
    trace = tmp_path / "trace"
    environ = {**CLEAN_ENVIRONMENT, "GIT_TRACE_CURL": str(trace), "GIT_TRACE_REDACT": "0", "GIT_DIR": "/nowhere"}
    GitManager(tmp_path / "work", environ=environ).push("p", pair.wish(), say=print, tick=lambda: None)
    assert not trace.exists() and pair.refs() == {"refs/heads/main": pair.head()}
    proxied = GitManager(
        tmp_path / "work", environ={**environ, "http_proxy": "http://127.0.0.1:9"}, pause=lambda seconds: None
    )
    with pytest.raises(Unavailable):
        proxied.tips("p", pair.wish(), tick=lambda: None)


def test_a_push_that_is_cancelled_ends_at_once_and_leaves_no_process(pair: Pair) -> None:
    pair.project.put("a.txt")
    never = threading.Event()
    pair.server.trouble("service=git-receive-pack", until=never)

    def stop() -> None:
        if any("receive-pack" in line for line in pair.server.requests):
            raise Conflict("The step was cancelled")

    with pytest.raises(Conflict, match="cancelled"):
        pair.push(tick=stop)
    while [line for line in command_lines().values() if any(pair.server.url in word for word in line)]:
        time.sleep(0.01)
    assert not never.is_set(), "it did not wait for the server"
    never.set()


def test_tags_of_deployments_go_along_when_asked_for(pair: Pair) -> None:
    pair.project.put("a.txt")
    pair.project.git("tag", "deploy/vercel/2026-11-17T10-00-00Z")
    pair.project.git("tag", "mine")
    pair.push()
    assert list(pair.refs()) == ["refs/heads/main"]
    pair.push(tags=True)
    assert list(pair.refs()) == ["refs/heads/main", "refs/tags/deploy/vercel/2026-11-17T10-00-00Z"]


def test_a_tag_that_means_something_else_there_is_left_and_told(pair: Pair) -> None:
    pair.project.put("a.txt")
    pair.project.git("tag", "deploy/x/1")
    pair.push(tags=True)
    pair.project.put("b.txt")
    pair.project.git("tag", "--force", "deploy/x/1")
    pushed = pair.push(tags=True)
    assert pushed.tags_left == {"deploy/x/1": "already exists"}
    assert pair.refs()["refs/heads/main"] == pair.head() != pair.refs()["refs/tags/deploy/x/1"]


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        ("error: GH001: Large files detected.", Conflict, "did not take the branch"),
        ("error: GH006: Protected branch update failed", Forbidden, "protected"),
        (
            "refusing to allow a Personal Access Token to update workflow without `workflow` scope",
            Forbidden,
            "workflows",
        ),
    ],
)
def test_what_the_other_side_says_of_a_refusal_is_passed_on(
    pair: Pair, said: str, kind: type[AppError], words: str
) -> None:
    pair.project.put("a.txt")
    hook = pair.there / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(kind, match=words) as refused:
        pair.push()
    assert refused.value.details["said"] == [said]


def test_a_history_that_begins_in_the_middle_can_be_pushed_back(pair: Pair, tmp_path: Path) -> None:
    for number in range(3):
        pair.commit("a.txt", str(number))
    pair.push()
    git(tmp_path / "work", "clone", "--quiet", "--depth=1", f"file://{pair.there}", "shallow")
    again = RealProject(tmp_path / "work", "shallow", manager=pair.project.manager)
    again.put("b.txt")
    pushed = again.manager.push("shallow", pair.wish(), say=print, tick=lambda: None)
    assert pushed.commits == 1 and git(pair.there, "rev-list", "--count", "main").strip() == "4"


def test_a_project_without_a_commit_has_nothing_to_push(pair: Pair) -> None:
    with pytest.raises(Conflict, match="no commit yet"):
        pair.push()


def test_a_project_on_no_branch_needs_one_to_be_named(pair: Pair) -> None:
    pair.project.put("a.txt")
    pair.project.git("checkout", "--quiet", "--detach")
    with pytest.raises(InvalidParams, match="on no branch"):
        pair.push()
    assert pair.push(branch="main").branch == "main"


@pytest.mark.parametrize("branch", ["a b", "-x", "a..b", "x.lock", "a:b", "refs/", "*"])
def test_a_name_that_no_branch_can_have_is_refused(pair: Pair, branch: str) -> None:
    pair.project.put("a.txt")
    with pytest.raises(InvalidParams, match="name of a branch"):
        pair.push(branch=branch)


def test_names_that_are_not_ascii_and_links_arrive_as_they_are(pair: Pair) -> None:
    pair.project.put("Größe/日本語.txt", "hällo".encode())
    (pair.project.path / "link").symlink_to("Größe")
    pair.project.git("add", ".")
    pair.project.git("commit", "--quiet", "-m", "A link")
    pair.push()
    names = subprocess.run(
        ["git", "ls-tree", "-rz", "--name-only", "main"], cwd=pair.there, capture_output=True, check=True
    ).stdout.decode()
    assert names.split("\0")[:2] == ["Größe/日本語.txt", "link"]


def test_a_push_of_some_size_arrives_whole(pair: Pair) -> None:
    """More than git sends in one piece, so that it is sent in chunks."""
    noise = hashlib.shake_256(b"noise").digest(3 << 20)
    pair.project.put("noise.bin", noise)
    pair.push()
    assert git(pair.there, "cat-file", "-s", "main:noise.bin").strip() == str(len(noise))
