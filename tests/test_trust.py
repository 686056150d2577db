"""The gate, by its laws and by its ladder."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.trust import OURS, one_seed
from contracts.trust import (
    OUTWARD_EFFECTS,
    Autonomy,
    Code,
    Decision,
    Effect,
    Level,
    Outcome,
    Request,
    Scope,
    Verdict,
)
from trust import (
    Policy,
    Record,
    Records,
    add,
    decide,
    floor,
    gather,
    ladder,
    level,
    overall,
    runs_needed,
    score,
    threshold,
    wilson,
)

POLICY = Policy()
WRITE = frozenset({Effect.WRITE_PROJECT})
EXECUTE = frozenset({Effect.EXECUTE_SANDBOXED})
PUBLISH = frozenset({Effect.PUBLISH})
LOOSENESS = [Verdict.REFUSE, Verdict.ASK, Verdict.AUTO]
BAD = [outcome for outcome in Outcome if outcome is not Outcome.GOOD]
LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine is no failure."""
TOLERANCE = 1e-9
"""Sums of the same weights in another order may differ in their last digits."""


class Happened(NamedTuple):
    project: str
    outcome: Outcome
    size: int
    approved: bool


def record_of(records: Records, effects: frozenset[Effect], project: str) -> Record:
    return records.setdefault(Scope("work", effects, project).key, Record())


def after(history: Iterable[Happened], effects: frozenset[Effect] = WRITE, policy: Policy = POLICY) -> Records:
    records = Records()
    for project, outcome, size, approved in history:
        add(record_of(records, effects, project), outcome, size, approved=approved, policy=policy)
    return records


def clean(count: int, *, size: int = 1024, project: str = "notes", approved: bool = True) -> list[Happened]:
    return [Happened(project, Outcome.GOOD, size, approved)] * count


def ask(effects: frozenset[Effect] = WRITE, project: str = "notes", **details: Any) -> Request:
    return Request(Scope("work", effects, project), **details)


projects = st.sampled_from(["notes", "shop", "blog"])
sizes = st.one_of(st.integers(0, 5000), st.integers(0, 2**40))
events = st.builds(Happened, projects, st.sampled_from(Outcome), sizes, st.booleans())
mostly_good = st.builds(Happened, projects, st.just(Outcome.GOOD), sizes, st.booleans())
histories = st.one_of(
    st.lists(events, max_size=30),
    st.lists(st.one_of(mostly_good, mostly_good, mostly_good, events), max_size=120),
    st.builds(lambda n, p, size: clean(n, project=p, size=size), st.integers(0, 80), projects, sizes),
)
effect_sets = st.frozensets(st.sampled_from(Effect), min_size=1)
policies = st.builds(
    Policy,
    z=st.floats(0.1, 3),
    half_life=st.floats(1, 200),
    borrowed_weight=st.floats(0, 100),
    demotion=st.integers(0, 20),
    kept_outcomes=st.integers(1, 60),
)


@st.composite
def requests(draw: Callable[..., Any], effects: st.SearchStrategy[frozenset[Effect]] = effect_sets) -> Request:
    flags = {name: draw(st.booleans()) for name in ("reversible", "tainted", "covered", "verified")}
    return Request(Scope("work", draw(effects), draw(projects)), draw(sizes), **flags)


owner_says = st.fixed_dictionaries(
    {
        "autonomy": st.sampled_from(Autonomy),
        "override": st.sampled_from([None, *Verdict]),
        "lifted_floor": st.booleans(),
        "reduced_sandbox": st.booleans(),
    }
)


@LAW
@given(histories, st.data(), policies, owner_says)
def test_nothing_is_looser_after_something_bad(
    history: list[Happened], data: st.DataObject, policy: Policy, said: dict[str, Any]
) -> None:
    request = data.draw(requests())
    records = after(history, request.scope.effects, policy)
    before = decide(request, records, policy, **said)
    bad = record_of(records, request.scope.effects, data.draw(projects))
    add(bad, data.draw(st.sampled_from(BAD)), data.draw(sizes), approved=data.draw(st.booleans()), policy=policy)
    now = decide(request, records, policy, **said)
    assert now.score <= before.score + TOLERANCE
    assert LOOSENESS.index(now.verdict) <= LOOSENESS.index(before.verdict)


