"""What can go wrong on the way online: clear words, nothing shipped twice, nothing lost."""

import pytest

from contracts.deployments import Parcel, Quote
from contracts.errors import AppError, Failed, Forbidden, TooMany, Unavailable
from deploying.shipping import Stopped
from tests.deploying.scripted_host import ScriptedHost
from tests.deploying.shop import Shop
from tests.desk import Reply


def test_what_is_not_proven_is_refused_and_can_be_tried_again_once_it_is(shop: Shop) -> None:
    shop.file("index.html").write_text("<h1>By hand</h1>")
    status, refused = shop.send("POST", "/run", {"intent": "deploy_app", "project": "bakery", "provider": "vercel"})
    assert status == 409 and "not proven as it stands" in refused["message"] and refused["status"] == "queued"
    assert "unproven: true" in refused["error"]["hint"] and not shop.cloud.shipped
    shop.prove()
    shop.cloud.spoil.clear()
    assert shop.post("/run_next")["confirmationNeeded"]


@pytest.mark.parametrize("proof", ["missing", "stale", "red"])
def test_the_owner_can_say_on_the_card_that_it_goes_online_all_the_same(shop: Shop, proof: str) -> None:
    shop.deploy()
    shop.send("PUT", "/trust/overrides", {"intent": "deploy_app", "verdict": "auto", "lift_floor": True})
    if proof == "stale":
        shop.do("create_file", path="more.html", content="<p>")
    elif proof == "red":
        shop.prove(ok=False)
    else:
        with shop.agent.memory.transaction() as tx:
            tx.emit("app_proven", project="bakery", ok=False, words="", digest="", tree="")
    asked = shop.run("deploy_app", provider="vercel", unproven=True)
    assert asked["confirmationNeeded"] and "proven" in asked["decision"]["reasons"][0]
    assert any("Nobody has proven" in note for note in asked["card"]["what"]["notes"])
    assert shop.post("/confirm", {"id": asked["id"], "approve": True})["success"]


def test_a_name_that_is_taken_is_refused_until_another_one_is_given(shop: Shop) -> None:
    shop.cloud.foreign.add("bakery")
    status, refused = shop.send("POST", "/run", {"intent": "deploy_app", "project": "bakery", "provider": "vercel"})
    assert status == 409 and "`bakery` is taken" in refused["message"] and refused["status"] == "queued"
    assert shop.deploy(name="My Bakery!")["success"] and list(shop.cloud.live) == ["my-bakery"]
    shop.change()
    assert shop.run("deploy_app", provider="vercel")["card"]["what"]["name"] == "my-bakery"


def test_over_a_limit_nothing_is_tried_again_by_itself(shop: Shop) -> None:
    shop.cloud.troubles["ship"] = [TooMany("The free deployments of a day are used up")]
    status, failed = shop.send("POST", "/run", {"intent": "deploy_app", "project": "bakery", "provider": "vercel"})
    status, failed = shop.send("POST", "/confirm", {"id": failed["id"], "approve": True})
    assert status == 429 and "used up" in failed["message"] and shop.cloud.calls.count("ship") == 1
    assert not shop.cloud.shipped and shop.get("/deployments")["deployments"][0]["outcome"] == "refused"


def test_an_app_without_an_entry_point_is_refused_with_what_would_be_found(shop: Shop) -> None:
    shop.do("create_project", project="empty")
    shop.do("create_file", project="empty", path="notes.txt", content="words")
    call = {"intent": "deploy_app", "project": "empty", "provider": "vercel", "unproven": True}
    status, refused = shop.send("POST", "/run", call)
    assert status == 409 and "nothing I know how to start" in refused["message"]
    assert "index.html" in refused["error"]["hint"]


def test_a_project_that_was_not_built_here_goes_online_only_when_the_owner_says_so(shop: Shop) -> None:
    shop.do("create_project", project="own")
    shop.do("create_file", project="own", path="index.html", content="<h1>Mine</h1>")
    call = {"intent": "deploy_app", "project": "own", "provider": "vercel"}
    assert "cannot prove it" in shop.send("POST", "/run", call)[1]["error"]["hint"]
    asked = shop.post("/run", {**call, "unproven": True})
    done = shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert done["success"] and "it answers at its address (status 200)" in done["message"]


def test_a_key_in_the_files_stops_it_before_anything_is_sent(shop: Shop) -> None:
    shop.file("keys.py").write_text("TOKEN = 'ghp_" + "a1B2" * 9 + "'\n")
    shop.prove()
    status, refused = shop.send("POST", "/run", {"intent": "deploy_app", "project": "bakery", "provider": "vercel"})
    assert status == 409 and "`keys.py` line 1 (a GitHub token)" in refused["message"] and not shop.cloud.calls[1:]


