"""`./run`, `./agent` and `./test` on a machine where nothing is installed yet, with real environments made by them.

The checkout is a copy with a command line that only tells how it was called, and with one small package to install.
"""

import base64
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = "bash cat chmod cp cut df dirname env flock grep mkdir mv readlink rm sed sleep tail touch uname".split()
CLI = """
import json, os, sys
try:
    import tiny
    version = tiny.VERSION
except ImportError:
    version = None
print(json.dumps({"arguments": sys.argv[1:], "folder": os.getcwd(), "tiny": version}))
"""
NOBODY = 65534


def write(path: Path, text: str, mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(mode)
    return path


def wheel(folder: Path, version: str) -> None:
    """A package made by hand, so that installing it needs neither a network nor a build."""
    files = {
        "tiny.py": f"VERSION = '{version}'\n",
        f"tiny-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: tiny\nVersion: {version}\n",
        f"tiny-{version}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = f"tiny-{version}.dist-info/RECORD"
    rows = [f"{name},sha256={digest(text)},{len(text)}" for name, text in files.items()]
    with zipfile.ZipFile(folder / f"tiny-{version}-py3-none-any.whl", "w") as archive:
        for name, text in {**files, record: "\n".join([*rows, f"{record},,"]) + "\n"}.items():
            archive.writestr(name, text)


def digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


class Machine:
    """A folder with the commands in it, and the little that a machine needs to run them."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.checkout = base / "my checkout"
        self.tools = base / "tools"
        self.wheels = base / "wheels"
        self.environ: dict[str, str] = {}
        for folder in (self.checkout / "setup", self.tools, self.wheels):
            folder.mkdir(parents=True)
        for name in ("run", "agent", "test", "setup/bootstrap.sh", "setup/panel.sh"):
            shutil.copy(ROOT / name, self.checkout / name)
        write(self.checkout / "cli.py", CLI)
        self.require("tiny==1.0")
        for version in ("1.0", "2.0"):
            wheel(self.wheels, version)
        for name in TOOLS:
            self.provide(name)
        self.provide("git")
        self.provide("bwrap", self.tool("bwrap", "exit 0"))
        self.provide("python3", Path(sys.executable).resolve())

    def require(self, text: str) -> None:
        write(self.checkout / "requirements.txt", text + "\n")

    def provide(self, name: str, target: Path | None = None) -> None:
        found = target or Path(shutil.which(name) or f"/missing/{name}")
        link = self.tools / name
        if link != found:
            link.symlink_to(found)

    def tool(self, name: str, script: str) -> Path:
        return write(self.tools / name, f"#!{shutil.which('bash')}\n{script}\n", 0o755)

    def replace_python(self, script: str) -> None:
        """A Python that is found usable, and then does this in place of making an environment."""
        (self.tools / "python3").unlink()
        self.tool("python3", f'[[ $1 == -c ]] && echo whole "$0" && exit\n{script}')

    def start(
        self, command: str, *arguments: str, user: int | None = None, terminal: int | None = None
    ) -> "subprocess.Popen[str]":
        environ = {
            "PATH": str(self.tools),
            "HOME": str(self.base),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels),
            **self.environ,
        }
        return subprocess.Popen(
            [self.checkout / command, *arguments],
            cwd="/",
            env=environ,
            text=True,
            user=user if os.geteuid() == 0 else None,
            extra_groups=[] if user and os.geteuid() == 0 else None,
            stdin=subprocess.DEVNULL if terminal is None else terminal,
            stdout=subprocess.PIPE if terminal is None else terminal,
            stderr=subprocess.PIPE if terminal is None else terminal,
        )

    def at_a_terminal(self, command: str, user: int) -> str:
        """All that someone sees who presses Enter when asked to."""
        ours, theirs = os.openpty()
        process = self.start(command, user=user, terminal=theirs)
        os.close(theirs)
        os.write(ours, b"\n")
        shown = b""
        with contextlib.suppress(OSError):  # what Linux answers when the other end has hung up
            while part := os.read(ours, 4096):
                shown += part
        process.wait()
        os.close(ours)
        return shown.decode().replace("\r\n", "\n")

    def call(self, command: str, *arguments: str, user: int | None = None) -> subprocess.CompletedProcess[str]:
        process = self.start(command, *arguments, user=user)
        out, err = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@pytest.fixture
def machine() -> Iterator[Machine]:
    """Not below pytest's own folder, which other users may not enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Machine(Path(folder).resolve())


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    """A virtual environment that a first `./run` has made; copies of it work as well."""
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(Path(folder).resolve())
        ran = machine.call("run")
        assert ran.returncode == 0, ran.stderr
        assert ran.stderr.splitlines() == [
            "Making a Python environment in .venv",
            "Installing 1 Python packages into .venv; the first time this takes a minute or two",
        ]
        assert json.loads(ran.stdout) == {"arguments": ["up"], "folder": "/", "tiny": "1.0"}
        yield machine.checkout / ".venv"


@pytest.fixture
def quick(machine: Machine, made: Path) -> Machine:
    """Making an environment takes seconds; here it is copied from the one that was made."""
    machine.replace_python(f'cp -rl "{made}/." "$3" && rm "$3"/.installed-*')
    return machine


@pytest.fixture
def ready(quick: Machine, made: Path) -> Machine:
    shutil.copytree(made, quick.checkout / ".venv", symlinks=True, copy_function=os.link)
    return quick


@pytest.mark.parametrize("command", ["run", "agent", "test"])
def test_help_needs_nothing_installed(machine: Machine, command: str) -> None:
    ran = machine.call(command, "--help")
    assert ran.returncode == 0
    assert ran.stdout
    assert not (machine.checkout / ".venv").exists()


def test_what_is_ready_is_used_at_once_and_arguments_pass_through(ready: Machine) -> None:
    for name in (*TOOLS, "git", "python3"):
        if name not in {"bash", "env", "dirname", "readlink"}:
            (ready.tools / name).unlink()
    ran = ready.call("run", "--yes", 'make a "note" for $HOME')
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["arguments"] == ["do", "--yes", 'make a "note" for $HOME']
    ran = ready.call("agent", "show", "a b")
    assert json.loads(ran.stdout)["arguments"] == ["show", "a b"]


def test_a_link_to_a_command_works_from_anywhere(ready: Machine) -> None:
    (ready.base / "elsewhere").symlink_to(ready.checkout / "agent")
    ran = subprocess.run([ready.base / "elsewhere", "x"], cwd=ready.base, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == {"arguments": ["x"], "folder": str(ready.base), "tiny": "1.0"}


def test_changed_requirements_are_installed_once(ready: Machine) -> None:
    ready.require("tiny==2.0")
    assert json.loads(ready.call("agent").stdout)["tiny"] == "2.0"
    assert ready.call("agent").stderr == ""


def test_a_half_made_environment_is_made_anew(ready: Machine) -> None:
    (ready.checkout / ".venv/.incomplete").touch()
    (ready.checkout / ".venv/leftover").touch()
    ran = ready.call("agent")
    assert ran.returncode == 0
    assert "anew" in ran.stderr
    assert not (ready.checkout / ".venv/leftover").exists()
    assert not (ready.checkout / ".venv/.incomplete").exists()


def test_an_environment_whose_python_is_gone_is_made_anew(ready: Machine) -> None:
    for name in ("python", "python3"):
        link = ready.checkout / ".venv/bin" / name
        link.unlink()
        link.symlink_to("/missing/python3")
    ran = ready.call("agent")
    assert (ran.returncode, json.loads(ran.stdout)["tiny"]) == (0, "1.0")


def test_two_at_once_do_not_get_in_each_others_way(quick: Machine) -> None:
    started = [quick.start("agent", str(number)) for number in range(2)]
    ended = [process.communicate() for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert [json.loads(out)["tiny"] for out, _ in ended] == ["1.0", "1.0"]
    assert sum("Making a Python environment" in err for _, err in ended) == 1
    assert sum("waiting for it" in err for _, err in ended) <= 1


def test_without_a_network_it_tries_twice_and_says_what_to_do(ready: Machine) -> None:
    ready.require("tiny==3.0")
    ready.environ = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1"}
    ran = ready.call("run")
    assert ran.returncode == 1
    assert "The download did not work; trying once more" in ran.stderr
    assert "Check the internet connection, then run `./run` again" in ran.stderr
    assert ready.call("agent").returncode == 1, "what was not installed is not taken for installed"


def test_a_package_that_does_not_exist_is_not_blamed_on_the_network(ready: Machine) -> None:
    ready.require("tiny==3.0")
    ran = ready.call("run")
    assert ran.returncode == 1
    assert "The Python packages could not be installed" in ran.stderr
    assert "trying once more" not in ran.stderr


def test_a_folder_of_someone_else_is_named_and_left_alone(machine: Machine) -> None:
    machine.replace_python("exit 1")
    if os.geteuid() != 0:
        machine.checkout.chmod(0o555)
    ran = machine.call("run", user=NOBODY)
    machine.checkout.chmod(0o755)
    assert ran.returncode == 1
    assert f"`{machine.checkout}` cannot be written to" in ran.stderr
    assert not (machine.checkout / ".venv").exists()


def test_a_full_disk_ends_in_a_plain_sentence(machine: Machine) -> None:
    (machine.tools / "python3").unlink()
    machine.tool(
        "python3", '[[ $1 == -c ]] && echo whole "$0" && exit; echo "[Errno 28] No space left on device"; exit 1'
    )
    ran = machine.call("run")
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-2:] == [
        "The Python environment could not be made: the disk is full",
        "Make some room, then run `./run` again",
    ]


def test_elsewhere_than_on_linux_it_says_so(machine: Machine) -> None:
    machine.environ = {"OSTYPE": "darwin25"}
    ran = machine.call("run")
    assert ran.returncode == 1
    assert "Linux" in ran.stderr


def test_a_user_without_a_terminal_is_shown_the_one_line_for_git(machine: Machine) -> None:
    (machine.tools / "git").unlink()
    machine.replace_python("exit 1")
    machine.tool("apt-get", "exit 99")
    ran = machine.call("run", user=NOBODY)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-2:] == [
        "Something that is needed is missing on this system: git",
        "Run this, then `./run` again: sudo apt-get install -y git",
    ]


def test_without_apt_it_names_what_is_missing(machine: Machine) -> None:
    (machine.tools / "git").unlink()
    ran = machine.call("run")
    assert ran.returncode == 1
    assert "package manager" in ran.stderr


@pytest.mark.parametrize(
    ("answer", "package"), [("bare 3.12", "python3.12-venv"), ("", "python3 python3-venv")], ids=["bare", "old"]
)
def test_a_python_that_is_too_old_or_not_whole_is_not_used(machine: Machine, answer: str, package: str) -> None:
    (machine.tools / "python3").unlink()
    machine.tool("python3", f"echo {answer}")
    machine.tool("apt-get", "exit 1")
    ran = machine.call("run", user=NOBODY)
    assert ran.returncode == 1
    assert ran.stderr.rstrip().endswith(f"sudo apt-get install -y {package}")


def test_what_is_only_good_to_have_is_named_and_done_without(ready: Machine) -> None:
    (ready.tools / "bwrap").unlink()
    (ready.checkout / ".venv/.installed-requirements.txt").unlink()
    ran = ready.call("agent")
    assert ran.returncode == 0
    assert "Going on without `bubblewrap`" in ran.stderr


def test_a_user_at_a_terminal_is_shown_the_line_and_it_runs_on_enter(machine: Machine) -> None:
    for name in ("git", "bwrap"):
        (machine.tools / name).unlink()
    machine.replace_python("exit 1")
    machine.tools.chmod(0o777)
    machine.checkout.chmod(0o555)
    calls = write(machine.base / "calls", "")
    calls.chmod(0o666)
    machine.tool("apt-get", "exit 1")
    machine.tool("sudo", f'echo "$*" >>"{calls}"; cp "{machine.tools}/apt-get" "{machine.tools}/git"')
    shown = machine.at_a_terminal("agent", user=NOBODY)
    machine.checkout.chmod(0o755)
    assert "    sudo apt-get install -y git bubblewrap" in shown.splitlines()
    assert calls.read_text() == "apt-get install -y git bubblewrap\n"
    assert "Something that is needed" not in shown
    assert "Going on without `bubblewrap`" in shown


def test_only_root_installs_without_asking_and_fetches_the_lists_if_need_be(ready: Machine) -> None:
    (ready.tools / "git").unlink()
    (ready.checkout / ".venv/.installed-requirements.txt").unlink()
    calls = write(ready.base / "calls", "")
    ready.tool(
        "apt-get",
        f"""
        kind="${{@: -1}}"
        echo "$kind" >>"{calls}"
        [[ $kind != update ]] || exec touch "{ready.base}/lists"
        [[ -e "{ready.base}/lists" ]] && cp "{ready.tools}/bwrap" "{ready.tools}/git"
        """,
    )
    as_root = os.geteuid() == 0
    assert ready.call("agent", user=NOBODY).returncode == 1
    assert calls.read_text() == ""
    assert ready.call("agent").returncode == (0 if as_root else 1)
    assert calls.read_text().split() == (["git", "update", "git"] if as_root else [])
