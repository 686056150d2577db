"""Done is proven, not claimed: checks made from the spec alone, carried out from outside of the app.

The verdict is computed here. What the app, its tests and the sandbox say is data.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

from contracts.app_spec import SERVED, AppSpec, Language
from environments.base import Environment
from picturing.browser import find_browser
from proving.check import Check, Grounds, NotSo, Trial
from proving.checks import checks_for
from proving.command import Ran, SandboxTerminal, Terminal
from proving.eyes import Eyes
from proving.look_checks import has_pages, look_checks
from proving.record import Exchange, plain
from proving.report import CheckResult, Proof, TestsResult, VariantResult
from proving.serving_run import Start, running
from proving.sight import CouldNotLook
from proving.snapshot import digest_of, snapshot
from proving.variants import Variant, variants_of
from proving.wire import AddressVisitor, LookingVisitor, NoAnswer, Reply, Request, SocketVisitor, Visitor, WouldWrite
from proving.workers import TICK, Workers
from sandbox_runner import TESTS, Framework, SandboxRunner, TestRun
from sandboxes.base import File, FilesIn, Tick
from sandboxes.junit import Outcome

__all__ = [
    "NO_BROWSER",
    "AddressVisitor",
    "Check",
    "CheckResult",
    "Exchange",
    "NoAnswer",
    "Proof",
    "Prover",
    "Ran",
    "Reply",
    "Request",
    "SocketVisitor",
    "Start",
    "Terminal",
    "TestsResult",
    "Variant",
    "VariantResult",
    "Visitor",
    "check_live",
    "checks_for",
    "find_browser",
]

_T = TypeVar("_T")
NO_BROWSER = "Chromium is not installed on this machine"
VARIANTS = 4
SPARE = 8
"""How many more variants there are to choose from, where one makes no difference that anybody could see."""
AT_ONCE = 2
TEST_SECONDS = 300.0
VARIANT_SECONDS = 120.0
PATIENCE = 15.0
SLOWER = 4.0
"""How many times as long the tests of a broken variant may take, after some seconds that they have in any case."""
PROGRAMS = {Language.PYTHON: ("python3", "main.py"), Language.NODE: ("node", "main.js")}
_Tested = tuple[TestRun, float]
"""What tests reported, and after how many seconds."""


class Progress(Protocol):
    """Given a sentence for people whenever there is something new to say, and how far it is where that can be said."""

    def __call__(self, message: str, done: int | None = None, total: int | None = None, /) -> None: ...


def _silent(message: str, done: int | None = None, total: int | None = None, /) -> None:
    """For whoever does not watch."""


class _Endless(Exception):
    """Tests that take many times as long as they did on the app as it is."""


@dataclass(frozen=True, slots=True)
class _Case:
    """What is to be proven, and how to stay in touch while doing so."""

    spec: AppSpec
    files: Mapping[str, File]
    environment: Environment
    start: Start | None
    say: Progress
    tick: Tick
    salt: str
    eyes: Eyes | None


class Prover:
    """Proves apps in the sandbox. Threads may share it."""

    def __init__(self, sandbox: Callable[[], SandboxRunner], browser: str = "", no_browser: str = NO_BROWSER) -> None:
        """`browser` is the program that pages are looked at with; where it is empty, `no_browser` says why in words."""
        self._sandbox = sandbox
        self._browser = browser
        self._no_browser = no_browser

    def prove(
        self,
        spec: AppSpec,
        files: FilesIn,
        environment: Environment,
        *,
        start: Start | None = None,
        products: Mapping[str, str] | None = None,
        variants: int = VARIANTS,
        progress: Progress | None = None,
        tick: Tick | None = None,
    ) -> Proof:
        """Whether these files are the app that the spec describes.

        `start` says how an app that is served is started. `products` are the files that were generated for the app
        itself, some of which are broken on purpose; where there are none to break, all files of the project are taken.
        Raises AppError if the sandbox cannot be used, and what `tick` raises.
        """
        began = time.monotonic()
        files = snapshot(files)
        digest = digest_of(spec, files)
        eyes = Eyes(lambda: self._sandbox().choose(), self._browser) if self._browser and has_pages(spec) else None
        case = _Case(spec, files, environment, start, progress or _silent, tick or (lambda: None), digest, eyes)
        texts = products if products and variants_of(spec, products, 1) else _texts(files)
        broken = variants_of(spec, texts, variants)
        with Workers(AT_ONCE) as workers:
            tests = workers.do(partial(self._test, case, files, (), TEST_SECONDS))
            runs = [workers.do(partial(self._test_variant, case, variant, tests)) for variant in broken]
            case.say("Making sure that no check passes without the app")
            seen, empty_seconds = _timed(lambda: self._on_nothing(case))
            (checks, trouble, logs), seconds = _timed(lambda: self._on_app(case, seen))
            case.say("Running the app's own tests, and planting mistakes that they have to notice")
            workers.wait_for(case.tick)
            (tested, test_seconds), tried = tests.result(), [run.result() for run in runs]
            spare = (one for one in variants_of(spec, texts, variants + SPARE) if one not in broken)
            results = [
                self._settled(case, variant, run, tests, spare) for variant, run in zip(broken, tried, strict=True)
            ]
        return Proof(
            checks=checks,
            digest=digest,
            tests=_tests_result(tested),
            variants=tuple(result for result in results if result is not None),
            seconds={
                "without_the_app": empty_seconds,
                "checks": seconds,
                "tests": test_seconds,
                "variants": sum(run[1] if run else 0.0 for run in tried),
                "all": time.monotonic() - began,
            },
            trouble=trouble,
            logs=logs,
            unlooked=self._unlooked(case) if not trouble else "",
        )

    def _unlooked(self, case: _Case) -> str:
        """Why nobody has looked at the app's pages, if it has some."""
        return case.eyes.trouble if case.eyes else self._no_browser if has_pages(case.spec) else ""

    def _settled(
        self,
        case: _Case,
        variant: Variant,
        run: _Tested | None,
        tests: "Future[_Tested]",
        spare: Iterator[Variant],
    ) -> VariantResult | None:
        """What came of a variant, or of another one where nobody could see a difference; None if there is none left."""
        result = _variant_result(variant, run, tests.result()[0])
        while not result.caught and tests.result()[0].ok and not self._is_seen(case, variant):
            case.say(f"No difference can be seen when {variant.words}; trying another variant")
            another = next(spare, None)
            if another is None:
                return None
            variant = another
            result = _variant_result(variant, self._test_variant(case, variant, tests, case.tick), tests.result()[0])
        return result

    def _is_seen(self, case: _Case, variant: Variant) -> bool:
        """Whether what was broken shows to somebody outside: the app does not start, or a check no longer holds."""
        files = {**case.files, variant.path: File(variant.text.encode())}
        checks, trouble, _ = self._on_app(replace(case, files=files, say=_silent, eyes=None), {})
        return bool(trouble) or not all(check.ok for check in checks)

    def _on_nothing(self, case: _Case) -> dict[str, bool]:
        """Which checks fail on an empty project, where everything is as for the app but the app is not there."""
        with self._grounds(replace(case, files={})) as (grounds, _):
            return {result.id: not result.ok for result in _run_all(case, grounds)}

    def _on_app(self, case: _Case, seen: Mapping[str, bool]) -> tuple[tuple[CheckResult, ...], str, str]:
        with self._grounds(case) as (grounds, logs):
            trouble, printed = logs()
            if trouble:
                return (), trouble, printed
            results: list[CheckResult] = []
            for result in _run_all(case, grounds):
                results.append(replace(result, seen_failing=seen.get(result.id, False)))
                words = f"{result.words}: {'holds' if result.ok else 'does not hold'}"
                case.say(words, len(results), len(seen))
            wrong = any(not result.ok for result in results)
            return tuple(results), "", logs()[1] if wrong else ""

    @contextmanager
    def _grounds(self, case: _Case) -> Iterator[tuple[Grounds, Callable[[], tuple[str, str]]]]:
        """Where checks stand, and what is wrong with the app's start and what it has printed."""
        sandbox = self._sandbox()
        if case.spec.kind not in SERVED:
            program = PROGRAMS[case.spec.language]

            def terminal(tick: Tick) -> SandboxTerminal:
                return SandboxTerminal(sandbox, program, case.files, case.environment, tick)

            yield Grounds(case.spec, case.salt, terminal=terminal, seconds=TEST_SECONDS), lambda: ("", "")
            return
        start = case.start or Start(("false",))
        key = f"key-{case.salt[:32]}" if case.spec.api_key else ""
        env = {"API_KEY": key} if key else {}
        with running(sandbox, start, case.files, case.environment, env) as (started, visitor):
            trouble = "" if started.ok else f"the app does not start: {started.words}"
            grounds = Grounds(case.spec, case.salt, visitor=visitor, api_key=key, tick=case.tick, eyes=case.eyes)
            yield grounds, lambda: (trouble, plain(started.service.logs()[-4000:]))

    def _test(self, case: _Case, files: FilesIn, arguments: Sequence[str], seconds: float, tick: Tick) -> _Tested:
        return _timed(
            lambda: self._sandbox().run_tests(
                files,
                _framework(case.spec),
                arguments=arguments,
                limits=replace(TESTS, wall=seconds, cpu=int(seconds)),
                env=case.environment.env,
                environments=case.environment.mounts,
                links=case.environment.links,
                tick=tick,
            )
        )

    def _test_variant(self, case: _Case, variant: Variant, whole: Future[_Tested], tick: Tick) -> _Tested | None:
        """None if the tests no longer came to an end, which is a way to notice."""
        files = {**case.files, variant.path: File(variant.text.encode())}
        first = ("-x",) if _framework(case.spec) == "pytest" else ()
        began = time.monotonic()

        def go_on() -> None:
            tick()
            if whole.done() and time.monotonic() - began > PATIENCE + SLOWER * whole.result()[1]:
                raise _Endless

        try:
            return self._test(case, files, first, VARIANT_SECONDS, go_on)
        except _Endless:
            return None