def test_a_site_that_answers_500_is_told_from_one_that_works(shop: Shop, soon: None) -> None:
    shop.cloud.status = 500
    failed = shop.deploy()
    assert not failed["success"] and "nothing answers at" in failed["message"] and "500" in failed["message"]
    assert failed["result"]["data"]["offer"] == {
        "intent": "take_down_app",
        "project": "bakery",
        "provider": "vercel",
    }
    assert shop.place()["state"] == "live" and not shop.place()["live"]["verified"]
    asked = shop.run("take_down_app")
    assert shop.post("/confirm", {"id": asked["id"], "approve": True})["success"] and not shop.cloud.live


def test_a_host_that_cannot_be_asked_for_its_price_asks_whatever_the_record(shop: Shop) -> None:
    shop.deploy()
    shop.send("PUT", "/trust/overrides", {"intent": "deploy_app", "verdict": "auto"})
    shop.change()
    shop.cloud.troubles["quote"] = [Unavailable("Vercel does not answer")]
    asked = shop.run("deploy_app", provider="vercel")
    assert asked["confirmationNeeded"] and "could not be asked" in asked["card"]["cost"]


def test_what_costs_money_keeps_its_floor(shop: Shop) -> None:
    shop.deploy()
    shop.send("PUT", "/trust/overrides", {"intent": "deploy_app", "verdict": "auto"})
    shop.change()
    shop.cloud.quote = Quote(False, "$7 a month", "", "everybody can open it")
    asked = shop.run("deploy_app", provider="vercel")
    assert asked["confirmationNeeded"] and asked["decision"]["reasons"][0] == "It can cost money"
    assert asked["card"]["cost"] == "$7 a month"
    done = shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert "($7 a month)" in done["message"]


def test_a_card_is_out_of_date_when_what_would_be_sent_has_changed(shop: Shop) -> None:
    asked = shop.run("deploy_app", provider="vercel")
    shop.do("create_file", path="more.html", content="<p>")
    shop.prove()
    stale = shop.post("/confirm", {"id": asked["id"], "approve": True}, status=409)
    assert stale["error"]["code"] == "stale_approval" and not shop.cloud.shipped
    assert shop.post("/confirm", {"id": asked["id"], "approve": True})["success"]


def cancelled_at(shop: Shop, call: str) -> tuple[int, Reply]:
    asked = shop.run("deploy_app", provider="vercel")
    shop.cloud.troubles[call] = [lambda: shop.agent.runner.steps.cancel(asked["id"])]
    return shop.send("POST", "/confirm", {"id": asked["id"], "approve": True})


def test_a_deployment_that_is_cancelled_in_time_sends_nothing(shop: Shop) -> None:
    status, stopped = cancelled_at(shop, "ship")
    assert status == 409 and stopped["status"] == "cancelled" and not shop.cloud.shipped


def test_one_that_is_cancelled_once_it_is_online_is_written_down_all_the_same(shop: Shop) -> None:
    status, stopped = cancelled_at(shop, "live")
    assert status == 409 and stopped["status"] == "failed" and "was not finished" in stopped["message"]
    assert shop.place()["live"]["id"] == "dpl_1" and not shop.place()["live"]["verified"]
    assert shop.get("/deployments")["deployments"][0]["outcome"] == "unchecked" and not shop.get("/queue")["steps"]


def test_what_took_too_long_at_the_host_is_found_by_the_next_try(shop: Shop) -> None:
    def too_long() -> None:
        raise Stopped(Failed("The step took too long and was stopped"))

    asked = shop.run("deploy_app", provider="vercel")
    shop.cloud.troubles["build"] = [too_long]
    _, stopped = shop.send("POST", "/confirm", {"id": asked["id"], "approve": True})
    assert "may become live all the same" in stopped["message"] and stopped["status"] == "queued"
    again = shop.post("/run_next")
    assert shop.post("/confirm", {"id": again["id"], "approve": True})["success"]
    assert shop.cloud.keys("bakery") == [asked["id"]]


def test_a_project_is_on_a_host_under_one_name(shop: Shop) -> None:
    shop.deploy()
    shop.change()
    call = {"intent": "deploy_app", "project": "bakery", "provider": "vercel", "name": "other"}
    status, refused = shop.send("POST", "/run", call)
    assert status == 409 and "as `bakery` already" in refused["message"]


