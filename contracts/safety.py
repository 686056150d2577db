"""What a look at code or a command found, before anything runs."""

from dataclasses import dataclass
from enum import StrEnum

from contracts.trust import Effect


class Severity(StrEnum):
    NOTE = "note"
    """Worth a line on the card."""
    RAISE = "raise"
    """Makes the call one of a stricter kind, with a record of its own."""
    ASK = "ask"
    """Is asked about whatever the record says."""
    REFUSE = "refuse"
    """Is not run."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was seen, in words for a person."""

    rule: str
    words: str
    severity: Severity
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All findings, the gravest first."""

    findings: tuple[Finding, ...] = ()

    @property
    def refused(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.severity is Severity.REFUSE)

    @property
    def asks(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.severity is Severity.ASK)

    @property
    def effects(self) -> frozenset[Effect]:
        """What the call touches beyond running in the sandbox."""
        graver = any(f.severity in {Severity.RAISE, Severity.ASK} for f in self.findings)
        return frozenset({Effect.DELETE}) if graver else frozenset()
