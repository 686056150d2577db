"""`logs/agent.log`: JSON lines for operators, rotated by size, with secrets blanked.

A module logs with `logging.getLogger(__name__)`; `extra={"event": "step_failed", "data": {...}}` adds the fields that a
machine reads. Which task a line belongs to comes from `log_context`.
"""

import contextlib
import contextvars
import json
import logging
import os
import re
import reprlib
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

HIDDEN = "[hidden]"
MOMENT = 0.05
MOST_WAITING = 50_000
KEYS = r"pass(?:word|wd|phrase)|(?:client_)?secret|(?:access_|refresh_|id_)?token|api_?key|private_key|authorization"
PATTERNS: tuple[tuple[str, str, str, str], ...] = (
    # A character and then texts one of which must be there in lower case, what to look for in that case, and what
    # stays of it. JSON escapes none of those texts, so the same tests serve for serialised values.
    ("b", "bearer", r"(?i)\b(bearer\s+)(?:(?=[\w.~+/=-]*\d)[\w.~+/=-]{6,}|[\w.~+/=-]{20,})", rf"\1{HIDDEN}"),
    ("@", "://", r"(://[^\s/:@]*:)[^\s/@]+(?=@)", rf"\1{HIDDEN}"),
    ("=", "token= key= code= word= secret=", rf"(?i)([?&#](?:{KEYS}|key|code)=)[^&#\s\"'\\]+", rf"\1{HIDDEN}"),
    ("_", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,})", HIDDEN),
    ("_", "k_live_ k_test_", r"\b[sr]k_(?:live|test)_\w{16,}", HIDDEN),
    ("_", "npm_ hf_ rnd_", r"\b(?:npm|hf|rnd)_[A-Za-z0-9]{20,}", HIDDEN),
    ("_", "vcp_ vci_ vca_ vcr_ vck_ nfp_ nfc_ nfo_ nfu_ nfb_", r"\b(?:vc[piark]|nf[pcoub])_[A-Za-z0-9]{20,}", HIDDEN),
    ("-", "sk-", r"\bsk-[\w-]{16,}", HIDDEN),
    ("-", "glpat-", r"\bglpat-[\w-]{16,}", HIDDEN),
    ("-", "gocspx-", r"\bGOCSPX-[\w-]{20,}", HIDDEN),
    ("/", "1//0", r"\b1//0[\w-]{40,}", HIDDEN),
    ("-", "xox", r"\bxox[abeprs]-[\w-]{10,}", HIDDEN),
    ("-", "key-----", r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*KEY-----|\Z)", HIDDEN),
    ("k", "akia", r"\bAKIA[0-9A-Z]{16}\b", HIDDEN),
    ("z", "aiza", r"\bAIza[\w-]{30,}", HIDDEN),
    ("j", "eyj", r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*", HIDDEN),
    ('"', "pass secret token key authorization", rf'(?i)("(?:{KEYS})\\?"\s*:\s*\\?")[^"\\]+', rf"\1{HIDDEN}"),
)
LEVELS = {logging.getLevelName(number): logging.getLevelName(number).lower() for number in range(0, 60, 10)}


