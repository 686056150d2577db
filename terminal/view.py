"""What a terminal shows: one JSON document for scripts; tables, diffs, progress and questions for people.

Answers go to the standard output; progress, questions, hints and errors to the standard error. Text of the service
is never taken as markup, and control characters in it are shown, not obeyed.
"""

import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

Body = dict[str, Any]
PLAIN_WIDTH = 120
NARROW = 60
"""Columns of a terminal below which rows are shown as blocks of lines."""
STATUS = {
    "queued": ("queued", "blue"),
    "awaiting_approval": ("waits for you", "yellow"),
    "running": ("running", "cyan"),
    "succeeded": ("done", "green"),
    "failed": ("failed", "red"),
    "rejected": ("rejected", "red"),
    "cancelled": ("cancelled", "dim"),
    "interrupted": ("interrupted", "yellow"),
    "undone": ("undone", "dim"),
}
DIFF_STYLES = (
    ("+++", "bold"),
    ("---", "bold"),
    ("@@", "cyan"),
    ("diff ", "bold"),
    ("+", "green"),
    ("-", "red"),
)


def clean(value: Any) -> str:
    """Text that can do nothing to a terminal: every control character but newline and tab is spelt out."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in HARMFUL else _spelt(c) for c in str(value))


HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def _spelt(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" if number < 65536 else f"\\U{number:08x}"


def one_line(value: Any, most: int = 200) -> str:
    words = " ".join(clean(value).split())
    return words if len(words) <= most else words[: most - 1] + "…"


def when(stamp: Any) -> str:
    """A stored time as the reader's clock shows it."""
    try:
        return datetime.fromisoformat(str(stamp)).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return clean(stamp or "")


class View:
    """The two ends of a terminal. `as_json` keeps everything but one document off the standard output."""

    def __init__(self, *, as_json: bool = False, stdin: TextIO | None = None) -> None:
        self.as_json = as_json
        self._stdin = stdin or sys.stdin

    @cached_property
    def out(self) -> "Console":
        return _console(sys.stdout)

    @cached_property
    def err(self) -> "Console":
        return _console(sys.stderr)

    @property
    def can_ask(self) -> bool:
        """Whether a person sits there who can be asked."""
        return self._stdin.isatty() and sys.stderr.isatty()

    def document(self, body: Body) -> None:
        """The one JSON document that a script reads."""
        layout = {"indent": 2} if sys.stdout.isatty() else {}
        try:
            sys.stdout.write(json.dumps(body, ensure_ascii=False, **layout) + "\n")  # type: ignore[arg-type]
        except UnicodeEncodeError:
            sys.stdout.write(json.dumps(body, **layout) + "\n")  # type: ignore[arg-type]
        sys.stdout.flush()

    def line(self, text: Any = "", style: str = "") -> None:
        self.out.print(styled(text, style), soft_wrap=True)

    def show(self, thing: "RenderableType") -> None:
        self.out.print(thing)

    def note(self, text: str, style: str = "dim") -> None:
        """Something beside the answer: what to do next, what is going on."""
        self.err.print(styled(text, style), soft_wrap=True)

    def error(self, message: Any, hint: Any = "") -> None:
        self.note(clean(message), "bold red")
        if hint:
            self.note(clean(hint), "")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Rows under headings; the first column is never cut. On a narrow terminal, a block of lines for each."""
        cells = [[value if _is_text(value) else styled(one_line(value)) for value in row] for row in rows]
        if self.out.width < NARROW:
            self._blocks(columns, cells)
            return
        from rich import box  # noqa: PLC0415  most commands of a script never draw a table
        from rich.table import Table  # noqa: PLC0415

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for number, name in enumerate(columns):
            table.add_column(name, no_wrap=number == 0, overflow="fold")
        for row in cells:
            table.add_row(*row)
        self.out.print(table)

    def _blocks(self, columns: Sequence[str], rows: "list[list[Text]]") -> None:
        for row in rows:
            for name, cell in zip(columns, row, strict=True):
                if cell.plain:
                    self.out.print(styled(f"{name}: ", "bold") + cell)
            self.out.print()

    def diff(self, text: Any, *, to: "Console | None" = None) -> None:
        for row in clean(text).splitlines():
            style = next((style for start, style in DIFF_STYLES if row.startswith(start)), "")
            (to or self.out).print(styled(row, style), soft_wrap=True)

    @contextmanager
    def working(self, words: str) -> Iterator[Callable[[Body], None]]:
        """Shows that something is going on; gives what to call with a task and its children as they change."""
        if not self.err.is_terminal:
            yield self._said_once()
            return
        with self.err.status(styled(one_line(words), ""), spinner="dots") as status:
            yield lambda seen: status.update(styled(progress(seen), ""))

    def _said_once(self) -> Callable[[Body], None]:
        said: list[str] = []

        def watch(seen: Body) -> None:
            words = progress(seen)
            if words not in said[-1:]:
                said.append(words)
                self.note(words, "")

        return watch

    def ask(self, question: str, choices: str) -> str:
        """The first letter of the answer; Enter takes the first choice, the end of the input the last."""
        while True:
            sys.stderr.write(f"{question} ")
            sys.stderr.flush()
            answer = self._stdin.readline()
            if not answer:
                sys.stderr.write("\n")
                return choices[-1]
            letter = answer.strip().lower()[:1] or choices[0]
            if letter in choices:
                return letter

    def ask_text(self, question: str, default: str) -> str:
        """What is typed; Enter, or the end of the input, takes the default."""
        sys.stderr.write(f"{clean(question)}{f' [{clean(default)}]' if default else ''} ")
        sys.stderr.flush()
        return self._stdin.readline().strip() or default

    def ask_secret(self, question: str) -> str:
        """What is typed, which is not shown; empty at the end of the input."""
        import getpass  # noqa: PLC0415  hardly any command asks for a secret

        try:
            return getpass.getpass(f"{clean(question)} ", stream=sys.stderr).strip()
        except EOFError:
            return ""


def progress(seen: Body) -> str:
    """How far a task is, in one line."""
    task, children = seen.get("task") or {}, seen.get("children") or []
    at_work = next((c for c in children if c.get("status") in {"running", "awaiting_approval"}), None)
    if children:
        ended = sum(c.get("status") not in {"queued", "running", "awaiting_approval"} for c in children)
        title = at_work.get("title", "") if at_work else task.get("title", "")
        return one_line(f"Step {min(ended + 1, len(children))} of {len(children)}: {title}")
    return one_line(task.get("title") or "Working")


def styled(text: Any, style: str = "") -> "Text":
    from rich.text import Text  # noqa: PLC0415  not needed for `--json`

    return Text(clean(text), style=style)


def status_text(status: Any) -> "Text":
    words, style = STATUS.get(str(status), (str(status), ""))
    return styled(words, style)


def _is_text(value: Any) -> bool:
    return type(value).__name__ == "Text"


def _console(stream: TextIO) -> "Console":
    import shutil  # noqa: PLC0415

    from rich.console import Console  # noqa: PLC0415  not needed for `--json`

    width = None if stream.isatty() else shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns
    return Console(file=stream, width=width, markup=False, emoji=False, highlight=False)
