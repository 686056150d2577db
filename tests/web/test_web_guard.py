"""Who may ask what: derived from the route table, so that a new route is guarded or this fails."""

import ipaddress
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.web_desk import Desk, Open
from web.guard import Hosts, Rate, host_of
from web.routes import Route
from web.wiring import ROUTES

MEANT_TO_BE_OPEN = {
    *("/", "/app", "/app/<path:path>", "/assets/<name>", "/favicon.svg", "/site.webmanifest"),
    "/notifications-worker.js",
    *("/health", "/session", "/docs", "/docs.css", "/downloads/<code>"),
}
SAMPLES = {
    "id": "abc",
    "project": "notes",
    "path": "a.txt",
    "date": "2026-11-16",
    "name": "120000-abc.json",
    "code": "abc",
    "account": "vercel",
}


def sample(route: Route) -> str:
    return re.sub(r"<(?:path:)?(\w+)>", lambda part: SAMPLES[part[1]], route.path)


def test_only_the_routes_that_are_meant_to_be_open_are() -> None:
    assert {route.path for route in ROUTES if route.open} == MEANT_TO_BE_OPEN


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_closed_route_wants_the_right_token(still_desk: Desk, route: Route) -> None:
    wrong = [
        "",
        "Bearer ",
        "Bearer wrong",
        f"Basic {still_desk.agent.token}",
        f"Bearer {still_desk.agent.token}x",
        "Bearer é",
    ]
    for header in wrong:
        answer = still_desk.send(route.method, sample(route), headers={"Authorization": header})
        if route.open:
            assert answer.status_code != 401 or route.path == "/session"
            continue
        assert answer.status_code == 401, (route, header)
        assert answer.get_json()["error"]["code"] == "unauthorized"
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_route_that_does_not_exist_wants_the_token_too(still_desk: Desk) -> None:
    assert still_desk.send("GET", "/nothing", headers={"Authorization": ""}).status_code == 401
    assert still_desk.send("GET", "/nothing").status_code == 404


def test_the_scheme_may_be_written_in_any_case(still_desk: Desk) -> None:
    assert (
        still_desk.send("GET", "/queue", headers={"Authorization": f"bEARER {still_desk.agent.token}"}).status_code
        == 200
    )


def test_health_tells_details_only_to_the_owner(still_desk: Desk) -> None:
    bare = still_desk.send("GET", "/health", headers={"Authorization": ""})
    assert bare.get_json() == {"success": True, "message": "ok"}
    assert still_desk.get("/health")["version"]


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:5000", "127.0.0.1", "127.8.9.1:80", "[::1]:5000", "localhost."]
)
def test_names_of_this_machine_are_answered(still_desk: Desk, host: str) -> None:
    assert still_desk.send("GET", "/queue", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "10.0.0.1",
        "",
        "[::1",
        "a@localhost",
        "0.0.0.0",
    ],
)
def test_a_rebound_name_is_not_answered_even_with_the_token(still_desk: Desk, host: str) -> None:
    for path in ("/queue", "/health", "/"):
        answer = still_desk.send("GET", path, headers={"Host": host})
        assert answer.status_code == 403, host
        assert answer.get_json()["error"]["code"] == "forbidden"


def test_configured_hosts_and_the_public_address_are_answered(open_desk: Open) -> None:
    desk = open_desk(allowed_hosts=("box.lan",), public_url="https://agent.example:8443")
    for host in ("box.lan:5000", "agent.example", "AGENT.example:8443"):
        assert desk.send("GET", "/queue", headers={"Host": host}).status_code == 200


@given(st.text(max_size=60))
def test_any_host_header_is_judged_without_an_error(header: str) -> None:
    assert (
        header not in Hosts([]) or host_of(header) == "localhost" or ipaddress.ip_address(host_of(header)).is_loopback
    )


