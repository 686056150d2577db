"""When going online asks, and when it no longer has to."""

import pytest

from contracts.trust import Outcome
from tests.deploying.shop import Shop
from tests.desk import Reply


def good_runs(shop: Shop, task: str, count: int) -> None:
    """The record that so many approved, good deployments of the same size leave."""
    memory = shop.agent.memory
    with memory.transaction() as tx:
        for _ in range(count):
            memory.emit_outcome(tx, tx.state.tasks[task], Outcome.GOOD, approved=True)


def redeployed(shop: Shop, runs: int) -> Reply:
    first = shop.deploy()
    good_runs(shop, first["id"], runs)
    shop.change()
    return shop.run("deploy_app", provider="vercel")


def test_going_there_again_is_earned_by_a_record_of_0_90(shop: Shop) -> None:
    done = redeployed(shop, 40)
    assert not done["confirmationNeeded"] and done["success"] and done["decision"]["threshold"] == 0.9
    assert done["decision"]["code"] == "earned"


def test_a_short_record_is_not_enough(shop: Shop) -> None:
    asked = redeployed(shop, 10)
    assert asked["confirmationNeeded"] and asked["decision"]["code"] == "not_earned"


def test_another_host_or_project_is_a_first_publish_whatever_the_record(shop: Shop) -> None:
    first = shop.deploy()
    good_runs(shop, first["id"], 60)
    assert shop.post("/rollback", {"id": first["id"]})["confirmationNeeded"]
    shop.post("/confirm", {"approve": True})
    asked = shop.run("deploy_app", provider="vercel")
    assert asked["confirmationNeeded"] and asked["decision"]["code"] == "floor"


def test_a_deployment_that_does_not_work_counts_against_the_record(shop: Shop) -> None:
    first = shop.deploy()
    good_runs(shop, first["id"], 60)
    shop.change()
    shop.cloud.spoil["index.html"] = b"<h1>Not a bakery</h1>"
    assert not shop.run("deploy_app", provider="vercel")["success"]
    shop.cloud.spoil.clear()
    asked = shop.post("/run_next")
    assert asked["confirmationNeeded"] and asked["decision"]["code"] == "demoted"


@pytest.mark.parametrize("provider", ["export"])
def test_what_stays_on_this_machine_is_covered_by_a_plan(shop: Shop, provider: str) -> None:
    plan = shop.agent.runner.plans.execute_plan([{"intent": "deploy_app", "project": "bakery", "provider": provider}])
    asked = plan.body
    assert asked["confirmationNeeded"]
    done = shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert done["success"] and not done["confirmationNeeded"]


def test_a_plan_never_covers_what_others_would_see(shop: Shop) -> None:
    plan = shop.agent.runner.plans.execute_plan([{"intent": "deploy_app", "project": "bakery", "provider": "vercel"}])
    asked = shop.post("/confirm", {"id": plan.body["id"], "approve": True})
    assert asked["confirmationNeeded"] and asked["intent"] == "deploy_app" and not shop.cloud.shipped
    assert asked["card"]["what"]["first"]
