"""What a test run or an output left is read within bounds, whoever wrote it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandboxes.capture import Capture, Ring
from sandboxes.junit import MOST_CASES, Case, NotAReport, Outcome, read_report

PYTEST = b"""<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="0">
<testcase classname="test_a" name="test_ok" file="test_a.py" line="1" time="0.25"/>
<testcase classname="test_a" name="test_bad[x]"
file="test_a.py" time="?"><failure message="assert 1 == 2">def test_bad():
&gt; assert 1 == 2</failure></testcase>
<testcase classname="test_a" name="test_skip"><skipped type="pytest.skip" message="not here"/></testcase>
<testcase classname="test_a" name="test_broken"><error message="no fixture">E fixture</error></testcase>
</testsuite></testsuites>"""
NODE = b"""<testsuites><testsuite name="outer"><testsuite name="inner">
<testcase name="adds" time="0.1" classname="test"/></testsuite></testsuite></testsuites>"""


def test_a_report_of_pytest_is_read() -> None:
    assert read_report(PYTEST) == (
        Case("test_ok", "test_a.py", seconds=0.25),
        Case("test_bad[x]", "test_a.py", Outcome.FAILED, 0.0, "def test_bad():\n> assert 1 == 2"),
        Case("test_skip", "test_a", Outcome.SKIPPED, 0.0, "not here"),
        Case("test_broken", "test_a", Outcome.ERROR, 0.0, "E fixture"),
    )


def test_suites_of_node_name_the_group() -> None:
    assert read_report(NODE) == (Case("adds", "outer > inner", seconds=0.1),)


@pytest.mark.parametrize(
    "report",
    [
        b"",
        b"not xml",
        b"<testsuites>",
        b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuites>&b;</testsuites>',
        b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><testsuites/>',
        b"<testsuites>" + b"<testcase name='x'/>" * (MOST_CASES + 1) + b"</testsuites>",
    ],
)
def test_what_is_no_plain_report_is_refused(report: bytes) -> None:
    with pytest.raises(NotAReport):
        read_report(report)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=200)), st.integers(1, 300))
def test_an_output_keeps_its_beginning_and_end_and_says_what_is_missing(pieces: list[bytes], room: int) -> None:
    whole = b"".join(pieces)
    capture = Capture(room)
    for piece in pieces:
        capture.feed(piece)
    kept = capture.captured()
    assert kept.size == len(whole)
    assert kept.cut == max(0, len(whole) - room)
    if not kept.cut:
        assert kept.text == whole.decode(errors="backslashreplace")
    else:
        head = room * 3 // 4
        assert kept.text.startswith(whole[:head].decode(errors="backslashreplace"))
        assert kept.text.endswith(whole[head - room :].decode(errors="backslashreplace"))
        assert f"{kept.cut} bytes cut" in kept.text


@settings(deadline=None)
@given(st.lists(st.text("ab\n", max_size=50)), st.integers(1, 100))
def test_a_ring_keeps_the_end_from_a_whole_line_on(pieces: list[str], room: int) -> None:
    ring, whole = Ring(room), "".join(pieces)
    for piece in pieces:
        ring.feed(piece.encode())
    assert whole.endswith(ring.text())
    assert len(ring.text()) <= room
    if len(whole) <= room:
        assert ring.text() == whole
    elif "\n" in whole[-room:-1]:
        assert whole[: len(whole) - len(ring.text())].endswith("\n")
