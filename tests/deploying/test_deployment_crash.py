"""Kills around the moment at which a deployment exists at the host and nobody here has written it down yet."""

import pytest

from benchmarks.deploy_crash import SCENARIOS, SHIPPING, run_trial


@pytest.mark.timeout(300)
def test_kill_minus_nine_between_posting_and_recording_ships_nothing_twice_and_forgets_nothing() -> None:
    runs = len(SCENARIOS)
    trial = run_trial(runs, first=SHIPPING.index("shipped") * runs)
    assert sum(trial.kills.values()) == runs and not any("not reached" in name for name in trial.kills), trial.kills
    assert not any(trial.wrong.values()), trial.notes


@pytest.mark.timeout(300)
def test_kill_minus_nine_in_the_middle_of_a_request_ships_nothing_twice_and_forgets_nothing() -> None:
    runs = len(SCENARIOS)
    trial = run_trial(runs, seed=7, first=(len(SHIPPING) + 1) * runs)
    assert not any(trial.wrong.values()), trial.notes
