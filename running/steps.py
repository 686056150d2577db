"""The life of one step: prepared, gated, carried out, recorded; and taken up again after a crash."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from context_manager import ContextManager, new_task
from contracts.actions import ActionCall, Catalogue
from contracts.errors import AppError, Conflict, Failed, StaleApproval, Unavailable
from contracts.tasks import Status, Task
from contracts.trust import Code, Decision, Outcome, Verdict
from memory.state import State
from running.answers import Answer, error_json
from running.gate import Gate, as_json
from running.lanes import Lanes
from running.task_logs import TaskLogs
from running.waiters import Ticket, Waiters
from stores.base import Transaction
from task_executor import Cancelled, Control, Done, Prepared, TaskExecutor

log = logging.getLogger(__name__)

WAITING = frozenset({Status.AWAITING_APPROVAL, Status.INTERRUPTED})

Opening = Callable[[Transaction[State]], None]


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


class StepRunner:
    """Runs steps in the lanes of their projects.

    `ended` is told of each step that has ended or has to ask, `changed` of each project that a step has changed.
    """

    def __init__(
        self,
        memory: ContextManager,
        executor: TaskExecutor,
        gate: Gate,
        catalogue: Catalogue,
        logs: TaskLogs,
        *,
        workers: int,
        wait_seconds: float,
        boundary: Callable[[str], None],
    ) -> None:
        self.lanes = Lanes(workers)
        self.waiters = Waiters(memory, wait_seconds)
        self.ended: Callable[[str], None] = lambda task_id: None
        self.changed: Callable[[str], None] = lambda project: None
        self._memory = memory
        self._executor = executor
        self._gate = gate
        self._catalogue = catalogue
        self._logs = logs
        self._boundary = boundary
        self._guard = threading.Lock()
        self._controls: dict[str, Control] = {}

    def start_new(self, task: Task, call: ActionCall, opening: dict[str, Any], wait: float | None) -> Answer:
        """Run a call that nobody has stored yet. If it must wait for its lane it is stored first."""

        def add(tx: Transaction[State]) -> None:
            tx.emit("task_added", task.id, task=asdict(task), now=True, **opening)

        if self.lanes.free(call.project or ""):
            return self.start(task.id, call.project, lambda: self._gated_run(task, call, add), wait)
        with self._memory.transaction() as tx:
            add(tx)
        return self.start_known(task, wait)

    def start_known(self, task: Task, wait: float | None) -> Answer:
        return self.start(task.id, task.project, lambda: self.run_known(task.id), wait)

    def start_approved(self, task: Task, reason: str, wait: float | None) -> Answer:
        return self.start(task.id, task.project, lambda: self._run_approved(task.id, reason), wait)

    def start(self, task_id: str, project: str | None, job: Callable[[], None], wait: float | None) -> Answer:
        """Put a job into its project's lane and wait until its task is settled or time is up."""
        ticket = Ticket()
        if not self.lanes.submit(project or "", lambda: ticket.call(self._guarded(task_id, job))):
            raise Unavailable("The service is stopping", hint="Nothing was done; try again when it is back")
        return self.waiters.answer(task_id, ticket, wait)

    def submit(self, task_id: str, project: str | None, job: Callable[[], None]) -> None:
        """Put a job into its project's lane that nobody waits for."""

        def run() -> None:
            self._guarded(task_id, job)

        self.lanes.submit(project or "", run)

    def cancel(self, task_id: str) -> None:
        """Tell a step that is under way to stop at its next chance."""
        self._control(task_id).cancelled.set()

    def _control(self, task_id: str) -> Control:
        with self._guard:
            known = self._controls.get(task_id)
            if known is None:
                known = self._controls[task_id] = Control(
                    lambda message, done, total: self._tell(
                        "progress", task_id, message=message, done=done, total=total
                    ),
                    lambda stream, text: self._tell("output", task_id, stream=stream, text=text),
                )
            return known

    def _tell(self, kind: str, task_id: str, **news: Any) -> None:
        with self._memory.transaction() as tx:
            tx.emit(kind, task_id, **news)

    def _guarded(self, task_id: str, job: Callable[[], None]) -> AppError | None:
        """The outermost function of a worker: whatever breaks becomes the task's outcome, and the lane goes on.

        Gives back what is not the task's outcome but only the answer to whoever asked.
        """
        error: AppError | None = None
        try:
            job()
        except (StaleApproval, NotWaiting) as refusal:
            error = refusal
        except AppError as broken:
            error = self._broke(task_id, broken)
        except Exception as bug:
            log.exception("A step broke", extra={"data": {"task": task_id}})
            error = self._broke(task_id, Failed(f"Something in the agent itself broke: {type(bug).__name__}"))
        with self._guard:
            self._controls.pop(task_id, None)
        self.waiters.settle(task_id)
        return error

    def _broke(self, task_id: str, error: AppError) -> AppError | None:
        """Record the failure with its task; gives it back if there is no task to record it with."""
        try:
            task = self._memory.task(task_id)
            if task.open:
                self.finalize_task_execution(Status.FAILED, TaskInfo(task, error_json(error), gated=False))
        except AppError:
            return error
        return None

    def run_known(self, task_id: str) -> None:
        """Run a stored step, if it has not been taken away meanwhile."""
        task = self._memory.task(task_id)
        if task.status is Status.QUEUED:
            self._gated_run(task, ActionCall(task.intent, task.params, task.project), lambda tx: None)

    def _gated_run(self, task: Task, call: ActionCall, opening: Opening) -> None:
        try:
            prepared = self._executor.prepare(call, task.id, self._control(task.id))
        except AppError as error:
            with self._memory.transaction() as tx:
                opening(tx)
            self.finalize_task_execution(Status.FAILED, TaskInfo(task, error_json(error), gated=False))
            return
        decision = self._gate.decide(prepared, task)
        if decision.verdict is not Verdict.AUTO:
            self._stop_at_gate(task, prepared, decision, opening)
            return
        by = "plan" if decision.code == Code.COVERED_BY_PLAN else "trust"
        with self._memory.transaction() as tx:
            opening(tx)
            tx.emit("task_decided", task.id, decision=as_json(decision, [prepared]))
            if not prepared.action.read_only:
                tx.emit("approval_given", task.id, by=by)
            tx.emit("step_started", task.id, result=prepared.foretold())
        self._execute(task, prepared, approved=by == "plan")

    def _stop_at_gate(self, task: Task, prepared: Prepared, decision: Decision, opening: Opening) -> None:
        asks = decision.verdict is Verdict.ASK
        card = self._gate.card(prepared, decision) if asks else None
        with self._memory.transaction() as tx:
            opening(tx)
            tx.emit("task_decided", task.id, decision=as_json(decision, [prepared]))
            if asks:
                tx.emit("approval_asked", task.id, card=card)
        if asks:
            self.write_log(task.id, {task.id: prepared.call.as_step()})
            self.ended(task.id)
            return
        refusal = {"code": "refused", "hint": "Change the rule to allow it", "details": {}, "status": 403}
        result = {"success": False, "message": f"Refused: {decision.reasons[0]}", "data": {}, "error": refusal}
        self.finalize_task_execution(Status.REJECTED, TaskInfo(task, result, gated=False))

    def _run_approved(self, task_id: str, reason: str) -> None:
        """The stored call, exactly, if the card that was approved still tells the truth."""
        task = self._memory.task(task_id)
        if task.status not in WAITING:
            raise NotWaiting(f"Task `{task_id}` does not wait any more", hint=f"It is {task.status}")
        call = ActionCall(task.intent, task.params, task.project)
        prepared = self._executor.prepare(call, task.id, self._control(task.id))
        if task.card and self._gate.is_stale(task.card, task.project or "", prepared):
            card = self._gate.card(prepared, self._gate.decide(prepared, task))
            with self._memory.transaction() as tx:
                tx.emit("approval_asked", task.id, card=card)
            raise stale(task.id, card)
        with self._memory.transaction() as tx:
            tx.emit("approval_given", task.id, by="owner", reason=reason)
            tx.emit("step_started", task.id, result=prepared.foretold())
        self._execute(task, prepared, approved=True)

    def _execute(self, task: Task, prepared: Prepared, *, approved: bool) -> None:
        started = time.monotonic()
        self._boundary("started")
        done = None
        try:
            done = self._executor.execute_task(task.id, prepared)
            status = Status.SUCCEEDED if done.result.success else Status.FAILED
            result = done.result.to_json()
        except Cancelled as stopped:
            status, result = Status.CANCELLED, error_json(stopped)
        except AppError as error:
            status, result = Status.FAILED, error_json(error)
        info = TaskInfo(task, result, done, time.monotonic() - started, approved)
        self.finalize_task_execution(status, info)

    def finalize_task_execution(self, status: Status, task_info: TaskInfo) -> None:
        """Record how a task ended: memory, trust, what it asked to have queued, its log; then go on with its plan."""
        task, done = task_info.task, task_info.done
        asked_for = ActionCall(task.intent, task.params, task.project).as_step()
        with self._memory.transaction() as tx:
            tx.emit("step_finished", task.id, status=status.value, result=task_info.result, **task_info.as_event())
            if done is not None:
                self._emit_wishes(tx, task, done)
            if task_info.gated and status in {Status.SUCCEEDED, Status.FAILED}:
                current = tx.state.tasks.get(task.id, task)
                outcome = Outcome.GOOD if done is not None and not done.result.breached else Outcome.FAILED
                self._memory.emit_outcome(tx, current, outcome, approved=task_info.approved)
        self._boundary("finished")
        self.write_log(task.id, {task.id: asked_for})
        self.ended(task.id)
        if done is not None and done.changed and task.project:
            self.changed(task.project)
        self._boundary("logged")

    def _emit_wishes(self, tx: Transaction[State], task: Task, done: Done) -> None:
        """What the handler asked memory for: queued steps, notes, and the fate of undone tasks."""
        for call in done.result.queued:
            action, params = self._catalogue.parse(call)
            step = new_task(call, action.title(params), self._memory.clock())
            tx.emit("task_added", step.id, task=asdict(step))
        for note in done.result.notes:
            tx.emit(note.type, task.id, **note.data)
        for undone in done.result.undoes:
            victim = tx.state.tasks.get(undone)
            if victim is not None and not victim.undoes:
                self._memory.emit_outcome(tx, victim, Outcome.UNDONE, approved=False)

    def write_log(self, task_id: str, inputs: dict[str, dict[str, Any]] | None = None) -> None:
        """Write the log of the root above a task. A full disk must not fail work that is already done."""
        family = self._memory.family(self._memory.root_of(task_id))
        if not family:
            return
        try:
            self._logs.write(family, inputs)
        except OSError as error:
            log.warning("A task's log could not be written", extra={"data": {"task": task_id, "why": str(error)}})

    def recover(self, task: Task) -> None:
        """A step that was under way in a crash: finished if all of it had been done, else put back and run again."""
        approval = task.approval or {}
        approved = bool(approval) and approval.get("by") != "trust"
        foretold = dict(task.result or {})
        if task.project and not self._executor.is_repeatable(task.intent):
            reason = "The service stopped in the middle of this step; it is not known how far it came"
            with self._memory.transaction() as tx:
                tx.emit("task_parked", task.id, reason=reason)
            return
        if task.project:
            done = self._executor.finished(task.id, task.project, task.title, foretold)
            if done is not None:
                info = TaskInfo(task, done.result.to_json(), done, 0.0, approved)
                self.finalize_task_execution(Status.SUCCEEDED, info)
                return
            self._executor.put_back(task.id, task.project, foretold.get("paths"))
        call = ActionCall(task.intent, task.params, task.project)
        prepared = self._executor.prepare(call, task.id, self._control(task.id))
        with self._memory.transaction() as tx:
            tx.emit("step_started", task.id, result=prepared.foretold(), again=True)
        self._execute(task, prepared, approved=approved)


class NotWaiting(Conflict):
    code = "not_waiting"


def stale(task_id: str, card: dict[str, Any]) -> StaleApproval:
    return StaleApproval(
        "The project changed since this was shown to you; nothing was done",
        hint="Look at the new card in `details.card` and confirm again",
        details={"id": task_id, "card": card},
    )
