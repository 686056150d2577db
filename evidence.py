"""What came of earlier calls, and how sure that makes us of the next one: records, weights and the score.

The score is a lower confidence bound on how often a kind of call goes well, over evidence of about the call's size.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite, sqrt
from typing import Any, NamedTuple

from contracts.trust import Effect, Level, Outcome, Scope

MEDIUM_FROM, HIGH_FROM = 0.75, 0.90
LARGEST_BUCKET = 40


@dataclass(frozen=True, slots=True)
class Policy:
    """Every figure of earned trust. Raises ValueError for figures that make no sense together."""

    z: float = 1.645
    """Standard deviations between the average and the bound: 1.645 is right 95 times in 100."""
    half_life: float = 50
    """An outcome counts half once this many newer ones of its record have followed."""
    borrowed_weight: float = 12
    """How much all other projects together may count."""
    write: float = 0.75
    execute: float = 0.85
    publish: float = 0.90
    demotion: int = 10
    """Approved good runs needed after a rejection, an undo or a failure."""
    kept_outcomes: int = 300
    bucket_base: int = 4
    bucket_unit: int = 1024
    """Bytes in the smallest size bucket; each next one is `bucket_base` times larger."""
    reduced: float = 0.05
    """Added to the threshold of running and installing when the sandbox is a weak one."""

    def __post_init__(self) -> None:
        problems = [words for ok, words in self._rules() if not ok]
        if problems:
            raise ValueError("; ".join(problems))

    def _rules(self) -> Iterator[tuple[bool, str]]:
        yield isfinite(self.z) and self.z > 0, "`z` must be above 0"
        yield 0 < self.half_life <= 1_000_000, "`half_life` must be above 0 and at most 1,000,000"
        yield isfinite(self.borrowed_weight) and self.borrowed_weight >= 0, "`borrowed_weight` must be 0 or more"
        yield (
            0 <= self.write <= self.execute <= self.publish <= 1,
            "0 <= `write` <= `execute` <= `publish` <= 1 must hold",
        )
        yield self.demotion >= 0, "`demotion` must be 0 or more"
        yield self.kept_outcomes >= 1, "`kept_outcomes` must be 1 or more"
        yield self.bucket_base >= 2 and self.bucket_unit >= 1, "`bucket_base` must be 2 or more, `bucket_unit` 1"
        yield 0 <= self.reduced < 1, "`reduced` must be from 0 to below 1"

    def bucket(self, size: int) -> int:
        """The size bucket of a call that touches so many bytes."""
        number, top = 0, self.bucket_unit
        while size > top and number < LARGEST_BUCKET:
            number, top = number + 1, top * self.bucket_base
        return number


class _Weights(NamedTuple):
    """One record's evidence: good weight from each bucket upwards, bad weight of every size."""

    half_life: float
    good_from: tuple[float, ...]
    bad: float

    def good(self, bucket: int) -> float:
        """Weight of the good outcomes of about this size: one bucket smaller counts too."""
        lowest = max(bucket - 1, 0)
        return self.good_from[lowest] if lowest < len(self.good_from) else 0.0


