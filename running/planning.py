"""From words to steps: what was understood, what follows from it, what would be proven, and what is missing."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import count
from typing import Any

import code_generator as generator
from contracts.app_spec import SERVED, AppSpec, Kind, Language
from contracts.errors import Conflict, InvalidParams
from contracts.plans import Need, NotUnderstood, Understanding
from project_files import Workspace

WHOLE = frozenset({"create_app", "update_app", "create_ui"})
"""Actions that write an app; it is done only when it has been proven, so that follows."""
Step = dict[str, Any]
Answers = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Tools:
    """What this machine has, as far as plans have to know."""

    has: Callable[[str], bool]
    """Whether a program is there."""
    checks: Callable[[AppSpec], list[str]]
    """What would be proven of an app, in plain sentences."""
    not_online: Callable[[str], str] = lambda project: ""
    """Why a project that is to be online would run here, in a sentence; empty if it would not."""
    lacking: Callable[[str], Need | None] = lambda host: None
    """What is missing to put something on a host."""


class Planning:
    def __init__(self, workspace: Workspace, tools: Tools) -> None:
        self._workspace = workspace
        self._tools = tools

    def understand(self, goal: Any, project: str | None, answers: Any) -> Understanding:
        """What a person's words ask for. Raises NotUnderstood or CannotYet in plain words."""
        import planner  # noqa: PLC0415  the rules are read when there are words to read

        if not isinstance(goal, str) or not goal.strip():
            raise NotUnderstood("There is nothing to do", hint='Say what you want, such as "Build a todo API"')
        return planner.plan_tasks(goal, project=project, projects=self.known_apps(), answers=_checked_answers(answers))

    def known_apps(self) -> dict[str, AppSpec | None]:
        """Every project, with what it was made from if it was built here."""
        return {name: self._spec_of(name) for name in self._workspace.names()}

    def _spec_of(self, project: str) -> AppSpec | None:
        try:
            record = generator.read_record(self._workspace.draft(project))
        except Conflict:
            return None
        return record.spec if record else None

    def whole(self, step: Step) -> tuple[Understanding, list[Step]]:
        """A call that writes an app, by itself: what it comes to, and all the steps until it is proven.

        `answers` beside its parameters are those to the questions that it raised before.
        """
        answers = _checked_answers(step.get("answers"))
        step = {name: value for name, value in step.items() if name != "answers"}
        if step["intent"] == "create_app":
            return self._new_app(step, answers)
        project = step.get("project") or self._only_project()
        step = {**step, "project": project}
        before = self._spec_of(project) if self._workspace.exists(project) else None
        words = step.get("change")
        if before is not None and isinstance(words, str) and words.strip() and not step.get("spec"):
            import planner  # noqa: PLC0415  as above

            found = planner.change_spec(before, words, answers=answers)
            if found.spec is None:
                return found, []
            changed = {"spec": found.spec.to_json(), "base": generator.digest(before)}
            return replace(found, project=project, before=before), self.unfold([{**step, **changed}])
        steps = self.unfold([step])
        title = f"Change `{project}`" if step["intent"] == "update_app" else f"A front end for `{project}`"
        return Understanding(title, title, project, self._spec_after(step), before, understood=f"{title}."), steps

    def _new_app(self, step: Step, answers: Answers | None) -> tuple[Understanding, list[Step]]:
        given = {name: step.get(name) or "" for name in ("description", "app_name", "framework")}
        if any(not isinstance(value, str) for value in given.values()):
            raise InvalidParams("`description`, `app_name` and `framework` are texts", hint="Put them into quotes")
        if isinstance(step.get("spec"), dict):
            spec = generator.as_spec(step["spec"])
            found = Understanding(spec.summary, spec.title, spec=spec, understood=spec.summary)
        else:
            import planner  # noqa: PLC0415  as above

            framework = given["framework"] if given["framework"] != "auto" else None
            name = given["app_name"] or None
            found = planner.spec_from(given["description"], name=name, framework=framework or None, answers=answers)
        if found.spec is None:
            return found, []
        project = step.get("project") or free_name(found.spec.name, self._workspace.names())
        plain = {name: value for name, value in step.items() if name in {"intent", "deploy"}}
        return found, self.unfold([{**plain, "project": project, "spec": found.spec.to_json()}])

    def _only_project(self) -> str:
        built = [name for name, spec in self.known_apps().items() if spec is not None]
        if len(built) != 1:
            raise InvalidParams("Say which `project` it is about", hint=f"There are {', '.join(built) or 'none yet'}")
        return built[0]

    def unfold(self, steps: list[Any], *, before: Iterable[Any] = (), after: Iterable[Any] = ()) -> list[Any]:
        """The steps, with what proves and shows an app behind each step that writes one, unless it is there already.

        `before` and `after` are the steps around these, which stay as they are.
        """
        around = {_about(other) for other in before}, {_about(other) for other in after}
        flat = [_flattened(step) for step in steps]
        unfolded: list[Any] = []
        for number, step in enumerate(flat):
            intent, project = _about(step)
            done = around[0] | {_about(other) for other in unfolded}
            if intent == "deploy_app" and ("test_app", project) not in done and self._is_built(project):
                unfolded.append({"intent": "test_app", "project": project})
            unfolded.append(step)
            if intent in WHOLE:
                later = around[1] | {_about(other) for other in flat[number + 1 :]}
                unfolded += [one for one in self._following(step) if not _is_planned(one["intent"], project, later)]
        return unfolded

    def _is_built(self, project: Any) -> bool:
        return isinstance(project, str) and self._workspace.exists(project) and self._spec_of(project) is not None

    def _following(self, step: Step) -> Iterator[Step]:
        project, spec = step.get("project"), self._spec_after(step)
        here = {"project": project} if project else {}
        if spec is None or needs_packages(spec):
            yield {"intent": "install_dependencies", **here}
        if spec is not None and spec.ui == "react":
            yield {"intent": "build_ui", **here}
        yield {"intent": "test_app", **here}
        if step.get("deploy") != "no":
            yield {"intent": "deploy_app", **here, "provider": step.get("deploy") or "local"}

    def _spec_after(self, step: Step) -> AppSpec | None:
        """The app that a step leaves, as far as that can be seen before it runs."""
        if isinstance(step.get("spec"), dict):
            return generator.as_spec(step["spec"])
        project = step.get("project")
        spec = self._spec_of(project) if isinstance(project, str) and self._workspace.exists(project) else None
        if spec is not None and step["intent"] == "create_ui":
            return generator.as_spec({**spec.to_json(), "ui": step.get("framework") or "html"})
        return spec

    def steps_of(self, found: Understanding) -> list[Step]:
        """The steps of a plan. Changes say which app they were planned on, so that a later change is not lost."""
        base = {"base": generator.digest(found.before)} if found.before else {}
        steps = [{**step, **base} if step["intent"] == "update_app" else dict(step) for step in found.steps]
        tool = found.spec is not None and found.spec.kind not in SERVED
        if tool and steps and steps[-1]["intent"] == "test_app" and steps[0]["intent"] in WHOLE:
            steps.append({"intent": "deploy_app", "project": steps[-1]["project"]})
        return self.unfold(steps)

    def about(self, found: Understanding) -> dict[str, Any]:
        """What is kept with a plan and shown on its card."""
        spec = found.spec
        open_to_all = found.deploy == "auto" and not found.target and spec is not None and spec.kind in SERVED
        stays = self._tools.not_online(found.project or "") if open_to_all else ""
        return {
            "understood": found.understood,
            "assumptions": [*found.assumptions, *([stays] if stays else [])],
            "questions": [question.to_json() for question in found.questions],
            "cannot": list(found.cannot),
            "checks": self._tools.checks(spec) if spec else [],
            "needs": [asdict(need) for need in self._needs(spec, found.target)] if spec else [],
            **({"target": found.target} if found.target else {}),
        }

    def redirected(self, found: Understanding, target: Any) -> Understanding:
        """The same, put on the host that somebody named beside the words; what must not be online stays here."""
        if not target or found.deploy == "no" or found.spec is None or found.spec.kind not in SERVED:
            return found
        if not isinstance(target, str):
            raise InvalidParams("`target` must be the name of a host", hint="Such as `vercel`")
        from understanding.saying import what_next  # noqa: PLC0415  the rules are read when there are words to read

        before, after = what_next(found.deploy, found.target), what_next("auto", target)
        steps = [{**step, "provider": target} if step["intent"] == "deploy_app" else step for step in found.steps]
        understood = found.understood.replace(before, after)
        return replace(found, deploy="auto", target=target, steps=tuple(steps), understood=understood)

    def _needs(self, spec: AppSpec, target: str | None) -> Iterator[Need]:
        """Everything that the steps will need and that is not here."""
        lacking = self._tools.lacking(target) if target else None
        if lacking is not None:
            yield lacking
        node = spec.language is Language.NODE or spec.ui == "react"
        if node and not self._tools.has("node"):
            yield Need("Node.js is not installed on this machine", "Run `sudo apt-get install -y nodejs npm` once")
        if not self._tools.has("bwrap") and not self._tools.has("podman") and not self._tools.has("docker"):
            yield Need(
                "There is no sandbox, so the app cannot be run or proven",
                "Run `sudo apt-get install -y bubblewrap` once",
            )


