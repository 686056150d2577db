"""Plans: steps under one task, approved once, run in order, kept where they stop."""

import threading
from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from context_manager import PLAN, ContextManager, new_task, new_task_id
from contracts.actions import ActionCall, Catalogue, call_from
from contracts.errors import AppError, Forbidden, InvalidParams
from contracts.files import Draft
from contracts.tasks import WAITING, Status, Task
from contracts.trust import Code, Decision, Verdict
from contracts.words import counted
from memory.model import State, holding
from running.answers import PLANNED, Answer, refused, said
from running.gate import Gate, PlanDraft, as_json
from running.readiness import NotWaiting, Overtaken, must_wait, stale, stays
from running.steps import Opening, StepRunner
from stores.base import Transaction
from task_executor import Control, Prepared, TaskExecutor

MAX_STEPS = 200
RESULT = ("url", "link", "ui_url", "api_url", "files_created", "provider", "proof")
"""What the last step of a plan says about the whole, and the plan says after it."""
ENDED_WELL = frozenset({Status.SUCCEEDED, Status.CANCELLED, Status.UNDONE})


class PlanRunner:
    def __init__(
        self, memory: ContextManager, executor: TaskExecutor, gate: Gate, catalogue: Catalogue, steps: StepRunner
    ) -> None:
        self._memory = memory
        self._executor = executor
        self._gate = gate
        self._catalogue = catalogue
        self._steps = steps
        self._guard = threading.RLock()
        self._under_way: set[str] = set()

    def execute_plan(
        self,
        steps: Any,
        *,
        goal: str | None = None,
        title: str = "",
        about: dict[str, Any] | None = None,
        wait: float | None = None,
        task_id: str | None = None,
        opening: dict[str, Any] | None = None,
    ) -> Answer:
        """Make a plan of these steps and run it, asking at most once. `about` is what was understood of the goal."""
        calls = self._checked(steps)
        title = title or goal or f"Plan of {counted(len(calls), 'step')}"
        plan = self._new_plan(title, {**({"goal": goal} if goal else {}), **(about or {})}, calls, task_id)
        children = [self._new_step(call, plan.id) for call in calls]
        draft = self._draft(plan.title, calls, strict=True)

        def add(tx: Transaction[State]) -> None:
            tx.emit("task_added", plan.id, task=asdict(plan), now=True, **(opening or {}))
            for child in children:
                tx.emit("task_added", child.id, task=asdict(child))
            if goal:
                tx.emit("goal_set", goal=goal)

        self._open(plan, [child.id for child in children], draft, self._decided(draft, plan), add)
        return self._steps.waiters.wait_for(plan.id, wait)

    def _decided(self, draft: PlanDraft, plan: Task) -> Decision:
        """What the gate says; a plan with open questions, or that lacks something, is shown first in any case."""
        decision = self._gate.decide_plan(draft, plan)
        open_points = [question["text"] for question in plan.params.get("questions", ())]
        open_points += [need["what"] for need in plan.params.get("needs", ())]
        if decision.verdict is not Verdict.AUTO or not open_points:
            return decision
        return replace(decision, verdict=Verdict.ASK, code=Code.FLAGGED, reasons=tuple(open_points))

    def run_all(self, project: str | None, wait: float | None) -> Answer:
        """Everything that is queued: loose steps become one plan, stopped plans go on."""
        plans = self._plans_in_queue(project)
        for plan_id in plans:
            self._begin(plan_id, Status.FAILED)
        adopted = self._adopt(project)
        plans += [adopted] if adopted else self._plans_in_queue(project)
        asking = [task.id for task in self._memory.holding_the_queue(project) if task.parent_id not in plans]
        answers = self._steps.waiters.wait_for_all(dict.fromkeys([*plans, *asking]), wait)
        if not answers:
            return said("No queued tasks", queued=0)
        return answers[0] if len(answers) == 1 else _together(answers)

    def _plans_in_queue(self, project: str | None) -> list[str]:
        with self._memory.reading() as state:
            queued = (state.tasks[task_id] for task_id in state.queue)
            parents = dict.fromkeys(step.parent_id for step in queued if project in (None, step.project))
            return [plan_id for plan_id in parents if plan_id in state.tasks]

    def _adopt(self, project: str | None) -> str | None:
        """Make one plan of all loose queued steps and give its id; None if there are none."""
        while loose := self._loose(project):
            calls = list(loose.values())
            title = f"Run {len(loose)} queued steps" if len(loose) > 1 else self._new_step(calls[0], "").title
            plan = self._new_plan(title, {"parallel": True}, calls)
            draft = self._draft(title, calls, strict=False)
            decision = self._gate.decide_plan(draft, plan)
            if decision.verdict is Verdict.REFUSE:
                raise Forbidden(
                    f"Refused: {decision.reasons[0]}", hint="Skip or change that step; the queue is as it was"
                )

            def add(tx: Transaction[State], plan: Task = plan, loose: dict[str, ActionCall] = loose) -> None:
                if _loose(tx.state, project) != loose:
                    raise Overtaken
                tx.emit("task_added", plan.id, task=asdict(plan), now=True)
                tx.emit("steps_adopted", plan.id, steps=list(loose))

            try:
                self._open(plan, list(loose), draft, decision, add)
            except Overtaken:
                continue
            return plan.id
        return None

    def _loose(self, project: str | None) -> dict[str, ActionCall]:
        with self._memory.reading() as state:
            return _loose(state, project)

    def _open(self, plan: Task, steps: list[str], draft: PlanDraft, decision: Decision, add: Opening) -> None:
        """Store a plan together with what was decided about it, so that no crash can part the two."""
        card = self._card(draft, decision, plan) if decision.verdict is Verdict.ASK else None
        with self._memory.transaction() as tx:
            add(tx)
            tx.emit("task_decided", plan.id, decision=as_json(decision, draft.steps))
            if decision.verdict is Verdict.REFUSE:
                tx.emit("step_finished", plan.id, status=Status.REJECTED.value, result=refused(decision))
                for child in steps:
                    tx.emit("task_cancelled", child, reason="The plan was refused")
            elif card is not None:
                tx.emit("approval_asked", plan.id, card=card)
            else:
                tx.emit("approval_given", plan.id, by="trust")
                _emit_start(tx, plan.id)
        self._advance(plan.id)
        self._steps.write_log(plan.id)

    def _card(self, draft: PlanDraft, decision: Decision, plan: Task) -> dict[str, Any]:
        about = {name: plan.params[name] for name in PLANNED if plan.params.get(name)}
        return {**self._gate.plan_card(draft, decision), **about}

    def confirm(self, plan: Task, reason: str, wait: float | None) -> Answer:
        """The owner's yes to a plan, if its card still tells the truth."""
        with self._memory.reading() as state:
            calls = _queued_calls(state, plan.children)
        draft = self._draft(plan.title, list(calls.values()), strict=False)
        if plan.card and self._gate.is_stale_plan(plan.card, draft):
            card = self._card(draft, self._decided(draft, plan), plan)
            with self._memory.transaction() as tx:
                must_wait(tx.state.tasks[plan.id])
                tx.emit("approval_asked", plan.id, card=card)
            raise stale(plan.id, card)
        if not self._begin(plan.id, Status.AWAITING_APPROVAL, calls, reason):
            raise NotWaiting(f"Task `{plan.id}` does not wait any more", hint="`GET /tasks` shows where it stands")
        return self._steps.waiters.wait_for(plan.id, wait)

    def _begin(
        self, plan_id: str, waiting: Status, approved: dict[str, ActionCall] | None = None, reason: str = ""
    ) -> bool:
        """Let a plan run that waits or has stopped; False if it is no longer so, or not what was approved."""
        with self._memory.transaction() as tx:
            plan = tx.state.tasks[plan_id]
            if plan.status is not waiting:
                return False
            if approved is not None:
                if approved != _queued_calls(tx.state, plan.children):
                    return False
                projects = sorted({call.project or "" for call in approved.values()})
                tx.emit("approval_given", plan_id, by="owner", reason=reason, projects=projects, steps=list(approved))
            _emit_start(tx, plan_id)
        self._advance(plan_id)
        return True

    def cancel(self, plan_id: str | None) -> Answer:
        """Nothing more is started; what is under way is told to stop."""
        with self._memory.transaction() as tx:
            state = tx.state
            if plan_id is not None and plan_id not in state.tasks:
                self._memory.task(plan_id)
            plans = [plan_id] if plan_id else [t.id for t in state.tasks.values() if t.intent == PLAN and t.open]
            doomed = [child for plan in plans for child in state.tasks[plan].children if state.tasks[child].open]
            if plan_id is None:
                doomed += [step for step in state.queue if step not in doomed]
            elif state.tasks[plan_id].open and not state.tasks[plan_id].children:
                doomed.append(plan_id)
            running = [task for task in doomed if state.tasks[task].status is Status.RUNNING]
            cancelled = [task for task in doomed if task not in running]
            cancelled += [plan for plan in plans if state.tasks[plan].open and plan not in doomed]
            for task_id in cancelled:
                tx.emit("task_cancelled", task_id, reason="Cancelled by the owner; nothing more is done")
        for task_id in running:
            self._steps.cancel(task_id)
        for task_id in {*plans, *cancelled}:
            self._steps.write_log(task_id)
            self.step_ended(task_id)
            self._steps.waiters.settle(task_id)
        if not cancelled and not running:
            return said("There is nothing to cancel", cancelled=[])
        return said(f"Cancelled {counted(len(cancelled), 'task')}", cancelled=cancelled, stopping=running)

    def open_plan_of(self, step: Task) -> Task | None:
        """The plan above a queued step, if that plan is waiting for approval or running by itself."""
        with self._memory.reading() as state:
            plan = state.tasks.get(step.parent_id or "")
            return plan if plan is not None and plan.open else None

    def step_ended(self, task_id: str) -> None:
        """A step has ended or has to ask: go on with its plan, or stop there."""
        with self._guard:
            self._under_way.discard(task_id)
        with self._memory.reading() as state:
            task = state.tasks.get(task_id)
            plan_id = task.parent_id if task is not None else None
        if plan_id:
            self._advance(plan_id)

    def resume(self) -> None:
        with self._memory.reading() as state:
            plans = list(state.draining)
        for plan_id in plans:
            self._advance(plan_id)

    def _advance(self, plan_id: str) -> None:
        """Start what can be started of a plan; if nothing can and nothing runs, the plan has ended."""
        with self._guard, self._memory.reading() as state:
            plan = state.tasks.get(plan_id)
            if plan is None:
                return
            steps = [state.tasks[child] for child in plan.children if child in state.tasks]
            asking = any(step.status in WAITING for step in steps)
            draining = plan_id in state.draining
            ready = _ready(plan, steps) if draining else []
            started = [step for step in ready if step.id not in self._under_way]
            self._under_way.update(step.id for step in started)
            busy = any(step.id in self._under_way or step.status is Status.RUNNING for step in steps)
        for step in started:
            self._steps.submit(step.id, step.project, partial(self._steps.run_known, step.id, step.project))
        if asking:
            self._steps.waiters.settle(plan_id)
        elif draining and not busy:
            if self._try_again(plan_id):
                self._advance(plan_id)
            else:
                self._close(plan_id, steps)

    def _try_again(self, plan_id: str) -> bool:
        """A step that failed for a reason that may be gone the next time is queued once more, and only once."""
        with self._memory.transaction() as tx:
            plan = tx.state.tasks[plan_id]
            steps = [tx.state.tasks[child] for child in plan.children if child in tx.state.tasks]
            failed = next((step for step in steps if step.status is Status.FAILED and step.seq >= plan.seq), None)
            if plan_id not in tx.state.draining or failed is None or failed.retried is not None:
                return False
            if not self._executor.is_repeatable(failed.intent, (failed.decision or {}).get("effects", ())):
                return False
            result = failed.result or {}
            if not (result.get("error") or {}).get("retryable") and not (result.get("data") or {}).get("retryable"):
                return False
            behind = next((step.id for step in steps if step.id in tx.state.queue), None)
            tx.emit("step_retried", failed.id, why=result.get("message", ""), before=behind)
        return True

    def _close(self, plan_id: str, steps: list[Task]) -> None:
        """Record how a plan came out, once."""
        with self._memory.transaction() as tx:
            if plan_id not in tx.state.draining:
                return
            followed = any(step.status is Status.QUEUED for step in steps)
            kept = [step for step in steps if stays(step) or (followed and self._founds(step))]
            for step in kept:
                tx.emit("step_kept", step.id, why=(step.result or {}).get("message", ""))
            status, result = _outcome(steps, kept=len(kept))
            tx.emit("step_finished", plan_id, status=status.value, result=result)
        self._steps.write_log(plan_id)
        self._steps.waiters.settle(plan_id)

    def _founds(self, step: Task) -> bool:
        """Whether a step failed on which those after it build."""
        return step.status is Status.FAILED and any(
            action.founds for action in self._catalogue if action.name == step.intent
        )

    def _checked(self, steps: Any) -> list[ActionCall]:
        if not isinstance(steps, list) or not steps:
            raise InvalidParams("`steps` must be a list with at least one step", hint="Each step is what `/run` takes")
        if len(steps) > MAX_STEPS:
            raise InvalidParams(f"A plan may have at most {MAX_STEPS} steps", hint="Split it into several plans")
        calls = [call_from(step) for step in steps]
        for call in calls:
            self._catalogue.parse(call)
        return calls

    def draft_of(self, plan: Task) -> PlanDraft:
        """What the queued steps of a plan would come to now."""
        with self._memory.reading() as state:
            calls = _queued_calls(state, plan.children)
        return self._draft(plan.title, list(calls.values()), strict=False)

    def _draft(self, title: str, calls: list[ActionCall], *, strict: bool) -> PlanDraft:
        """Run the steps dry, each on top of those before it. What cannot be known yet is left open."""
        drafts: dict[str, Draft] = {}
        unknown: set[str] = set()
        prepared: list[Prepared] = []
        for number, call in enumerate(calls, 1):
            project = call.project or ""
            action, _ = self._catalogue.parse(call)
            dry = action.local and project not in unknown
            files = drafts.get(project)
            try:
                step = self._executor.prepare(call, new_task_id(), Control(), files=files, dry=dry, drafting=True)
            except AppError as error:
                if strict:
                    error.message = f"Step {number} of {len(calls)} cannot be done: {error.message}"
                    raise
                step = self._executor.prepare(call, new_task_id(), Control(), files=files, dry=False, drafting=True)
            if step.result is None:
                unknown.add(project)
            drafts[project] = step.context.files
            prepared.append(step)
        return PlanDraft(title, prepared, {name: files.changes() for name, files in drafts.items() if name})

    def _new_plan(
        self, title: str, params: dict[str, Any], calls: list[ActionCall], task_id: str | None = None
    ) -> Task:
        projects = {call.project for call in calls}
        project = projects.pop() if len(projects) == 1 else None
        return new_task(ActionCall(PLAN, params, project), title, self._memory.clock(), task_id=task_id)

    def _new_step(self, call: ActionCall, plan_id: str) -> Task:
        action, params = self._catalogue.parse(call)
        return new_task(call, action.title(params), self._memory.clock(), parent_id=plan_id)


