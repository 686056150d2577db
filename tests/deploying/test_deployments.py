"""From a proven project to a live address and back, over HTTP, with a host that a test has in its hand."""

import pytest

from contracts.errors import Failed, Unavailable
from tests.deploying.shop import Shop


def test_a_first_publish_asks_with_a_card_that_says_what_it_means(shop: Shop) -> None:
    asked = shop.run("deploy_app", provider="vercel")
    assert asked["confirmationNeeded"] and not shop.cloud.shipped
    card, what = asked["card"], asked["card"]["what"]
    assert what["target"] == "Vercel" and what["first"] and what["name"] == "bakery"
    assert what["sends"]["files"] > 3 and what["sends"]["bytes"] > 1000
    assert card["cost"] == "free tier, no cost expected"
    notes = " ".join(what["notes"])
    assert "everybody can open it" in notes and "3 of 100 today" in notes and "0 sent there from here today" in notes
    assert "seen by others" in card["why"][0] and "offline if there was nothing" in card["undo"]


def test_what_is_approved_is_shipped_tried_at_its_address_and_remembered(shop: Shop) -> None:
    done = shop.deploy()
    assert done["success"], done
    assert "(free tier, no cost expected)" in done["message"] and shop.cloud.url("bakery") in done["message"]
    place = shop.place()
    assert place["state"] == "live" and place["live"]["verified"] and place["url"] == shop.cloud.url("bakery")
    entry = shop.get("/deployments")["deployments"][0]
    assert entry["success"] and entry["outcome"] == "live" and entry["freeTier"] is True and entry["previous"] is None
    assert entry["source"] == done["id"] == entry["key"] and entry["size"] > 1000 and entry["release"] == "dpl_1"
    repo = shop.agent.git.open("bakery")
    assert repo.last_good() == entry["commit"] == repo.history(1)[0].id
    assert shop.get(f"/deployments/{entry['id']}/log")["lines"][0].startswith("Sending")


def test_only_the_files_of_the_project_are_sent(shop: Shop) -> None:
    shop.do("create_file", path="data.sqlite3", content="rows")
    shop.file(".env").write_text("SECRET=hush")
    shop.prove()
    asked = shop.run("deploy_app", provider="vercel")
    assert any("data.sqlite3" in words for words in asked["card"]["what"]["left_out"])
    shop.post("/confirm", {"id": asked["id"], "approve": True})
    sent = shop.cloud.parcels["dpl_1"].files
    assert "index.html" in sent
    assert not any(path.startswith((".env", ".git/", ".task-agent", "data.sqlite3")) for path in sent)


def test_undo_goes_back_to_the_release_before_and_then_offline(shop: Shop) -> None:
    first = shop.deploy()
    shop.change()
    second = shop.deploy()
    assert shop.place()["live"]["id"] == "dpl_2"
    asked = shop.post("/rollback", {"id": second["id"]})
    assert asked["confirmationNeeded"] and asked["intent"] == "roll_back_deployment"
    assert shop.post("/confirm", {"id": asked["id"], "approve": True})["success"]
    assert shop.cloud.live["bakery"] == "dpl_1" and shop.place()["live"]["id"] == "dpl_1"
    assert shop.get(f"/tasks/{second['id']}")["task"]["status"] == "undone"
    asked = shop.post("/rollback", {"id": first["id"]})
    shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert "bakery" not in shop.cloud.live and shop.place()["state"] == "offline"


def test_an_undo_of_a_deployment_can_itself_be_undone(shop: Shop) -> None:
    first = shop.deploy()
    undone = shop.post("/rollback", {"id": first["id"]})
    shop.post("/confirm", {"id": undone["id"], "approve": True})
    again = shop.post("/rollback", {"id": undone["id"]})
    shop.post("/confirm", {"id": again["id"], "approve": True})
    assert shop.place()["state"] == "live" and shop.cloud.live["bakery"]
    assert shop.get(f"/tasks/{first['id']}")["task"]["status"] == "succeeded"


@pytest.mark.parametrize("spoilt", [True, False])
def test_a_deployment_that_answers_wrong_is_set_back_to_the_last_good_one(shop: Shop, spoilt: bool) -> None:
    shop.deploy()
    shop.change()
    if spoilt:
        shop.cloud.spoil["index.html"] = b"<h1>Not a bakery</h1>"
    done = shop.deploy()
    assert done["success"] is not spoilt
    assert shop.cloud.live["bakery"] == ("dpl_1" if spoilt else "dpl_2")
    if spoilt:
        assert "release before" in done["message"] and "/run_next" in done["message"]
        assert shop.place()["live"]["id"] == "dpl_1"
        assert shop.get("/deployments")["deployments"][0]["outcome"] == "wrong"


def test_undo_after_a_release_that_was_set_back_takes_back_the_change_before_it(shop: Shop) -> None:
    first = shop.deploy()
    shop.change()
    shop.cloud.spoil["index.html"] = b"<h1>Not a bakery</h1>"
    wrong = shop.deploy()
    status, refused = shop.send("POST", "/rollback", {"id": wrong["id"]})
    assert status == 409 and "visitors see what they saw before it" in refused["message"]
    undone = shop.post("/rollback")
    assert undone["success"] and not shop.file("note-16.html").exists(), undone
    asked = shop.post("/rollback")
    assert asked["intent"] == "roll_back_deployment" and asked["card"]["call"]["task"] == first["id"]


@pytest.mark.parametrize("undo", [True, False])
def test_taking_offline_what_others_see_asks_even_if_everything_is_allowed(shop: Shop, undo: bool) -> None:
    shop.deploy()
    shop.send("PUT", "/settings", {"autonomy": "allow_all"})
    asked = shop.post("/rollback") if undo else shop.run("take_down_app")
    assert asked["confirmationNeeded"] and "gone for good" in str(asked["card"]["why"])
    assert shop.place()["state"] == "live"
    assert shop.post("/confirm", {"id": asked["id"], "approve": True})["success"]
    assert shop.place()["state"] == "offline"


def test_a_failed_deployment_keeps_the_files_and_stays_queued_until_it_works(shop: Shop) -> None:
    shop.cloud.troubles["build"] = [Failed("The build failed: it has no door")]
    failed = shop.deploy()
    assert not failed["success"] and "it has no door" in failed["message"] and failed["status"] == "queued"
    assert failed["error"]["code"] == "failed" and shop.text("index.html")
    assert [step["id"] for step in shop.get("/queue")["steps"]] == [failed["id"]]
    assert shop.get(f"/deployments/{failed['id']}/log")["matters"] == ["error: it has no door"]
    asked = shop.post("/run_next")
    assert asked["confirmationNeeded"] and asked["id"] == failed["id"]
    done = shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert done["success"] and not shop.get("/queue")["steps"]
    assert shop.cloud.keys("bakery") == [failed["id"], f"{failed['id']}-2"]


def test_a_line_that_is_cut_never_ships_twice(shop: Shop) -> None:
    shop.cloud.troubles["posted"] = [Unavailable("The line was cut")]
    failed = shop.deploy()
    assert "not known yet" in failed["message"] and failed["status"] == "queued"
    asked = shop.post("/run_next")
    assert shop.post("/confirm", {"id": asked["id"], "approve": True})["success"]
    assert shop.cloud.keys("bakery") == [failed["id"]]
