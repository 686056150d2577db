"""Proving an app: what was agreed is checked from outside, in the sandbox; nothing else makes it done."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import Field

import code_generator as generator
from code_generator import AppRecord
from context_manager import ContextManager
from contracts.actions import NOTHING_TO_UNDO, Action, ActionContext, ActionResult, Note, Params
from contracts.app_spec import SERVED
from contracts.errors import Conflict
from contracts.files import Draft
from contracts.trust import Effect
from git_manager import GitManager

if TYPE_CHECKING:
    from environments.base import Environment
    from proof import Start
    from sandbox_runner import SandboxRunner

SWITCHED_OFF = "the setting `proof_browser` is off"
EnvironmentOf = Callable[[Draft], "Environment"]


class TestApp(Params):
    __test__ = False
    variants: int = Field(4, ge=1, le=20, description="How many broken variants its own tests have to catch.")


class ProvingActions:
    def __init__(
        self,
        sandbox: Callable[[], "SandboxRunner"],
        environment_of: EnvironmentOf,
        memory: ContextManager,
        git: GitManager,
        looks: bool,
    ) -> None:
        self._sandbox = sandbox
        self._environment_of = environment_of
        self._memory = memory
        self._git = git
        self._looks = looks

    def test_app(self, params: TestApp, ctx: ActionContext) -> ActionResult:
        from proof import NO_BROWSER, Prover, find_browser  # noqa: PLC0415  loaded when something is to be proven

        record = self._agreed(ctx)
        repo = self._git.open(ctx.project)
        tree = repo.fingerprint()
        browser = find_browser() if self._looks else None
        proof = Prover(self._sandbox, browser or "", NO_BROWSER if self._looks else SWITCHED_OFF).prove(
            record.spec,
            ctx.files,
            self._environment_of(ctx.files),
            start=_start(record, ctx.files),
            products=_untouched(record, ctx.files),
            variants=params.variants,
            progress=ctx.progress,
            tick=ctx.check_cancelled,
        )
        if repo.fingerprint() != tree:
            raise Conflict(
                "Files of the project were changed while it was being proven, so this shows nothing",
                hint="Prove it again when nobody edits it",
            )
        newest = repo.history(1)
        if proof.ok and newest:
            repo.mark_good(newest[0].id)
        kept = {"ok": proof.ok, "words": proof.words, "digest": generator.digest(record.spec)}
        note = Note("app_proven", {"project": ctx.project, **kept, "tree": tree})
        said = f"Proven: {proof.words}" if proof.ok else proof.words
        data = {"proof": proof.to_json(), "retryable": bool(proof.trouble)}
        return ActionResult(proof.ok, said, data, notes=(note,))

    def _agreed(self, ctx: ActionContext) -> AppRecord:
        """What the app was agreed to be. Raises Conflict if what stands in the project is something else."""
        record = generator.read_record(ctx.files)
        if record is None:
            raise Conflict(
                f"`{ctx.project}` was not built by me, so I do not know what to prove",
                hint="Run its own tests with `run_tests`",
            )
        agreed = self._memory.agreed_apps(ctx.project)
        if agreed and generator.digest(record.spec) not in agreed:
            raise Conflict(
                f"`{generator.RECORD}` was changed by hand: it describes another app than was agreed with you",
                hint="Undo that edit, or ask for the change in words",
            )
        return record


def _start(record: AppRecord, files: Draft) -> "Start | None":
    """How the app is started, if it is one that runs."""
    if record.spec.kind not in SERVED:
        return None
    from previews import detect  # noqa: PLC0415  the parts that show apps are loaded when one is started
    from proof import Start  # noqa: PLC0415

    found = detect(files)
    return Start(found.argv, found.port, found.ready[-1])


def _untouched(record: AppRecord, files: Draft) -> dict[str, str]:
    """The generated files that nobody has edited, by path."""
    found: dict[str, str] = {}
    for path, known in record.sums.items():
        if files.node(path) is not None:
            data = files.read(path)
            if generator.sum_of(data) == known:
                found[path] = data.decode()
    return found


def proving_actions(
    sandbox: Callable[[], "SandboxRunner"],
    environment_of: EnvironmentOf,
    memory: ContextManager,
    git: GitManager,
    *,
    looks: bool,
) -> list[Action[Any]]:
    """`looks` says whether pages are looked at in a browser, where there is one."""
    do = ProvingActions(sandbox, environment_of, memory, git, looks)
    return [
        Action(
            name="test_app",
            summary="Prove that an app does what was agreed, from outside, and that its own tests would notice if not.",
            params=TestApp,
            effects=frozenset({Effect.EXECUTE_SANDBOXED}),
            handler=do.test_app,
            undo=NOTHING_TO_UNDO,
            title=lambda p: "Prove that the app works",
            founds=True,
            worst="It does not work yet; nothing outside the sandbox is touched",
            timeout=1800,
        )
    ]
