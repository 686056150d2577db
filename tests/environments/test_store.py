"""Environments on the disk: whole or not there, built once, and gone when nobody uses them."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contracts.errors import Failed
from environments.base import Downloaded, Environment
from environments.manager import Environments
from environments.store import Store
from project_files import Workspace
from sandboxes.base import Job, JobResult, OnOutput, Tick
from sandboxes.bubblewrap import Bubblewrap
from tests.environments.made_packages import make_wheel
from tests.environments.shop import ALLOWED, Shop

ROOT = Path(__file__).resolve().parents[2]
DAYS = 86_400


class Counting(Bubblewrap):
    """Counts the jobs that unpack something."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, pool_size=0)
        self.assembled = 0
        self._counting = threading.Lock()

    def run(self, job: Job, *, on_output: OnOutput | None = None, tick: Tick | None = None) -> JobResult:
        with self._counting:
            self.assembled += "assemble.py" in job.argv
        return super().run(job, on_output=on_output, tick=tick)


def test_many_who_build_the_same_at_once_build_it_once(own_shop: Shop, place: Path) -> None:
    counting = Counting(place / "counting")
    shop = Shop(own_shop.root, counting, own_shop.published)
    shop.environments.prepare()
    handed = shop.handed_over(make_wheel("alpha"))
    before = counting.assembled
    with ThreadPoolExecutor(4) as pool:
        built: list[Environment] = list(pool.map(shop.environments.build, [handed] * 4))
    counting.close()
    assert built == [built[0]] * 4
    assert counting.assembled - before == 1


KILLED = """
import sys, time
from pathlib import Path
from environments.store import Store
store = Store(Path(sys.argv[1]))
with store.locked(sys.argv[2]), store.making(sys.argv[2]) as making:
    (making.folder / "half").write_text("of it")
    print("building", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_service_left_half_built_is_built_anew(own_shop: Shop) -> None:
    handed = own_shop.handed_over(make_wheel("alpha"))
    key, root = handed.plan.parts[0].key, own_shop.root / "environments"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(root), key], cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"building\n"
    assert list((root / "building").glob(f"{key}.*"))
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    environment = own_shop.environments.build(handed)
    assert own_shop.python(environment, "import alpha; print(alpha.VERSION)") == "1.0"
    assert not list((root / "building").iterdir())
    assert not list(environment.mounts[0].glob("half"))


def leftovers(shop: Shop) -> list[Path]:
    """Everything but the agent's pytest, which was there before."""
    folders = [shop.root / "environments" / name for name in ("building", "fetching", "downloads", "ready")]
    return [path for folder in folders for path in folder.iterdir() if not (path / "lib" / "pytest").exists()]


def test_a_failed_build_leaves_nothing_and_can_be_repeated(own_shop: Shop) -> None:
    name, data = make_wheel("alpha")
    handed = own_shop.handed_over((name, data[:-50] + bytes(50)))
    for _ in range(2):
        with pytest.raises(Exception, match="cannot be installed"):
            own_shop.environments.build(handed)
    assert leftovers(own_shop) == []


def test_a_build_can_be_cancelled(own_shop: Shop) -> None:
    class Cancelled(Exception):
        pass

    def tick() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        own_shop.environments.build(own_shop.handed_over(make_wheel("alpha")), tick=tick)
    with pytest.raises(Cancelled):
        own_shop.environments.download(own_shop.plan({"requirements.txt": "alpha\n"}), tick=tick)
    assert leftovers(own_shop) == []


def age(path: Path, days: float) -> None:
    then = time.time() - days * DAYS
    os.utime(path, (then, then))


def built(shop: Shop, made: tuple[str, bytes]) -> tuple[Downloaded, Environment]:
    handed = shop.handed_over(made)
    return handed, shop.environments.build(handed)


def test_only_what_nobody_used_for_long_is_removed(own_shop: Shop) -> None:
    old, kept, used = (built(own_shop, make_wheel("alpha", version))[1] for version in ("1.0", "2.0", "3.0"))
    files = {"app.py": ""}
    plain = own_shop.environment_for(files)
    assert plain
    for environment in (old, kept, used):
        age(environment.mounts[0], 40)
    for mount in plain.mounts:
        age(mount, 40)
    assert own_shop.environment_for(files) == plain, "which counts as use"
    os.utime(used.mounts[0])
    pruned = own_shop.environments.prune(30, keep=kept.keys)
    assert pruned.environments == 1
    assert pruned.size > 100
    assert [e.mounts[0].exists() for e in (old, kept, used, plain)] == [False, True, True, True]
    assert own_shop.environments.prune(30, keep=kept.keys).environments == 0


FULL = """
import sys
from pathlib import Path
from contracts.errors import Failed
from environments.base import Bounds
from environments.store import Store
from environments.unpacking import Unpacker
store = Store(Path(sys.argv[1]))
data = bytes(1_000_000)
try:
    with store.locked("k"), store.making("k") as making:
        unpacker = Unpacker(making.folder, Bounds())
        unpacker.feed("stdout", b"F" + bytes(2) + (1).to_bytes(4) + len(data).to_bytes(8) + b"a" + data)
        unpacker.check()
except Failed as error:
    print(error.message)
print(store.find("k"), list((Path(sys.argv[1]) / "building").iterdir()))
"""


def test_a_full_disk_is_said_in_plain_words_and_leaves_nothing(tmp_path: Path, sandbox: Bubblewrap) -> None:
    """The disk is a small one in memory; `sandbox` is here so that the test is skipped where bubblewrap is missing."""
    disk = ["bwrap", "--dev-bind", "/", "/", "--size", "200000", "--tmpfs", str(tmp_path)]
    command = [*disk, sys.executable, "-c", FULL, str(tmp_path / "store")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "there is no room on the disk for the packages\nNone []\n", done.stderr


def test_a_store_that_cannot_be_made_is_said_in_plain_words(tmp_path: Path, sandbox: Bubblewrap) -> None:
    (tmp_path / "file").write_text("in the way")
    environments = Environments(tmp_path / "file", lambda: sandbox, allowed=ALLOWED, environ={})
    (tmp_path / "workspace" / "p").mkdir(parents=True)
    with pytest.raises(Failed, match="cannot be used for packages"):
        environments.environment_for(Workspace(tmp_path / "workspace").draft("p"))


def test_a_lock_whose_file_was_removed_meanwhile_does_not_count(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    order: list[str] = []
    holding, waiting = threading.Event(), threading.Event()

    def first() -> None:
        with store.locked("k"):
            holding.set()
            waiting.wait()
            (tmp_path / "store" / "locks" / "k").unlink()
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    holding.wait()
    with store.locked("k", tick=waiting.set):
        order.append("second")
        assert (tmp_path / "store" / "locks" / "k").exists()
    thread.join()
    assert order == ["first", "second"]