def _run_all(case: _Case, grounds: Grounds) -> Iterator[CheckResult]:
    """Every check, in order. Those that run commands share nothing, and go side by side."""
    checks = checks_for(case.spec)
    if grounds.visitor:
        for check in (*checks, *(look_checks(case.spec) if case.eyes else ())):
            case.tick()
            try:
                result = run_check(check, grounds)
            except CouldNotLook:
                continue
            yield result
        return
    with Workers(AT_ONCE) as workers:
        begun = [workers.do(partial(_run_apart, check, grounds)) for check in checks]
        for one in begun:
            while wait([one], TICK).not_done:
                case.tick()
            yield one.result()


def _run_apart(check: Check, grounds: Grounds, tick: Tick) -> CheckResult:
    return run_check(check, replace(grounds, tick=tick))


def run_check(check: Check, grounds: Grounds) -> CheckResult:
    """Try one promise. Whatever the app answers, there is a result."""
    trial = Trial(grounds, check.id)
    began = time.monotonic()
    why = ""
    try:
        check.run(trial)
    except (NotSo, NoAnswer) as error:
        why = str(error)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, AssertionError) as error:
        why = f"what came could not be understood ({type(error).__name__}: {error})"
    return CheckResult(
        check.id,
        check.words,
        not why,
        None,
        trial.recorder.clean(why),
        time.monotonic() - began,
        trial.recorder.exchanges,
        trial.recorder.count,
    )