@dataclass(slots=True)
class Record:
    """What came of the calls of one scope. Change it through `add` only."""

    outcomes: list[str] = field(default_factory=list)
    """Newest last, each `<outcome>:<size bucket>`, with `:approved` when a person had said yes."""
    demoted: int = 0
    """Approved good runs still needed before it may run alone again."""
    good: int = 0
    failed: int = 0
    rejected: int = 0
    undone: int = 0
    _weights: _Weights | None = field(default=None, init=False, repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        counts = {name: getattr(self, name) for name in _COUNTS}
        return {**counts, "demoted": self.demoted, "outcomes": list(self.outcomes)}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "Record":
        """Reads what any version wrote: missing fields are empty, unknown ones are ignored."""
        outcomes = raw.get("outcomes")
        marks = [m for m in outcomes if isinstance(m, str)] if isinstance(outcomes, list) else []
        return cls(marks, _count(raw, "demoted"), *(_count(raw, name) for name in _COUNTS))


_COUNTS = tuple(str(outcome) for outcome in Outcome)


def _count(raw: Mapping[str, Any], name: str) -> int:
    value = raw.get(name)
    return max(value, 0) if isinstance(value, int) else 0


class Records(MutableMapping[str, Record]):
    """Records by `Scope.key`, found by kind without looking at all of them."""

    def __init__(self, records: Mapping[str, Record] | None = None) -> None:
        self._all: dict[str, Record] = {}
        self._by_kind: dict[str, dict[str, Record]] = {}
        self.update(records or {})

    def __getitem__(self, key: str) -> Record:
        return self._all[key]

    def __setitem__(self, key: str, record: Record) -> None:
        self._all[key] = record
        self._by_kind.setdefault(_kind(key), {})[key] = record

    def __delitem__(self, key: str) -> None:
        del self._all[key]
        del self._by_kind[_kind(key)][key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def of_kind(self, kind: str) -> Iterable[tuple[str, Record]]:
        return self._by_kind.get(kind, {}).items()


def _kind(key: str) -> str:
    return key.rpartition("@")[0]


def add(record: Record, outcome: Outcome, size: int, *, approved: bool, policy: Policy) -> None:
    """Count an outcome, in place. `approved`: a person had said yes to this call or to its plan."""
    mark = f"{outcome}:{policy.bucket(size)}"
    record.outcomes.append(f"{mark}:approved" if approved else mark)
    del record.outcomes[: -policy.kept_outcomes]
    setattr(record, outcome, getattr(record, outcome) + 1)
    if outcome != Outcome.GOOD:
        record.demoted = policy.demotion
    elif approved and record.demoted:
        record.demoted -= 1
    record._weights = None


@lru_cache(maxsize=1024)
def read_mark(mark: str) -> tuple[bool, int]:
    """Whether it went well, and its bucket. A mark that this version cannot read counts as bad."""
    outcome, _, rest = mark.partition(":")
    found = re.fullmatch(r"([0-9]{1,2})(:approved)?", rest)
    return outcome == Outcome.GOOD and found is not None, min(int(found[1]), LARGEST_BUCKET) if found else 0


def _weigh(record: Record, half_life: float) -> _Weights:
    if record._weights is not None and record._weights.half_life == half_life:
        return record._weights
    by_mark: defaultdict[str, float] = defaultdict(float)
    for weight, mark in zip(_fading(half_life, len(record.outcomes)), reversed(record.outcomes), strict=True):
        by_mark[mark] += weight
    good: defaultdict[int, float] = defaultdict(float)
    bad = 0.0
    for mark, weight in by_mark.items():
        went_well, bucket = read_mark(mark)
        if went_well:
            good[bucket] += weight
        else:
            bad += weight
    running, from_top = 0.0, []
    for bucket in range(max(good, default=-1), -1, -1):
        running += good[bucket]
        from_top.append(running)
    record._weights = _Weights(half_life, tuple(reversed(from_top)), bad)
    return record._weights


@lru_cache(maxsize=1024)
def _fading(half_life: float, count: int) -> tuple[float, ...]:
    return tuple(0.5 ** (newer / half_life) for newer in range(count))


class Evidence(NamedTuple):
    """A scope's record, and the weights of good and bad outcomes, here and borrowed from other projects."""

    record: Record
    good: float
    bad: float
    borrowed_good: float
    borrowed_bad: float

    def score(self, z: float) -> float:
        good = self.good + self.borrowed_good
        return wilson(good, good + self.bad + self.borrowed_bad, z)


def wilson(good: float, total: float, z: float) -> float:
    """The lower end of the Wilson interval for `good` of `total`; 0 without evidence."""
    if total <= 0:
        return 0.0
    good, square = min(good, total), z * z
    low = (good + square / 2 - z * sqrt(good * ((total - good) / total) + square / 4)) / (total + square)
    return min(max(low, 0.0), 1.0)


def gather(scope: Scope, size: int, records: Mapping[str, Record], policy: Policy) -> Evidence:
    """What speaks for and against a call of this size; bad outcomes count whatever their size."""
    kind, bucket = scope.kind, policy.bucket(size)
    here, own, own_good, own_bad = f"{kind}@{scope.project}", None, 0.0, 0.0
    good = bad = 0.0
    for key, record in _same_kind(kind, records):
        weights = _weigh(record, policy.half_life)
        if key == here:
            own, own_good, own_bad = record, weights.good(bucket), weights.bad
            continue
        bad += weights.bad
        if not record.demoted:
            good += weights.good(bucket)
    share = min(1.0, policy.borrowed_weight / (good + bad)) if good + bad else 0.0
    return Evidence(own or Record(), own_good, own_bad, good * share, bad * share)


def _same_kind(kind: str, records: Mapping[str, Record]) -> Iterable[tuple[str, Record]]:
    if isinstance(records, Records):
        return records.of_kind(kind)
    prefix = f"{kind}@"
    return [(k, record) for k, record in records.items() if k.startswith(prefix) and "@" not in k[len(prefix) :]]


def score(scope: Scope, size: int, records: Mapping[str, Record], policy: Policy) -> float:
    """How sure the record makes us, from 0 to 1, that a call of this scope and size goes well."""
    return gather(scope, size, records, policy).score(policy.z)


def overall(records: Mapping[str, Record], policy: Policy) -> float:
    """One score for the agent: all that it has changed, anywhere. Looking earns nothing."""
    changing = [r for key, r in records.items() if _kind(key).rpartition(":")[2] != Effect.READ]
    weights = [_weigh(record, policy.half_life) for record in changing]
    good = sum(w.good(0) for w in weights)
    return wilson(good, good + sum(w.bad for w in weights), policy.z)


def level(score: float) -> Level:
    """Low: asks about every change. Medium: small steps run alone. High: nearly everything earnable does."""
    if score < MEDIUM_FROM:
        return Level.LOW
    return Level.MEDIUM if score < HIGH_FROM else Level.HIGH


def runs_needed(found: Evidence, needed: float, policy: Policy) -> int | None:
    """How many approved good runs of the call's size until it may run alone; None if no number would do."""
    kept = 0.5 ** (1 / policy.half_life)

    def after(runs: int) -> float:
        fade = kept**runs
        good = found.good * fade + (1 - fade) / (1 - kept) + found.borrowed_good
        return wilson(good, good + found.bad * fade + found.borrowed_bad, policy.z)

    first = found.record.demoted
    if after(first) >= needed:
        return first
    runs = bisect_left(range(policy.kept_outcomes), needed, lo=min(first, policy.kept_outcomes), key=after)
    return runs if runs < policy.kept_outcomes else None