def _loose(state: State, project: str | None) -> dict[str, ActionCall]:
    """The queued steps that belong to no plan, in order, up to where something before them in their project asks."""
    held = set(holding(state))
    loose = []
    for step in (state.tasks[task_id] for task_id in state.queue):
        plan = state.tasks.get(step.parent_id or "")
        if plan is not None and plan.status in WAITING:
            held.add(step.project)
        if plan is None and step.project not in held and project in (None, step.project):
            loose.append(step.id)
    return _queued_calls(state, loose)


def _queued_calls(state: State, task_ids: Iterable[str]) -> dict[str, ActionCall]:
    queued = (state.tasks[task_id] for task_id in task_ids if state.tasks[task_id].status is Status.QUEUED)
    return {task.id: ActionCall(task.intent, task.params, task.project) for task in queued}


def _emit_start(tx: Transaction[State], plan_id: str) -> None:
    tx.emit("step_started", plan_id)
    tx.emit("drain_set", plan_id, on=True)


def _ready(plan: Task, steps: list[Task]) -> list[Task]:
    """The steps that may start now: the first open one, or with `parallel` the first open one of each project.

    A step that failed or was rejected stops what comes after it, in its project or in the whole plan, until somebody
    lets the plan go on: then what had failed before its last stop is passed over.
    """
    ready: list[Task] = []
    blocked: set[str | None] = set()
    for step in steps:
        lane = step.project if plan.params.get("parallel") else None
        passed_over = not step.open and step.seq < plan.seq
        if lane in blocked or step.status in ENDED_WELL or passed_over:
            continue
        blocked.add(lane)
        if step.status is Status.QUEUED:
            ready.append(step)
    return ready


