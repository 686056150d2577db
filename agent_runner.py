"""The order of work: plan, gate, execute, record, next. Every route into the agent ends here."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from answers import Answer, answer_for, error_json, result_json, said
from context_manager import ContextManager, new_task, new_task_id
from contracts.actions import ActionCall, Catalogue, call_from
from contracts.errors import (
    AppError,
    BadInput,
    Conflict,
    Failed,
    InvalidParams,
    NotFound,
    SeveralWaiting,
    StaleApproval,
    Unavailable,
)
from contracts.tasks import Status, Task
from contracts.times import parse, stamp
from contracts.trust import Autonomy, Decision, Outcome, Verdict
from gate import Gate, as_json
from idempotency import Keys
from lanes import Lanes
from memory_state import State
from plan_runner import PlanRunner
from regression import Scratch, read_suite, run_suite
from step_queue import StepQueue
from stores.base import Transaction
from task_executor import Cancelled, Control, Done, Prepared, TaskExecutor
from task_logs import TaskLogs
from waiters import Waiters

log = logging.getLogger(__name__)

AGENT_CORE_FILES = (
    *("app.py", "agent_runner.py", "task_executor.py", "context_manager.py", "trust.py", "gate.py"),
    *("git_manager.py", "sandbox_runner.py", "launcher.py", "judge.py"),
)
"""Files of the agent's own that keep it safe; changing them always asks."""

STOP_SECONDS = 10.0
AUTONOMY_WORDS = {
    Autonomy.ASK_ALL: "I ask before every change",
    Autonomy.EARNED: "I ask until my record has earned trust",
    Autonomy.ALLOW_ALL: "I do everything alone but what always asks",
}
OVERRIDE_WORDS = {
    "auto": "runs alone",
    "ask": "always asks",
    "refuse": "is refused",
    None: "follows my record again",
}
PLAN_INTENTS = (None, "plan", "plan_tasks", "goal")


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """What is known of a task when it ends."""

    task: Task
    result: dict[str, Any]
    done: Done | None = None
    seconds: float = 0.0
    approved: bool = False
    gated: bool = True
    """Whether it had passed the gate, so that its outcome counts for trust."""

    def as_event(self) -> dict[str, Any]:
        return {"seconds": round(self.seconds, 4), **(self.done.as_event() if self.done else {})}


