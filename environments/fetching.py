"""Runs a package manager as a process of the service: a clean environment, and an end in bounded time and size."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from contracts.errors import TooLarge, Unavailable
from environments.base import Doing
from environments.store import folder_size
from sandboxes.base import MIB

KEPT = re.compile(
    r"HOME|XDG_CONFIG_(HOME|DIRS)|SSL_CERT_(FILE|DIR)|(REQUESTS|CURL)_CA_BUNDLE|NODE_EXTRA_CA_CERTS"
    r"|(HTTPS?|ALL|NO)_PROXY|https?_proxy|all_proxy|no_proxy|NETRC|PIP_\w+|npm_config_\w+|NPM_CONFIG_\w+"
)
"""How this machine reaches its registries. Nothing else of the service's environment is passed on."""
DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
PAUSE = 0.05
MOST_SAID = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """A package manager's command."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    folder: Path
    """Where it works. All that it writes is below; together with its cache, this is what is measured."""
    max_bytes: int
    seconds: float
    memory: int = 0
    """Most address space that it may have; 0 for no bound."""
    news: re.Pattern[str] = field(default=re.compile(r"(?!)"))
    """A line of its output that is worth a sentence; the name is its first group."""


@dataclass(frozen=True, slots=True)
class Said:
    ok: bool
    text: str


def clean_environment(environ: Mapping[str, str], folder: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """What a package manager may know of the service's environment."""
    own = {"PATH": environ.get("PATH") or DEFAULT_PATH, "LANG": "C.UTF-8", "TMPDIR": str(folder), **extra}
    taken = {name.lower() for name in own}
    return {n: value for n, value in environ.items() if KEPT.fullmatch(n) and n.lower() not in taken} | own


def fetch(what: Fetch, doing: Doing) -> Said:
    """Raises TooLarge or Unavailable when it is ended for its size or time, and whatever `tick` raises."""
    said = what.folder / "said.txt"
    with said.open("wb") as output:
        process = _start(what, output.fileno())
    try:
        _watch(process, what, said, doing)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    text = _tail(said)
    said.unlink()
    return Said(process.returncode == 0, text)


def _start(what: Fetch, output: int) -> subprocess.Popen[bytes]:
    before = ["setpriv", "--pdeathsig", "KILL", "--"] if shutil.which("setpriv") else []
    if what.memory and shutil.which("prlimit"):
        before += ["prlimit", f"--as={what.memory}", "--"]
    return subprocess.Popen(  # noqa: S603 - an argument list made here, and no shell
        [*before, *what.argv],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        cwd=what.folder,
        env=dict(what.env),
        start_new_session=True,
        umask=0o022,
    )


def _watch(process: subprocess.Popen[bytes], what: Fetch, said: Path, doing: Doing) -> None:
    end = time.monotonic() + what.seconds
    next_look, before = 0.0, folder_size(what.folder)
    told = Telling(said, what.news, doing)
    while process.poll() is None:
        now = time.monotonic()
        if now > end:
            raise Unavailable(
                f"the packages were not there after {what.seconds:.0f} seconds",
                hint="Try again, or look at the connection to the package index",
            )
        doing.tick()
        told.go_on()
        if now >= next_look:
            if folder_size(what.folder) - before > what.max_bytes:
                raise too_much(what.max_bytes)
            next_look = now + 10 * (time.monotonic() - now) + PAUSE
        with suppress(subprocess.TimeoutExpired):
            process.wait(PAUSE)


def too_much(most: int) -> TooLarge:
    return TooLarge(
        f"the packages are larger than the {most // MIB} MiB that may be downloaded",
        hint="Ask for fewer or smaller packages",
    )


class Telling:
    """Passes on what is new in the output."""

    def __init__(self, said: Path, news: re.Pattern[str], doing: Doing) -> None:
        self._said = said
        self._news = news
        self._doing = doing
        self._read = 0

    def go_on(self) -> None:
        with self._said.open("rb") as file:
            file.seek(self._read)
            text = file.read(MOST_SAID)
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        for match in self._news.finditer(whole.decode(errors="replace")):
            self._doing.say(f"Fetching `{match.group(1).replace('%2f', '/')}`")


def _tail(said: Path) -> str:
    with said.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - MOST_SAID))
        return file.read().decode(errors="replace")
