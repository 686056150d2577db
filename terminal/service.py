"""The service on this machine as a terminal sees it: which one it is, starting it, ending it, doing without it."""

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contracts.errors import AppError, BadSettings, HomeLocked, Unauthorized, Unavailable
from setting_sources import gather
from terminal.client import Client, Exit, HttpTransport, Refused

CHECKOUT = Path(__file__).resolve().parent.parent
START_SECONDS = 90.0
STOP_SECONDS = 40.0
HEALTH_SECONDS = 10.0
SIBLING_SECONDS = 30.0
OTHER_AT_WORK = frozenset({Exit.DONE, Exit.CONFLICT, Exit.UNREACHABLE})
"""Codes of a start that ended because another service has the port or the home; it may be about to answer."""
LOCKED_SECONDS = 10.0
"""How long to wait for another command on the same home to end."""


@dataclass(frozen=True, slots=True)
class Place:
    """Whose service a command talks to."""

    home: Path
    url: str | None = None
    """Given by the owner; None: the one that runs on this home."""
    token: str | None = None
    """Given by the owner; None: the one in the home."""

    @property
    def made_token(self) -> str | None:
        try:
            return self.home.joinpath("token").read_text("ascii").strip() or None
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise Unauthorized(
                f"The token in `{self.home / 'token'}` cannot be read",
                hint="Only the owner of the service may read it; or set `AGENT_TOKEN`",
            ) from error


def locate(environ: Mapping[str, str], url: str | None) -> Place:
    """The place that the options, the environment and the settings files name. Wrong settings are for others to say."""
    given, _ = gather(environ, None, CHECKOUT, frozenset({"home", "url", "token"}))
    found = {name: item.text for name, item in given.items()}
    return Place(Path(found.get("home", CHECKOUT)), url or found.get("url"), found.get("token"))


def running(place: Place) -> Client | None:
    """A client of the service that is there, after it has answered; None if none runs on the home.

    The token is sent only to an address that the owner named, or to a live process of the one who keeps the home.
    """
    if place.url:
        transport = HttpTransport(place.url)
        _healthy(Client(transport, None))
        return Client(transport, place.token or place.made_token)
    entry = service_file(place.home)
    if entry is None or not alive(entry["pid"]):
        return None
    transport = HttpTransport(reachable(entry["url"]))
    try:
        _healthy(Client(transport, None))
    except Unavailable:
        return None
    return Client(transport, place.token or place.made_token)


def reachable(url: str) -> str:
    """The address to call if the service listens on all of them."""
    return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


def _healthy(client: Client) -> None:
    """Raises Unavailable unless the agent answers there."""
    try:
        client.send("GET", "/health", patience=HEALTH_SECONDS)
    except Refused as refused:
        raise Unavailable(
            f"The service at {client.address} is there but not ready: {refused}", hint="Try again in a moment"
        ) from refused


def service_file(home: Path) -> dict[str, Any] | None:
    """What the running service, or the last one that did not end in order, wrote down about itself."""
    try:
        entry = json.loads(home.joinpath("service.json").read_bytes())
    except (OSError, ValueError):
        return None
    known = isinstance(entry, dict) and isinstance(entry.get("url"), str) and isinstance(entry.get("pid"), int)
    return entry if known and entry["pid"] > 0 else None