def test_too_many_requests_are_told_when_to_come_back(open_desk: Open) -> None:
    desk = open_desk(rate_limit=3)
    answers = [desk.send("GET", "/queue") for _ in range(4)]
    assert [a.status_code for a in answers] == [200, 200, 200, 429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 20
    assert answers[-1].get_json()["error"]["code"] == "too_many_requests"


def test_a_stranger_does_not_use_up_the_owners_share(open_desk: Open) -> None:
    desk = open_desk(rate_limit=3)
    strangers = [desk.send("GET", "/queue", headers={"Authorization": "Bearer x"}).status_code for _ in range(5)]
    assert strangers == [401, 401, 401, 429, 429]
    assert desk.send("GET", "/queue").status_code == 200


@given(st.lists(st.floats(min_value=0, max_value=30), min_size=1, max_size=60), st.integers(1, 20))
def test_no_minute_lets_more_through_than_twice_the_rate(gaps: list[float], per_minute: int) -> None:
    now = 0.0
    rate = Rate(per_minute, lambda: now)
    passed = []
    for gap in gaps:
        now += gap
        if not rate.wait("me"):
            passed.append(now)
    for start in passed:
        assert sum(start <= at < start + 60 for at in passed) <= 2 * per_minute


def test_a_client_that_waits_as_told_is_let_through() -> None:
    now = 0.0
    rate = Rate(2, lambda: now)
    assert [rate.wait("me"), rate.wait("me")] == [0, 0]
    early = rate.wait("me")
    assert early > 0
    now += early
    assert rate.wait("me") == 0


def test_many_clients_do_not_fill_the_memory() -> None:
    rate = Rate(60, lambda: 0.0)
    for number in range(10_000):
        rate.wait(f"10.0.{number >> 8}.{number & 255}")
    assert len(rate._due) <= 4096


@pytest.mark.parametrize("headers", [{}, {"Transfer-Encoding": "chunked"}])
def test_a_body_that_is_too_large_is_refused(open_desk: Open, headers: dict[str, str]) -> None:
    desk = open_desk(max_body_bytes=2048)
    options: dict[str, Any] = {"environ_overrides": {"wsgi.input_terminated": True}} if headers else {}
    answer = desk.send("POST", "/run", b'{"goal": "' + b"x" * 5000 + b'"}', headers=headers, **options)
    assert answer.status_code == 413
    assert answer.get_json()["error"]["details"] == {"limit": 2048}


def test_every_answer_carries_the_headers_that_keep_browsers_in_check(still_desk: Desk) -> None:
    for path, headers in (("/health", {}), ("/nothing", {}), ("/", {"Accept": "text/html"}), ("/queue", {"Host": "x"})):
        answer = still_desk.send("GET", path, headers=headers)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "Set-Cookie" not in answer.headers


def test_pages_of_other_origins_are_let_in_only_if_they_are_named(open_desk: Open) -> None:
    desk = open_desk(cors_origins=("https://panel.example",))
    for path, status in (("/queue", 200), ("/nothing", 404)):
        answer = desk.send("GET", path, headers={"Origin": "https://panel.example"})
        assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (status, "https://panel.example")
    other = desk.send("GET", "/queue", headers={"Origin": "https://evil.example"})
    assert "Access-Control-Allow-Origin" not in other.headers
    assert "Access-Control-Allow-Credentials" not in other.headers


def test_a_preflight_needs_no_token(open_desk: Open) -> None:
    desk = open_desk(cors_origins=("https://panel.example",))
    asked = {"Origin": "https://panel.example", "Access-Control-Request-Method": "PUT", "Authorization": ""}
    asked["Access-Control-Request-Headers"] = "authorization, last-event-id"
    answer = desk.send("OPTIONS", "/settings", headers=asked)
    assert answer.status_code == 200
    assert "PUT" in answer.headers["Access-Control-Allow-Methods"]
    assert "authorization" in answer.headers["Access-Control-Allow-Headers"].lower()


def test_without_configured_origins_no_page_is_let_in(still_desk: Desk) -> None:
    answer = still_desk.send("GET", "/queue", headers={"Origin": "http://127.0.0.1:5000"})
    assert "Access-Control-Allow-Origin" not in answer.headers
