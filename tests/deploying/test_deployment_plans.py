"""Deployments as steps of plans: kept where they fail, and undone together with what was built."""

import re

from contracts.errors import Failed
from tests.deploying.shop import Shop
from tests.desk import Reply

DEPLOY = {"intent": "deploy_app", "project": "bakery", "provider": "vercel"}
NOTE = {"intent": "create_file", "project": "bakery", "path": "after.txt", "content": "done"}


def planned(shop: Shop, *steps: Reply) -> Reply:
    """A plan of exactly these steps, with leave for all of them."""
    shop.allow("create_file")
    shop.send("PUT", "/trust/overrides", {"intent": "deploy_app", "verdict": "auto", "lift_floor": True})
    plan = shop.agent.runner.plans.execute_plan(list(steps), wait=80)
    return plan.body


def test_a_deployment_that_fails_stops_its_plan_and_stays_queued_in_it(shop: Shop) -> None:
    shop.cloud.troubles["build"] = [Failed("It has no door")]
    plan = planned(shop, DEPLOY, NOTE)
    assert plan["status"] == "failed" and "It has no door" in plan["message"] and "2 steps are kept" in plan["message"]
    assert [step["status"] for step in plan["steps"]] == ["queued", "queued"]
    done = shop.post("/run_all", {"wait": 80})
    assert done["success"] and [step["status"] for step in done["steps"]] == ["succeeded", "succeeded"]
    assert len(shop.cloud.keys("bakery")) == 2 and shop.text("after.txt") == "done"


def test_the_next_step_after_a_failed_deployment_is_that_deployment(shop: Shop) -> None:
    shop.cloud.troubles["build"] = [Failed("It has no door")]
    plan = planned(shop, DEPLOY, NOTE)
    done = shop.post("/run_next")
    assert done["success"] and done["id"] == plan["steps"][0]["id"] and not shop.file("after.txt").exists()


def test_undoing_a_plan_that_built_and_published_takes_back_both(shop: Shop) -> None:
    plan = planned(shop, {**NOTE, "path": "note.html"}, {**DEPLOY, "unproven": True})
    asked = plan if plan["confirmationNeeded"] else {}
    done = shop.post("/confirm", {"id": asked["id"], "approve": True}) if asked else plan
    assert done["success"], done
    root = asked.get("plan") or plan["id"]
    preview = shop.get(f"/tasks/{root}/undo")["undo"]
    assert [change["title"] for change in preview["changes"]] == ["Put it on Vercel", "Create `note.html`"]
    assert "goes offline" in preview["online"][0] and preview["asks"]
    asked = shop.post("/rollback", {"id": root})
    assert asked["confirmationNeeded"] and shop.cloud.live
    assert "goes offline" in " ".join(asked["card"]["what"]["notes"])
    step = shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert step["confirmationNeeded"] and step["intent"] == "roll_back_deployment"
    shop.post("/confirm", {"id": step["id"], "approve": True})
    shop.agent.runner.steps.waiters.wait_for(asked["id"], 60)
    assert not shop.cloud.live and not shop.file("note.html").exists()


def test_a_plain_undo_takes_back_what_came_last_online_or_not(shop: Shop) -> None:
    shop.deploy()
    shop.do("create_file", path="note.html", content="<p>")
    assert shop.post("/rollback")["success"] and not shop.file("note.html").exists() and shop.cloud.live
    asked = shop.post("/rollback")
    assert asked["intent"] == "roll_back_deployment" and asked["confirmationNeeded"]
    shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert not shop.cloud.live
    gone = shop.post("/rollback")
    assert gone["success"] and not shop.file("index.html").exists()


def test_undo_of_an_older_change_takes_what_was_published_since_with_it(shop: Shop) -> None:
    made = shop.do("create_file", path="note.html", content="<p>")
    shop.prove()
    shop.deploy()
    asked = shop.post("/rollback", {"id": made["id"]})
    assert [step["intent"] for step in asked["card"]["call"]["steps"]] == ["roll_back_deployment", "rollback"]


def test_going_back_and_taking_down_by_name_can_be_undone(shop: Shop) -> None:
    shop.deploy()
    shop.change()
    shop.deploy()
    back = shop.run("roll_back_deployment")
    assert back["card"]["what"]["provider"] == "vercel"
    assert re.search(r"shows the release of \d{4}-\d\d-\d\d \d\d:\d\d again", back["card"]["what"]["summary"])
    shop.post("/confirm", {"id": back["id"], "approve": True})
    assert shop.cloud.live["bakery"] == "dpl_1"
    forward = shop.run("roll_back_deployment", to="dpl_2")
    assert forward["card"]["title"] == "Go back to an earlier release on Vercel"
    shop.post("/confirm", {"id": forward["id"], "approve": True})
    assert shop.cloud.live["bakery"] == "dpl_2"
    down = shop.run("take_down_app", provider="vercel")
    assert down["card"]["title"] == "Take it offline from Vercel"
    shop.post("/confirm", {"id": down["id"], "approve": True})
    assert not shop.cloud.live and shop.place()["state"] == "offline"
    asked = shop.post("/rollback", {"id": down["id"]})
    shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert shop.place()["state"] == "live" and shop.cloud.parcels[shop.cloud.live["bakery"]].commit


def test_going_back_without_anything_there_is_refused_in_words(shop: Shop) -> None:
    status, refused = shop.send("POST", "/run", {"intent": "roll_back_deployment", "project": "bakery"})
    assert status == 404 and "`bakery` is not online" in refused["message"]
    shop.deploy()
    status, refused = shop.send("POST", "/run", {"intent": "roll_back_deployment", "project": "bakery"})
    assert status == 404 and "no earlier release" in refused["message"]
    status, refused = shop.send("POST", "/run", {"intent": "roll_back_deployment", "project": "bakery", "to": "dpl_9"})
    assert status == 404 and "no release `dpl_9`" in refused["message"]