def _flattened(step: Any) -> Any:
    """A step with its parameters beside the intent, as most people write it."""
    nested = step.get("params") if isinstance(step, dict) else None
    if not isinstance(nested, dict):
        return step
    return {**{name: value for name, value in step.items() if name != "params"}, **nested}


def _about(step: Any) -> tuple[Any, Any]:
    """The intent and the project of a step, or nothing where it is not one."""
    if not isinstance(step, dict) or not isinstance(step.get("intent"), str):
        return None, None
    project = step.get("project")
    return step["intent"], project if isinstance(project, str) else None


def _is_planned(intent: str, project: Any, later: set[tuple[Any, Any]]) -> bool:
    """Whether a step follows anyway; who has planned the proof has also said whether the app is shown after it."""
    return (intent, project) in later or (intent == "deploy_app" and ("test_app", project) in later)


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, or the first of `name-2`, `name-3` ... that nothing has, whatever its case."""
    known = {other.lower() for other in taken}
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(candidate for candidate in names if candidate not in known)


def needs_packages(spec: AppSpec) -> bool:
    return spec.language is Language.PYTHON and spec.kind is not Kind.SITE


def _checked_answers(answers: Any) -> Answers | None:
    if answers is None:
        return None
    if isinstance(answers, dict) and all(isinstance(k, str) and isinstance(v, str) for k, v in answers.items()):
        return answers
    raise InvalidParams("`answers` must be texts by the key of their question", hint='{"about": "books"}')