@LAW
@given(histories, st.sampled_from(BAD), sizes, sizes)
def test_a_scope_asks_after_something_bad_whatever_went_before(
    history: list[Happened], outcome: Outcome, bad_size: int, size: int
) -> None:
    records = after([*history, Happened("notes", outcome, bad_size, False)])
    decision = decide(ask(size=size), records, POLICY)
    assert (decision.verdict, decision.code) == (Verdict.ASK, Code.DEMOTED)


@LAW
@given(histories, sizes, sizes, projects, st.booleans(), policies)
def test_good_evidence_of_the_calls_size_never_lowers_the_score(
    history: list[Happened], size: int, larger: int, project: str, approved: bool, policy: Policy
) -> None:
    records = after(history, policy=policy)
    scope = Scope("work", WRITE, "notes")
    before = score(scope, size, records, policy)
    add(record_of(records, WRITE, project), Outcome.GOOD, max(size, larger), approved=approved, policy=policy)
    assert score(scope, size, records, policy) >= before - TOLERANCE


@LAW
@given(histories, sizes, sizes, st.data(), policies, owner_says)
def test_a_larger_call_is_never_looser(
    history: list[Happened], a: int, b: int, data: st.DataObject, policy: Policy, said: dict[str, Any]
) -> None:
    request = data.draw(requests())
    records = after(history, request.scope.effects, policy)
    small, large = (decide(replace(request, size=s), records, policy, **said) for s in sorted((a, b)))
    assert large.score <= small.score
    assert LOOSENESS.index(large.verdict) <= LOOSENESS.index(small.verdict)


@LAW
@given(histories, requests(), owner_says)
def test_a_floor_holds_until_it_is_lifted(history: list[Happened], request: Request, said: dict[str, Any]) -> None:
    said["lifted_floor"] = False
    if floor(request) is not None:
        assert decide(request, after(history, request.scope.effects), POLICY, **said).verdict is not Verdict.AUTO


@LAW
@given(histories, requests(), owner_says)
def test_outside_text_never_reaches_out_unasked(
    history: list[Happened], request: Request, said: dict[str, Any]
) -> None:
    request = replace(request, tainted=True)
    if request.scope.effects & OUTWARD_EFFECTS:
        assert decide(request, after(history, request.scope.effects), POLICY, **said).verdict is not Verdict.AUTO


@LAW
@given(histories, requests(), policies, owner_says)
def test_every_decision_explains_itself(
    history: list[Happened], request: Request, policy: Policy, said: dict[str, Any]
) -> None:
    decision = decide(request, after(history, request.scope.effects, policy), policy, **said)
    assert 0 <= decision.score <= 1
    assert 0 <= decision.threshold <= 1
    assert decision.code in set(Code)
    assert 1 <= len(decision.reasons) <= 3
    for reason in decision.reasons:
        assert reason[0].isupper() or reason[0].isdigit()
        assert "_" not in reason and not reason.endswith(".")


@LAW
@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(0.01, 10))
def test_the_bound_is_a_share_below_the_average(good: float, bad: float, z: float) -> None:
    bound = wilson(good, good + bad, z)
    assert 0 <= bound <= 1
    assert bound <= (good / (good + bad) if good + bad else 0) + TOLERANCE


@LAW
@given(histories, policies)
def test_adding_is_deterministic_and_bounded(history: list[Happened], policy: Policy) -> None:
    once, again = after(history, policy=policy), after(history, policy=policy)
    assert dict(once) == dict(again)
    for record in once.values():
        assert len(record.outcomes) <= policy.kept_outcomes
        assert 0 <= record.demoted <= policy.demotion
        assert record.good + record.failed + record.rejected + record.undone >= len(record.outcomes)


@LAW
@given(histories)
def test_a_record_survives_json(history: list[Happened]) -> None:
    for record in after(history).values():
        assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
odd_marks = st.lists(st.one_of(any_json, st.from_regex(r"(good|failed|later)(:[0-9]*(:[a-z]*)?)?", fullmatch=True)))
fields = st.sampled_from([*Record().to_json(), "later"])


@LAW
@given(st.dictionaries(fields, any_json), odd_marks, sizes)
def test_any_stored_record_can_be_read_and_scored(raw: dict[str, Any], marks: list[Any], size: int) -> None:
    scope = Scope("work", WRITE, "notes")
    for stored in (raw, {**raw, "outcomes": marks}):
        records = {scope.key: Record.from_json(stored)}
        assert 0 <= score(scope, size, records, POLICY) <= 1
        assert ladder(scope, records, POLICY)["words"]


