"""Proofs in the real sandbox: green only if everything holds, and red in words that say what does not."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from code_generator import generate_app_code
from contracts.app_spec import AppSpec, Kind
from environments.base import Environment
from proof import Proof, Prover, Start, find_browser
from proving.report import CheckResult, TestsResult, VariantResult
from sandbox_runner import SandboxRunner
from sandboxes.base import Sandbox
from sandboxes.bubblewrap import Bubblewrap
from sandboxes.probes import PROBES, SelfTest, run_selftest
from tests.proving.tiny_library import SPEC
from tests.running_apps import copy_flask
from tests.scaffolds.specs import spec

HELLO = spec(Kind.HELLO_API)
SITE = spec(Kind.SITE, pages=[{"slug": "index", "title": "Home", "sections": [{"heading": "Hi", "text": "Some."}]}])
PIPELINE = spec(Kind.PIPELINE, pipeline={"reads": "csv"})
FLASK = Start(("python3", "-m", "flask", "--app", "app:app", "run", "--port", "8000"), ready="/health")
SCRIPT = Start(("python3", "app.py"), ready="/health")
FILES_SERVER = Start(("python3", "-m", "http.server", "8000", "--bind", "127.0.0.1"))
GREETER = b"""
import http.server, json, os
from urllib.parse import parse_qs, urlsplit

def answer(target):
    parts = urlsplit(target)
    name = parse_qs(parts.query).get("name", ["World"])[0]
    if parts.path == "/health":
        return 200, {"status": "ok"}
    if parts.path != "/":
        return 404, {"error": {"message": "nothing here"}}
    if len(name) > 100:
        return 422, {"error": {"message": "too long", "fields": {"name": "has at most 100"}}}
    return 200, {"message": f"Hello, {name}!"}

class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, body = answer(self.path)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Page).serve_forever()
"""
GREETER_TESTS = b"""
import threading, urllib.request, json, http.server
import app

def test_answers():
    assert app.answer("/health") == (200, {"status": "ok"})
    assert app.answer("/") == (200, {"message": "Hello, World!"})
    assert app.answer("/x")[0] == 404
    assert app.answer("/?name=" + "x" * 101)[0] == 422
    assert app.answer("/?name=" + "x" * 100)[0] == 200

