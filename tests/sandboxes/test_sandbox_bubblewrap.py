"""Jobs in bubblewrap: what they get, what comes back, and that bad ones end in bounded time and leave nothing."""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import pytest

from contracts.errors import BadInput, InvalidParams, TooLarge, Unavailable
from sandboxes.base import MIB, File, Job, Limits, Link, StoppedBy, Tree
from sandboxes.bubblewrap import Bubblewrap, explain
from tests.sandboxes.conftest import as_root
from tests.sandboxes.traces import groups, job_processes, left_behind, settled, take

CHECKOUT = Path(__file__).resolve().parent.parent.parent
BRIEF = Limits(wall=1.0, cpu=5)


def test_a_snippet_runs_as_nobody_with_an_empty_environment_and_no_network(bubblewrap: Bubblewrap) -> None:
    code = """
import os, socket
print(os.getuid(), os.getcwd(), sorted(os.environ), sorted(os.listdir("/")))
print([line.split(":")[0].strip() for line in open("/proc/net/dev")][2:])
print("CapEff:\\t0000000000000000" in open("/proc/self/status").read())
"""
    result = bubblewrap.run(Job(code=code))
    assert result.ok, result
    first, second, third = result.stdout.text.splitlines()
    assert first.startswith(
        "65534 /work ['HOME', 'LANG', 'PATH', 'PYTHONDONTWRITEBYTECODE', 'PYTHONUNBUFFERED', 'TMPDIR']"
    )
    assert "'root'" not in first and "'home'" not in first
    assert second == "['lo']"
    assert third == "True"


@as_root
def test_without_user_namespaces_the_job_has_no_rights_either(root: Path) -> None:
    sandbox = Bubblewrap(root, pool_size=0, userns=False)
    try:
        code = "print(open('/proc/self/status').read())"
        text = sandbox.run(Job(code=code)).stdout.text
        lines = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
        assert int(lines["Uid"].split()[0]) > 1_000_000
        assert {lines[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
        assert lines["NoNewPrivs"] == "1" and lines["Seccomp"] == "2"
        assert lines["Groups"].strip() == ""
    finally:
        sandbox.close()


def test_a_traceback_shows_the_snippet_and_nothing_of_the_launcher(bubblewrap: Bubblewrap) -> None:
    result = bubblewrap.run(Job(code="def f():\n    1 / 0\nf()"))
    assert result.exit_code == 1 and not result.ok
    assert result.stderr.text.count("File") == 2
    assert "1 / 0" in result.stderr.text and "launch" not in result.stderr.text
    syntax = bubblewrap.run(Job(code="x ="))
    assert syntax.stderr.text.startswith('  File "/tmp/main.py", line 1')


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        ("exit(4)", 4),
        ("import sys; sys.exit('gone')", 1),
        ("import os; os._exit(7)", 7),
        ("raise KeyboardInterrupt", 1),
        ("import atexit; atexit.register(print, 'bye')", 0),
        ("import threading, time; threading.Thread(target=lambda: (time.sleep(0.05), print('bye'))).start()", 0),
    ],
)
def test_a_snippet_ends_as_a_script_would(bubblewrap: Bubblewrap, code: str, exit_code: int) -> None:
    result = bubblewrap.run(Job(code=code))
    assert result.exit_code == exit_code
    assert ("bye" in code) == ("bye" in result.stdout.text)


def test_a_command_gets_its_arguments_environment_input_and_files(bubblewrap: Bubblewrap) -> None:
    job = Job(
        argv=("sh", "-c", 'cat; echo "$GREETING $1"; cat a/b.txt; ls -l a/b.txt link', "sh", "world"),
        env={"GREETING": "hello"},
        stdin=b"from stdin\n",
        files={"a/b.txt": File(b"from a file\n", 0o755)},
        also={"link": Link("/usr")},
    )
    lines = bubblewrap.run(job).stdout.text.splitlines()
    assert lines[:3] == ["from stdin", "hello world", "from a file"]
    assert lines[3].startswith("-rwxr-xr-x") and lines[4].endswith("link -> /usr")


def test_a_command_that_is_not_there_says_so(bubblewrap: Bubblewrap) -> None:
    result = bubblewrap.run(Job(argv=("no-such-program",)))
    assert result.exit_code == 127
    assert "no-such-program: No such file" in result.stderr.text