@LAW
@given(histories, sizes, projects)
def test_an_indexed_mapping_scores_like_a_plain_one(history: list[Happened], size: int, project: str) -> None:
    records = after(history)
    records["more:write_project@notes"] = Record()
    scope = Scope("work", WRITE, project)
    assert score(scope, size, records, POLICY) == score(scope, size, dict(records), POLICY)
    assert overall(records, POLICY) == overall(dict(records), POLICY)


@LAW
@given(histories, sizes)
def test_the_promised_number_of_runs_is_exact(history: list[Happened], size: int) -> None:
    records = after(history[-40:])
    found = gather(ask().scope, size, records, POLICY)
    needed = runs_needed(found, POLICY.write, POLICY)
    assert needed is not None
    for _ in range(needed):
        assert decide(ask(size=size), records, POLICY).verdict is Verdict.ASK
        add(record_of(records, WRITE, "notes"), Outcome.GOOD, size, approved=True, policy=POLICY)
    assert decide(ask(size=size), records, POLICY).verdict is Verdict.AUTO


@pytest.mark.parametrize(
    ("effects", "runs"),
    [
        (WRITE, 9),
        (frozenset({Effect.READ, Effect.DELETE}), 9),
        (EXECUTE, 18),
        (frozenset({Effect.INSTALL, Effect.WRITE_PROJECT}), 18),
        (PUBLISH, 30),
        (frozenset({Effect.NETWORK, Effect.WRITE_PROJECT}), 30),
    ],
)
def test_each_rung_takes_its_number_of_clean_runs(effects: frozenset[Effect], runs: int) -> None:
    request = ask(effects, size=1024, verified=True)
    assert decide(request, after(clean(runs - 1), effects), POLICY).code is Code.NOT_EARNED
    earned = decide(request, after(clean(runs), effects), POLICY)
    assert (earned.verdict, earned.code) == (Verdict.AUTO, Code.EARNED)


def test_runs_that_nobody_approved_do_not_end_a_demotion() -> None:
    history = [*clean(40), Happened("notes", Outcome.UNDONE, 1024, False)]
    alone = after([*history, *clean(30, approved=False)])
    assert decide(ask(size=1024), alone, POLICY).code is Code.DEMOTED
    assert decide(ask(size=1024), after([*history, *clean(9)]), POLICY).code is Code.DEMOTED
    assert decide(ask(size=1024), after([*history, *clean(10)]), POLICY).code is Code.EARNED


def test_small_steps_earn_nothing_for_large_ones() -> None:
    records = after(clean(200, size=1000))
    assert decide(ask(size=4096), records, POLICY).verdict is Verdict.AUTO
    large = decide(ask(size=4097), records, POLICY)
    assert (large.verdict, large.score) == (Verdict.ASK, 0.0)
    assert "Nothing this large" in large.reasons[0]


def test_large_steps_earn_for_small_ones() -> None:
    assert decide(ask(size=10), after(clean(9, size=2**30)), POLICY).verdict is Verdict.AUTO


def test_other_projects_lend_up_to_a_weight_of_twelve() -> None:
    lent = after([*clean(200, project="shop"), *clean(200, project="blog")])
    scope = Scope("work", WRITE, "notes")
    assert score(scope, 0, lent, POLICY) == pytest.approx(wilson(12, 12, POLICY.z))


def test_few_borrowed_outcomes_count_once() -> None:
    scope = Scope("work", WRITE, "notes")
    lent = after([*clean(2, project="shop"), *clean(1, project="blog")])
    weight = 2 + 0.5 ** (1 / POLICY.half_life)
    assert score(scope, 0, lent, POLICY) == pytest.approx(wilson(weight, weight, POLICY.z))


def test_a_failure_still_weighs_when_its_demotion_is_over() -> None:
    history = [*clean(6), Happened("notes", Outcome.FAILED, 10**9, False), *clean(10)]
    fade = 0.5 ** (1 / POLICY.half_life)
    good = sum(fade**newer for newer in range(17) if newer != 10)
    expected = wilson(good, good + fade**10, POLICY.z)
    assert score(Scope("work", WRITE, "notes"), 0, after(history), POLICY) == pytest.approx(expected)


