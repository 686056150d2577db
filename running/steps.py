"""The life of one step: prepared, gated, carried out, recorded; and taken up again after a crash."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from context_manager import ContextManager, new_task
from contracts.actions import ActionCall, Catalogue
from contracts.errors import AppError, Failed, NotFound, NotReady, StaleApproval, Unavailable
from contracts.tasks import Status, Task
from contracts.trust import Code, Decision, Outcome, Verdict
from memory.model import State
from running.answers import Answer, error_json, refused
from running.gate import Gate, as_json
from running.lanes import Lanes
from running.readiness import NotWaiting, Overtaken, must_be_as, must_wait, not_ready, stale
from running.task_logs import TaskLogs
from running.waiters import Ticket, Waiters
from stores.base import Transaction
from task_executor import Cancelled, Control, Done, Prepared, TaskExecutor

log = logging.getLogger(__name__)

RETRY_SECONDS = 5.0
"""When to try again to write down how a step came out, after memory could not be written."""

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


class Unrecorded(Exception):
    """A step is done, and memory could not be told: how it ended is found out anew, as after a crash."""

    def __init__(self, why: AppError) -> None:
        super().__init__(why.message)
        self.why = why


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
        self._writing = threading.Lock()
        """Held from reading a family of tasks until its log is written, so that an older state never comes last."""
        self._controls: dict[str, Control] = {}

    def start_new(self, task: Task, call: ActionCall, opening: dict[str, Any], wait: float | None) -> Answer:
        """Run a call that nobody has stored yet. It is stored before it has to wait, or before anybody is sent away."""

        def claim(tx: Transaction[State]) -> None:
            if task.id in tx.state.tasks:
                must_be_as(call, task.id, tx)
            else:
                tx.emit("task_added", task.id, task=asdict(task), now=True, **opening)

        if not self.lanes.free(call.project or ""):
            self._store(task, claim)
            return self.start_known(task, wait)
        ticket = self._enter(task.id, call.project, lambda: self._gated_run(task, call, claim))
        if not self.waiters.wait(ticket, wait):
            self._store(task, claim)
        return self.waiters.answer(task.id)

    def _store(self, task: Task, claim: Opening) -> None:
        with self._memory.transaction() as tx:
            if task.id not in tx.state.tasks:
                claim(tx)

    def start_known(self, task: Task, wait: float | None) -> Answer:
        ticket = self._enter(task.id, task.project, partial(self.run_known, task.id, task.project))
        self.waiters.wait(ticket, wait)
        return self.waiters.answer(task.id)

    def start_approved(self, task: Task, reason: str, wait: float | None) -> Answer:
        ticket = self._enter(task.id, task.project, lambda: self._run_approved(task.id, reason))
        in_time = self.waiters.wait(ticket, wait)
        answer = self.waiters.answer(task.id)
        if in_time or not answer.body["confirmationNeeded"]:
            return answer
        words = f"Heard your yes; it starts when the step before it in its project has ended: {task.title}"
        return Answer(202, answer.body | {"message": words, "confirmationNeeded": False})

    def submit(self, task_id: str, project: str | None, job: Callable[[], None]) -> None:
        """Put a job into its project's lane that nobody waits for."""

        def run() -> None:
            self._guarded(task_id, job)

        self.lanes.submit(project or "", run)

    def take_up(self, task_id: str) -> None:
        """Go on with a step that is neither ended nor waiting, from wherever it was left."""
        task = self._memory.task(task_id)
        if task.status is Status.RUNNING:
            self.submit(task.id, task.project, partial(self.recover, task))
        elif task.status is Status.QUEUED:
            self.submit(task.id, task.project, partial(self.run_known, task.id, task.project))

    def _enter(self, task_id: str, project: str | None, job: Callable[[], None]) -> Ticket:
        """Put a job into its project's lane; the ticket is called when the job has ended."""
        ticket = self.waiters.ticket()
        if not self.lanes.submit(project or "", lambda: ticket.call(self._guarded(task_id, job))):
            raise Unavailable("The service is stopping", hint="Nothing was done; try again when it is back")
        return ticket

    def cancel(self, task_id: str) -> None:
        """Tell a step that is under way to stop at its next chance."""
        self._control(task_id).cancelled.set()
        if self._memory.task(task_id).status is not Status.RUNNING:
            self._forget_control(task_id)

    def _forget_control(self, task_id: str) -> None:
        with self._guard:
            self._controls.pop(task_id, None)

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
        refusal: AppError | None = None
        unrecorded: AppError | None = None
        try:
            job()
        except (StaleApproval, NotWaiting, NotReady) as refused:
            refusal = refused
        except Overtaken:
            log.info("A step was taken away while it was made ready", extra={"data": {"task": task_id}})
        except Unrecorded as lost:
            self._later(partial(self.take_up, task_id))
            unrecorded = lost.why
        except AppError as broken:
            unrecorded = self._broke(task_id, broken)
        except Exception as bug:
            log.exception("A step broke", extra={"data": {"task": task_id}})
            unrecorded = self._broke(task_id, Failed(f"Something in the agent itself broke: {type(bug).__name__}"))
        self._forget_control(task_id)
        if unrecorded is None:
            self._tell_plan(task_id)
        self.waiters.settle(task_id)
        return refusal or unrecorded

    def _broke(self, task_id: str, error: AppError) -> AppError | None:
        """Record the failure with its task; gives it back if there is no task to record it with, or no way to."""
        try:
            task = self._memory.task(task_id)
            if task.open:
                self.finalize_task_execution(Status.FAILED, TaskInfo(task, error_json(error), gated=False))
        except NotFound:
            return error
        except AppError:
            self._later(partial(self.take_up, task_id))
            return error
        return None

    def _tell_plan(self, task_id: str) -> None:
        """A step left the lane: its plan goes on. If that cannot be written down now, it is tried again later."""
        try:
            self.ended(task_id)
        except AppError as error:
            log.warning("A plan could not go on yet", extra={"data": {"task": task_id, "why": error.message}})
            self._later(partial(self._tell_plan, task_id))

    def _later(self, what: Callable[[], None]) -> None:
        """Once more in a while, unless the service stops before that: the next one takes up what is open."""

        def again() -> None:
            try:
                if not self.lanes.stopping:
                    what()
            except AppError as error:
                log.warning("A step could not be taken up again", extra={"data": {"why": error.message}})

        timer = threading.Timer(RETRY_SECONDS, again)
        timer.daemon = True
        timer.start()

    def run_known(self, task_id: str, lane: str | None) -> None:
        """Run a stored step as it stands now, if it has not been taken away meanwhile."""
        while (task := self._memory.task(task_id)).status is Status.QUEUED:
            if task.project != lane:
                return self.take_up(task_id)
            call = ActionCall(task.intent, task.params, task.project)
            try:
                return self._gated_run(task, call, partial(must_be_as, call, task_id))
            except Overtaken:
                log.info("A step was changed while it was made ready", extra={"data": {"task": task_id}})

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
            self._stop_at_gate(task, call, prepared, decision, opening)
            return
        by = "plan" if decision.code == Code.COVERED_BY_PLAN else "trust"
        with self._memory.transaction() as tx:
            opening(tx)
            _settle(tx, task.id, call, prepared)
            tx.emit("task_decided", task.id, decision=as_json(decision, [prepared]))
            if not prepared.action.read_only:
                tx.emit("approval_given", task.id, by=by)
            tx.emit("step_started", task.id, result=prepared.foretold())
        self._execute(task, prepared, approved=by == "plan")

    def _stop_at_gate(
        self, task: Task, call: ActionCall, prepared: Prepared, decision: Decision, opening: Opening
    ) -> None:
        asks = decision.verdict is Verdict.ASK
        card = self._gate.card(prepared, decision) if asks else None
        with self._memory.transaction() as tx:
            opening(tx)
            _settle(tx, task.id, call, prepared)
            tx.emit("task_decided", task.id, decision=as_json(decision, [prepared]))
            if asks:
                tx.emit("approval_asked", task.id, card=card)
        if asks:
            self.write_log(task.id, {task.id: prepared.call.as_step()})
            return
        self.finalize_task_execution(Status.REJECTED, TaskInfo(task, refused(decision), gated=False))

    def _run_approved(self, task_id: str, reason: str) -> None:
        """The stored call, exactly, if the card that was approved still tells the truth."""
        task = self._memory.task(task_id)
        must_wait(task)
        call = ActionCall(task.intent, task.params, task.project)
        prepared = self._executor.prepare(call, task.id, self._control(task.id))
        if prepared.inspection.blocked:
            raise not_ready(prepared)
        if task.card and self._gate.is_stale(task.card, task.project or "", prepared):
            card = self._gate.card(prepared, self._gate.decide(prepared, task))
            with self._memory.transaction() as tx:
                must_wait(tx.state.tasks.get(task.id, task))
                tx.emit("approval_asked", task.id, card=card)
            raise stale(task.id, card)
        with self._memory.transaction() as tx:
            must_wait(tx.state.tasks.get(task.id, task))
            _settle(tx, task.id, call, prepared)
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
        """Record how a task ended: memory, trust, what it asked to have queued, its log."""
        task, done = task_info.task, task_info.done
        asked_for = ActionCall(task.intent, task.params, task.project).as_step()
        try:
            self._record(status, task_info)
        except AppError as error:
            if done is None:
                raise
            raise Unrecorded(error) from error
        self._boundary("finished")
        self.write_log(task.id, {task.id: asked_for})
        if done is not None and task.project:
            for root in {self._memory.root_of(marked) for marked in (*done.result.undoes, *done.result.redoes)}:
                self.write_log(root)
            if done.changed:
                self.changed(task.project)
        self._boundary("logged")

    def _record(self, status: Status, task_info: TaskInfo) -> None:
        task, done = task_info.task, task_info.done
        with self._memory.transaction() as tx:
            tx.emit("step_finished", task.id, status=status.value, result=task_info.result, **task_info.as_event())
            if done is not None:
                self._emit_wishes(tx, task, done)
            if task_info.gated and status in {Status.SUCCEEDED, Status.FAILED}:
                current = tx.state.tasks.get(task.id, task)
                outcome = Outcome.GOOD if done is not None and not done.result.breached else Outcome.FAILED
                self._memory.emit_outcome(tx, current, outcome, approved=task_info.approved)
            keeps = status is Status.FAILED and (task_info.result.get("data") or {}).get("stays_queued")
            if keeps and tx.state.tasks.get(task.id, task).parent_id not in tx.state.draining:
                tx.emit("step_kept", task.id, why=task_info.result["message"])

    def _emit_wishes(self, tx: Transaction[State], task: Task, done: Done) -> None:
        """What the handler asked memory for: queued steps, notes, and the fate of undone tasks."""
        for call in done.result.queued:
            action, params = self._catalogue.parse(call)
            step = new_task(call, action.title(params), self._memory.clock())
            tx.emit("task_added", step.id, task=asdict(step))
        for note in done.result.notes:
            tx.emit(note.type, task.id, **note.data)
        self._memory.emit_undone(tx, task.project or "", done.result.undoes)

    def write_log(self, task_id: str, inputs: dict[str, dict[str, Any]] | None = None) -> None:
        """Write the log of the root above a task. A full disk must not fail work that is already done."""
        with self._writing:
            family = self._memory.family(self._memory.root_of(task_id))
            if not family:
                return
            try:
                self._logs.write(family, inputs)
            except OSError as error:
                log.warning("A task's log could not be written", extra={"data": {"task": task_id, "why": str(error)}})

    def look_again(self) -> None:
        """Something that steps lacked may be there now: those that wait for it go on, or ask what is left to ask."""
        for task in self._memory.waiting():
            if (task.card or {}).get("blocked"):
                self.submit(task.id, task.project, partial(self._look_again, task.id))

    def _look_again(self, task_id: str) -> None:
        task = self._memory.task(task_id)
        call = ActionCall(task.intent, task.params, task.project)
        if task.status is Status.AWAITING_APPROVAL:
            self._gated_run(task, call, lambda tx: must_wait(tx.state.tasks.get(task_id, task)))

    def recover(self, task: Task) -> None:
        """A step that was under way in a crash: finished if all of it had been done, else put back and run again."""
        if task.status is not Status.RUNNING:
            return
        approval = task.approval or {}
        approved = bool(approval) and approval.get("by") != "trust"
        if not self._executor.is_repeatable(task.intent, (task.decision or {}).get("effects", ())):
            self._reconcile(task, approved=approved)
            return
        foretold = dict(task.result or {})
        if task.project:
            done = self._executor.finished(task.id, task.project, task.title, foretold)
            if done is not None:
                known = "message" in foretold
                info = TaskInfo(task, done.result.to_json(), done, 0.0, approved, gated=known)
                self.finalize_task_execution(Status.SUCCEEDED, info)
                return
            self._executor.put_back(task.id, task.project, foretold.get("paths"))
        call = ActionCall(task.intent, task.params, task.project)
        prepared = self._executor.prepare(call, task.id, self._control(task.id))
        with self._memory.transaction() as tx:
            tx.emit("step_started", task.id, result=prepared.foretold(), again=True)
        self._execute(task, prepared, approved=approved)

    def _reconcile(self, task: Task, *, approved: bool) -> None:
        """A step that reached out of this machine: ended if the other side tells how, else left for a person."""
        reason = "The service stopped in the middle of this step"
        call = ActionCall(task.intent, task.params, task.project)
        started = time.monotonic()
        try:
            done = self._executor.reconcile(call, task.id, self._control(task.id))
        except Unavailable as silent:
            self._park(task, f"{reason}, and the other side cannot be asked now: {silent.message}")
            return
        except Cancelled as stopped:
            self._park(task, f"{reason}, and finding out how far it came was stopped: {stopped.message}")
            return
        except AppError as error:
            info = TaskInfo(task, error_json(error), None, time.monotonic() - started, approved)
            self.finalize_task_execution(Status.FAILED, info)
            return
        if done is None:
            self._park(task, f"{reason}; it is not known how far it came")
            return
        status = Status.SUCCEEDED if done.result.success else Status.FAILED
        info = TaskInfo(task, done.result.to_json(), done, time.monotonic() - started, approved)
        self.finalize_task_execution(status, info)

    def _park(self, task: Task, reason: str) -> None:
        with self._memory.transaction() as tx:
            tx.emit("task_parked", task.id, reason=reason)
        self.write_log(task.id)


def _settle(tx: Transaction[State], task_id: str, call: ActionCall, prepared: Prepared) -> None:
    """Keep what was fixed of a call that left something open, so that whatever happens it stays that way."""
    if prepared.call != call:
        tx.emit("task_settled", task_id, params=dict(prepared.call.params), title=prepared.title)
