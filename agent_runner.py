"""The order of work: plan, gate, execute, record, next. Every route into the agent ends here."""

from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

from context_manager import PLAN, ContextManager, new_task, new_task_id
from contracts.actions import ActionCall, Catalogue, call_from
from contracts.errors import AppError, Conflict, InvalidParams, NotFound, SeveralWaiting
from contracts.plans import Understanding
from contracts.tasks import WAITING, Status, Task
from contracts.times import parse, stamp
from contracts.trust import Autonomy, Verdict
from memory.taking_back import ROLLBACK, counts
from running.answers import Answer, answer_for, said
from running.gate import Gate
from running.idempotency import Keys
from running.planning import WHOLE, Planning
from running.plans import PlanRunner
from running.queue_edits import StepQueue
from running.regression import Regression, read_suite, run_suite
from running.steps import StepRunner, TaskInfo
from running.task_logs import TaskLogs
from running.undoing import undo_steps
from task_executor import TaskExecutor

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


class AgentRunner:
    """Takes commands, puts each project's work into its lane, and answers when it is settled or time is up."""

    def __init__(
        self,
        memory: ContextManager,
        executor: TaskExecutor,
        gate: Gate,
        catalogue: Catalogue,
        logs: TaskLogs,
        regression: Regression,
        planning: Planning,
        *,
        workers: int,
        wait_seconds: float,
        boundary: Callable[[str], None] = lambda name: None,
    ) -> None:
        self.memory = memory
        self.executor = executor
        self.gate = gate
        self.steps = StepRunner(
            memory, executor, gate, catalogue, logs, workers=workers, wait_seconds=wait_seconds, boundary=boundary
        )
        self.plans = PlanRunner(memory, executor, gate, catalogue, self.steps)
        self.steps.ended = self.plans.step_ended
        self._catalogue = catalogue
        self._queue = StepQueue(memory, catalogue, planning)
        self._keys = Keys(memory)
        self._regression = regression
        self._planning = planning

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
            return self._again(idempotency_key, known, wait)
        try:
            return self._run(command, task_id, opening, wait)
        except AppError as error:
            self.steps.waiters.settle(task_id, error)
            raise
        finally:
            self._keys.release(idempotency_key)

    def _again(self, key: str, task_id: str, wait: float | None) -> Answer:
        """The answer to a command that was sent before."""
        if self._keys.is_stored(key) and not self.memory.family(task_id):
            words = "This was done earlier and is no longer in memory; its log tells what came of it"
            return said(words, id=task_id, follow="/logs")
        return self.steps.waiters.wait_for(task_id, wait)

    def _run(self, command: dict[str, Any], task_id: str, opening: dict[str, Any], wait: float | None) -> Answer:
        intent = command.get("intent")
        if "steps" in command and intent in PLAN_INTENTS:
            steps = self._planning.unfold(command["steps"]) if isinstance(command["steps"], list) else command["steps"]
            return self.plans.execute_plan(steps, goal=command.get("goal"), wait=wait, task_id=task_id, opening=opening)
        if intent in PLAN_INTENTS:
            words = {**command, **(command["params"] if isinstance(command.get("params"), dict) else {})}
            found = self._planning.understand(words.get("goal"), words.get("project"), words.get("answers"))
            found = self._planning.redirected(found, words.get("online"))
            return self._plan(found, self._planning.steps_of(found), wait, task_id, opening)
        call = call_from(self._unfolded(command))
        if call.intent == ROLLBACK and call.project:
            steps = undo_steps(call, self.memory)
            if len(steps) > 1:
                title = "Go back to before an earlier step, where it is online too"
                return self.plans.execute_plan(steps, title=title, wait=wait, task_id=task_id, opening=opening)
            call = call_from(steps[0])
        if call.intent in WHOLE:
            return self._plan_call(call, wait, task_id, opening)
        action, params = self._catalogue.parse(call)
        task = new_task(call, action.title(params), self.memory.clock(), task_id=task_id)
        return self.steps.start_new(task, call, opening, wait)

    def _plan_call(self, call: ActionCall, wait: float | None, task_id: str, opening: dict[str, Any]) -> Answer:
        """A call that writes an app, with all that proves it. Its project may still have to be found."""
        params = {name: value for name, value in call.params.items() if name != "answers"}
        self._catalogue.parse(replace(call, params=params, project=call.project or "new"))
        found, steps = self._planning.whole(call.as_step())
        return self._plan(found, steps, wait, task_id, opening, call.as_step())

    def _unfolded(self, command: dict[str, Any]) -> dict[str, Any]:
        """What is queued is whole, too: a step that writes an app comes with those that prove it."""
        if command.get("intent") != "queue_task":
            return command
        several = command.get("steps")
        given = several if isinstance(several, list) else [command.get("step")]
        steps = self._planning.unfold(given)
        return command if steps == given else {**command, "step": None, "steps": steps}

    def _plan(
        self,
        found: Understanding,
        steps: list[dict[str, Any]],
        wait: float | None,
        task_id: str,
        opening: dict[str, Any],
        call: dict[str, Any] | None = None,
    ) -> Answer:
        """Run what was understood, as one plan; without steps, there are questions first."""
        about = {**self._planning.about(found), **({"about_project": found.project} if found.before else {})}
        if call is not None and found.questions:
            about["call"] = call
        if not steps:
            return said(
                found.understood or "I have questions first",
                success=False,
                planGenerated=False,
                plannedSteps=[],
                **{name: about[name] for name in ("understood", "assumptions", "questions", "cannot")},
            )
        return self.plans.execute_plan(
            steps, goal=found.goal, title=found.title, about=about, wait=wait, task_id=task_id, opening=opening
        )

    def answer(self, *, id: str | None = None, answers: dict[str, str], wait: float | None = None) -> Answer:
        """Answers to the questions of a plan that waits: it is planned anew, and the plan so far is dropped."""
        plan = self._asking(id)
        known = {question["key"] for question in plan.params["questions"]}
        unknown = [key for key in answers if key not in known]
        if unknown:
            raise InvalidParams(
                f"There is no question `{unknown[0]}`", hint=f"The questions are {', '.join(sorted(known))}"
            )
        # Questions that are left unanswered are answered by their defaults: nobody is asked the same thing twice.
        defaults = {question["key"]: question["default"] for question in plan.params["questions"]}
        answered = {**defaults, **answers}
        call = plan.params.get("call")
        if call is not None:
            answer = self._plan_call(call_from({**call, "answers": answered}), wait, new_task_id(), {})
        else:
            found = self._planning.understand(plan.params.get("goal"), plan.params.get("about_project"), answered)
            found = self._planning.redirected(found, plan.params.get("target"))
            answer = self._plan(found, self._planning.steps_of(found), wait, new_task_id(), {})
        if answer.body.get("planGenerated") and self.memory.task(plan.id).status is Status.AWAITING_APPROVAL:
            self.plans.cancel(plan.id)
        return answer

    def run_next(self, *, project: str | None = None, wait: float | None = None) -> Answer:
        """Run the first queued step; where a step before it asks, its question is put again."""
        step = self.memory.get_next_step(project)
        if step is None:
            held = self.memory.holding_the_queue(project)
            return self.steps.waiters.wait_for(held[0].id, 0) if held else said("No queued tasks", queued=0)
        plan = self.plans.open_plan_of(step)
        if plan is not None:
            return self.steps.waiters.wait_for(plan.id, 0)
        return self.steps.start_known(step, wait)

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
        if task.intent == PLAN:
            return self.plans.confirm(task, reason, wait)
        return self.steps.start_approved(task, reason, wait)

    def cancel_plan(self, *, id: str | None = None) -> Answer:
        """Stop a plan, or without an id whatever is planned: nothing more is started, what runs is told to stop."""
        return self.plans.cancel(id)

    def rollback(
        self, *, id: str | None = None, project: str | None = None, wait: float | None = None, **target: Any
    ) -> Answer:
        """Undo the last action, or go back to before a task (of a plan: in all of its projects), or to a commit."""
        places = [project] if project else self.changed_by(id) if id else [self._changed_last()]
        params = {"task": id, **target} if id else dict(target)
        chosen = {name: value for name, value in params.items() if value not in (None, False)}
        asked = [{"intent": ROLLBACK, "project": place, **chosen} for place in places]
        if len(asked) == 1:
            return self.run_agent(asked[0], wait=wait)
        steps = [step for one in asked for step in undo_steps(call_from(one), self.memory)]
        title = f"Go back to before an earlier step in {len(places)} projects"
        return self.plans.execute_plan(steps, title=title, wait=wait)

    def edit_step(self, id: str, step: dict[str, Any]) -> Answer:
        return self._queue.edit(id, step)

    def skip_step(self, id: str) -> Answer:
        answer = self._queue.skip(id)
        self.steps.write_log(id)
        self.plans.step_ended(id)
        return answer

    def move_step(self, id: str, *, before: str | None) -> Answer:
        return self._queue.move(id, before=before)

    def insert_step(self, step: dict[str, Any], *, before: str) -> Answer:
        return self._queue.insert(step, before=before)

    def task(self, id: str) -> dict[str, Any]:
        return asdict(self.memory.task(id))

    def tasks(
        self,
        *,
        status: str | None = None,
        project: str | None = None,
        limit: int = 50,
        after: str | None = None,
        root: bool = False,
    ) -> list[dict[str, Any]]:
        wanted = Status(status) if status else None
        found = self.memory.tasks(status=wanted, project=project, limit=limit, after=after, root=root)
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
        results = run_suite(read_suite(self._regression.suites, path), self._regression.scratch)
        failed = [result["name"] for result in results if not result["passed"]]
        passed = len(results) - len(failed)
        message = f"{passed} of {len(results)} passed" + (f"; failed: {', '.join(failed)}" if failed else "")
        return said(message, success=not failed, results=results, passed=passed, failed=len(failed))

    def finalize_task_execution(self, status: Status, task_info: TaskInfo) -> None:
        """Record how a task ended, and go on with its plan."""
        self.steps.finalize_task_execution(status, task_info)
        self.plans.step_ended(task_info.task.id)

    def _reject(self, task: Task, reason: str) -> Answer:
        self.memory.track_rejected(task.id, reason=reason)
        self.steps.write_log(task.id)
        self.plans.step_ended(task.id)
        self.steps.waiters.settle(task.id)
        answer = answer_for(self.memory.family(task.id)[:1])
        return Answer(200, answer.body | {"success": True, "message": f"Not done: {task.title}. Nothing was changed"})

    def _waiting(self, task_id: str | None) -> Task:
        """The task that a yes or no is about. Raises NotFound, Conflict or SeveralWaiting."""
        waiting = self.memory.waiting()
        if task_id is not None:
            task = self.memory.task(task_id)
            if task.status not in WAITING:
                raise Conflict(f"Task `{task_id}` does not wait for approval", hint=f"It is {task.status}")
            return task
        if not waiting:
            raise NotFound("Nothing waits for approval", hint="`GET /tasks?status=awaiting_approval` lists what waits")
        if len(waiting) > 1:
            raise _several(waiting, "wait for approval")
        return waiting[0]

    def _asking(self, task_id: str | None) -> Task:
        """The plan that answers are about: without an id, the newest that asks. Raises NotFound, Conflict or
        SeveralWaiting: of two projects, none is the one that must have been meant."""
        if task_id is not None:
            plan = self.memory.task(task_id)
            if not _asks(plan):
                hint = "Questions are asked before a plan is approved"
                raise Conflict(f"Task `{task_id}` has no open questions", hint=hint)
            return plan
        asking = [task for task in self.memory.waiting() if _asks(task)]
        if not asking:
            raise NotFound("No plan has open questions", hint="Say what to build with `/run`; its answer may ask")
        if len({task.project for task in asking}) > 1:
            raise _several(asking, "have open questions")
        return asking[-1]

    def changed_by(self, id: str) -> list[str]:
        """The projects in which a task, or the steps of a plan, made changes: those that still count, if any do."""
        with self.memory.reading() as state:
            found = {
                name: [moment for moment in memory.timeline if id in (moment.id, moment.root)]
                for name, memory in state.projects.items()
            }
        changed = [name for name, moments in found.items() if moments]
        if not changed:
            raise NotFound(f"There is no change `{id}` to undo", hint="`GET /tasks` lists what was done")
        counting = [name for name in changed if not all(moment.undone for moment in found[name])]
        return counting or changed[:1]

    def _changed_last(self) -> str:
        """The project with the newest change that still counts."""
        with self.memory.reading() as state:
            timelines = {name: memory.timeline for name, memory in state.projects.items() if memory.timeline}
            counting = {
                name: max((moment.at for moment in timeline if counts(moment)), default="")
                for name, timeline in timelines.items()
            }
        if not counting:
            raise Conflict("There is nothing to undo yet", hint="Only changes that the agent made can be taken back")
        return max(counting, key=lambda name: counting[name])

    def resume(self) -> None:
        """Go on where the last run of the service stopped, whatever stopped it."""
        with self.memory.reading() as state:
            steps = sorted((task for task in state.tasks.values() if task.intent != PLAN), key=lambda task: task.id)
            queue = set(state.queue)
            running = [task.id for task in steps if task.status is Status.RUNNING]
            accepted = [task.id for task in steps if task.status is Status.QUEUED and task.id not in queue]
        for task_id in [*running, *accepted]:
            self.steps.take_up(task_id)
        self.plans.resume()
        self.steps.look_again()

    def stop(self, timeout: float = STOP_SECONDS) -> bool:
        """Start nothing more and let what runs finish; what does not is taken up again at the next start."""
        ended = self.steps.lanes.stop(timeout)
        self.steps.waiters.settle_all()
        return ended


def _asks(task: Task) -> bool:
    return task.intent == PLAN and task.status is Status.AWAITING_APPROVAL and bool(task.params.get("questions"))


def _several(tasks: list[Task], what: str) -> SeveralWaiting:
    listed = [{"id": task.id, "title": task.title, "project": task.project} for task in tasks]
    words = f"{len(tasks)} tasks {what}; nothing was changed"
    return SeveralWaiting(words, hint="Name one of them by its `id`", details={"waiting": listed})