@pytest.mark.parametrize("mark", ["good", "good:", "good:x", "good:1:maybe", "good:1000", "later:1", ""])
def test_a_mark_that_cannot_be_read_counts_as_bad(mark: str) -> None:
    scope = Scope("work", WRITE, "notes")
    known = {scope.key: Record.from_json({"outcomes": ["good:0"] * 5})}
    odd = {scope.key: Record.from_json({"outcomes": ["good:0"] * 5 + [mark]})}
    assert score(scope, 0, odd, POLICY) < score(scope, 0, known, POLICY)


def test_a_demoted_project_lends_its_failures_but_not_its_successes() -> None:
    lent = after([*clean(50, project="shop"), Happened("shop", Outcome.FAILED, 10, False)])
    assert score(Scope("work", WRITE, "notes"), 0, lent, POLICY) == 0.0
    own = after([*clean(9), *clean(50, project="shop"), Happened("shop", Outcome.FAILED, 10, False)])
    assert decide(ask(), own, POLICY).verdict is Verdict.ASK


def test_another_effect_or_intent_has_a_record_of_its_own() -> None:
    records = after(clean(100))
    assert decide(ask(WRITE | EXECUTE), records, POLICY).score == 0
    assert decide(Request(Scope("other", WRITE, "notes")), records, POLICY).score == 0


def test_a_weak_sandbox_needs_more() -> None:
    assert threshold(ask(EXECUTE), POLICY, reduced_sandbox=True) == pytest.approx(0.90)
    assert threshold(ask(WRITE), POLICY, reduced_sandbox=True) == POLICY.write
    records = after(clean(20), EXECUTE)
    assert decide(ask(EXECUTE), records, POLICY).verdict is Verdict.AUTO
    assert decide(ask(EXECUTE), records, POLICY, reduced_sandbox=True).verdict is Verdict.ASK


def test_a_lifted_floor_still_has_to_be_earned() -> None:
    spend = frozenset({Effect.SPEND})
    assert decide(ask(spend), after(clean(100), spend), POLICY).code is Code.FLOOR
    assert decide(ask(spend), Records(), POLICY, lifted_floor=True).code is Code.NOT_EARNED
    assert decide(ask(spend), after(clean(30), spend), POLICY, lifted_floor=True).code is Code.EARNED


def test_what_cannot_be_undone_needs_the_highest_rung_once_its_floor_is_lifted() -> None:
    request = ask(size=1024, reversible=False)
    assert decide(request, after(clean(29)), POLICY, lifted_floor=True).verdict is Verdict.ASK
    assert decide(request, after(clean(30)), POLICY, lifted_floor=True).verdict is Verdict.AUTO


def gate(request: Request, records: Records | None = None, **said: Any) -> tuple[Verdict, Code]:
    decision = decide(request, Records() if records is None else records, POLICY, **said)
    return decision.verdict, cast(Code, decision.code)


@pytest.mark.parametrize("autonomy", Autonomy)
@pytest.mark.parametrize("override", [None, Verdict.AUTO, Verdict.ASK])
@pytest.mark.parametrize("tainted", [False, True])
def test_looking_never_asks(autonomy: Autonomy, override: Verdict | None, tainted: bool) -> None:
    look = ask(frozenset({Effect.READ}), tainted=tainted, reversible=not tainted)
    assert gate(look, autonomy=autonomy, override=override) == (Verdict.AUTO, Code.ONLY_LOOKS)


@pytest.mark.parametrize("effects", [{Effect.READ}, {Effect.WRITE_PROJECT}, {Effect.SPEND}, {"teleport"}])
def test_a_refusal_stands_above_everything(effects: set[Any]) -> None:
    for autonomy, covered, lifted in product(Autonomy, (False, True), (False, True)):
        said: dict[str, Any] = {"autonomy": autonomy, "override": Verdict.REFUSE, "lifted_floor": lifted}
        request = ask(frozenset(effects), covered=covered)
        assert gate(request, **said) == (Verdict.REFUSE, Code.REFUSED_BY_OWNER)