class Redactor:
    """Blanks secrets in text and in JSON values: those it was told, and whatever looks like one.

    For what is shown or kept as a record; never for a call that will be run.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._adding = threading.Lock()
        self._known: dict[str, str] = {}
        self._escaped: tuple[str, ...] = ()
        rules: dict[str, list[tuple[str, str, str]]] = {}
        for character, markers, pattern, kept in PATTERNS:
            rules.setdefault(character, []).extend((marker, pattern, kept) for marker in markers.split())
        self._rules = tuple(rules.items())
        for secret in secrets:
            self.add(secret)

    def add(self, secret: str) -> None:
        """Remember a value that must never be shown. One of fewer than 4 characters is too common to blank."""
        if len(secret) < 4 or secret in self._known:
            return
        with self._adding:
            known = self._known | {secret: _literal(secret)}
            self._known = {known_secret: known[known_secret] for known_secret in sorted(known, key=len, reverse=True)}
            self._escaped = tuple({json.dumps(s, ensure_ascii=ascii)[1:-1] for s in known for ascii in (True, False)})

    def text(self, text: str) -> str:
        """The text without its secrets; the very same object if there are none."""
        for secret, pattern in self._known.items():
            if secret in text:
                text = re.sub(pattern, HIDDEN, text)
        for _, pattern, kept in self._suspicions(text.lower()):
            text = re.sub(pattern, kept, text)
        return text

    def json(self, line: str) -> str:
        """Serialised JSON without its secrets; the very same object if there are none."""
        return dumps(self._clean(line)) if self._suspicious(line) else line

    def value(self, value: Any) -> Any:
        """A JSON value without its secrets; the very same object if there are none."""
        line = dumps(value)
        return self._clean(line) if self._suspicious(line) else value

    def _suspicions(self, lower: str) -> Iterator[tuple[str, str, str]]:
        """Cheap tests go before every pattern, because nearly every line is free of secrets."""
        for character, rules in self._rules:
            if character in lower:
                for rule in rules:
                    if rule[0] in lower:
                        yield rule

    def _suspicious(self, line: str) -> bool:
        for escaped in self._escaped:
            if escaped in line:
                return True
        return next(self._suspicions(line.lower()), None) is not None

    def _clean(self, line: str) -> Any:
        try:
            return self._walk(json.loads(line))
        except RecursionError:
            return {"unreadable": HIDDEN}

    def _walk(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._walk(item) for item in value]
        if isinstance(value, dict):
            return {
                self.text(key): HIDDEN if item and isinstance(item, str) and _telling(key) else self._walk(item)
                for key, item in value.items()
            }
        return value


def _telling(key: str) -> bool:
    """Whether the name alone says that its value is a secret."""
    return re.fullmatch(KEYS, key, re.IGNORECASE) is not None


def _literal(secret: str) -> str:
    """A short secret could be part of an ordinary word, so it is only blanked where it stands alone."""
    literal = re.escape(secret)
    return literal if len(secret) >= 8 else rf"(?<!\w){literal}(?!\w)"


def dumps(value: Any) -> str:
    """Any value as one line of JSON. Never raises for what a program could want to log."""
    try:
        return orjson.dumps(value, str, orjson.OPT_NON_STR_KEYS | orjson.OPT_UTC_Z).decode()
    except TypeError:
        # Lone surrogates, integers above 64 bits, cycles.
        try:
            return json.dumps(value, default=str, skipkeys=True, separators=(",", ":"))
        except (TypeError, ValueError, RecursionError):
            return json.dumps({"unreadable": reprlib.repr(value)})


@dataclass(frozen=True, slots=True)
class Where:
    """What is being worked on while a line is logged."""

    task_id: str | None = None
    iteration: int | None = None
    phase: str | None = None


_where: contextvars.ContextVar[Where] = contextvars.ContextVar("log_where", default=Where())  # noqa: B039  frozen


@contextlib.contextmanager
def log_context(**known: Any) -> Iterator[None]:
    """Lines logged inside the block carry `task_id`, `iteration` and `phase`, as far as they are given."""
    token = _where.set(replace(_where.get(), **known))
    try:
        yield
    finally:
        _where.reset(token)


class LogFile(logging.Handler):
    """One system call writes a line, so nobody mixes theirs. A full disk loses lines, not the work."""

    def __init__(self, path: Path, *, max_bytes: int, keep: int, redactor: Redactor) -> None:
        super().__init__()
        self.path = path
        self.lost = 0
        """Lines that could not be written, for example to a full disk."""
        self._max_bytes = max_bytes
        self._keep = keep
        self._redactor = redactor
        self._traceback = logging.Formatter().formatException
        self._guard = threading.Lock()
        self._file: int | None = None
        self._torn = False
        self._waiting: deque[bytes] = deque(maxlen=MOST_WAITING)
        self._something_waits = threading.Event()
        self._writer: threading.Thread | None = None
        self._ended = False

    def emit(self, record: logging.LogRecord) -> None:
        extra = record.__dict__
        data = extra.get("data")
        if record.exc_info:
            known = data if isinstance(data, dict) else {"value": data} if data else {}
            data = {**known, "traceback": self._traceback(record.exc_info)}
        try:
            message = record.getMessage()
        except (TypeError, ValueError):
            message = str(record.msg)
        level = LEVELS.get(record.levelname) or record.levelname.lower()
        self.write(level, extra.get("event"), message, data, record.name)

    def write(self, level: str, event: str | None, message: str, data: Any = None, logger: str = "") -> None:
        """Write one line without the machinery of loggers."""
        raw = self._line(level, event, message, data, logger)
        with self._guard:
            self._append(raw)

    def write_soon(self, level: str, event: str | None, message: str, data: Any = None, logger: str = "") -> None:
        """The same within a moment, together with others: for what happens at every request.

        A system call gives the interpreter away, and threads that serve requests wait long to get it back.
        """
        self._waiting.append(self._line(level, event, message, data, logger))
        if not self._something_waits.is_set():
            self._something_waits.set()
            self._have_writer()

    def _line(self, level: str, event: str | None, message: str, data: Any, logger: str) -> bytes:
        where = _where.get()
        head = dumps(
            {
                "timestamp": datetime.now(UTC),
                "level": level,
                "task_id": where.task_id,
                "iteration": where.iteration,
                "phase": where.phase,
            }
        )
        said = {"event": event, "data": data, "logger": logger, "message": message}
        tail = self._redactor.json(dumps(said))
        return f"{head[:-1]},{tail[1:]}\n".encode()

    def flush(self) -> None:
        """Write what waits: whatever was given before this call is in the file after it."""
        with self._guard:
            lines = []
            with contextlib.suppress(IndexError):
                while True:
                    lines.append(self._waiting.popleft())
            if lines:
                self._append(b"".join(lines))

    def _have_writer(self) -> None:
        with self._guard:
            if self._writer is None and not self._ended:
                self._writer = threading.Thread(target=self._write_behind, name="log-writer", daemon=True)
                self._writer.start()

    def _write_behind(self) -> None:
        while not self._ended:
            self._something_waits.wait()
            time.sleep(MOMENT)
            self._something_waits.clear()
            self.flush()

    def _append(self, line: bytes) -> None:
        try:
            file = self._ready(len(line))
            written = os.write(file, b"\n" + line if self._torn else line)
            self._torn = written < len(line)
        except OSError:
            self.lost += 1

    def _ready(self, size: int) -> int:
        """The file to write to: opened, still in its place, and with room for one more line."""
        if self._file is not None:
            status = os.fstat(self._file)
            if status.st_nlink and (not status.st_size or status.st_size + size <= self._max_bytes):
                return self._file
            self._let_go()
            if status.st_nlink:
                self._rotate(status.st_ino)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        os.fchmod(self._file, 0o600)
        return self._file

    def _rotate(self, inode: int) -> None:
        if self.path.stat().st_ino != inode:
            return  # another process has done it
        names = [self.path, *(self.path.with_name(f"{self.path.name}.{n}") for n in range(1, self._keep + 1))]
        names[-1].unlink(missing_ok=True)
        for older, newer in zip(reversed(names[1:]), reversed(names[:-1]), strict=True):
            with contextlib.suppress(FileNotFoundError):
                newer.rename(older)

    def _let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def close(self) -> None:
        """Nothing is written any more when this returns; the folder may go."""
        self._ended = True
        self._something_waits.set()
        with self._guard:
            writer = self._writer
        if writer is not None:
            writer.join()
        self.flush()
        with self._guard:
            self._let_go()
        super().close()


def set_up_logging(
    path: Path, redactor: Redactor, *, level: str = "info", max_bytes: int = 10 * 2**20, keep: int = 5
) -> LogFile:
    """Send what every module logs to the file; `take_down_logging` ends that."""
    handler = LogFile(path, max_bytes=max_bytes, keep=keep, redactor=redactor)
    root = logging.getLogger()
    root.setLevel(level.upper())
    root.addHandler(handler)
    for chatty in ("urllib3", "werkzeug", "googleapiclient", "google_auth_httplib2"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))
    return handler


def take_down_logging(handler: LogFile) -> None:
    logging.getLogger().removeHandler(handler)
    handler.close()