def test_output_comes_while_the_job_runs(bubblewrap: Bubblewrap) -> None:
    seen: list[bytes] = []
    asked = threading.Event()

    def listen(stream: str, data: bytes) -> None:
        seen.append(data)
        asked.set()

    result = bubblewrap.run(Job(code="print('first'); import time; time.sleep(0.3); print('second')"), on_output=listen)
    assert asked.is_set() and seen[0] == b"first\n"
    assert b"".join(seen).decode() == result.stdout.text == "first\nsecond\n"


def test_what_the_watcher_raises_stops_the_job_and_is_passed_on(bubblewrap: Bubblewrap, root: Path) -> None:
    class Cancelled(Exception):
        pass

    def cancel() -> None:
        raise Cancelled

    before = take(root)
    with pytest.raises(Cancelled):
        bubblewrap.run(Job(code="import time; time.sleep(60)"), tick=cancel)
    assert not left_behind(before, root)


def test_only_what_changed_comes_back(bubblewrap: Bubblewrap) -> None:
    script = (
        "echo more >> kept/a; rm gone; echo new > new; chmod +x mode; ln -s /etc/passwd link; mkfifo pipe; ls -a .also"
    )
    files = {"kept/a": b"1\n", "kept/b": b"2\n", "gone": b"", "mode": b"#!"}
    result = bubblewrap.run(Job(argv=("sh", "-c", script), files=files, also={".also": b""}, changes=True))
    assert result.ok, result
    assert result.changes == {
        "kept/a": File(b"1\nmore\n", 0o644),
        "new": File(b"new\n", 0o644),
        "mode": File(b"#!", 0o755),
        "gone": None,
    }
    assert {left.path: left.why for left in result.left_out} == {
        "link": "it is a link",
        "pipe": "it is neither a file nor a folder",
    }


def test_a_write_through_a_mapping_is_a_change_too(bubblewrap: Bubblewrap) -> None:
    code = "import mmap\nwith open('a', 'r+b') as f:\n    m = mmap.mmap(f.fileno(), 0); m[0:1] = b'X'; m.close()"
    result = bubblewrap.run(Job(code=code, files={"a": b"abc"}, changes=True))
    assert result.changes == {"a": File(b"Xbc", 0o644)}


def test_artefacts_are_capped_and_what_is_left_out_is_named(bubblewrap: Bubblewrap) -> None:
    code = "import os\nos.mkdir('out')\nfor n in range(5): open(f'out/{n}', 'wb').write(b'x' * 300_000)"
    limits = Limits(files_out=1_000_000, files_out_count=4)
    result = bubblewrap.run(Job(code=code, collect=("out", "missing"), limits=limits))
    assert set(result.files) == {"out/0", "out/1", "out/2"}
    assert {left.path for left in result.left_out} == {"out/3", "out/4"}


def test_nothing_is_collected_from_behind_a_link(bubblewrap: Bubblewrap) -> None:
    code = "import os\nos.symlink('/etc', 'folder'); os.symlink('/etc/passwd', 'file')"
    result = bubblewrap.run(Job(code=code, collect=("folder/passwd", "folder", "file", "../etc/passwd", "/etc/passwd")))
    assert not result.files


def test_a_job_that_was_stopped_brings_nothing_back(bubblewrap: Bubblewrap) -> None:
    code = "open('half', 'w').write('x'); import time; time.sleep(60)"
    result = bubblewrap.run(Job(code=code, files={"a": b""}, changes=True, limits=BRIEF))
    assert result.stopped_by is StoppedBy.WALL
    assert result.changes == {}


@as_root
def test_a_project_in_a_home_that_is_closed_to_others_can_be_used(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "project").mkdir(parents=True)
    (home / "project" / "a.txt").write_text("private")
    home.chmod(0o700)
    result = bubblewrap.run(Job(argv=("cat", "a.txt"), files=Tree(home / "project")))
    assert result.stdout.text == "private"