@pytest.mark.parametrize("effects", [set(), {"teleport"}, {Effect.READ, "teleport"}])
def test_an_unknown_effect_asks(effects: set[Any]) -> None:
    for autonomy, override in product(Autonomy, (None, Verdict.AUTO)):
        request = ask(frozenset(effects), covered=True)
        assert gate(request, autonomy=autonomy, override=override, lifted_floor=True) == (
            Verdict.ASK,
            Code.UNKNOWN_EFFECT,
        )


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"autonomy": Autonomy.ASK_ALL}, (Verdict.ASK, Code.ASK_ALL)),
        ({"autonomy": Autonomy.ASK_ALL, "override": Verdict.AUTO}, (Verdict.ASK, Code.ASK_ALL)),
        ({"autonomy": Autonomy.ALLOW_ALL}, (Verdict.AUTO, Code.ALLOW_ALL)),
        ({"autonomy": Autonomy.ALLOW_ALL, "override": Verdict.ASK}, (Verdict.ASK, Code.ASKED_BY_OWNER)),
        ({"override": Verdict.AUTO}, (Verdict.AUTO, Code.ALLOWED_BY_OWNER)),
        ({"override": Verdict.ASK}, (Verdict.ASK, Code.ASKED_BY_OWNER)),
        ({}, (Verdict.ASK, Code.NOT_EARNED)),
    ],
)
def test_the_owners_word_comes_before_the_record(said: dict[str, Any], expected: tuple[Verdict, Code]) -> None:
    assert gate(ask(), **said) == expected


@pytest.mark.parametrize(
    "request_with_floor",
    [
        ask(frozenset({Effect.SPEND})),
        ask(frozenset({Effect.SEND_MESSAGE})),
        ask(frozenset({Effect.OWN_CODE})),
        ask(PUBLISH),
        ask(WRITE, reversible=False),
        ask(frozenset({Effect.DELETE}), reversible=False),
    ],
)
def test_a_floor_is_lifted_for_its_scope_only_by_the_owner(request_with_floor: Request) -> None:
    for request in (request_with_floor, replace(request_with_floor, covered=True)):
        assert gate(request, autonomy=Autonomy.ALLOW_ALL) == (Verdict.ASK, Code.FLOOR)
        assert gate(request, override=Verdict.AUTO) == (Verdict.ASK, Code.FLOOR)
        assert gate(request, override=Verdict.AUTO, lifted_floor=True) == (Verdict.AUTO, Code.ALLOWED_BY_OWNER)


def test_a_verified_redeploy_and_reaching_the_network_have_no_floor() -> None:
    assert floor(ask(PUBLISH, verified=True, reversible=False)) is None
    assert floor(ask(frozenset({Effect.NETWORK}), reversible=False)) is None


@pytest.mark.parametrize("autonomy", Autonomy)
def test_an_approved_plan_covers_undoable_work_here(autonomy: Autonomy) -> None:
    inside = frozenset({Effect.WRITE_PROJECT, Effect.DELETE, Effect.EXECUTE_SANDBOXED, Effect.INSTALL})
    demoted = after([Happened("notes", Outcome.FAILED, 0, False)], inside)
    assert gate(ask(inside, covered=True), demoted, autonomy=autonomy) == (Verdict.AUTO, Code.COVERED_BY_PLAN)
    assert gate(ask(inside, covered=True, tainted=True), autonomy=autonomy)[1] is Code.COVERED_BY_PLAN


@LAW
@given(requests(), owner_says)
def test_an_approved_plan_covers_nothing_more(request: Request, said: dict[str, Any]) -> None:
    request = replace(request, covered=True)
    outside = request.scope.effects & (OUTWARD_EFFECTS | {Effect.OWN_CODE})
    if outside or not request.reversible:
        assert gate(request, **said)[1] is not Code.COVERED_BY_PLAN


def test_always_asking_about_one_kind_holds_inside_a_plan_too() -> None:
    assert gate(ask(covered=True), override=Verdict.ASK) == (Verdict.ASK, Code.ASKED_BY_OWNER)


def reason(decision: Decision) -> str:
    return decision.reasons[0]


def test_the_reasons_are_sentences_for_people() -> None:
    assert reason(decide(ask(size=1024), after(clean(9)), POLICY)) == (
        "9 of the last 9 went well, which is enough for small undoable changes in `notes`"
    )
    assert reason(decide(ask(size=1024), after(clean(4)), POLICY)) == (
        "4 of the last 4 went well; 5 more good runs of this size before I stop asking about small undoable changes"
        " in `notes`"
    )
    refused = after([*clean(20), Happened("notes", Outcome.REJECTED, 1024, False), *clean(2)])
    assert reason(decide(ask(size=1024), refused, POLICY)) == (
        "You said no to this kind of step 2 runs ago; 8 more approved runs before I stop asking about small undoable"
        " changes in `notes`"
    )
    assert reason(decide(ask(size=1024), Records(), POLICY)) == (
        "This is new here; 9 more good runs of this size before I stop asking about small undoable changes in `notes`"
    )
    assert "gone well in other projects" in reason(decide(ask(), after(clean(20, project="shop")), POLICY))


