"""Thirty kills, in every way and at every boundary of a step, while a client works: nothing promised is lost."""

import pytest

from benchmarks.crash import run_trial


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [11, 12])
def test_kill_minus_nine_at_any_moment_loses_nothing_and_repeats_nothing(seed: int) -> None:
    trial = run_trial(15, seed)
    assert sum(trial.kills.values()) == 15
    assert trial.driver.counts["acknowledged effects"] > 15
    assert not any(trial.wrong.values()), trial.notes
