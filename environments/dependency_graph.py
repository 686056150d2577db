"""Which package needs which: who asked for it, and whether someone on the list vouches for it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from packaging.markers import UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

Needs = Mapping[str, Collection[str]]


def applies(requirement: Requirement, markers: Mapping[str, str], extras: Iterable[str] = ()) -> bool:
    """Whether it counts on the machine that the markers describe, with these extras of the package that has it."""
    if requirement.marker is None:
        return True
    try:
        return any(requirement.marker.evaluate({**markers, "extra": extra}) for extra in ("", *extras))
    except (UndefinedComparison, UndefinedEnvironmentName):
        return True


def needs(
    requires: Mapping[str, Iterable[Requirement]], asked: Iterable[Requirement], markers: Mapping[str, str]
) -> dict[str, set[str]]:
    """The names that each package needs, extras included where someone asks for them."""
    extras: dict[str, set[str]] = defaultdict(set)
    for requirement in asked:
        extras[canonicalize_name(requirement.name)] |= requirement.extras
    found: dict[str, set[str]] = {}
    waiting = list(requires)
    while waiting:
        name = waiting.pop()
        counting = [r for r in requires.get(name, ()) if applies(r, markers, extras[name])]
        found[name] = {canonicalize_name(requirement.name) for requirement in counting}
        for requirement in counting:
            below = canonicalize_name(requirement.name)
            if not requirement.extras <= extras[below]:
                extras[below] |= requirement.extras
                waiting.append(below)
    return {name: found[name] for name in requires}


def vouched(listed: Iterable[str], needed: Needs) -> set[str]:
    """Those that are on the list and all that these need, however far down."""
    found, waiting = set(), list(listed)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += needed.get(name, ())
    return found


def required_by(name: str, needed: Needs) -> tuple[str, ...]:
    return tuple(sorted(other for other, below in needed.items() if name in below and other != name))
