"""The agent's memory: what is queued, open, trusted and learned, kept as events behind context.json."""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from typing import Any

import orjson

import trust
from contracts.actions import ActionCall
from contracts.errors import Conflict, NotFound
from contracts.tasks import WAITING, Status, Task
from contracts.trust import Autonomy, Decision, Effect, Level, Outcome, Request, Scope, Verdict
from memory.model import Moment, State, earned_on, family, holding
from memory.shape import brief, dump_state, next_step
from stores.base import Store, Transaction

Clock = Callable[[], str]
ANY_PROJECT = "*"
PLAN = "plan"
SHOWN_OUTCOMES = 30


def new_task_id() -> str:
    """Sortable by time, unique across processes, short enough to type."""
    return f"{time.time_ns() // 1000:013x}{secrets.token_hex(2)}"


def new_task(
    call: ActionCall, title: str, now: str, *, task_id: str | None = None, parent_id: str | None = None
) -> Task:
    """A queued task for a call."""
    task = Task(task_id or new_task_id(), call.intent, dict(call.params), Status.QUEUED, title, now)
    task.project, task.parent_id = call.project, parent_id
    return task


class ContextManager:
    """Everything that reads or changes memory goes through here."""

    def __init__(
        self,
        store: Store[State],
        policy: trust.Policy,
        clock: Clock,
        *,
        effects_of: Callable[[str], frozenset[Effect]],
        reduced_sandbox: Callable[[], bool] = lambda: False,
        always_confirm: bool = False,
    ) -> None:
        self.store = store
        self._effects_of = effects_of
        self._reduced_sandbox = reduced_sandbox
        self.policy = policy
        self.clock = clock
        self._always_confirm = always_confirm

    def transaction(self) -> AbstractContextManager[Transaction[State]]:
        return self.store.transaction()

    @contextmanager
    def reading(self) -> Iterator[State]:
        with self.store.read() as state:
            yield state

    def task(self, task_id: str) -> Task:
        with self.reading() as state:
            found = state.tasks.get(task_id)
        if found is None:
            raise NotFound(
                f"There is no task `{task_id}`", hint="`GET /tasks` lists the tasks; older ones are in the logs"
            )
        return found

    def family(self, root_id: str) -> list[Task]:
        """A task and all that is below it, in order."""
        with self.reading() as state:
            return family(state, root_id)

    def root_of(self, task_id: str) -> str:
        """The task at the top of the tree that this one belongs to."""
        with self.reading() as state:
            while (task := state.tasks.get(task_id)) is not None and task.parent_id in state.tasks:
                task_id = task.parent_id
        return task_id

    def tasks(
        self,
        *,
        status: Status | None = None,
        project: str | None = None,
        after: str | None = None,
        limit: int = 50,
        root: bool = False,
    ) -> list[Task]:
        """Newest first; `after` is the last id of the page before, `root` leaves out the steps of plans."""
        with self.reading() as state:
            found = sorted(state.tasks.values(), key=lambda task: task.id, reverse=True)
        wanted = (t for t in found if status in (None, t.status) and project in (None, t.project))
        return [t for t in wanted if (after is None or t.id < after) and not (root and t.parent_id)][:limit]

    def waiting(self) -> list[Task]:
        """What goes on only when a person says so, oldest first."""
        with self.reading() as state:
            return _waiting(state)

    def get_next_step(self, project: str | None = None) -> Task | None:
        """The first queued step, of any project or of one, that no asking step of its project holds back."""
        with self.reading() as state:
            held = holding(state)
            queued = (state.tasks[task_id] for task_id in state.queue)
            return next((t for t in queued if project in (None, t.project) and t.project not in held), None)

    def holding_the_queue(self, project: str | None = None) -> list[Task]:
        """What asks and thereby holds back queued steps, of any project or of one."""
        with self.reading() as state:
            wanted = {state.tasks[task_id].project for task_id in state.queue}
            return [task for name, task in holding(state).items() if name in wanted and project in (None, name)]

    def next_steps(self) -> list[dict[str, Any]]:
        """The queue in its order, each step with the plan that it belongs to."""
        with self.reading() as state:
            return [{**next_step(state, task_id), "plan": _plan_of(state, task_id)} for task_id in state.queue]

    def add_next_step(self, intent: str, params: dict[str, Any], project: str | None, title: str) -> str:
        """Put a step at the end of the queue. Any process may do this."""
        task = new_task(ActionCall(intent, params, project), title, self.clock())
        with self.transaction() as tx:
            tx.emit("task_added", task.id, task=asdict(task))
        return task.id

    def clear_next_steps(self, reason: str = "The queue was cleared") -> list[str]:
        with self.transaction() as tx:
            cleared = list(tx.state.queue)
            for task_id in cleared:
                tx.emit("task_cancelled", task_id, reason=reason)
        return cleared

    def get_current_goal(self) -> str | None:
        """What is being worked at, in words: the running plan and its step, else the goal that was set."""
        with self.reading() as state:
            for plan_id in reversed(state.draining):
                plan = state.tasks.get(plan_id)
                if plan is not None and plan.open:
                    return _plan_progress(state, plan)
            return state.current_goal

    def track_confirmed(self, task_id: str, *, by: str = "owner", reason: str = "") -> None:
        with self.transaction() as tx:
            tx.emit("approval_given", task_id, by=by, reason=reason)

    def track_rejected(self, task_id: str, *, by: str = "owner", reason: str = "") -> None:
        """Counts the rejection, notes its reason as a failure pattern and demotes this kind of action here.

        No to a plan is no to every kind of step in it, and its steps go with it.
        """
        with self.transaction() as tx:
            task = tx.state.tasks[task_id]
            if task.status not in WAITING:
                raise Conflict(f"Task `{task_id}` does not wait for approval", hint=f"It is {task.status}")
            tx.emit("approval_refused", task_id, by=by, reason=reason)
            self.emit_outcome(tx, task, Outcome.REJECTED, approved=False)
            steps = [tx.state.tasks[child] for child in task.children]
            for step in steps:
                if step.status is Status.QUEUED:
                    tx.emit("task_cancelled", step.id, reason="The plan was not approved")
            for intent, project in {(step.intent, step.project or "") for step in steps}:
                scope = Scope(intent, self._effects_of(intent), project)
                self._emit_outcome(tx, task.id, scope, 0, Outcome.REJECTED)

    def emit_outcome(self, tx: Transaction[State], task: Task, outcome: Outcome, *, approved: bool) -> None:
        """Record how a task went in the trust record of its scope. Looking and what follows a rule have none."""
        effects, size = earned_on(task)
        self._emit_outcome(tx, task.id, _scope(task.intent, effects, task.project), size, outcome, approved=approved)

    def emit_undone(self, tx: Transaction[State], project: str, undone: Iterable[str]) -> None:
        """Count the undoing of these changes against their kind, however long ago their tasks left memory."""
        memory = tx.state.projects.get(project)
        for moment in memory.timeline if memory else ():
            if moment.id in undone:
                scope = _scope(moment.intent, moment.effects, project)
                self._emit_outcome(tx, moment.id, scope, moment.size, Outcome.UNDONE)

    def _emit_outcome(
        self, tx: Transaction[State], task_id: str, scope: Scope, size: int, outcome: Outcome, *, approved: bool = False
    ) -> None:
        if scope.effects - {Effect.READ}:
            tx.emit(
                "outcome",
                task_id,
                intent=scope.intent,
                effects=sorted(scope.effects),
                project=scope.project,
                outcome=outcome.value,
                size=size,
                approved=approved,
            )

    def decide(self, request: Request, state: State) -> Decision:
        """Auto, ask or refuse, from the record in `state` and from what the owner has set."""
        override = self._override(state, request.scope)
        return trust.decide(
            request,
            state.trust,
            self.policy,
            autonomy=self.autonomy(state, request.scope.project),
            override=Verdict(override["verdict"]) if override else None,
            lifted_floor=bool(override and override["lifted"]),
            reduced_sandbox=self._reduced_sandbox(),
        )

    def autonomy(self, state: State, project: str = "") -> Autonomy:
        """The mode in force for a project now; a mode given for a time ends by itself."""
        now = self.clock()
        everywhere = _in_force(state.autonomy.value, state.autonomy_until, state.autonomy_then, now)
        if everywhere == Autonomy.ASK_ALL or self._always_confirm:
            return Autonomy.ASK_ALL
        own = state.autonomy_by_project.get(project, {})
        here = _in_force(own.get("mode"), own.get("until"), own.get("then"), now)
        return Autonomy(here or everywhere or Autonomy.EARNED)

    def _override(self, state: State, scope: Scope) -> dict[str, Any] | None:
        return state.overrides.get(f"{scope.intent}@{scope.project}") or state.overrides.get(
            f"{scope.intent}@{ANY_PROJECT}"
        )

    def get_trust_score(self, intent: str | None = None) -> float:
        """How well this kind of action has gone, or all of them together: 0 to 1."""
        with self.reading() as state:
            wanted = {k: r for k, r in state.trust.items() if intent is None or k.split(":", 1)[0] == intent}
            return trust.overall(wanted, self.policy)

    def trust_level(self, intent: str | None = None) -> Level:
        return trust.level(self.get_trust_score(intent))

    def requires_confirmation(self, intent: str, project: str = "") -> bool:
        """Whether a small call of this kind would be asked about now."""
        scope = Scope(intent, self._effects_of(intent), project)
        with self.reading() as state:
            return self.decide(Request(scope), state).verdict is not Verdict.AUTO

    def set_autonomy(self, mode: Autonomy, *, project: str | None = None, until: str | None = None) -> None:
        """The owner's word on how much may run alone, everywhere or in one project, for good or until a time."""
        with self.transaction() as tx:
            tx.emit("autonomy_set", mode=mode.value, project=project, until=until)

    def set_override(
        self, intent: str, project: str | None, verdict: Verdict | None, *, lift_floor: bool = False
    ) -> None:
        """The owner's word on one kind of action; None takes it back."""
        key = f"{intent}@{project or ANY_PROJECT}"
        with self.transaction() as tx:
            tx.emit("override_set", key=key, verdict=verdict.value if verdict else None, lifted=lift_floor)

    def log_deployment_event(self, success: bool, source: str, note: str, **details: Any) -> None:
        with self.transaction() as tx:
            tx.emit("deployment_logged", success=success, source=source, note=note, **details)

    def places(self, project: str | None = None) -> list[dict[str, Any]]:
        """Where projects are, or were, put before others: what visitors see there now, and what they saw before."""
        with self.reading() as state:
            return [dict(place) for place in state.places.values() if project in (None, place["project"])]

    def deployments(self, project: str | None = None) -> list[dict[str, Any]]:
        """What was put online, set back or taken down, the newest first."""
        with self.reading() as state:
            return [dict(e) for e in reversed(state.deployment_events) if project in (None, e.get("project"))]

    def port_of(self, project: str) -> int | None:
        """The port on which the project's app is shown, once it has one."""
        with self.reading() as state:
            return state.ports.get(project)

    def owner_of(self, port: int) -> str | None:
        with self.reading() as state:
            return next((name for name, given in state.ports.items() if given == port), None)

    def remember(self, project: str, port: int) -> None:
        """Give a port to a project for good."""
        with self.transaction() as tx:
            tx.emit("port_given", project=project, port=port)

    def wanted_apps(self) -> dict[str, dict[str, Any]]:
        """The apps that shall be running, and how each is run."""
        with self.reading() as state:
            return dict(state.apps)

    def want_app(self, project: str, spec: dict[str, Any] | None) -> None:
        with self.transaction() as tx:
            tx.emit("app_wanted", project=project, spec=spec)

    def agreed_apps(self, project: str) -> list[str]:
        """The digests of the apps that were agreed on for a project, oldest first."""
        with self.reading() as state:
            return list(state.agreed.get(project, ()))

    def proof_of(self, project: str) -> dict[str, Any] | None:
        """How the newest proof of the project's app came out, and for which files."""
        with self.reading() as state:
            return state.proofs.get(project)

    def timeline(self, project: str) -> list[Moment]:
        with self.reading() as state:
            memory = state.projects.get(project)
            return list(memory.timeline) if memory else []

    def last_tree(self, project: str) -> str | None:
        """The project's fingerprint after the agent's own last change."""
        with self.reading() as state:
            memory = state.projects.get(project)
            return memory.tree if memory else None

    def everything(self) -> dict[str, Any]:
        """The readable memory: what context.json holds."""
        with self.reading() as state:
            dumped = dump_state(state, level=trust.level(trust.overall(state.trust, self.policy)))
            everything: dict[str, Any] = orjson.loads(orjson.dumps(dumped))
            return everything

    def summary(self) -> dict[str, Any]:
        """One look: counters, autonomy, goal, last plan, recent actions, what waits."""
        goal = self.get_current_goal()
        with self.reading() as state:
            score = trust.overall(state.trust, self.policy)
            deployed = [e["url"] for e in state.deployment_events if e.get("success") and e.get("url")]
            return {
                "confirmed_count": state.confirmed_count,
                "auto_confirmed_count": state.auto_confirmed_count,
                "rejected_count": state.rejected_count,
                "queued": len(state.queue),
                "trust_score": round(score, 4),
                "autonomy_level": trust.level(score).value,
                "autonomy": self.autonomy(state).value,
                "autonomy_by_project": state.autonomy_by_project,
                "current_goal": goal,
                "last_plan": _plan_outcomes(state),
                "last_deployment_url": deployed[-1] if deployed else None,
                "recent_actions": [brief(state, task_id) for task_id in reversed(state.recent[-10:])],
                "waiting": [brief(state, task.id) for task in _waiting(state)],
                "failure_patterns": state.failure_patterns[-5:],
            }

    def trust_view(self, project: str | None = None) -> dict[str, Any]:
        """Every record with its score and what it means, and what the owner has set."""
        with self.reading() as state:
            views = []
            for key in sorted(state.trust):
                kind, _, place = key.rpartition("@")
                if project in (None, place):
                    views.append(self._record_view(state, kind, place))
            return {"records": views, "autonomy": self._autonomy_view(state), "overrides": state.overrides}

    def autonomy_view(self) -> dict[str, Any]:
        """The mode in force, everywhere and where a project has one of its own, and until when."""
        with self.reading() as state:
            return self._autonomy_view(state)

    def _autonomy_view(self, state: State) -> dict[str, Any]:
        now = self.clock()
        return {
            "mode": self.autonomy(state).value,
            "until": state.autonomy_until if (state.autonomy_until or "") > now else None,
            "by_project": {
                name: {"mode": self.autonomy(state, name).value, "until": own.get("until")}
                for name, own in state.autonomy_by_project.items()
                if own.get("until") is None or own["until"] > now
            },
        }

    def _record_view(self, state: State, kind: str, project: str) -> dict[str, Any]:
        intent, _, effects = kind.partition(":")
        scope = Scope(intent, frozenset(Effect(e) for e in effects.split("+")), project)
        decision = self.decide(Request(scope), state)
        record = state.trust[scope.key]
        return {
            "scope": scope.key,
            "intent": intent,
            "effects": sorted(scope.effects),
            "project": project,
            "score": round(decision.score, 4),
            "threshold": decision.threshold,
            "level": decision.level.value,
            "verdict": decision.verdict.value,
            "reasons": list(decision.reasons),
            "good": record.good,
            "bad": record.failed + record.rejected + record.undone,
            "recent": [outcome.partition(":")[0] for outcome in record.outcomes[-SHOWN_OUTCOMES:]],
            **trust.ladder(scope, state.trust, self.policy),
        }


