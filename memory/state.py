"""How each event changes what the agent remembers. Pure: the same events always give the same memory."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import trust
from contracts.events import Event
from contracts.tasks import Status, Task
from contracts.trust import Autonomy, Effect, Outcome, Scope
from memory.long_texts import long_texts, shortened
from memory.model import Moment, ProjectMemory, State, earned_on, family, project_from, task_from
from memory.places import remember_deployment
from memory.shape import VERSION, dump_state, upgrade

APPROVALS = {"trust": "auto", "plan": "covered"}
"""How an approval is counted by who gave it; a step that an approved plan covers is no confirmation of its own."""
WHOLE_RESULTS = 8
WHOLE_CHARS = 4_000_000
"""Long results are kept whole for the newest tasks, up to either figure; whoever asked has had the answer by then."""
TIMELINE = 500
IDEMPOTENCY_KEYS = 500
NOTES = 200
AGREED = 100


class MemoryFold:
    """The one reducer. Limits and trust figures are given once; everything else is in the events."""

    def __init__(self, policy: trust.Policy, *, recent_tasks: int = 100, failure_patterns: int = 100) -> None:
        self._policy = policy
        self._recent_tasks = recent_tasks
        self._failure_patterns = failure_patterns
        self._handlers: dict[str, Callable[[State, Event], None]] = {
            "task_added": self._task_added,
            "task_edited": self._task_edited,
            "task_decided": self._task_decided,
            "task_cancelled": self._task_cancelled,
            "task_parked": self._task_parked,
            "queue_moved": self._queue_moved,
            "steps_adopted": self._steps_adopted,
            "approval_asked": self._approval_asked,
            "approval_given": self._approval_given,
            "approval_refused": self._approval_refused,
            "step_started": self._step_started,
            "step_finished": self._step_finished,
            "drain_set": self._drain_set,
            "outcome": self._outcome,
            "goal_set": self._goal_set,
            "autonomy_set": self._autonomy_set,
            "override_set": self._override_set,
            "port_given": self._port_given,
            "app_wanted": self._app_wanted,
            "app_agreed": self._app_agreed,
            "app_proven": self._app_proven,
            "step_retried": self._step_retried,
            "step_kept": self._step_kept,
            "task_settled": self._task_settled,
            "deployment_logged": self._deployment_logged,
            "note_added": _append("self_notes"),
            "self_edited": _append("self_edits"),
        }

    def empty(self) -> State:
        return State()

    def dump(self, state: State) -> dict[str, Any]:
        return dump_state(state, level=trust.level(trust.overall(state.trust, self._policy)))

    def current(self, raw: dict[str, Any]) -> bool:
        return raw.get("version") == VERSION

    def load(self, raw: dict[str, Any]) -> State:
        raw = upgrade(raw)
        state = State(tasks={i: task_from(t) for i, t in raw["tasks"].items()})
        state.trust.update({key: trust.Record.from_json(record) for key, record in raw["trust"].items()})
        state.queue = [step["id"] for step in raw["next_steps"] if step["id"] in state.tasks]
        state.recent = [task_id for task_id in raw["recent"] if task_id in state.tasks]
        state.projects = {name: project_from(value) for name, value in raw["projects"].items()}
        state.autonomy = Autonomy(raw["autonomy"])
        for name in PLAIN_FIELDS:
            setattr(state, name, raw[name])
        return state

    def apply(self, state: State, event: Event) -> None:
        handler = self._handlers.get(event.type)
        if handler is not None:
            try:
                handler(state, event)
            except (KeyError, TypeError, ValueError, AttributeError) as odd:
                skipped = state.extra.setdefault("skipped_events", [])
                skipped.append({"seq": event.seq, "type": event.type, "why": repr(odd)})
        state.seq = event.seq
        state.last_updated = event.at

    def _task_added(self, state: State, event: Event) -> None:
        task = task_from(event.data["task"])
        state.tasks[task.id] = task
        parent = state.tasks.get(task.parent_id or "")
        if parent is not None:
            _put_before(parent.children, task.id, event.data.get("before"))
        else:
            state.recent.append(task.id)
            self._forget_oldest(state)
        if task.status is Status.QUEUED and not event.data.get("now"):
            _put_before(state.queue, task.id, event.data.get("before"))
        if task.intent == "plan":
            state.last_plan = task.id
        key = event.data.get("idempotency_key")
        if key:
            state.idempotency[key] = {"task": task.id, "digest": event.data.get("digest")}
            while len(state.idempotency) > IDEMPOTENCY_KEYS:
                del state.idempotency[next(iter(state.idempotency))]

    def _task_edited(self, state: State, event: Event) -> None:
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            for name in ("intent", "params", "project", "title"):
                setattr(task, name, event.data[name])
            plan = state.tasks.get(task.parent_id or "")
            if plan is not None and plan.approval and "steps" in plan.approval:
                covered = [step for step in plan.approval["steps"] if step != task.id]
                plan.approval = {**plan.approval, "steps": covered}

    def _task_decided(self, state: State, event: Event) -> None:
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            task.decision = event.data["decision"]

    def _task_cancelled(self, state: State, event: Event) -> None:
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            _leave_queue(state, task.id)
            task.status = Status.CANCELLED
            task.finished = event.at
            task.result = {"success": False, "message": event.data.get("reason", "Cancelled")}
            _drop(state.draining, task.id)

    def _task_parked(self, state: State, event: Event) -> None:
        """A step that was under way when the machine stopped and whose effect on others is unknown."""
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            task.status = Status.INTERRUPTED
            task.result = {"success": False, "message": event.data.get("reason", "Interrupted")}

    def _queue_moved(self, state: State, event: Event) -> None:
        task = state.tasks.get(event.task_id or "")
        if task is None:
            return
        parent = state.tasks.get(task.parent_id or "")
        for order in (state.queue, parent.children if parent is not None else []):
            if task.id in order:
                order.remove(task.id)
                _put_before(order, task.id, event.data.get("before"))

    def _steps_adopted(self, state: State, event: Event) -> None:
        """Loose queued steps become the children of a plan, so that one yes covers them."""
        plan = state.tasks.get(event.task_id or "")
        for step_id in event.data["steps"]:
            step = state.tasks.get(step_id)
            if plan is None or step is None:
                continue
            earlier = state.tasks.get(step.parent_id or "")
            if earlier is not None:
                _drop(earlier.children, step_id)
            step.parent_id = plan.id
            plan.children.append(step_id)
            _drop(state.recent, step_id)

    def _approval_asked(self, state: State, event: Event) -> None:
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            task.from_queue = task.from_queue or task.id in state.queue
            _leave_queue(state, task.id)
            task.status = Status.AWAITING_APPROVAL
            task.card = event.data["card"]

    def _approval_given(self, state: State, event: Event) -> None:
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            by = event.data.get("by")
            task.approval = {"approved": True, "at": event.at, **event.data}
            if by == "trust":
                state.auto_confirmed_count += 1
            if by != "plan":
                state.confirmed_count += 1
            self._count(state, task.intent, APPROVALS.get(str(by), "confirmed"), event.at)

    def _approval_refused(self, state: State, event: Event) -> None:
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            reason = event.data.get("reason") or "no reason given"
            task.approval = {"approved": False, "at": event.at, **event.data}
            task.status = Status.REJECTED
            task.finished = event.at
            task.result = {"success": False, "message": f"Rejected: {reason}"}
            task.seq = event.seq
            state.rejected_count += 1
            self._count(state, task.intent, "rejected", event.at)
            self._note_failure(state, task, "rejected", reason, event.at)

    def _step_started(self, state: State, event: Event) -> None:
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            _leave_queue(state, task.id)
            task.status = Status.RUNNING
            task.started = event.at
            task.result = event.data.get("result")

    def _step_finished(self, state: State, event: Event) -> None:
        task = state.tasks.get(event.task_id or "")
        if task is None:
            return
        data = event.data
        task.status = Status(data["status"])
        task.result = data["result"]
        task.finished = event.at
        task.seconds = data.get("seconds")
        task.cost = data.get("cost", 0.0)
        task.commit = data.get("commit")
        task.snapshot_before = data.get("snapshot")
        task.tainted = task.tainted or bool(data.get("tainted"))
        task.seq = event.seq
        task.card = None
        # A failed step of a plan may be tried once more, as it was; its texts stay whole until the plan ends.
        if task.status is not Status.FAILED or task.parent_id not in state.tasks:
            task.params = shortened(task.params)
        for child in (state.tasks[name] for name in task.children if name in state.tasks):
            child.params = child.params if child.open else shortened(child.params)
        _leave_queue(state, task.id)
        _drop(state.draining, task.id)
        self._count(state, task.intent, task.status.value, event.at)
        if task.status is Status.SUCCEEDED and task.params.get("goal") == state.current_goal and task.intent == "plan":
            state.current_goal = None
        if task.status is Status.FAILED:
            self._note_failure(state, task, "failed", task.result["message"], event.at)
        self._keep_whole(state, task)
        if data.get("changed") or data.get("release"):
            self._remember_change(state, task, event)

    def _remember_change(self, state: State, task: Task, event: Event) -> None:
        memory = state.projects.setdefault(task.project or "", ProjectMemory())
        task.undoes = event.data.get("undoes", [])
        task.redoes = event.data.get("redoes", [])
        if event.data.get("changed"):
            memory.tree = event.data.get("tree")
        root = task.parent_id or task.id
        moment = Moment(task.id, task.title, event.at, root, task.intent, undoes=task.undoes, redoes=task.redoes)
        moment.effects, moment.size = earned_on(task)
        moment.release = event.data.get("release")
        memory.timeline.append(moment)
        marks = dict.fromkeys(task.undoes, True) | dict.fromkeys(task.redoes, False)
        for moment in memory.timeline:
            if moment.id in marks:
                moment.undone = marks[moment.id]
        for task_id, undone in marks.items():
            marked = state.tasks.get(task_id)
            if marked is not None:
                marked.status = Status.UNDONE if undone else Status.SUCCEEDED
                marked.undone_by = task.id if undone else None
                if undone:
                    self._count(state, marked.intent, "undone", event.at)
        del memory.timeline[:-TIMELINE]

    def _drain_set(self, state: State, event: Event) -> None:
        _drop(state.draining, event.task_id or "")
        if event.data["on"] and event.task_id:
            state.draining.append(event.task_id)

    def _outcome(self, state: State, event: Event) -> None:
        data = event.data
        scope = Scope(data["intent"], frozenset(Effect(e) for e in data["effects"]), data["project"])
        record = state.trust.setdefault(scope.key, trust.Record())
        trust.add(record, Outcome(data["outcome"]), data["size"], approved=data["approved"], policy=self._policy)

    def _goal_set(self, state: State, event: Event) -> None:
        state.current_goal = event.data["goal"]

    def _autonomy_set(self, state: State, event: Event) -> None:
        mode, project, until = Autonomy(event.data["mode"]), event.data.get("project"), event.data.get("until")
        if project:
            own = state.autonomy_by_project.get(project, {})
            then = _base(own.get("mode"), own.get("until"), own.get("then")) if until else None
            state.autonomy_by_project[project] = {"mode": mode.value, "until": until, "then": then}
        else:
            then = _base(state.autonomy.value, state.autonomy_until, state.autonomy_then) if until else None
            state.autonomy, state.autonomy_until, state.autonomy_then = mode, until, then

    def _override_set(self, state: State, event: Event) -> None:
        key = event.data["key"]
        if event.data.get("verdict") is None:
            state.overrides.pop(key, None)
        else:
            state.overrides[key] = {"verdict": event.data["verdict"], "lifted": bool(event.data.get("lifted"))}

    def _port_given(self, state: State, event: Event) -> None:
        state.ports[event.data["project"]] = event.data["port"]

    def _app_wanted(self, state: State, event: Event) -> None:
        """An app that shall run from now on, or with no spec shall not."""
        if event.data["spec"] is None:
            state.apps.pop(event.data["project"], None)
        else:
            state.apps[event.data["project"]] = event.data["spec"]

    def _app_agreed(self, state: State, event: Event) -> None:
        agreed = state.agreed.setdefault(event.data["project"], [])
        _drop(agreed, event.data["digest"])
        agreed.append(event.data["digest"])
        del agreed[:-AGREED]

    def _app_proven(self, state: State, event: Event) -> None:
        kept = {name: event.data.get(name) for name in ("ok", "words", "digest", "tree")}
        state.proofs[event.data["project"]] = {**kept, "at": event.at, "task": event.task_id}

    def _step_retried(self, state: State, event: Event) -> None:
        """A step of a plan that failed is queued once more, as it was or as another call."""
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            task.status = Status.QUEUED
            task.retried = event.data.get("why", "")
            task.params = event.data.get("params", task.params)
            task.title = event.data.get("title", task.title)
            task.result = None
            task.finished = None
            _put_before(state.queue, task.id, event.data.get("before"))

    def _step_kept(self, state: State, event: Event) -> None:
        """A step that failed goes back to where it stood in the queue; its result says why it failed."""
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            task.status = Status.QUEUED
            task.finished = None
            _put_before(state.queue, task.id, next(iter(state.queue), None))

    def _task_settled(self, state: State, event: Event) -> None:
        task = state.tasks.get(event.task_id or "")
        if task is not None:
            task.params, task.title = event.data["params"], event.data["title"]

    def _deployment_logged(self, state: State, event: Event) -> None:
        _append("deployment_events")(state, event)
        remember_deployment(state.places, {"at": event.at, **event.data})

    def _count(self, state: State, intent: str, what: str, at: str) -> None:
        stats = state.intent_stats.setdefault(intent, {})
        stats[what] = stats.get(what, 0) + 1
        stats["last"] = at

    def _note_failure(self, state: State, task: Task, kind: str, message: str, at: str) -> None:
        patterns = state.failure_patterns
        identity = {"intent": task.intent, "kind": kind, "message": message}
        known = next((p for p in patterns if identity.items() <= p.items()), None)
        if known is not None:
            patterns.remove(known)
        pattern = known or {**identity, "count": 0, "first": at}
        patterns.append(pattern | {"count": pattern["count"] + 1, "last": at, "task": task.id, "project": task.project})
        del patterns[: -self._failure_patterns]

    def _keep_whole(self, state: State, task: Task) -> None:
        """Cut the long results of older tasks, so that memory does not grow with all that was ever read or printed."""
        length = long_texts(task.result)
        if length == 0:
            return
        state.whole[task.id] = length
        while len(state.whole) > WHOLE_RESULTS and sum(state.whole.values()) > WHOLE_CHARS:
            oldest = next(iter(state.whole))
            del state.whole[oldest]
            older = state.tasks.get(oldest)
            if older is not None:
                older.result = shortened(older.result)

    def _forget_oldest(self, state: State) -> None:
        """Ended tasks beyond the limit leave memory, oldest first; what is open stays, and takes the place of none."""
        if len(state.recent) <= self._recent_tasks:
            return
        ended = [root_id for root_id in state.recent if not state.tasks[root_id].open]
        surplus = max(len(ended) - self._recent_tasks, 0)
        trees = (family(state, root_id) for root_id in ended)
        for tree in list(islice((tree for tree in trees if not any(task.open for task in tree)), surplus)):
            state.recent.remove(tree[0].id)
            for task in tree:
                del state.tasks[task.id]
                state.whole.pop(task.id, None)


PLAIN_FIELDS = (
    *("last_updated", "seq", "confirmed_count", "auto_confirmed_count", "rejected_count", "intent_stats"),
    *("current_goal", "last_plan", "draining", "failure_patterns", "self_edits", "deployment_events", "self_notes"),
    *(
        "whole",
        "autonomy_until",
        "autonomy_then",
        "autonomy_by_project",
        "overrides",
        "idempotency",
        "ports",
        "apps",
        "agreed",
        "proofs",
        "places",
        "extra",
    ),
)


def _base(mode: str | None, until: str | None, then: str | None) -> str | None:
    """What holds without an end: the mode itself, or what comes back after one that was given for a time."""
    return then if until else mode


def _append(name: str) -> Callable[[State, Event], None]:
    def append(state: State, event: Event) -> None:
        entries: list[dict[str, Any]] = getattr(state, name)
        entries.append({"timestamp": event.at, **event.data})
        del entries[:-NOTES]

    return append


def _put_before(order: list[str], task_id: str, before: str | None) -> None:
    """Into the list before another one, or at its end."""
    order.insert(order.index(before) if before in order else len(order), task_id)


def _leave_queue(state: State, task_id: str) -> None:
    _drop(state.queue, task_id)


def _drop(items: list[str], item: str) -> None:
    if item in items:
        items.remove(item)
