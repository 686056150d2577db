"""What a proof found: each check, the tests, the broken variants, and one sentence for people."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from contracts.words import counted
from proving.record import Exchange, cut

LARGEST = 190_000
SHRINKING = ((2000, 40), (800, 24), (300, 12), (120, 6), (60, 2), (0, 0))
"""How long each text may be and how many exchanges a check may keep, until all of it is small enough."""
LONGEST_WHY = 600
MOST_TESTS = 300
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class CheckResult:
    id: str
    words: str
    ok: bool
    seen_failing: bool | None
    """Whether it failed on an app that is not there; None where that was not tried."""
    why: str
    """In words what is not so; empty if it holds."""
    seconds: float
    exchanges: tuple[Exchange, ...] = ()
    asked: int = 0
    """How much was asked altogether."""

    def to_json(self, longest: int, most: int) -> dict[str, Any]:
        kept = self.exchanges if len(self.exchanges) <= most else (*self.exchanges[: most // 2], *self._end(most))
        return {
            "id": self.id,
            "words": self.words,
            "ok": self.ok,
            "seen_failing": self.seen_failing,
            "why": cut(self.why, LONGEST_WHY),
            "seconds": round(self.seconds, 3),
            "asked": self.asked,
            "exchanges": [exchange.to_json(longest) for exchange in kept],
        }

    def _end(self, most: int) -> tuple[Exchange, ...]:
        return self.exchanges[len(self.exchanges) - (most - most // 2) :]


@dataclass(frozen=True, slots=True)
class TestsResult:
    """How the project's own tests went: a claim from where they ran, never proof by itself."""

    __test__ = False
    ok: bool
    words: str
    passed: int
    cases: tuple[tuple[str, str, str], ...] = ()
    """Name, outcome and message of each."""

    def to_json(self) -> dict[str, Any]:
        cases = [
            {"name": cut(name, 160), "outcome": outcome, "message": cut(message, 400)}
            for name, outcome, message in self.cases[:MOST_TESTS]
        ]
        return {"ok": self.ok, "words": self.words, "passed": self.passed, "cases": cases}


def _named(tests: TestsResult) -> str:
    """The tests that failed, by their names, which say what no longer holds."""
    failed = [cut(name, 160) for name, outcome, _ in tests.cases if outcome in {"failed", "error"}]
    shown = ", ".join(f"`{name}`" for name in failed[:MOST_NAMED])
    return f" ({shown}{', …' if len(failed) > MOST_NAMED else ''})" if failed else ""


@dataclass(frozen=True, slots=True)
class VariantResult:
    path: str
    line: int
    words: str
    caught: bool
    by: str
    """The test that failed, or why none did."""

    def to_json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "line": self.line,
            "words": self.words,
            "caught": self.caught,
            "by": cut(self.by, 300),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Whether an app does what its spec says."""

    checks: tuple[CheckResult, ...]
    digest: str
    """Of the spec and the files that this is about."""
    tests: TestsResult | None = None
    """None for an address, where they are not run."""
    variants: tuple[VariantResult, ...] | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    trouble: str = ""
    """Why the app could not be tried at all."""
    logs: str = ""
    """The end of what the app printed, where something is wrong."""
    unlooked: str = ""
    """Why its pages were not looked at in a browser; empty if they were, or if it has none."""

    @property
    def ok(self) -> bool:
        return not self.trouble and not self.failures

    @property
    def failures(self) -> tuple[str, ...]:
        """In words everything that stands against it."""
        found = [f"{check.words}: this does not hold, {check.why}" for check in self.checks if not check.ok]
        hollow = [check for check in self.checks if check.seen_failing is False]
        found += [f"the check “{check.words}” also passes without the app, so it shows nothing" for check in hollow]
        if not self.checks:
            found.append("there is nothing that was checked")
        if self.tests and not self.tests.ok:
            found.append(f"the app's own tests do not pass: {self.tests.words}{_named(self.tests)}")
        if self.variants is not None and not self.variants:
            found.append("nothing in the app could be broken to see whether its tests notice")
        told = self.tests is None or self.tests.ok
        for variant in self.variants or ():
            if told and not variant.caught:
                place = f"`{variant.path}` line {variant.line}, {variant.words}"
                found.append(f"the app's own tests did not notice a broken variant ({place}): {variant.by}")
        return tuple(found)

    @property
    def words(self) -> str:
        if self.trouble:
            return f"Not proven: {self.trouble}"
        held = f"{sum(check.ok for check in self.checks)} of {counted(len(self.checks), 'check')} hold"
        parts = [held]
        if self.tests:
            passed = f"{counted(self.tests.passed, 'test')} pass" + ("es" if self.tests.passed == 1 else "")
            parts.append(passed if self.tests.ok else "its own tests do not pass")
        if self.variants and (self.tests is None or self.tests.ok):
            caught = sum(variant.caught for variant in self.variants)
            parts.append(f"{caught} of {counted(len(self.variants), 'planted mistake')} were noticed")
        if self.unlooked:
            parts.append(f"its pages were not looked at in a browser ({cut(self.unlooked, 200)})")
        if self.ok:
            return ", ".join(parts)
        more = f" (and {len(self.failures) - 1} more)" if len(self.failures) > 1 else ""
        return f"Not proven: {', '.join(parts)}. First, {cut(self.failures[0], LONGEST_WHY)}{more}"

    def to_json(self) -> dict[str, Any]:
        """Small enough to be kept with its task, whatever the app answered."""
        for longest, most in SHRINKING:
            found = self._to_json(longest, most)
            if len(json.dumps(found)) <= LARGEST:
                break
        return found

    def _to_json(self, longest: int, most: int) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "words": self.words,
            "digest": self.digest,
            "checks": [check.to_json(longest, most) for check in self.checks],
            "tests": self.tests.to_json() if self.tests else None,
            "variants": None if self.variants is None else [variant.to_json() for variant in self.variants],
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
            "trouble": cut(self.trouble, LONGEST_WHY),
            "logs": cut(self.logs, 4000),
            "unlooked": cut(self.unlooked, LONGEST_WHY),
        }
