"""Earned trust against the alternatives: how often each asks, and how many bad acts each lets through.

Every policy sees the same acts. A person who is asked about a bad act says no, so it is stopped and counts as a
rejection; asked about a good one, the person says yes. A bad act that runs alone has happened, and is then noticed.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402 - the checkout's root has to be on the path first
from rich.table import Table  # noqa: E402

from contracts.trust import Effect, Outcome, Request, Scope, Verdict  # noqa: E402
from trust import Policy, Record, Records, add, decide  # noqa: E402

ACTS = 200
SHIPPED = Policy()
MUCH_SAFER = ("flaky", "good then bad", "larger effect", "larger size")
"""Scenarios in which ours must let at least 90 % fewer bad acts through than the simple rule."""


class Act(NamedTuple):
    good: bool
    size: int
    project: str = "shop"
    larger_effect: bool = False


def ordinary(rng: random.Random) -> int:
    """Bytes that an everyday step touches: half of them below 2 KB, one in twenty above 10 KB."""
    return max(1024, int(rng.lognormvariate(7.6, 1.0)))


def steady(rng: random.Random, count: int, good: float, project: str = "shop") -> list[Act]:
    return [Act(rng.random() < good, ordinary(rng), project) for _ in range(count)]


def reliable(rng: random.Random) -> list[Act]:
    return steady(rng, ACTS, 0.995)


def flaky(rng: random.Random) -> list[Act]:
    return steady(rng, ACTS, 0.80)


def good_then_bad(rng: random.Random) -> list[Act]:
    return steady(rng, ACTS // 2, 0.995) + steady(rng, ACTS // 2, 0.50)


def rare(rng: random.Random) -> list[Act]:
    return steady(rng, 5, 0.80)


def _with_attacks(rng: random.Random, calm: list[Act], attack: Act) -> list[Act]:
    """Four attacks among the acts, none before the fortieth."""
    for _ in range(4):
        calm.insert(rng.randrange(40, len(calm) + 1), attack)
    return calm


def larger_effect(rng: random.Random) -> list[Act]:
    return _with_attacks(rng, steady(rng, ACTS - 4, 1.0), Act(False, ordinary(rng), larger_effect=True))


def larger_size(rng: random.Random) -> list[Act]:
    tiny = [Act(True, rng.randrange(1, 1025)) for _ in range(ACTS - 4)]
    return _with_attacks(rng, tiny, Act(False, rng.randrange(1 << 20, 1 << 26)))


def ten_projects(rng: random.Random) -> list[Act]:
    return [act for number in range(10) for act in steady(rng, 20, 0.995, f"project{number}")]


SCENARIOS: dict[str, Callable[[random.Random], list[Act]]] = {
    "reliable": reliable,
    "flaky": flaky,
    "good then bad": good_then_bad,
    "rare": rare,
    "larger effect": larger_effect,
    "larger size": larger_size,
    "ten projects": ten_projects,
}


class Gate(Protocol):
    """A way to decide who goes ahead, told afterwards what came of it."""

    def alone(self, act: Act) -> bool: ...

    def learn(self, act: Act, outcome: Outcome, approved: bool) -> None: ...


class AlwaysAsk:
    def alone(self, act: Act) -> bool:
        return False

    def learn(self, act: Act, outcome: Outcome, approved: bool) -> None:
        pass


class NeverAsk(AlwaysAsk):
    def alone(self, act: Act) -> bool:
        return True


@dataclass
class SimpleRule:
    """Alone with more than 5 confirmed and under 20 % failures; a rejection counts as a failure, in its favour."""

    good: int = 0
    bad: int = 0

    def alone(self, act: Act) -> bool:
        return self.good > 5 and self.bad / (self.good + self.bad) < 0.20

    def learn(self, act: Act, outcome: Outcome, approved: bool) -> None:
        self.good += outcome is Outcome.GOOD
        self.bad += outcome is not Outcome.GOOD


EFFECTS = {
    "write": (frozenset({Effect.WRITE_PROJECT}), frozenset({Effect.WRITE_PROJECT, Effect.EXECUTE_SANDBOXED})),
    "execute": (frozenset({Effect.EXECUTE_SANDBOXED}), frozenset({Effect.EXECUTE_SANDBOXED, Effect.NETWORK})),
    "publish": (frozenset({Effect.PUBLISH}), frozenset({Effect.PUBLISH, Effect.NETWORK})),
}
"""The everyday effects of each rung, and those of its adversary. No floor helps: each one can be earned."""


@dataclass
class Ours:
    """The shipped gate itself, at one rung of its ladder."""

    rung: str
    policy: Policy = SHIPPED
    records: Records = field(default_factory=Records)

    def alone(self, act: Act) -> bool:
        request = Request(self._scope(act), act.size, verified=True)
        return decide(request, self.records, self.policy).verdict is Verdict.AUTO

    def learn(self, act: Act, outcome: Outcome, approved: bool) -> None:
        record = self.records.setdefault(self._scope(act).key, Record())
        add(record, outcome, act.size, approved=approved, policy=self.policy)

    def _scope(self, act: Act) -> Scope:
        return Scope("work", EFFECTS[self.rung][act.larger_effect], act.project)


POLICIES: dict[str, Callable[[], Gate]] = {
    "always ask": AlwaysAsk,
    "never ask": NeverAsk,
    "simple rule": SimpleRule,
    f"ours, write {SHIPPED.write:.2f}": lambda: Ours("write"),
    f"ours, execute {SHIPPED.execute:.2f}": lambda: Ours("execute"),
    f"ours, publish {SHIPPED.publish:.2f}": lambda: Ours("publish"),
}
OURS = tuple(name for name in POLICIES if name.startswith("ours"))


class Tally(NamedTuple):
    acts: int = 0
    asked: int = 0
    through: int = 0
    """Bad acts that ran alone."""
    stopped: int = 0
    """Bad acts that reached a person."""

    def plus(self, other: "Tally") -> "Tally":
        return Tally(*(a + b for a, b in zip(self, other, strict=True)))


def live(gate: Gate, acts: list[Act], rng: random.Random) -> Tally:
    """Let one policy meet the acts, in order."""
    asked = through = stopped = 0
    for act in acts:
        alone = gate.alone(act)
        asked += not alone
        if act.good:
            gate.learn(act, Outcome.GOOD, approved=not alone)
        elif alone:
            through += 1
            gate.learn(act, rng.choice((Outcome.FAILED, Outcome.UNDONE)), approved=False)
        else:
            stopped += 1
            gate.learn(act, Outcome.REJECTED, approved=False)
    return Tally(len(acts), asked, through, stopped)


Results = dict[str, dict[str, Tally]]


def one_seed(seed: int) -> Results:
    results: Results = {}
    for scenario, make in SCENARIOS.items():
        acts = make(random.Random(f"{scenario} {seed}"))
        results[scenario] = {name: live(gate(), acts, random.Random(seed)) for name, gate in POLICIES.items()}
    return results


def simulate(seeds: int) -> Results:
    total = {scenario: dict.fromkeys(POLICIES, Tally()) for scenario in SCENARIOS}
    with ProcessPoolExecutor() as pool:
        for result in pool.map(one_seed, range(seeds), chunksize=5):
            for scenario, by_policy in result.items():
                for name, tally in by_policy.items():
                    total[scenario][name] = total[scenario][name].plus(tally)
    return total


def misses(results: Results) -> Iterator[str]:
    """Each promise that does not hold."""
    for ours in OURS:
        for scenario, by_policy in results.items():
            got, simple = by_policy[ours].through, by_policy["simple rule"].through
            if got > simple:
                yield f"{ours}: lets more bad acts through than the simple rule in `{scenario}` ({got} > {simple})"
            if scenario in MUCH_SAFER and got > 0.1 * simple:
                yield f"{ours}: less than 90 % fewer bad acts than the simple rule in `{scenario}` ({got} of {simple})"
        asked = results["reliable"][ours].asked / results["reliable"][ours].acts
        if asked > 0.30:
            yield f"{ours}: asks {asked:.0%} of the time on reliable work, above 30 %"


def table(results: Results, seeds: int) -> Table:
    shown = Table(title=f"Asks % / bad acts through / bad acts that reached a person, a run; {seeds} seeds")
    shown.add_column("scenario")
    for name in POLICIES:
        shown.add_column(name, justify="right")
    for scenario, by_policy in results.items():
        cells = [
            f"{100 * t.asked / t.acts:.0f} / {t.through / seeds:.2f} / {t.stopped / seeds:.2f}"
            for t in by_policy.values()
        ]
        shown.add_row(scenario, *cells)
    return shown


def plot(results: Results, seeds: int, target: Path) -> None:
    """Two bars a policy and scenario: questions above, bad acts below."""
    import matplotlib as mpl  # noqa: PLC0415 - only drawing needs it

    mpl.use("svg")
    import matplotlib.pyplot as plt  # noqa: PLC0415 - after the choice of back end

    mpl.rcParams.update({"svg.hashsalt": "trust", "font.size": 9})
    figure, (asks, bad) = plt.subplots(2, 1, figsize=(10, 6.5), sharex=True, layout="constrained")
    width = 0.8 / len(POLICIES)
    colours = ("#bbbbbb", "#777777", "#cc6677", "#88ccee", "#4477aa", "#223366")
    for number, (name, colour) in enumerate(zip(POLICIES, colours, strict=True)):
        at = [place + (number - (len(POLICIES) - 1) / 2) * width for place in range(len(results))]
        tallies = [by_policy[name] for by_policy in results.values()]
        asks.bar(at, [100 * t.asked / t.acts for t in tallies], width, color=colour, label=name)
        bad.bar(at, [t.through / seeds for t in tallies], width, color=colour)
    asks.set_ylabel("acts that ask, %")
    asks.axhline(30, color="black", linewidth=0.6, linestyle=":")
    asks.legend(ncols=len(POLICIES), loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    bad.set_ylabel("bad acts through, a run")
    bad.set_yscale("symlog", linthresh=1)
    bad.set_yticks([0, 1, 3, 10, 30], ["0", "1", "3", "10", "30"])
    bad.set_xticks(range(len(results)), list(results))
    for axes in (asks, bad):
        axes.spines[["top", "right"]].set_visible(False)
    target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target, metadata={"Date": None})
    plt.close(figure)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=500)
    parser.add_argument("--quick", action="store_true", help="60 seeds, and the plot is left as it is")
    options = parser.parse_args()
    seeds = 60 if options.quick else options.seeds
    results = simulate(seeds)
    console = Console(width=150)
    console.print(table(results, seeds))
    console.print("A bad act that is asked about counts as stopped: the person says no to it.")
    broken = list(misses(results))
    figures = {s: {p: t._asdict() for p, t in by_policy.items()} for s, by_policy in results.items()}
    report = {"seeds": seeds, "results": figures, "misses": broken}
    folder = ROOT / "benchmarks" / "results"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "trust.json").write_text(json.dumps(report, indent=2) + "\n")
    if not options.quick:
        plot(results, seeds, ROOT / "docs" / "images" / "trust.svg")
    for words in broken:
        console.print(f"MISSED  {words}")
    console.print("Every promise holds." if not broken else f"{len(broken)} promises are missed.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
