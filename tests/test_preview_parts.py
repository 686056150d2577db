"""The small parts of previews: logs, ports, pauses, and how an app is written down."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.errors import InvalidParams, Unavailable
from previews import Address, Notebook, Patience, PreviewSpec, app_job, spec_from
from serving.logs import LONGEST_LINE, Brake, LogLine, LogRing, cause, telling
from serving.ports import Ports

SPEC = PreviewSpec(
    project="shop",
    argv=("python3", "app.py"),
    port=3000,
    env={"A": "b"},
    ready=("/up",),
    mounts=(Path("/opt/x"),),
    links={"node_modules": "/opt/x/node_modules"},
)


def ring(room: int = 4096) -> LogRing:
    return LogRing(lambda: "now", room)


class TestLogs:
    def test_lines_of_both_streams_are_told_apart(self) -> None:
        log = ring()
        log.feed("stdout", b"one\ntw")
        log.feed("stderr", b"three\r\n")
        log.feed("stdout", b"o\n")
        assert [(line.source, line.text) for line in log.lines()] == [
            ("stdout", "one"),
            ("stderr", "three"),
            ("stdout", "two"),
        ]

    def test_what_has_no_end_yet_is_shown_and_comes_before_what_is_said(self) -> None:
        log = ring()
        log.feed("stderr", b"half")
        assert log.lines() == [LogLine("now", "stderr", "half")]
        log.say("It has been stopped")
        assert [line.text for line in log.lines()] == ["half", "It has been stopped"]

    def test_bytes_that_are_no_text_are_shown_harmlessly(self) -> None:
        log = ring()
        log.feed("stdout", b"\x1b[31mred\xff\0\ttab\n")
        assert log.lines()[0].text == "\\x1b[31mred\\xff\\x00\ttab"

    def test_a_line_without_end_is_cut(self) -> None:
        log = ring(64 * 1024)
        log.feed("stdout", b"x" * 50_000)
        [line] = log.lines()
        assert line.text == "x" * LONGEST_LINE + f" [... {50_000 - LONGEST_LINE} bytes cut]"

    @settings(deadline=None)
    @given(st.lists(st.tuples(st.sampled_from(["stdout", "stderr"]), st.binary(max_size=300)), max_size=60))
    def test_it_keeps_the_latest_and_no_more_than_it_may(self, pieces: list[tuple[str, bytes]]) -> None:
        log = ring(1000)
        for stream, data in pieces:
            log.feed("stdout" if stream == "stdout" else "stderr", data)
        log.say("end")
        lines = log.lines()
        assert lines[-1].text == "end"
        assert len(lines) <= 1000 // 64 + 1
        assert log.lines(2) == lines[-2:]

    def test_what_tells_most_is_the_end_of_the_errors_of_the_last_run(self) -> None:
        log = ring()
        log.feed("stderr", b"of an older run\n")
        log.say("It is starting")
        log.feed("stdout", b"listening\n")
        log.feed("stderr", b"Traceback (most recent call last):\n  File x\nValueError: bad\n\n")
        log.say("It ended")
        lines = telling(log.lines())
        assert lines == ["Traceback (most recent call last):", "  File x", "ValueError: bad"]
        assert cause(lines) == "ValueError: bad"
        assert cause([]) == "" and telling([]) == []

    def test_who_prints_too_fast_waits(self) -> None:
        at, slept = [0.0], list[float]()
        brake = Brake(lambda: at[0], slept.append)
        for _ in range(8):
            brake.feel(256 * 1024)
            at[0] += 0.05
        assert slept == []
        for _ in range(8):
            brake.feel(256 * 1024)
        assert slept and all(0 < pause <= 0.1 for pause in slept)


class TestPorts:
    def taking(self, taken: set[int]) -> tuple[Ports, Notebook]:
        book = Notebook()
        self.taken = taken
        return Ports(book, 5100, 5103), book

    def listen(self, port: int) -> None:
        if port in self.taken:
            raise OSError(98, "Address already in use")

    def test_a_project_keeps_its_port_and_others_never_get_it(self) -> None:
        ports, _ = self.taking(set())
        assert ports.take("one", self.listen) == (5100, "")
        assert ports.take("two", self.listen) == (5101, "")
        assert ports.take("one", self.listen) == (5100, "")

    def test_a_project_that_moved_still_owns_the_port_it_left(self) -> None:
        ports, book = self.taking(set())
        ports.take("one", self.listen)
        self.taken = {5100}
        port, words = ports.take("one", self.listen)
        assert port == 5101 and words == "another program uses port 5100, so it moved to port 5101"
        self.taken = set()
        assert ports.take("two", self.listen)[0] == 5102
        assert book.owner_of(5100) == "one"

    def test_no_port_left_is_said_with_a_remedy(self) -> None:
        ports, _ = self.taking({5100, 5101, 5102, 5103})
        with pytest.raises(Unavailable, match="no free port from 5100 to 5103") as caught:
            ports.take("one", self.listen)
        assert caught.value.hint

    def test_an_address_that_this_machine_does_not_have_is_said(self) -> None:
        def listen(port: int) -> None:
            raise OSError(99, "Cannot assign requested address")

        with pytest.raises(Unavailable, match="nothing can listen on port 5100: Cannot assign"):
            self.taking(set())[0].take("one", listen)


class TestWords:
    def test_how_an_app_is_run_survives_being_written_down(self) -> None:
        assert spec_from(json.loads(json.dumps(SPEC.as_json()))) == SPEC
        assert spec_from({**SPEC.as_json(), "of a newer version": 1}) == SPEC

    @pytest.mark.parametrize("raw", [{}, {"argv": 5, "project": "x"}, {"argv": ["x"]}])
    def test_something_else_written_down_is_refused(self, raw: dict[str, object]) -> None:
        with pytest.raises(InvalidParams):
            spec_from(raw)

    def test_the_job_tells_the_app_its_port_and_its_folder(self) -> None:
        job = app_job(SPEC, {}, data=Path("/srv/data"))
        assert job.env == {"PORT": "3000", "HOST": "127.0.0.1", "DATA_DIR": "/data", "A": "b"}
        assert job.data == Path("/srv/data") and job.also["node_modules"]
        assert "DATA_DIR" not in app_job(SPEC, {}).env

    def test_pauses_double_up_to_the_longest(self) -> None:
        patience = Patience()
        assert [patience.pause(crashes) for crashes in range(1, 9)] == [1, 2, 4, 8, 16, 32, 60, 60]
        assert patience.pause(10_000) == 60

    @pytest.mark.parametrize(
        ("bind", "url"),
        [
            ("127.0.0.1", "http://127.0.0.1:5100/"),
            ("localhost", "http://127.0.0.1:5100/"),
            ("0.0.0.0", "http://127.0.0.1:5100/"),
            ("192.0.2.7", "http://192.0.2.7:5100/"),
            ("::", "http://[::1]:5100/"),
        ],
    )
    def test_the_address_is_one_that_can_be_opened(self, bind: str, url: str) -> None:
        address = Address(bind=bind)
        assert address.url("shop", 5100) == url
        assert address.door("shop", 5100).knows(url.removeprefix("http://").rstrip("/"))

    def test_behind_a_proxy_each_preview_has_its_own_name_and_key(self) -> None:
        address = Address(public_url="https://{project}.example", link_secret=b"x")
        door = address.door("shop", 5100)
        assert door.knows("shop.example") and not door.knows("other.example")
        assert address.link("shop", 5100) == f"https://shop.example/?preview_key={address.key('shop')}"
        assert address.key("shop") != address.key("other")