def check_live(
    spec: AppSpec,
    visitor: Visitor,
    *,
    api_key: str = "",
    tick: Tick | None = None,
    progress: Callable[[str], None] | None = None,
    only_looks: bool = False,
) -> Proof:
    """Whether the app at an address does what its spec says. What can be deleted is cleared away; accounts stay.

    With `only_looks` nothing is written there: checks that would have to are left out.
    """
    began = time.monotonic()
    salt = f"{time.time_ns()}"
    shown = LookingVisitor(visitor) if only_looks else visitor
    grounds = Grounds(spec, salt, visitor=shown, api_key=api_key, tick=tick or (lambda: None))
    checks = [check for check in checks_for(spec) if visitor.restarts or not check.restarts]
    results = []
    for check in checks:
        try:
            results.append(run_check(check, grounds))
        except WouldWrite:
            continue
        if progress:
            words = "holds" if results[-1].ok else "does not hold"
            progress(f"{check.words}: {words}")
    taken = time.monotonic() - began
    return Proof(checks=tuple(results), digest=digest_of(spec, {}), seconds={"checks": taken, "all": taken})


def _framework(spec: AppSpec) -> Framework:
    return "node" if spec.language is Language.NODE else "pytest"


def _texts(files: Mapping[str, File]) -> dict[str, str]:
    found = {}
    for path, file in files.items():
        if path.endswith((".py", ".js", ".mjs", ".html")):
            found[path] = file.data.decode("utf-8", "replace")
    return found


def _tests_result(run: TestRun) -> TestsResult:
    cases = tuple((case.name, case.outcome.value, plain(case.message)) for case in run.cases)
    return TestsResult(run.ok, plain(run.words), run.count(Outcome.PASSED), cases)


def _variant_result(variant: Variant, tried: _Tested | None, whole: TestRun) -> VariantResult:
    def result(caught: bool, by: str) -> VariantResult:
        return VariantResult(variant.path, variant.line, variant.words, caught, by)

    if not whole.ok:
        return result(False, "the tests do not pass without this either")
    if tried is None:
        return result(True, "the tests no longer come to an end")
    run = tried[0]
    failed = next((case for case in run.cases if case.outcome in {Outcome.FAILED, Outcome.ERROR}), None)
    by = f"`{plain(failed.name)}` failed" if failed else f"the tests say: {plain(run.words)}"
    return result(not run.ok, f"{by}, as if nothing were wrong" if run.ok else by)


def _timed(work: Callable[[], _T]) -> tuple[_T, float]:
    began = time.monotonic()
    return work(), time.monotonic() - began