@pytest.mark.parametrize(("outcome", "words"), [(Outcome.FAILED, "failed"), (Outcome.UNDONE, "was undone")])
def test_a_demotion_says_what_happened(outcome: Outcome, words: str) -> None:
    records = after([Happened("notes", outcome, 0, False)])
    assert f"This kind of step {words} the last time" in reason(decide(ask(), records, POLICY))


def test_the_ladder_says_where_a_scope_stands() -> None:
    scope = Scope("work", WRITE, "notes")
    new = ladder(scope, Records(), POLICY)
    assert (new["state"], new["runs_needed"], new["alone_up_to_bytes"]) == ("asks", 9, 0)
    alone = ladder(scope, after(clean(9)), POLICY)
    assert (alone["state"], alone["runs_needed"], alone["alone_up_to_bytes"]) == ("alone", 0, 4096)
    assert "4 KB" in alone["words"]
    mixed = ladder(scope, after([*clean(9), *clean(1, size=10_000_000)]), POLICY)
    assert (mixed["state"], mixed["alone_up_to_bytes"]) == ("sometimes", 4096)
    demoted = ladder(scope, after([*clean(20), Happened("notes", Outcome.FAILED, 0, False)]), POLICY)
    assert (demoted["state"], demoted["demoted"], demoted["runs_needed"]) == ("asks", 10, 10)
    floored = ladder(Scope("pay", frozenset({Effect.SPEND}), "notes"), Records(), POLICY)
    assert (floored["state"], floored["runs_needed"]) == ("asks", None)
    looks = ladder(Scope("read_file", frozenset({Effect.READ}), "notes"), Records(), POLICY)
    assert (looks["state"], looks["alone_up_to_bytes"]) == ("alone", None)
    first = ladder(Scope("ship", PUBLISH, "notes"), Records(), POLICY)
    assert "first" in first["words"]
    json.dumps([new, alone, mixed, demoted, floored, looks, first])


def test_scores_have_levels_and_looking_earns_nothing_overall() -> None:
    assert [level(s) for s in (0, 0.7499, 0.75, 0.8999, 0.90, 1)] == [
        Level.LOW,
        Level.LOW,
        Level.MEDIUM,
        Level.MEDIUM,
        Level.HIGH,
        Level.HIGH,
    ]
    assert overall(Records(), POLICY) == 0
    assert overall(after(clean(100), frozenset({Effect.READ})), POLICY) == 0
    assert level(overall(after(clean(100)), POLICY)) is Level.HIGH


def test_every_code_is_explained_for_people() -> None:
    page = (Path(__file__).parent.parent / "docs" / "trust.md").read_text()
    assert [code for code in Code if f"`{code}`" not in page] == []


@pytest.mark.parametrize(
    "figures",
    [
        {"z": 0},
        {"z": float("nan")},
        {"half_life": 0},
        {"half_life": 1e300},
        {"borrowed_weight": -1},
        {"write": 0.95},
        {"publish": 1.5},
        {"demotion": -1},
        {"kept_outcomes": 0},
        {"bucket_base": 1},
        {"bucket_unit": 0},
        {"reduced": -0.1},
    ],
)
def test_figures_that_make_no_sense_are_refused(figures: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(figures))):
        Policy(**figures)


def test_size_buckets_grow_by_four_from_a_kilobyte() -> None:
    sizes_seen = [-5, 0, 1024, 1025, 4096, 4097, 16_384, 16_385, 2**200]
    assert [POLICY.bucket(size) for size in sizes_seen] == [0, 0, 0, 1, 1, 2, 2, 3, 40]


def test_records_are_a_mapping_that_forgets_what_is_deleted() -> None:
    records = after(clean(9, project="shop"))
    key = Scope("work", WRITE, "shop").key
    assert (len(records), list(records), key in records) == (1, [key], True)
    del records[key]
    assert (len(records), score(Scope("work", WRITE, "notes"), 0, records, POLICY)) == (0, 0.0)


def test_the_benchmark_stops_both_adversaries() -> None:
    results = one_seed(0)
    for scenario, ours in product(("larger effect", "larger size"), OURS):
        assert results[scenario][ours].through == 0
        assert results[scenario]["simple rule"].through == 4
