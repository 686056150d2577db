"""The command line against the real service, and doing the same by itself when none runs."""

import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import cli
from agent_home import AgentHome
from contracts.errors import Unavailable
from terminal import service as cli_service
from terminal.client import Client
from terminal.service import Place, connect, ours

ROOT = Path(__file__).resolve().parents[1]
Agent = Callable[..., tuple[int, dict[str, Any]]]


def use(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_HOME", str(home))
    monkeypatch.setenv("AGENT_PORT", "0")
    monkeypatch.setenv("AGENT_SANDBOX", "off")
    for name in ("AGENT_URL", "AGENT_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def served(home: Path) -> Iterator[subprocess.Popen[str]]:
    """A service in front, after it has said where it is."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "up"],
        cwd=ROOT,
        env={**environ, "AGENT_HOME": str(home), "AGENT_PORT": "0", "AGENT_SANDBOX": "off"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout as out:
        assert "http://127.0.0.1:" in out.readline()
        try:
            yield process
        finally:
            process.terminate()
            process.wait(90)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    use(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home of one service for all stories; each has a project of its own and leaves no question open."""
    home = tmp_path_factory.mktemp("served")
    with served(home):
        yield home


@pytest.fixture
def run_json(capsys: pytest.CaptureFixture[str]) -> Agent:
    def run(*words: str) -> tuple[int, dict[str, Any]]:
        capsys.readouterr()
        code = cli.main([*words, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return run


@dataclass
class Story:
    """One way to reach the agent, with a project that nobody else uses."""

    run: Agent
    home: Path
    name: str

    def __call__(self, *words: str) -> tuple[int, dict[str, Any]]:
        return self.run(*words)

    @property
    def files(self) -> Path:
        return self.home / "workspace" / self.name

    def create(self, path: str) -> str:
        code, body = self.run("run", "create_file", "-p", self.name, f"path={path}", f"content=this is {path}")
        assert code in {0, 3}
        return str(body["id"])


@pytest.fixture(params=["service", "by itself"])
def agent(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_json: Agent
) -> Iterator[Story]:
    home = request.getfixturevalue("shared_home") if request.param == "service" else tmp_path
    use(home, monkeypatch)
    yield Story(run_json, home, f"p{abs(hash(request.node.name))}")
    if request.param == "service":
        run_json("cancel")
        run_json("autonomy", "earned")
        run_json("trust", "clear", "create_file")
        for task in run_json("history", "--status", "awaiting_approval")[1]["tasks"]:
            run_json("reject", task["id"])


def test_from_the_first_question_to_the_undone_undo(agent: Story) -> None:
    file = agent.files / "a.txt"
    code, asked = agent("run", "create_file", "-p", agent.name, "path=a.txt", "content=hi")
    assert (code, asked["confirmationNeeded"]) == (3, True)
    assert "+hi" in asked["card"]["what"]["diff"]
    assert not file.exists()
    code, done = agent("approve")
    assert (code, done["id"], done["status"]) == (0, asked["id"], "succeeded")
    assert file.read_text() == "hi"
    assert agent("undo")[0] == 0
    assert not file.exists()
    assert agent("redo")[0] == 0
    assert file.read_text() == "hi"
    assert agent("redo")[0] == 4
    code, shown = agent("show", asked["id"])
    assert (code, shown["task"]["status"], shown["task"]["decision"]["verdict"]) == (0, "succeeded", "ask")


def test_a_rule_of_the_owner_lets_it_run_alone_or_not_at_all(agent: Story) -> None:
    assert agent("trust", "set", "create_file", "auto")[0] == 0
    assert agent("run", "create_file", "-p", agent.name, "path=a.txt", "content=hi")[0] == 0
    assert agent("trust", "set", "create_file", "refuse", "-p", agent.name)[0] == 0
    assert agent("run", "create_file", "-p", agent.name, "path=b.txt", "content=hi")[0] == 7
    assert agent("trust", "clear", "create_file", "-p", agent.name)[0] == 0
    assert agent("trust", "clear", "create_file")[0] == 0
    assert agent("run", "create_file", "-p", agent.name, "path=b.txt", "content=hi")[0] == 3
    assert agent("trust", "set", "creat_file", "auto")[0] == 2


def test_autonomy_is_given_for_a_time_and_taken_back(agent: Story) -> None:
    assert agent("autonomy", "allow_all")[0] == 2
    assert agent("autonomy", "allow_all", "--minutes", "5", "-p", agent.name)[0] == 0
    assert agent("run", "create_file", "-p", agent.name, "path=a.txt", "content=hi")[0] == 0
    assert agent("autonomy", "ask_all")[0] == 0
    assert agent("status")[1]["summary"]["autonomy"] == "ask_all"


def test_the_queue_is_filled_changed_and_run_as_one_plan(agent: Story) -> None:
    for name in ("one", "two", "three"):
        assert agent("queue", "create_file", "-p", agent.name, f"path={name}", "content=x")[0] == 0
    one, two, three = (step["id"] for step in agent("queue")[1]["steps"])
    assert agent("skip", one)[0] == 0
    assert agent("edit", two, "create_file", "path=zwei", "content=y", "-p", agent.name)[0] == 0
    assert agent("move", two)[0] == 0
    assert agent("queue", "create_file", "path=first", "content=x", "-p", agent.name, "--before", three)[0] == 0
    paths = [step["step"]["path"] for step in agent("queue")[1]["steps"]]
    assert paths == ["first", "three", "zwei"]
    code, asked = agent("all")
    assert (code, len(asked["card"]["what"]["steps"])) == (3, 3)
    assert agent("approve")[0] == 0
    assert sorted(path.name for path in (agent.files).glob("[!.]*")) == ["first", "three", "zwei"]
    assert agent("next") == (0, agent("next")[1])
    assert agent("queue")[1]["steps"] == []


def test_what_is_cancelled_or_rejected_is_not_done(agent: Story) -> None:
    agent("queue", "create_file", "-p", agent.name, "path=a", "content=x")
    assert agent("cancel")[1]["cancelled"]
    agent.create("b")
    code, body = agent("reject", "--reason", "not wanted")
    assert (code, body["status"]) == (0, "rejected")
    assert agent("approve")[0] == 4
    assert not (agent.files).exists() or not list((agent.files).glob("[!.]*"))


def test_several_tasks_are_taken_back_only_after_a_yes(agent: Story) -> None:
    agent("trust", "set", "create_file", "auto")
    first = agent.create("a")
    agent.create("b")
    code, asked = agent("undo", first)
    assert (code, asked["confirmationNeeded"]) == (3, True)
    assert (agent.files / "b").exists()
    assert agent("reject")[0] == 0
    assert agent("undo", first, "--yes")[0] == 0
    assert not (agent.files / "a").exists()
    assert not (agent.files / "b").exists()


def test_errors_have_codes_of_their_own(agent: Story) -> None:
    agent("trust", "set", "create_file", "auto")
    agent.create("a")
    assert agent("run", "creat_file", "path=a")[0] == 2
    assert cli.main(["run", "creat_file", "path=a"]) == 2
    assert cli.main(["run", "modify_file", "-p", agent.name, "path=a", "search=thi5", "replace=x"]) == 5
    assert agent("run", "create_file", "-p", agent.name, "path=../a", "content=x")[0] == 2
    assert agent("run", "create_file", "-p", agent.name, "path=a", "content=x")[0] == 5
    assert agent("run", "read_file", "-p", agent.name, "path=b")[0] == 4
    assert agent("show", "nothing")[0] == 4
    assert agent("projects", "nothing")[0] == 4
    assert agent("logs", "2020-01-01/000000-none.json")[0] == 4
    agent("trust", "clear", "create_file")
    agent.create("b")
    agent.create("c")
    code, body = agent("approve")
    assert (code, body["error"]["code"]) == (5, "several_waiting")


def test_every_look_is_one_document_for_scripts_and_words_for_people(
    agent: Story, capsys: pytest.CaptureFixture[str]
) -> None:
    agent.create("a")
    agent("approve")
    looks = [
        *(["status"], ["history"], ["history", "-p", agent.name, "--commits"], ["trust"], ["memory"], ["logs"]),
        *(["projects"], ["projects", agent.name], ["actions"], ["actions", "create_file"], ["queue"]),
        ["run", "read_file", "-p", agent.name, "path=a"],
    ]
    for words in looks:
        code, body = agent(*words)
        assert (code, body["success"]) == (0, True), words
        assert cli.main(words) == 0
        out = capsys.readouterr().out
        assert out.strip(), words
        assert "\x1b" not in out
    task = agent("history", "-p", agent.name)[1]["tasks"][-1]["id"]
    assert cli.main(["show", task]) == 0
    assert "Create `a`" in capsys.readouterr().out
    log = next(log for log in agent("logs", "--limit", "500")[1]["logs"] if log["id"] == task)
    assert agent("logs", f"{log['date']}/{log['name']}")[1]["log"]["id"] == task


def test_a_binary_file_is_sent_from_this_machine(agent: Story, tmp_path: Path) -> None:
    agent("trust", "set", "create_file", "auto")
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    assert agent("run", "create_file", "-p", agent.name, "path=p.png", "--file", f"content=@{picture}")[0] == 0
    assert (agent.files / "p.png").read_bytes() == picture.read_bytes()


def test_a_wrong_token_opens_nothing(shared_home: Path, run_json: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    use(shared_home, monkeypatch)
    monkeypatch.setenv("AGENT_TOKEN", "wrong")
    assert run_json("status")[0] == 7
    assert run_json("run", "create_file", "-p", "notes", "path=a", "content=x")[0] == 7


def test_a_second_service_says_where_the_first_one_is(
    shared_home: Path, run_json: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(shared_home, monkeypatch)
    code, body = run_json("up")
    assert code == 0
    assert body["url"] == run_json("status")[1]["address"]


def test_a_sign_in_link_is_only_for_a_running_service(
    shared_home: Path, tmp_path: Path, run_json: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(shared_home, monkeypatch)
    code, body = run_json("open")
    assert code == 0
    assert body["url"].endswith(f"#code={body['code']}")
    use(tmp_path, monkeypatch)
    assert run_json("open")[0] == 6


def test_stop_ends_the_service_and_is_content_when_there_is_none(home: Path, run_json: Agent) -> None:
    with served(home) as process:
        assert run_json("stop")[0] == 0
        assert process.wait(90) == 0
    assert not (home / "service.json").exists()
    assert run_json("stop")[0] == 0


def test_a_job_starts_the_service_and_leaves_it_running(home: Path, run_json: Agent) -> None:
    words = [sys.executable, "-m", "cli", "do", "Build a hello world API", "--json"]
    first = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    try:
        assert isinstance(json.loads(first.stdout)["success"], bool)
        note = cli_service.service_file(home)
        assert note is not None
        assert ours(note["pid"], home)
        token = (home / "token").read_text().strip()
        for pid in (note["pid"], note["worker"]):
            assert token not in Path(f"/proc/{pid}/cmdline").read_text()
        assert token not in (home / "service.log").read_text()
        assert "#code=" not in (home / "service.log").read_text()
        private = [stat.S_IMODE((home / name).stat().st_mode) for name in ("service.log", "service.json", "token")]
        assert private == [0o600] * 3
        assert run_json("status")[1]["address"] == note["url"]
    finally:
        assert run_json("stop")[0] == 0
    assert not cli_service.alive(note["pid"])


def test_two_jobs_at_once_share_one_service(home: Path, run_json: Agent) -> None:
    words = [sys.executable, "-m", "cli", "do", "Build a hello world API", "--json"]
    jobs = [subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) for _ in range(2)]
    try:
        answers = [json.loads(job.communicate()[0]) for job in jobs]
        assert [answer.get("error", {}).get("code") for answer in answers].count("unavailable") == 0
        assert cli_service.service_file(home) is not None
    finally:
        assert run_json("stop")[0] == 0


def test_a_service_that_cannot_start_says_why(home: Path, monkeypatch: pytest.MonkeyPatch, run_json: Agent) -> None:
    monkeypatch.setenv("AGENT_PORT", "many")
    code, body = run_json("do", "Build a hello world API")
    assert code == 6
    assert "AGENT_PORT" in body["message"]


def test_a_home_that_is_kept_by_something_silent_is_unreachable(home: Path, run_json: Agent) -> None:
    kept = AgentHome(home)
    kept.take()
    with pytest.raises(Unavailable, match="does not answer"):
        connect(Place(home), os.environ, patience=0.2)
    up = subprocess.run([sys.executable, "-m", "cli", "up"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert up.returncode == 6
    assert "already at work" in up.stderr
    kept.release()


def test_a_command_waits_for_another_one_on_the_same_home(home: Path) -> None:
    kept = AgentHome(home)
    kept.take()
    threading.Timer(0.3, kept.release).start()
    client: Client = connect(Place(home), os.environ)
    assert client.get("/health").body["success"] is True
    client.close()


def test_a_home_is_free_at_once_also_while_programs_are_being_started(home: Path) -> None:
    over = threading.Event()

    def start_programs() -> None:
        while not over.is_set():
            subprocess.run(["true"], check=True)

    starting = [threading.Thread(target=start_programs) for _ in range(2)]
    for thread in starting:
        thread.start()
    try:
        for _ in range(200):
            kept = AgentHome(home)
            kept.take()
            kept.release()
    finally:
        over.set()
        for thread in starting:
            thread.join()


def test_a_process_that_is_not_the_service_is_never_ended(home: Path, run_json: Agent) -> None:
    innocent = subprocess.Popen(["sleep", "60"])
    try:
        (home / "service.json").write_text(json.dumps({"url": "http://127.0.0.1:1", "pid": innocent.pid}))
        (home / "service.lock").touch()
        assert run_json("stop")[0] == 0
        assert innocent.poll() is None
    finally:
        innocent.kill()
        innocent.wait()


def test_the_token_is_made_by_whoever_needs_it_first(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["token"]) == 0
    assert capsys.readouterr().out.strip() == (home / "token").read_text().strip()


def test_a_home_in_the_settings_file_is_found_by_the_command_line(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".env").write_text("AGENT_TOKEN=from-the-file\nAGENT_URL=http://127.0.0.1:9\n")
    place = cli_service.locate(os.environ, None)
    assert (place.home, place.url, place.token) == (home, "http://127.0.0.1:9", "from-the-file")
    assert cli_service.locate(os.environ, "http://other:1").url == "http://other:1"


def test_a_service_on_all_addresses_is_called_on_this_machine() -> None:
    assert cli_service.reachable("http://0.0.0.0:5000") == "http://127.0.0.1:5000"
    assert cli_service.reachable("http://[::]:5000") == "http://[::1]:5000"
