"""Reads the report of a test run. It was written where untrusted code runs: a claim to be shown, never proof."""

from dataclasses import dataclass, replace
from enum import StrEnum
from xml.parsers import expat

MOST_CASES = 5_000
LONGEST_NAME = 500
LONGEST_MESSAGE = 4_000
ENDINGS = {"failure": "failed", "error": "error", "skipped": "skipped"}


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    group: str = ""
    """The file, class or suite that it stands in."""
    outcome: Outcome = Outcome.PASSED
    seconds: float = 0.0
    message: str = ""


class NotAReport(ValueError):
    """The text is no JUnit report, or one that tries to be more."""


class _Reader:
    def __init__(self) -> None:
        self.cases: list[Case] = []
        self._suites: list[str] = []
        self._case: Case | None = None
        self._text: list[str] | None = None

    def start(self, tag: str, values: dict[str, str]) -> None:
        if tag == "testsuite":
            self._suites.append(values.get("name", ""))
        elif tag == "testcase":
            self._case = Case(
                values.get("name", "")[:LONGEST_NAME],
                (values.get("file") or values.get("classname") or "")[:LONGEST_NAME],
                seconds=_seconds(values.get("time", "")),
            )
            if self._case.group in {"", "test"}:
                self._case = replace(self._case, group=" > ".join(self._suites)[:LONGEST_NAME])
        elif tag in ENDINGS and self._case:
            self._case = replace(
                self._case, outcome=Outcome(ENDINGS[tag]), message=values.get("message", "")[:LONGEST_MESSAGE]
            )
            self._text = []

    def text(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def end(self, tag: str) -> None:
        if tag == "testsuite" and self._suites:
            self._suites.pop()
        elif tag in ENDINGS and self._case and self._text is not None:
            whole = "".join(self._text).strip()[:LONGEST_MESSAGE]
            self._case = replace(self._case, message=whole or self._case.message)
            self._text = None
        elif tag == "testcase" and self._case:
            if len(self.cases) >= MOST_CASES:
                raise NotAReport("it has too many tests")
            self.cases.append(self._case)
            self._case = None


def _refuse(*_: object) -> None:
    raise NotAReport("it declares a document type")


def _seconds(text: str) -> float:
    try:
        return max(0.0, min(float(text), 1e9))
    except ValueError:
        return 0.0


def read_report(data: bytes) -> tuple[Case, ...]:
    """Every test in the order of the report. Raises NotAReport."""
    reader = _Reader()
    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = reader.start
    parser.CharacterDataHandler = reader.text
    parser.EndElementHandler = reader.end
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise NotAReport(str(error)) from error
    return tuple(reader.cases)
