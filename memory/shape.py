"""The shape of context.json: the fields that people read, and how older shapes become the present one."""

from typing import Any

from memory.model import State

VERSION = 3


def dump_state(state: State, *, level: str) -> dict[str, Any]:
    """The memory as values that orjson can write. What people look for comes first."""
    return {
        "version": VERSION,
        "last_updated": state.last_updated,
        "autonomy_level": str(level),
        "autonomy": state.autonomy.value,
        "autonomy_until": state.autonomy_until,
        "autonomy_then": state.autonomy_then,
        "autonomy_by_project": state.autonomy_by_project,
        "always_confirm": state.autonomy == "ask_all",
        "confirmed_count": state.confirmed_count,
        "auto_confirmed_count": state.auto_confirmed_count,
        "rejected_count": state.rejected_count,
        "current_goal": state.current_goal,
        "next_steps": [next_step(state, task_id) for task_id in state.queue],
        "recent_tasks": [brief(state, task_id) for task_id in state.recent],
        "failure_patterns": state.failure_patterns,
        "intent_stats": state.intent_stats,
        "deployment_events": state.deployment_events,
        "self_edits": state.self_edits,
        "self_notes": state.self_notes,
        "trust": {key: record.to_json() for key, record in state.trust.items()},
        "overrides": state.overrides,
        "projects": state.projects,
        "ports": state.ports,
        "apps": state.apps,
        "agreed": state.agreed,
        "proofs": state.proofs,
        "places": state.places,
        "tasks": state.tasks,
        "recent": state.recent,
        "whole": state.whole,
        "last_plan": state.last_plan,
        "draining": state.draining,
        "idempotency": state.idempotency,
        "seq": state.seq,
        "extra": state.extra,
    }


def next_step(state: State, task_id: str) -> dict[str, Any]:
    task = state.tasks[task_id]
    step = {"intent": task.intent, **({"project": task.project} if task.project else {}), **task.params}
    return {"id": task.id, "step": step, "timestamp": task.created, "title": task.title}


def brief(state: State, task_id: str) -> dict[str, Any]:
    task = state.tasks[task_id]
    message = (task.result or {}).get("message", "")
    return {
        "id": task.id,
        "title": task.title,
        "intent": task.intent,
        "project": task.project,
        "status": task.status.value,
        "message": message,
        "created": task.created,
        "finished": task.finished,
        "commit": task.commit,
    }


def upgrade(raw: dict[str, Any]) -> dict[str, Any]:
    """Any known shape as the present one. Raises ValueError if it is not a memory at all."""
    if not isinstance(raw, dict):
        raise ValueError("context.json does not hold an object")
    if raw.get("version") == VERSION:
        return {**_blank(), **raw}
    return _from_first_shape(raw)


def _blank() -> dict[str, Any]:
    lists: dict[str, Any] = {n: [] for n in ("next_steps", "recent", "draining", *_LISTS)}
    mappings: dict[str, Any] = {n: {} for n in _MAPPINGS}
    return {
        **lists,
        **mappings,
        "intent_stats": {},
        "autonomy": "earned",
        "autonomy_until": None,
        "autonomy_then": None,
        "autonomy_by_project": {},
        "last_updated": "",
        "seq": 0,
        "current_goal": None,
        "last_plan": None,
        **dict.fromkeys(_COUNTS, 0),
    }


_MAPPINGS = (
    *("tasks", "whole", "trust", "projects", "overrides", "idempotency", "ports", "apps", "agreed", "proofs"),
    *("places", "extra"),
)
_COUNTS = ("confirmed_count", "auto_confirmed_count", "rejected_count")
_LISTS = ("failure_patterns", "self_edits", "deployment_events", "self_notes")


def _from_first_shape(raw: dict[str, Any]) -> dict[str, Any]:
    """Shapes 1 and 2: flat counters and lists, steps bare or wrapped, no task tree, no trust records."""
    new = _blank()
    now = str(raw.get("last_updated") or "")
    for name in _COUNTS:
        new[name] = raw.get(name) if isinstance(raw.get(name), int) else 0
    for name in _LISTS:
        new[name] = [_entry(name, item, now) for item in raw.get(name) or []]
    stats = raw.get("intent_stats")
    new["intent_stats"] = {k: v for k, v in stats.items() if isinstance(v, dict)} if isinstance(stats, dict) else {}
    new["current_goal"] = raw.get("current_goal")
    new["last_updated"] = now
    if raw.get("always_confirm") is True:
        new["autonomy"] = "ask_all"
    for number, item in enumerate(raw.get("next_steps") or [], 1):
        task = _queued(f"old-step-{number}", item, now)
        new["tasks"][task["id"]] = task
        new["next_steps"].append({"id": task["id"]})
        new["recent"].append(task["id"])
    handled = {*new, "version", "always_confirm", "recent_tasks", "autonomy_level"}
    new["extra"] = {k: v for k, v in raw.items() if k not in handled}
    if raw.get("recent_tasks"):
        new["extra"]["recent_tasks_before_upgrade"] = raw["recent_tasks"]
    if isinstance(raw.get("trust"), dict):
        new["extra"]["trust_before_upgrade"] = raw["trust"]
    return new


def _queued(task_id: str, item: Any, now: str) -> dict[str, Any]:
    """A step of an older queue: `{step, timestamp}`, the bare step, or only words."""
    wrapped = item if isinstance(item, dict) and "step" in item else {"step": item}
    step = wrapped["step"]
    step = dict(step) if isinstance(step, dict) else {"intent": "goal", "goal": str(step)}
    nested = step.pop("params", None)
    intent = str(step.pop("intent", "goal"))
    project = step.pop("project", None)
    params = {**step, **(nested if isinstance(nested, dict) else {})}
    created = str(wrapped.get("timestamp") or now)
    title = str(params.get("goal") or f"{intent.replace('_', ' ')} (from an older queue)")
    return {
        "id": task_id,
        "intent": intent,
        "params": params,
        "status": "queued",
        "title": title,
        "created": created,
        "project": project if isinstance(project, str) else None,
    }


def _entry(name: str, item: Any, now: str) -> dict[str, Any]:
    entry = dict(item) if isinstance(item, dict) else {"note": str(item)}
    if name == "failure_patterns":
        message = str(entry.get("message") or entry.get("error") or entry.get("pattern") or entry.get("note") or "")
        blank = {"intent": "unknown", "kind": "failed", "message": message, "count": 1, "first": now, "last": now}
        return {**blank, **entry, "message": message}
    return {"timestamp": now, **entry}