@as_root
def test_the_service_itself_may_live_in_a_closed_home(tmp_path: Path, root: Path) -> None:
    checkout = tmp_path / "checkout"
    for package in ("contracts", "sandboxes"):
        shutil.copytree(CHECKOUT / package, checkout / package)
    tmp_path.chmod(0o700)
    code = """
import sys
from pathlib import Path
import sandboxes
from sandboxes.base import Job
from sandboxes.bubblewrap import Bubblewrap
box = Bubblewrap(Path(sys.argv[1]), pool_size=1)
print(sandboxes.__file__, box.run(Job(code="print(6 * 7)")).stdout.text)
box.close()
"""
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(root)],
        cwd=checkout,
        env={"PYTHONPATH": f"{checkout}:{sysconfig.get_path('purelib')}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == [str(checkout / "sandboxes" / "__init__.py"), "42"], done.stderr


@as_root
def test_a_mount_that_the_jobs_user_cannot_read_is_refused_in_words(bubblewrap: Bubblewrap, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(BadInput, match="its user may not read it") as caught:
        bubblewrap.run(Job(code="", mounts=(tmp_path,)))
    assert "Put it below" in caught.value.hint


def test_a_mount_can_be_read_and_not_written(bubblewrap: Bubblewrap, root: Path) -> None:
    folder = root / "mounted"
    folder.mkdir(mode=0o755)
    (folder / "module.py").write_text("answer = 42")
    code = f"import module; print(module.answer); open({str(folder / 'new')!r}, 'w')"
    result = bubblewrap.run(Job(code=code, mounts=(folder,), env={"PYTHONPATH": str(folder)}))
    assert result.stdout.text == "42\n"
    assert "Read-only file system" in result.stderr.text


def test_files_that_do_not_fit_are_refused(bubblewrap: Bubblewrap, root: Path) -> None:
    before = take(root)
    with pytest.raises(TooLarge):
        bubblewrap.run(Job(code="", files={"big": b"x" * (5 * MIB)}, limits=Limits(disk=4 * MIB)))
    with pytest.raises(TooLarge):
        bubblewrap.run(Job(code="", files={f"f{n}": b"x" for n in range(3000)}, limits=Limits(disk=2 * MIB)))
    assert not left_behind(before, root)


def test_a_zero_character_is_refused_before_anything_starts() -> None:
    with pytest.raises(InvalidParams):
        Job(argv=("echo", "a\0b"))


def test_jobs_that_run_at_once_do_not_see_each_other(bubblewrap: Bubblewrap) -> None:
    results: list[str] = []
    code = """
import os, time
open("mine", "w")
time.sleep(0.3)
print(os.listdir("."), len([name for name in os.listdir("/proc") if name.isdigit()]))
"""
    threads = [
        threading.Thread(target=lambda: results.append(bubblewrap.run(Job(code=code)).stdout.text)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["['mine'] 2\n"] * 4


SERVICE = """
import sys, time
from pathlib import Path
from sandboxes.base import Job, Limits
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.landlock import Landlock
box = {"bubblewrap": Bubblewrap, "landlock": Landlock}[sys.argv[1]](Path(sys.argv[2]))
code = "import os, subprocess; subprocess.Popen(['sleep', '%s']); print('running', flush=True); os.wait()" % sys.argv[3]
box.run(Job(code=code, limits=Limits(wall=60)), on_output=lambda stream, data: print(data.decode(), flush=True))
"""


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
def test_nothing_outlives_a_service_that_is_killed(kind: str, root: Path, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(kind)
    seconds = f"{os.getpid()}{'1' if kind == 'landlock' else '2'}"
    service = subprocess.Popen(
        [sys.executable, "-c", SERVICE, kind, str(root), seconds], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True
    )
    assert service.stdout and service.stdout.readline() == "running\n"
    assert settled(lambda: bool(sleepers(seconds)))
    service.send_signal(signal.SIGKILL)
    service.wait()
    service.stdout.close()
    assert settled(lambda: not sleepers(seconds)), sleepers(seconds)


def sleepers(seconds: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes() == f"sleep\0{seconds}\0".encode():
                found.append(entry.name)
        except OSError:
            continue
    return found


def test_closing_ends_everything_and_removes_the_groups(root: Path) -> None:
    before = groups()
    sandbox = Bubblewrap(root, pool_size=2)
    assert sandbox.available().ok
    assert sandbox.run(Job(code="print(1)")).ok
    running = set(job_processes())
    sandbox.close()
    assert groups() == before
    assert settled(lambda: not set(job_processes()) & running - set(job_processes()))
    with pytest.raises(Unavailable):
        sandbox.run(Job(code="print(1)", limits=Limits(disk=MIB)))


def test_reasons_why_it_does_not_work_come_with_a_remedy(tmp_path: Path) -> None:
    apparmor = explain("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted")
    assert not apparmor.ok and "apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict" in apparmor.remedy
    closed = explain("bwrap: Creating new namespace failed: Operation not permitted")
    assert not closed.ok and "max_user_namespaces" in closed.remedy
    file = tmp_path / "file"
    file.write_text("")
    state = Bubblewrap(file / "below").available()
    assert not state.ok and state.remedy