def _outcome(steps: list[Task], *, kept: int = 0) -> tuple[Status, dict[str, Any]]:
    """How a plan came out in which nothing runs, asks or can be started any more."""
    done = sum(1 for step in steps if step.status in ENDED_WELL)
    if done == len(steps):
        message = "The step is done" if done == 1 else f"All {done} steps are done"
        last = ((steps[-1].result or {}).get("data") or {}) if steps else {}
        data = {name: last[name] for name in RESULT if last.get(name)}
        return Status.SUCCEEDED, {"success": True, "message": last.get("headline") or message, "data": data}
    culprit = max((step for step in steps if step.status not in ENDED_WELL), key=lambda step: step.seq)
    kept += sum(1 for step in steps if step.status is Status.QUEUED)
    why = (culprit.result or {}).get("message", "it did not run")
    stopped = "Stopped at" if kept else "Not done:"
    said = f"{done} of {len(steps)} steps are done. {stopped} “{culprit.title}”: {why}"
    data = {"stopped_at": culprit.id, "kept": kept, "said": said}
    how = f". {counted(kept, 'step is', 'steps are')} kept: `/run_all` goes on, `/cancel_plan` drops what is left"
    result = {"success": False, "message": said + how if kept else said, "data": data}
    return Status.FAILED, result


def _together(answers: list[Answer]) -> Answer:
    """Several plans at once: the one that asks speaks first."""
    first = next((answer for answer in answers if answer.body.get("confirmationNeeded")), answers[-1])
    success = all(answer.body["success"] for answer in answers)
    return Answer(first.status, first.body | {"success": success, "plans": [answer.body["id"] for answer in answers]})
