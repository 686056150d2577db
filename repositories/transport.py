"""Talks to other git servers by the git program, in an empty repository of its own that borrows a project's objects.

So neither the settings, hooks, remotes nor references of the project or of whoever runs the agent play a part: what is
not named in a push cannot be pushed. The token travels in the environment of the child alone.
"""

import base64
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from contracts.deployments import Tick
from contracts.errors import Unavailable
from repositories.addresses import Address
from repositories.complaints import from_git

PASSED_ON = frozenset(
    {"PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "CURL_CA_BUNDLE", "TMPDIR"}
    | {name for proxy in ("http_proxy", "https_proxy", "all_proxy", "no_proxy") for name in (proxy, proxy.upper())}
)
"""All that the child gets of this process's environment: where programs, certificates and proxies are."""
CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
LOOK_EVERY = 0.05
QUIET_SECONDS = 60
MOST_OUTPUT = 16 << 20


@dataclass(frozen=True, slots=True)
class Login:
    """How a place is entered; never printed."""

    user: str
    token: str = field(repr=False)

    @property
    def header(self) -> str:
        return "Authorization: Basic " + base64.b64encode(f"{self.user}:{self.token}".encode()).decode()

    def hide(self, text: str) -> str:
        """The text without the token, in whatever form git could have repeated it."""
        for secret in (self.header.rpartition(" ")[2], self.token):
            text = text.replace(secret, "[hidden]")
        return text


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of one reference of a push."""

    ref: str
    taken: bool
    """It is there now as it was to be, whether it had been before or not."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Ran:
    code: int
    out: str
    err: str


class Transport:
    """Requests to one address with one login; without a repository of one's own, only questions."""

    def __init__(
        self, git_folder: Path | None, environ: Mapping[str, str], address: Address, login: Login | None
    ) -> None:
        self._git_folder = git_folder
        self._environ = {name: value for name, value in environ.items() if name in PASSED_ON}
        self._address = address
        self._login = login

    def tips(self, tick: Tick) -> dict[str, str]:
        """The branches there, by their full names, and the commit of each."""
        ran = self._run(["ls-remote", "--quiet", "--heads", "--", self._address.url], tick)
        if ran.code:
            raise from_git(self._address, ran.err)
        pairs = (line.split("\t", 1) for line in ran.out.splitlines() if "\t" in line)
        return {name: commit for commit, name in pairs}

    def push(self, refs: Mapping[str, str], tick: Tick) -> tuple[list[Sent], str]:
        """Send these references, each with what it shall point to; also gives what the other side said about it.

        Raises what `from_git` makes of it if it could not be found out what became of them.
        """
        wanted = [f"{commit}:{name}" for name, commit in refs.items()]
        options = ["--porcelain", "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no"]
        ran = self._run(["push", *options, "--", self._address.url, *wanted], tick)
        sent = _read_porcelain(ran.out)
        if len(sent) != len(refs):
            raise from_git(self._address, ran.err)
        said = [line.removeprefix("remote: ") for line in ran.err.splitlines() if line.startswith("remote: ")]
        return sent, "\n".join(said)

    def _run(self, arguments: Sequence[str], tick: Tick) -> _Ran:
        with tempfile.TemporaryDirectory(prefix="push-") as name, tempfile.TemporaryFile() as out:
            with tempfile.TemporaryFile() as err:
                folder = Path(name)
                self._lay_out(folder)
                code = self._wait(self._start(arguments, folder, out, err), tick)
                return _Ran(code, self._text(out), self._text(err))

    def _lay_out(self, folder: Path) -> None:
        (folder / "refs").mkdir()
        (folder / "HEAD").write_text("ref: refs/heads/none\n")
        (folder / "config").write_text(CONFIG)
        if self._git_folder is None:
            (folder / "objects").mkdir()
        elif (shallow := self._git_folder / "shallow").is_file():
            # A history that begins in the middle says where; without that, git would miss what came before.
            (folder / "shallow").write_bytes(shallow.read_bytes())

    def _start(
        self, arguments: Sequence[str], folder: Path, out: IO[bytes], err: IO[bytes]
    ) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(  # noqa: S603  no shell, and the address was checked
                ["git", *arguments],  # noqa: S607  wherever the owner has it
                cwd=folder,
                env=self._environment(folder),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except FileNotFoundError as missing:
            raise Unavailable("git is not installed here", hint="Install the package `git`") from missing

    def _environment(self, folder: Path) -> dict[str, str]:
        settings = {
            "credential.helper": "",
            "core.hooksPath": os.devnull,
            "http.followRedirects": "false",
            "http.sslVerify": "true",
            "http.lowSpeedLimit": "1",
            "http.lowSpeedTime": str(QUIET_SECONDS),
            **({f"http.{self._address.url}.extraHeader": self._login.header} if self._login else {}),
        }
        numbered = {f"GIT_CONFIG_KEY_{n}": key for n, key in enumerate(settings)}
        return {
            **self._environ,
            "HOME": str(folder),
            "LC_ALL": "C",
            "GIT_DIR": str(folder),
            "GIT_OBJECT_DIRECTORY": str((self._git_folder or folder) / "objects"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ALLOW_PROTOCOL": "https:http",
            "GIT_CONFIG_COUNT": str(len(settings)),
            **numbered,
            **{f"GIT_CONFIG_VALUE_{n}": value for n, value in enumerate(settings.values())},
        }

    def _wait(self, child: "subprocess.Popen[bytes]", tick: Tick) -> int:
        try:
            while True:
                try:
                    return child.wait(LOOK_EVERY)
                except subprocess.TimeoutExpired:
                    tick()
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()

    def _text(self, file: IO[bytes]) -> str:
        file.seek(0)
        text = file.read(MOST_OUTPUT).decode("utf-8", "replace")
        return self._login.hide(text) if self._login else text


def _read_porcelain(out: str) -> list[Sent]:
    """One line a reference: a letter, `from:to`, and a summary with the reason in brackets."""
    sent = []
    for line in out.splitlines():
        parts = line.split("\t")
        if len(parts) == 3 and len(parts[0]) == 1:
            flag, (_, _, ref), summary = parts[0], parts[1].partition(":"), parts[2]
            sent.append(Sent(ref, flag != "!", summary.rpartition("(")[2].rstrip(")") if flag == "!" else ""))
    return sent