def _scope(intent: str, effects: Iterable[str], project: str | None) -> Scope:
    return Scope(intent, frozenset(Effect(effect) for effect in effects), project or "")


def _in_force(mode: str | None, until: str | None, then: str | None, now: str) -> str | None:
    return then if until is not None and until <= now else mode


def _plan_of(state: State, task_id: str) -> dict[str, Any] | None:
    plan = state.tasks.get(state.tasks[task_id].parent_id or "")
    return {"id": plan.id, "title": plan.title, "status": plan.status.value} if plan else None


def _waiting(state: State) -> list[Task]:
    return sorted((task for task in state.tasks.values() if task.status in WAITING), key=lambda task: task.id)


def _plan_progress(state: State, plan: Task) -> str:
    steps = [state.tasks[child] for child in plan.children if child in state.tasks]
    ended = sum(1 for step in steps if not step.open)
    current = next((step for step in steps if step.open), None)
    if current is None:
        return f"Finishing plan: {plan.title}"
    return f"Executing plan: step {ended + 1} of {len(steps)} - {current.title}"


def _plan_outcomes(state: State) -> dict[str, Any] | None:
    plan = state.tasks.get(state.last_plan or "")
    if plan is None:
        return None
    steps = [brief(state, child) for child in plan.children if child in state.tasks]
    return {**brief(state, plan.id), "steps": steps}