def test_it_is_served():
    server = http.server.HTTPServer(("127.0.0.1", 0), app.Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with urllib.request.urlopen(f"http://127.0.0.1:{server.server_address[1]}/health", timeout=60) as answer:
        assert answer.status == 200 and json.load(answer) == {"status": "ok"}
    server.shutdown()
"""
GOOD = {
    "app.py": GREETER,
    "tests/test_app.py": GREETER_TESTS,
    "tests/conftest.py": b"import sys; sys.path.insert(0, '.')",
}


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="proof-tests-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


def briefly(sandbox: Sandbox) -> SelfTest:
    return run_selftest(sandbox, PROBES[:2])


@pytest.fixture(scope="module")
def runner(root: Path) -> Iterator[SandboxRunner]:
    sandbox = Bubblewrap(root, pool_size=2)
    if not sandbox.available().ok:
        pytest.skip(f"bubblewrap: {sandbox.available().words}")
    made = SandboxRunner([sandbox], root=root, selftest=briefly)
    assert made.check().ok, made.standing().words
    yield made
    made.close()


@pytest.fixture
def prover(runner: SandboxRunner) -> Prover:
    return Prover(lambda: runner)


def environment(*mounts: Path) -> Environment:
    return Environment(keys=(), mounts=mounts, env={}, python=("python3",), pytest=())


@pytest.fixture(scope="module")
def greeted(runner: SandboxRunner) -> tuple[Proof, list[str]]:
    said: list[str] = []

    def progress(message: str, done: int | None = None, total: int | None = None) -> None:
        said.append(message if done is None else f"{message} ({done} of {total})")

    proof = Prover(lambda: runner).prove(HELLO, GOOD, environment(), start=SCRIPT, progress=progress)
    return proof, said


def test_an_app_that_keeps_its_word_is_proven(greeted: tuple[Proof, list[str]]) -> None:
    proof, said = greeted
    assert proof.ok, proof.failures
    assert proof.words == "5 of 5 checks hold, 2 tests pass, 4 of 4 planted mistakes were noticed"
    assert all(check.seen_failing for check in proof.checks)
    assert set(proof.seconds) == {"without_the_app", "checks", "tests", "variants", "all"}
    assert any("It says `Hello, World!`: holds" in words for words in said)
    assert [words[-8:] for words in said if words.endswith("of 5)")] == [f"({n} of 5)" for n in range(1, 6)]


def test_a_proof_can_be_kept_and_read(greeted: tuple[Proof, list[str]]) -> None:
    kept = json.loads(json.dumps(greeted[0].to_json()))
    assert kept["ok"] and kept["tests"]["passed"] == 2 and len(kept["digest"]) == 64
    hello = next(check for check in kept["checks"] if check["id"] == "hello")
    assert hello["exchanges"] == [
        {"asked": "GET /", "sent": "", "status": 200, "answered": '{"message": "Hello, World!"}'}
    ]
    assert {variant["path"] for variant in kept["variants"]} == {"app.py"}


def test_a_wrong_answer_and_tests_that_notice_nothing_are_red(prover: Prover) -> None:
    files = {
        **GOOD,
        "app.py": GREETER.replace(b'f"Hello, {name}!"', b'"Hello, World!"'),
        "tests/test_app.py": b"def test_nothing():\n    pass",
    }
    proof = prover.prove(HELLO, files, environment(), start=SCRIPT, variants=2)
    assert not proof.ok
    assert [check.id for check in proof.checks if not check.ok] == ["greeting", "long-name"]
    assert "`Ada` should be greeted, and is told `Hello, World!`" in proof.words
    assert [variant.caught for variant in proof.variants or ()] == [False, False]
    assert any("did not notice a broken variant (`app.py` line" in words for words in proof.failures)


def test_a_variant_that_nobody_can_see_is_exchanged_for_another(prover: Prover) -> None:
    unused = b"def unused(number):\n    if number == 404:\n        raise KeyError(number)\n    return number\n"
    proof = prover.prove(HELLO, {**GOOD, "unused.py": unused}, environment(), start=SCRIPT, variants=2)
    assert proof.ok, proof.failures
    assert [variant.path for variant in proof.variants or ()] == ["app.py", "app.py"]


def test_files_that_people_changed_are_broken_where_no_others_are_left(prover: Prover) -> None:
    proof = prover.prove(HELLO, GOOD, environment(), start=SCRIPT, products={}, variants=1)
    assert proof.ok, proof.failures
    assert [variant.path for variant in proof.variants or ()] == ["app.py"]


def test_no_tests_or_red_ones_are_no_proof(prover: Prover) -> None:
    proof = prover.prove(HELLO, {"app.py": GREETER}, environment(), start=SCRIPT, variants=1)
    assert not proof.ok and "there are no tests" in proof.words and all(check.ok for check in proof.checks)


def test_an_app_that_does_not_start_is_told_with_what_it_printed(prover: Prover) -> None:
    files = {**GOOD, "app.py": b"raise SystemExit('no \x1b[31mconfiguration')"}
    proof = prover.prove(HELLO, files, environment(), start=SCRIPT, variants=0)
    assert not proof.ok and "the app does not start" in proof.words
    assert "configuration" in proof.logs and "\x1b" not in proof.logs


def test_a_proof_that_is_given_up_stops(prover: Prover) -> None:
    def enough() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prover.prove(HELLO, GOOD, environment(), start=SCRIPT, tick=enough)


def test_an_app_with_data_is_tried_in_the_sandbox_and_switched_off_and_on_again(prover: Prover, root: Path) -> None:
    packages = copy_flask(root / "packages")
    for path in (packages, *packages.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    source = (Path(__file__).parent / "proving" / "tiny_library.py").read_bytes()
    files = {
        "app.py": source + b"\n\napp = from_environment()\n",
        "test_app.py": b"def test_nothing():\n    pass",
    }
    proof = prover.prove(AppSpec.model_validate(SPEC), files, environment(packages), start=FLASK, variants=0)
    assert [(check.id, check.why) for check in proof.checks if not check.ok] == []
    assert len(proof.checks) == 30 and all(check.seen_failing for check in proof.checks)
    assert proof.failures == ("nothing in the app could be broken to see whether its tests notice",)
    assert len(json.dumps(proof.to_json())) < 200_000


def test_an_empty_folder_that_is_served_is_not_a_site(prover: Prover) -> None:
    proof = prover.prove(SITE, {"test_it.py": b"def test_it():\n    pass"}, environment(), start=FILES_SERVER)
    assert not proof.ok and not [check.id for check in proof.checks if check.ok]
    assert "its pages were not looked at in a browser (Chromium is not installed on this machine)" in proof.words


def site_files(style: bytes = b"") -> dict[str, bytes]:
    files = {path: text.encode() for path, text in generate_app_code(SITE).items()}
    return {**files, "style.css": files["style.css"] + style}


@pytest.mark.skipif(find_browser() is None, reason="Chromium is not installed")
def test_pages_are_looked_at_in_a_browser_that_is_started_once(runner: SandboxRunner) -> None:
    prover = Prover(lambda: runner, find_browser() or "")
    proof = prover.prove(SITE, site_files(), environment(), start=FILES_SERVER, variants=1)
    assert proof.ok, proof.failures
    looks = [check for check in proof.checks if check.id.startswith("look-")]
    assert [check.id for check in looks] == ["look-opens", "look-wide", "look-phone"]
    assert all(check.seen_failing for check in looks) and "browser" not in proof.words
    proof = prover.prove(SITE, site_files(b".section{display:none}"), environment(), start=FILES_SERVER, variants=0)
    assert [check.id for check in proof.checks if not check.ok] == ["look-wide", "look-phone"]
    assert "on `/index.html` “Hi” is hidden; “Some.” is hidden" in proof.words


def test_a_browser_that_fails_is_told_and_stands_against_nothing(runner: SandboxRunner) -> None:
    proof = Prover(lambda: runner, "/bin/false").prove(
        SITE, site_files(), environment(), start=FILES_SERVER, variants=1
    )
    assert proof.ok, proof.failures
    assert not [check for check in proof.checks if check.id.startswith("look-")]
    assert proof.words.endswith("its pages were not looked at in a browser (the browser did not start)")
    assert proof.to_json()["unlooked"] == "the browser did not start"


def test_a_program_that_is_run_is_proven_by_what_it_prints_and_writes(prover: Prover) -> None:
    source = (Path(__file__).parent / "proving" / "tiny_pipeline.py").read_bytes()
    wanted = AppSpec.model_validate(
        {
            "kind": "pipeline",
            "name": "s",
            "title": "S",
            "summary": "S.",
            "pipeline": {"group_by": "region", "measure": "amount"},
        }
    )
    files = {"main.py": source, "sample/one.csv": b"region,amount\nNorth,1\n"}
    proof = prover.prove(wanted, files, environment(), variants=0)
    assert [(check.id, check.why) for check in proof.checks if not check.ok] == []
    assert len(proof.checks) == 7 and all(check.seen_failing for check in proof.checks)


def result(ok: bool = True, seen: bool | None = True) -> CheckResult:
    return CheckResult("a", "A book can be added", ok, seen, "" if ok else "it cannot", 0.1)


PASSED = TestsResult(True, "3 passed", 3)


@pytest.mark.parametrize(
    ("proof", "words"),
    [
        (Proof(checks=(result(),), digest="", tests=PASSED), ""),
        (Proof(checks=(result(False),), digest=""), "A book can be added: this does not hold, it cannot"),
        (Proof(checks=(result(seen=False),), digest=""), "also passes without the app"),
        (Proof(checks=(), digest=""), "nothing that was checked"),
        (
            Proof(checks=(result(),), digest="", tests=TestsResult(False, "1 failed", 2)),
            "own tests do not pass: 1 failed",
        ),
        (
            Proof(
                checks=(result(),),
                digest="",
                tests=TestsResult(False, "1 failed", 2, (("test_it_greets", "failed", "assert 1 == 2"),)),
            ),
            "own tests do not pass: 1 failed (`test_it_greets`)",
        ),
        (Proof(checks=(result(),), digest="", tests=PASSED, variants=()), "nothing in the app could be broken"),
        (
            Proof(checks=(result(),), digest="", tests=PASSED, variants=(VariantResult("a.py", 7, "x", False, "no"),)),
            "did not notice a broken variant (`a.py` line 7, x)",
        ),
        (Proof(checks=(result(),), digest="", trouble="the app does not start"), "the app does not start"),
    ],
)
def test_anything_that_is_not_so_makes_it_red_in_words(proof: Proof, words: str) -> None:
    assert proof.ok == (not words)
    assert words in proof.words
    assert proof.words.startswith("Not proven: ") == bool(words)