class AgentRunner:
    """Takes commands, puts each project's work into its lane, and answers when it is settled or time is up."""

    def __init__(
        self,
        memory: ContextManager,
        executor: TaskExecutor,
        gate: Gate,
        catalogue: Catalogue,
        logs: TaskLogs,
        scratch: Scratch,
        *,
        workers: int,
        wait_seconds: float,
        suites: tuple[Path, ...] = (),
    ) -> None:
        self.memory = memory
        self.lanes = Lanes(workers)
        self._executor = executor
        self._gate = gate
        self._catalogue = catalogue
        self._logs = logs
        self._scratch = scratch
        self._suites = suites
        self._keys = Keys(memory)
        self.waiters = Waiters(memory, wait_seconds)
        self._guard = threading.Lock()
        self._controls: dict[str, Control] = {}
        self._queue = StepQueue(memory, catalogue)
        self.plans = PlanRunner(memory, executor, gate, catalogue, self)

    def run_agent(
        self, command: dict[str, Any] | str, *, wait: float | None = None, idempotency_key: str | None = None
    ) -> Answer:
        """Carry out one command: a known intent, or several steps as a plan."""
        command = {"goal": command} if isinstance(command, str) else command
        if idempotency_key is None:
            return self._run(command, new_task_id(), {}, wait)
        task_id = new_task_id()
        known, opening = self._keys.claim(idempotency_key, task_id, command)
        if known is not None:
            return self.wait_for(known, wait)
        try:
            return self._run(command, task_id, opening, wait)
        finally:
            self._keys.release(idempotency_key)

    def _run(self, command: dict[str, Any], task_id: str, opening: dict[str, Any], wait: float | None) -> Answer:
        if "steps" in command and command.get("intent") in PLAN_INTENTS:
            return self.plans.execute_plan(
                command["steps"], goal=command.get("goal"), wait=wait, task_id=task_id, opening=opening
            )
        if command.get("intent") in PLAN_INTENTS:
            raise BadInput(
                "I cannot plan from a sentence yet",
                hint="Send an `intent` (`GET /actions` lists them) or `steps`",
            )
        call = call_from(command)
        action, params = self._catalogue.parse(call)
        task = new_task(call, action.title(params), self.memory.clock(), task_id=task_id)
        if not self.lanes.free(call.project or ""):
            self.memory_add(task, now=True, **opening)
            return self.start(task.id, call.project, lambda: self.run_known(task.id), wait)
        return self.start(task.id, call.project, lambda: self._run_new(task, call, opening), wait)

    def run_next(self, *, project: str | None = None, wait: float | None = None) -> Answer:
        """Run the first queued step."""
        step = self.memory.get_next_step(project)
        if step is None:
            return said("No queued tasks", queued=0)
        plan = self.plans.open_plan_of(step)
        if plan is not None:
            return self.wait_for(plan.id, 0)
        return self.start(step.id, step.project, lambda: self.run_known(step.id), wait)

    def run_all(self, *, project: str | None = None, wait: float | None = None) -> Answer:
        """Run all queued steps, as one plan that is asked about at most once."""
        return self.plans.run_all(project, wait)

    def execute_plan(self, steps: list[Any], goal: str | None = None, wait: float | None = None) -> Answer:
        """Run these steps as one plan, asked about at most once."""
        return self.plans.execute_plan(steps, goal=goal, wait=wait)

    def confirm(self, *, id: str | None = None, approve: bool, reason: str = "", wait: float | None = None) -> Answer:
        """Say yes or no to what waits. A yes runs exactly the stored call."""
        task = self._waiting(id)
        if not approve:
            return self._reject(task, reason)
        if task.intent == "plan":
            return self.plans.confirm(task, reason, wait)
        refused: list[AppError] = []
        answer = self.start(task.id, task.project, lambda: self._run_approved(task.id, reason, refused), wait)
        if refused:
            raise refused[0]
        return answer

    def cancel_plan(self, *, id: str | None = None) -> Answer:
        """Stop a plan, or without an id whatever is planned: nothing more is started, what runs is told to stop."""
        return self.plans.cancel(id)

    def rollback(
        self, *, id: str | None = None, project: str | None = None, wait: float | None = None, **target: Any
    ) -> Answer:
        """Undo the last action, or go back to before a task, or to a commit."""
        place = project or self._project_of(id)
        params = {"task": id, **target} if id else dict(target)
        chosen = {name: value for name, value in params.items() if value not in (None, False)}
        return self.run_agent({"intent": "rollback", "project": place, **chosen}, wait=wait)

    def edit_step(self, id: str, step: dict[str, Any]) -> Answer:
        return self._queue.edit(id, step)

    def skip_step(self, id: str) -> Answer:
        return self._queue.skip(id)

    def move_step(self, id: str, *, before: str | None) -> Answer:
        return self._queue.move(id, before=before)

    def insert_step(self, step: dict[str, Any], *, before: str) -> Answer:
        return self._queue.insert(step, before=before)

    def task(self, id: str) -> dict[str, Any]:
        return asdict(self.memory.task(id))

    def tasks(
        self, *, status: str | None = None, project: str | None = None, limit: int = 50, after: str | None = None
    ) -> list[dict[str, Any]]:
        wanted = Status(status) if status else None
        found = self.memory.tasks(status=wanted, project=project, limit=limit, after=after)
        return [asdict(task) for task in found]

    def set_autonomy(self, mode: str, *, project: str | None = None, minutes: float | None = None) -> Answer:
        """The owner's word on how much may run alone. Everything at once is given for a time, never for good."""
        wanted = Autonomy(mode)
        if wanted is Autonomy.ALLOW_ALL and minutes is None:
            raise InvalidParams("Letting everything run needs an end", hint="Say for how many `minutes`")
        until = stamp(parse(self.memory.clock()) + timedelta(minutes=minutes)) if minutes is not None else None
        self.memory.set_autonomy(wanted, project=project, until=until)
        where = f"in `{project}`" if project else "everywhere"
        end = f" until {until}" if until else ""
        return said(f"{AUTONOMY_WORDS[wanted]} {where}{end}", mode=wanted.value, until=until, project=project)

    def set_override(
        self, intent: str, project: str | None, verdict: str | None, *, lift_floor: bool = False
    ) -> Answer:
        """The owner's word on one kind of action, in one project or in all."""
        self._catalogue[intent]
        self.memory.set_override(intent, project, Verdict(verdict) if verdict else None, lift_floor=lift_floor)
        where = f"in `{project}`" if project else "in every project"
        return said(f"`{intent}` {OVERRIDE_WORDS[verdict]} {where}", intent=intent, project=project, verdict=verdict)

    def run_tests_from_file(self, path: str | None = None) -> Answer:
        """Run the regression list in a file of the checkout or the home, each case on a fresh agent of its own."""
        results = run_suite(read_suite(self._suites, path), self._scratch)
        failed = [result["name"] for result in results if not result["passed"]]
        passed = len(results) - len(failed)
        message = f"{passed} of {len(results)} passed" + (f"; failed: {', '.join(failed)}" if failed else "")
        return said(message, success=not failed, results=results, passed=passed, failed=len(failed))

    def start(self, task_id: str, project: str | None, job: Callable[[], None], wait: float | None) -> Answer:
        """Put a job into its project's lane and wait until its task is settled or time is up."""
        settled = self.waiters.expect(task_id)
        if not self.submit(task_id, project, job):
            raise Unavailable("The service is stopping", hint="Nothing was done; try again when it is back")
        return self.waiters.answer(task_id, settled, wait)

    def submit(self, task_id: str, project: str | None, job: Callable[[], None]) -> bool:
        return self.lanes.submit(project or "", lambda: self._guarded(task_id, job))

    def wait_for(self, task_id: str, wait: float | None) -> Answer:
        """The answer about a task, after at most `wait` seconds."""
        return self.waiters.wait_for(task_id, wait)

    def settle(self, task_id: str) -> None:
        self.waiters.settle(task_id)

    def control(self, task_id: str) -> Control:
        """The handle of a step under way; made when first asked for."""
        with self._guard:
            return self._controls.setdefault(task_id, Control(lambda *news: self._progress(task_id, *news)))

    def cancel_step(self, task_id: str) -> None:
        self.control(task_id).cancelled.set()

    def memory_add(self, task: Task, **opening: Any) -> None:
        with self.memory.transaction() as tx:
            tx.emit("task_added", task.id, task=asdict(task), **opening)

    def _guarded(self, task_id: str, job: Callable[[], None]) -> None:
        """The outermost function of a worker: whatever breaks becomes the task's outcome, and the lane goes on."""
        try:
            job()
        except AppError as error:
            self._broke(task_id, error)
        except Exception as bug:
            log.exception("A step broke", extra={"data": {"task": task_id}})
            self._broke(task_id, Failed(f"Something in the agent itself broke: {type(bug).__name__}"))
        finally:
            with self._guard:
                self._controls.pop(task_id, None)
            self.settle(task_id)

    def _broke(self, task_id: str, error: AppError) -> None:
        task = self.memory.task(task_id)
        if task.open:
            self.finalize_task_execution(Status.FAILED, TaskInfo(task, error_json(error), gated=False))

    def _run_new(self, task: Task, call: ActionCall, opening: dict[str, Any]) -> None:
        """First run of a call that nobody has stored yet: one write to memory opens it and decides on it."""
        self._gated_run(task, call, lambda tx: tx.emit("task_added", task.id, task=asdict(task), now=True, **opening))

    def run_known(self, task_id: str) -> None:
        task = self.memory.task(task_id)
        if task.status is Status.QUEUED:
            self._gated_run(task, ActionCall(task.intent, task.params, task.project), lambda tx: None)

    def _gated_run(self, task: Task, call: ActionCall, opening: Callable[[Transaction[State]], None]) -> None:
        try:
            prepared = self._executor.prepare(call, task.id, self.control(task.id))
        except AppError as error:
            with self.memory.transaction() as tx:
                opening(tx)
            self.finalize_task_execution(Status.FAILED, TaskInfo(task, error_json(error), gated=False))
            return
        decision = self._gate.decide(prepared, task)
        if decision.verdict is Verdict.AUTO:
            by = "plan" if decision.code == "covered_by_plan" else "trust"
            with self.memory.transaction() as tx:
                opening(tx)
                self._emit_start(tx, task, prepared, decision, by)
            self._execute(task, prepared, approved=by == "plan")
            return
        self._stop_at_gate(task, prepared, decision, opening)

    def _stop_at_gate(
        self, task: Task, prepared: Prepared, decision: Decision, opening: Callable[[Transaction[State]], None]
    ) -> None:
        decided = as_json(decision, [prepared])
        if decision.verdict is Verdict.ASK:
            card = self._gate.card(prepared, decision)
            with self.memory.transaction() as tx:
                opening(tx)
                tx.emit("task_decided", task.id, decision=decided)
                tx.emit("approval_asked", task.id, card=card)
            self.write_log(task.id, {task.id: prepared.call.as_step()})
            self.plans.step_ended(task.id)
            return
        with self.memory.transaction() as tx:
            opening(tx)
            tx.emit("task_decided", task.id, decision=decided)
        refusal = {"code": "refused", "hint": "Change the rule to allow it", "details": {}, "status": 403}
        result = {"success": False, "message": f"Refused: {decision.reasons[0]}", "data": {}, "error": refusal}
        self.finalize_task_execution(Status.REJECTED, TaskInfo(task, result, gated=False))

    def _emit_start(self, tx: Transaction[State], task: Task, prepared: Prepared, decision: Decision, by: str) -> None:
        tx.emit("task_decided", task.id, decision=as_json(decision, [prepared]))
        if not prepared.action.read_only:
            tx.emit("approval_given", task.id, by=by)
        tx.emit("step_started", task.id, result=prepared.foretold())

    def _run_approved(self, task_id: str, reason: str, refused: list[AppError]) -> None:
        """The stored call, exactly, if the card that was approved still tells the truth."""
        task = self.memory.task(task_id)
        if task.status not in {Status.AWAITING_APPROVAL, Status.INTERRUPTED}:
            refused.append(Conflict(f"Task `{task_id}` does not wait any more", hint=f"It is {task.status}"))
            return
        call = ActionCall(task.intent, task.params, task.project)
        prepared = self._executor.prepare(call, task.id, self.control(task.id))
        if task.card and self._gate.is_stale(task.card, task.project or "", prepared):
            refused.append(self._renew(task, prepared))
            return
        with self.memory.transaction() as tx:
            tx.emit("approval_given", task.id, by="owner", reason=reason)
            tx.emit("step_started", task.id, result=prepared.foretold())
        self._execute(task, prepared, approved=True)

    def _renew(self, task: Task, prepared: Prepared) -> StaleApproval:
        card = self._gate.card(prepared, self._gate.decide(prepared, task))
        with self.memory.transaction() as tx:
            tx.emit("approval_asked", task.id, card=card)
        return stale(task.id, card)

    def _execute(self, task: Task, prepared: Prepared, *, approved: bool) -> None:
        started = time.monotonic()
        done = None
        try:
            done = self._executor.execute_task(task.id, prepared)
            status = Status.SUCCEEDED if done.result.success else Status.FAILED
            result = result_json(done.result)
        except Cancelled as stopped:
            status, result = Status.CANCELLED, error_json(stopped)
        except AppError as error:
            status, result = Status.FAILED, error_json(error)
        info = TaskInfo(task, result, done, time.monotonic() - started, approved)
        self.finalize_task_execution(status, info)

    def finalize_task_execution(self, status: Status, task_info: TaskInfo) -> None:
        """Record how a task ended: memory, trust, what it asked to have queued, its log; then go on with its plan."""
        task, done = task_info.task, task_info.done
        asked_for = {"intent": task.intent, "project": task.project, **task.params}
        with self.memory.transaction() as tx:
            tx.emit("step_finished", task.id, status=status.value, result=task_info.result, **task_info.as_event())
            if done is not None:
                self._emit_wishes(tx, task, done)
            if task_info.gated and status in {Status.SUCCEEDED, Status.FAILED}:
                current = tx.state.tasks.get(task.id, task)
                outcome = Outcome.GOOD if done is not None else Outcome.FAILED
                self.memory.emit_outcome(tx, current, outcome, approved=task_info.approved)
        self.write_log(task.id, {task.id: asked_for})
        self.plans.step_ended(task.id)

    def _emit_wishes(self, tx: Transaction[State], task: Task, done: Done) -> None:
        """What the handler asked memory for: queued steps, notes, and the fate of undone tasks."""
        for call in done.result.queued:
            action, params = self._catalogue.parse(call)
            step = new_task(call, action.title(params), self.memory.clock())
            tx.emit("task_added", step.id, task=asdict(step))
        for note in done.result.notes:
            tx.emit(note.type, task.id, **note.data)
        for undone in done.result.undoes:
            victim = tx.state.tasks.get(undone)
            if victim is not None and victim.intent != "rollback":
                self.memory.emit_outcome(tx, victim, Outcome.UNDONE, approved=False)

    def _reject(self, task: Task, reason: str) -> Answer:
        self.memory.track_rejected(task.id, reason=reason)
        self.plans.drop_steps(task.id)
        self.write_log(task.id)
        self.plans.step_ended(task.id)
        self.settle(task.id)
        answer = answer_for(self.memory.family(task.id)[:1])
        return Answer(200, answer.body | {"success": True, "message": f"Not done: {task.title}. Nothing was changed"})

    def _waiting(self, task_id: str | None) -> Task:
        """The task that a yes or no is about. Raises NotFound, Conflict or SeveralWaiting."""
        waiting = self.memory.waiting()
        if task_id is not None:
            task = self.memory.task(task_id)
            if task.status not in {Status.AWAITING_APPROVAL, Status.INTERRUPTED}:
                raise Conflict(f"Task `{task_id}` does not wait for approval", hint=f"It is {task.status}")
            return task
        if not waiting:
            raise NotFound("Nothing waits for approval", hint="`GET /tasks?status=awaiting_approval` lists what waits")
        if len(waiting) > 1:
            listed = [{"id": task.id, "title": task.title, "project": task.project} for task in waiting]
            raise SeveralWaiting(
                f"{len(waiting)} tasks wait for approval; nothing was changed",
                hint="Name one of them by its `id`",
                details={"waiting": listed},
            )
        return waiting[0]

    def _project_of(self, task_id: str | None) -> str:
        """The project that an undo is about: that of the task, else the one changed last."""
        with self.memory.reading() as state:
            for name, memory in state.projects.items():
                if task_id and any(task_id in (moment.id, moment.root) for moment in memory.timeline):
                    return name
            if task_id:
                raise NotFound(f"There is no change `{task_id}` to undo", hint="`GET /tasks` lists what was done")
            last = {name: memory.timeline[-1].at for name, memory in state.projects.items() if memory.timeline}
        if not last:
            raise Conflict("There is nothing to undo yet", hint="Only changes that the agent made can be taken back")
        return max(last, key=lambda name: last[name])

    def _progress(self, task_id: str, message: str, done: int | None, total: int | None) -> None:
        with self.memory.transaction() as tx:
            tx.emit("progress", task_id, message=message, done=done, total=total)

    def write_log(self, task_id: str, inputs: dict[str, dict[str, Any]] | None = None) -> None:
        """Write the log of the root above a task. A full disk must not fail work that is already done."""
        with self.memory.reading() as state:
            root_id = task_id
            while (task := state.tasks.get(root_id)) is not None and task.parent_id in state.tasks:
                root_id = task.parent_id
        family = self.memory.family(root_id)
        if not family:
            return
        try:
            self._logs.write(family, inputs)
        except OSError as error:
            log.warning("A task's log could not be written", extra={"data": {"task": root_id, "why": str(error)}})

    def resume(self) -> None:
        """Go on where the last run of the service stopped, whatever stopped it."""
        with self.memory.reading() as state:
            running = [t for t in state.tasks.values() if t.status is Status.RUNNING and not t.children]
            accepted = [t for t in state.tasks.values() if t.status is Status.QUEUED and t.id not in state.queue]
        for task in sorted(running, key=lambda t: t.id):
            self.submit(task.id, task.project, lambda task=task: self._recover(task))  # type: ignore[misc]
        for task in sorted(accepted, key=lambda t: t.id):
            self.submit(task.id, task.project, lambda task=task: self.run_known(task.id))  # type: ignore[misc]
        self.plans.resume()

    def _recover(self, task: Task) -> None:
        """A step that was under way: finished if all of it had been done, else put back and run again."""
        approved = bool(task.approval) and (task.approval or {}).get("by") != "trust"
        foretold = dict(task.result or {})
        if task.project and self._executor.is_local(task.intent):
            done = self._executor.finished(task.id, task.project, task.title, foretold)
            if done is not None:
                self.finalize_task_execution(
                    Status.SUCCEEDED, TaskInfo(task, result_json(done.result), done, 0, approved)
                )
                return
            self._executor.put_back(task.id, task.project, foretold.get("paths"))
        elif task.project:
            reason = "The service stopped in the middle of this step; it is not known how far it came"
            with self.memory.transaction() as tx:
                tx.emit("task_parked", task.id, reason=reason)
            return
        call = ActionCall(task.intent, task.params, task.project)
        prepared = self._executor.prepare(call, task.id, self.control(task.id))
        with self.memory.transaction() as tx:
            tx.emit("step_started", task.id, result=prepared.foretold(), again=True)
        self._execute(task, prepared, approved=approved)

    def stop(self, timeout: float = STOP_SECONDS) -> bool:
        """Start nothing more and let what runs finish; what does not is taken up again at the next start."""
        ended = self.lanes.stop(timeout)
        self.waiters.settle_all()
        return ended


def stale(task_id: str, card: dict[str, Any]) -> StaleApproval:
    return StaleApproval(
        "The project changed since this was shown to you; nothing was done",
        hint="Look at the new card in `details.card` and confirm again",
        details={"id": task_id, "card": card},
    )