def test_what_the_host_prints_comes_as_events(shop: Shop) -> None:
    done = shop.deploy()
    printed = [event.data["text"] for event in shop.agent.store.events() if event.type == "output"]
    assert "error: it has no door" in "".join(printed) and done["success"]


def test_variables_come_from_the_projects_own_file_and_never_show_their_values(shop: Shop) -> None:
    shop.file(".env").write_text("# mine\nexport MAIL_PASSWORD='hush-hush-hush'\n")
    shop.prove()
    asked = shop.run("deploy_app", provider="vercel", env={"MAIL_PASSWORD": "", "COLOUR": "blue"})
    assert asked["card"]["what"]["env"] == ["COLOUR", "MAIL_PASSWORD"] and "hush" not in str(asked)
    shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert shop.cloud.parcels["dpl_1"].env == {"COLOUR": "blue", "MAIL_PASSWORD": "hush-hush-hush"}
    down = shop.run("take_down_app")
    shop.post("/confirm", {"id": down["id"], "approve": True})
    asked = shop.post("/rollback", {"id": down["id"]})
    shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert shop.cloud.parcels[shop.cloud.live["bakery"]].env == {"COLOUR": "blue", "MAIL_PASSWORD": "hush-hush-hush"}
    assert "hush" not in str(shop.get("/memory")) and "hush" not in str(shop.get("/deployments"))
    status, refused = shop.send(
        "POST", "/run", {"intent": "deploy_app", "project": "bakery", "provider": "vercel", "env": {"OTHER": ""}}
    )
    assert status == 400 and "`OTHER` has no value" in refused["message"] and refused["status"] == "failed"


@pytest.mark.parametrize(
    "env", [{"MAIL_PASSWORD": "hush-hush"}, {"DATABASE_URL": "postgres://me:hush@db/x"}, {"X": "sk_live_" + "a1" * 12}]
)
def test_a_secret_in_the_command_itself_is_refused_and_kept_nowhere(shop: Shop, env: dict[str, str]) -> None:
    call = {"intent": "deploy_app", "project": "bakery", "provider": "vercel", "env": env}
    status, refused = shop.send("POST", "/run", call)
    assert status == 400 and ".env" in refused["message"]
    (secret,) = env.values()
    assert secret not in str(refused)
    assert not any(secret.encode() in path.read_bytes() for path in shop.home.rglob("*") if path.is_file())


@pytest.mark.parametrize("why", [Failed("It cannot be moved"), Forbidden("That is not in the plan")])
def test_a_wrong_release_that_cannot_be_set_back_is_said_to_be_online(shop: Shop, why: AppError) -> None:
    shop.deploy()
    shop.change()
    shop.cloud.spoil["index.html"] = b"<h1>Not a bakery</h1>"
    shop.cloud.troubles["bring_back"] = [why]
    done = shop.deploy()
    assert not done["success"] and "It is online at" in done["message"] and why.message in done["message"]
    place = shop.place()
    assert place["live"]["id"] == "dpl_2" and not place["live"]["verified"]
    assert shop.get("/deployments")["deployments"][0]["outcome"] == "wrong"


def test_what_another_agent_put_there_is_named_on_the_card_and_comes_back_with_undo(shop: Shop) -> None:
    other = ScriptedHost(shop.cloud)
    other.ship(Parcel("bakery", "", {"index.html": b"theirs"}), "bakery", "k", say=lambda line: None, tick=lambda: None)
    asked = shop.run("deploy_app", provider="vercel")
    assert asked["confirmationNeeded"]
    assert any(
        "is there already" in note and "undo brings that one back" in note for note in asked["card"]["what"]["notes"]
    )
    done = shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert done["success"] and shop.cloud.live["bakery"] == "dpl_2"
    undo = shop.post("/rollback", {"id": done["id"]})
    assert shop.post("/confirm", {"id": undo["id"], "approve": True})["success"]
    assert shop.cloud.live["bakery"] == "dpl_1"


@pytest.mark.parametrize("words", ["Put bakery on Vercel", "Publish bakery on Vercel now"])
def test_one_yes_to_a_sentence_never_publishes_on_a_real_host(shop: Shop, words: str) -> None:
    asked = shop.post("/run", {"goal": words, "project": "bakery"})
    assert asked["confirmationNeeded"] and asked["planGenerated"], asked
    shop.post("/confirm", {"id": asked["id"], "approve": True})
    assert not shop.cloud.shipped