def alive(pid: int) -> bool:
    """Whether the process is there and has not ended; one that ended may stay listed until its parent looks."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state not in {b"Z", b"X"}


class OwnTransport:
    """This process as the service, for the length of one command: the same application, without a network."""

    address = None

    def __init__(self, app: Any) -> None:
        self._app = app
        self._browser = app.test_client()

    def send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], timeout: float
    ) -> tuple[int, bytes]:
        answer = self._browser.open(path, method=method, data=body, headers=dict(headers), base_url=OWN_ADDRESS)
        return answer.status_code, answer.get_data()

    def close(self) -> None:
        self._app.extensions["agent"].close()


OWN_ADDRESS = "http://127.0.0.1"


def connect(place: Place, environ: Mapping[str, str], patience: float = LOCKED_SECONDS) -> Client:
    """The running service, or else this process. Raises Unavailable if something keeps the home and does not answer."""
    deadline = time.monotonic() + patience
    while True:
        client = running(place)
        if client is not None:
            return client
        try:
            return by_itself(place, environ)
        except HomeLocked as locked:
            if time.monotonic() > deadline:
                raise Unavailable(
                    f"Something is at work on `{place.home}` but does not answer",
                    hint="Another command may still be running; `./agent stop` ends a service that hangs",
                ) from locked
        time.sleep(0.1)


def by_itself(place: Place, environ: Mapping[str, str]) -> Client:
    """A client of the application in this very process. Raises HomeLocked if another one keeps the home."""
    from app import Outside, create_app  # noqa: PLC0415  the whole house; a running service makes it unnecessary
    from credential_wiring import account_variables  # noqa: PLC0415
    from settings import Settings  # noqa: PLC0415

    settings = Settings.from_sources(environ, place.home)
    app = create_app(settings, Outside(environ=account_variables(environ, settings.home)))
    return Client(OwnTransport(app), app.extensions["agent"].token)


def restored(place: Place, environ: Mapping[str, str], source: str, *, agent: str, overwrite: bool) -> dict[str, Any]:
    """Bring memory and logs back into the home. Raises HomeLocked while somebody keeps it."""
    from backup_wiring import DRIVE, backup_choice  # noqa: PLC0415  only this command needs it
    from credential_wiring import account_variables, stored_values  # noqa: PLC0415
    from drive_uploader import restore  # noqa: PLC0415
    from settings import Settings  # noqa: PLC0415

    settings = Settings.from_sources(environ, place.home)
    variables = account_variables(environ, settings.home)
    choice = backup_choice(settings, source, stored_values(settings.home, DRIVE, variables))
    if choice is None:
        raise BadSettings(
            "No place for copies is set",
            hint="Enter the key with `./agent credentials set drive`, or set `AGENT_DRIVE_KEY_FILE` or "
            "`AGENT_BACKUP_FOLDER` to where the copies are",
        )
    target = choice.open()
    try:
        found = restore(target, place.home, agent=agent, overwrite=overwrite)
    finally:
        target.close()
    return {"success": True, "message": found.words, "logs": found.logs, "damaged": list(found.damaged)}


def start(place: Place, environ: Mapping[str, str]) -> Client:
    """Start the service so that it outlives this command, and wait until it answers."""
    place.home.mkdir(parents=True, exist_ok=True)
    path = place.home / "service.log"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "ab") as log:
        written = log.tell()
        process = subprocess.Popen(
            [sys.executable, "-m", "cli", "up"],
            cwd=CHECKOUT,
            env={**environ, "AGENT_HOME": str(place.home)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        client = running(place)
        if client is not None:
            return client
        code = process.poll()
        if code in OTHER_AT_WORK:
            deadline = min(deadline, time.monotonic() + SIBLING_SECONDS)
        elif code is not None:
            break
        time.sleep(0.05)
    said = path.read_bytes()[written:].decode(errors="replace").strip()
    reason, _, hint = said.partition("\n")
    raise Unavailable(
        f"The service did not start: {reason or 'it gave no reason'}", hint=hint or f"`{path}` may say more"
    )


def stop(client: Client | None, place: Place) -> bool:
    """End the service in order, or by a signal if it does not answer; whether there was one. Raises Unavailable."""
    entry = None if place.url else service_file(place.home)
    if client is not None:
        client.post("/admin/stop")
        if _gone(client, entry, STOP_SECONDS):
            return True
    elif entry is None or not alive(entry["pid"]) or not ours(entry["pid"], place.home):
        return False
    if entry is not None and ours(entry["pid"], place.home):
        os.kill(entry["pid"], signal.SIGTERM)
        if _gone(client, entry, STOP_SECONDS):
            return True
    raise Unavailable("The service does not end", hint=f"See what it does in `{place.home / 'logs' / 'agent.log'}`")


def _gone(client: Client | None, entry: dict[str, Any] | None, seconds: float) -> bool:
    """Wait until the process has ended; of a service elsewhere, until it no longer answers."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if entry is not None:
            if not alive(entry["pid"]):
                return True
        elif client is None or not _answers(client):
            return True
        time.sleep(0.05)
    return False


def _answers(client: Client) -> bool:
    try:
        client.send("GET", "/health", patience=HEALTH_SECONDS)
    except (Unavailable, Refused):
        return False
    return True


def ours(pid: int, home: Path) -> bool:
    """Whether that process, or a child of it, keeps this home: a number may have passed to another program."""
    lock = home / "service.lock"
    if Path("/proc/self/fd").exists():
        return any(_has_open(number, lock) for number in (pid, *_children(pid)))
    look = ["/bin/ps", "-o", "command=", "-p", str(pid)]
    words = subprocess.run(look, capture_output=True, text=True, check=False)  # noqa: S603  nothing in it but a number
    return words.stdout.rstrip().endswith((" cli up", "cli.py up"))


def _children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
    except OSError:
        return []
    return [int(number) for number in text.split()]


def _has_open(pid: int, path: Path) -> bool:
    try:
        return any(link.samefile(path) for link in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


def open_in_browser(url: str, environ: Mapping[str, str]) -> None:
    """Open a link that is a secret: by a page only the owner can read, since command lines are for all to see."""
    import tempfile  # noqa: PLC0415  only here
    import webbrowser  # noqa: PLC0415

    descriptor, path = tempfile.mkstemp(".html", "agent-", environ.get("XDG_RUNTIME_DIR") or None)
    with os.fdopen(descriptor, "w") as page:
        page.write(f"<!doctype html><title>Task Agent</title><script>location.replace({json.dumps(url)})</script>\n")
    webbrowser.open(Path(path).as_uri())


def serve(place: Place, environ: Mapping[str, str], greet: Callable[[Client], None]) -> int:
    """Serve in front until told to end. `greet` is called once the service answers."""
    gc.disable()  # a third of the start would go to collecting what is only being loaded; the worker turns it on again
    from app import run_service  # noqa: PLC0415  only who serves needs the whole house
    from settings import Settings  # noqa: PLC0415

    settings = Settings.from_sources(environ, place.home)
    os.register_at_fork(after_in_parent=_Greeter(place, greet))
    code = run_service(settings)
    return Exit.UNREACHABLE if code == Exit.CONFLICT and _locked(place.home) else code


class _Greeter:
    """Waits in the background until the service answers. The worker is a fork of this process, so no thread before."""

    def __init__(self, place: Place, greet: Callable[[Client], None]) -> None:
        self._place = place
        self._greet = greet
        self._pid = os.getpid()
        self._begun = False

    def __call__(self) -> None:
        if os.getpid() == self._pid and not self._begun:
            self._begun = True
            threading.Thread(target=self._wait, name="greeter", daemon=True).start()

    def _wait(self) -> None:
        while (service_file(self._place.home) or {}).get("pid") != self._pid:
            time.sleep(0.02)
        # Nobody needs the greeting for the service to work.
        with suppress(OSError, AppError, Refused):
            client = running(self._place)
            if client is not None:
                self._greet(client)


def _locked(home: Path) -> bool:
    """Whether somebody keeps the home, found without taking its lock from one who is about to."""
    try:
        number = home.joinpath("service.lock").stat().st_ino
        return f":{number} " in Path("/proc/locks").read_text("ascii")
    except OSError:
        return False
