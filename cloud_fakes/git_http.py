"""Real git over HTTP on this machine: bare repositories served by `git http-backend`, behind a token."""

import base64
import os
import re
import subprocess
from pathlib import Path
from urllib.parse import urlencode

from cloud_fakes.loopback import Asked, Loopback, Reply, Trouble

GIT_PATH = re.compile(r"/(?P<name>[\w.-]+(?:/[\w.-]+)*\.git)/(?:info/refs|git-(?:receive|upload)-pack)")
CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[http]\n\treceivepack = true\n"
ENVIRONMENT = {"PATH": os.defpath, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": os.devnull}


class GitRepositories:
    """Bare repositories below a folder, spoken to as a web server speaks to git."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def create(self, name: str, *, branch: str = "main") -> Path:
        """A new, empty repository, such as `someone/notes.git`."""
        path = self.folder / name
        for inner in ("objects", "refs", "hooks"):
            (path / inner).mkdir(parents=True)
        (path / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
        (path / "config").write_text(CONFIG)
        return path

    def exists(self, name: str) -> bool:
        return (self.folder / name / "HEAD").is_file()

    def refs(self, name: str) -> dict[str, str]:
        """Every reference and the id that it points to."""
        said = self.git(self.folder / name, "for-each-ref", "--format=%(refname) %(objectname)")
        return dict(line.split() for line in said.splitlines())

    def files(self, name: str, commit: str) -> dict[str, bytes] | None:
        """All files of a commit or branch; None if there is no such one."""
        path = self.folder / name
        listed = self.run(path, "ls-tree", "-rz", "--name-only", commit, "--")
        if listed.returncode:
            return None
        names = [one for one in listed.stdout.decode().split("\0") if one]
        return {one: self.run(path, "cat-file", "blob", f"{commit}:{one}").stdout for one in names}

    def git(self, path: Path, *arguments: str) -> str:
        done = self.run(path, *arguments)
        done.check_returncode()
        return done.stdout.decode()

    def run(self, path: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(  # noqa: S603  the arguments are the fake's own
            ["git", *arguments],  # noqa: S607
            cwd=path,
            env=ENVIRONMENT,
            capture_output=True,
            check=False,
            timeout=60,
        )

    def answer(self, asked: Asked, user: str) -> Reply:
        """What git itself answers to a request of its own protocol."""
        environment = {
            **ENVIRONMENT,
            "GIT_PROJECT_ROOT": str(self.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": asked.method,
            "PATH_INFO": asked.path,
            "QUERY_STRING": urlencode(asked.query),
            "CONTENT_TYPE": asked.headers.get("content-type", ""),
            "CONTENT_LENGTH": str(len(asked.body)),
            "HTTP_CONTENT_ENCODING": asked.headers.get("content-encoding", ""),
            "GIT_PROTOCOL": asked.headers.get("git-protocol", ""),
            "REMOTE_USER": user,
            "REMOTE_ADDR": "127.0.0.1",
        }
        done = subprocess.run(
            ["git", "http-backend"],  # noqa: S607
            env=environment,
            input=asked.body,
            capture_output=True,
            check=True,
            timeout=60,
        )
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        status = int(headers.pop("Status", "200").split()[0])
        return status, headers, body


def login_of(asked: Asked) -> tuple[str, str] | None:
    """User name and password, as browsers and git send them."""
    kind, _, value = asked.headers.get("authorization", "").partition(" ")
    if kind.lower() != "basic":
        return None
    user, _, password = base64.b64decode(value).decode().partition(":")
    return user, password


def is_push(asked: Asked) -> bool:
    return "git-receive-pack" in {asked.path.rpartition("/")[2], asked.query.get("service")}


class FakeGitServer(Loopback):
    """Serves its repositories to whoever has one of its tokens, with any user name."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.repositories = GitRepositories(folder)
        self.tokens: set[str] = set()
        self.read_only: set[str] = set()
        """Tokens that may fetch and not push."""

    def answer(self, asked: Asked) -> Reply:
        found = GIT_PATH.fullmatch(asked.path)
        login = login_of(asked)
        if login is None or login[1] not in self.tokens | self.read_only:
            return 401, {"www-authenticate": 'Basic realm="git"'}, b"Who are you?"
        if found is None or not self.repositories.exists(found["name"]):
            return 404, {}, b"Not found"
        if login[1] in self.read_only and is_push(asked):
            return 403, {}, b"You may not push here"
        return self.repositories.answer(asked, login[0])

    def refused(self, trouble: Trouble) -> Reply:
        return trouble.status, dict(trouble.headers), trouble.code.encode()
