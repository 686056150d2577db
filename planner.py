"""Understands what a person asks for and says it back as a plan. Rules only: no model, no network, no files."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from pydantic import ValidationError

from contracts.app_spec import AppSpec, Kind, Language
from contracts.plans import CannotYet, NotUnderstood, Understanding
from understanding.apps import Made, make_app
from understanding.asking import kind_answered, with_answers
from understanding.edits import apart_from_login
from understanding.errands import Errand, called, mentioned, read_errand
from understanding.gate import EXAMPLES, admit
from understanding.names import name_project
from understanding.phrases import unify
from understanding.routes import Route, route
from understanding.saying import describe, what_next
from understanding.spelling import mend
from understanding.steps import Step, create_steps, deploy_steps, front_end_steps, update_steps
from understanding.text import line
from understanding.updates import Changed, change_app
from understanding.wishes import Wishes, read_wishes

Projects = Mapping[str, AppSpec | None]
FRAMEWORKS: dict[str, str] = {
    **dict.fromkeys(("flask", "python", "node", "express"), "api"),
    **dict.fromkeys(("typer", "cli"), "cli"),
    **dict.fromkeys(("html", "static"), "site"),
    **{"react": "full_stack", "csv": "pipeline", "web": "web"},
}
"""What an app is written with, and the kind that is meant unless the words say another."""
EMPTY = {
    "cli": "todos",
    "full_stack": "todos",
    "pipeline": "read csv files and give statistics",
    "site": "a static page that says Hello",
    "web": "a hello world web app",
}
"""What is built where nothing was said at all."""
NODE = frozenset({"node", "express"})

__all__ = ["CannotYet", "NotUnderstood", "change_spec", "plan_tasks", "spec_from"]


def plan_tasks(
    goal: str, *, project: str | None = None, projects: Projects, answers: Mapping[str, str] | None = None
) -> Understanding:
    """`projects` are those that exist, oldest first. Raises NotUnderstood and CannotYet."""
    told = admit(goal)
    answered = answers or {}
    known = {**projects}
    errand = read_errand(told, called(known))
    if errand is not None:
        return _run_errand(goal, told, errand, project, known)
    text, slips = mend(unify(told))
    way = route(text, project if project in known else None, known)
    if way is not Route.CREATE:
        target, assumptions = _existing(told, project, known)
        return _plan_change(goal, told, way, target, known[target], [*slips, *assumptions], answered)
    wishes = read_wishes(mend(unify(admit(with_answers(told, answered))))[0])
    _apply_kind(wishes, kind_answered(answered))
    made = make_app(told, wishes, lambda title: _project_name(project, title, known))
    return _plan_new(goal, made, project, slips, known)


def spec_from(
    description: str,
    *,
    name: str | None = None,
    framework: str | None = None,
    answers: Mapping[str, str] | None = None,
) -> Understanding:
    """What `create_app` makes of a description alone; an empty one is the app that says hello."""
    chosen = (framework or "").strip().lower()
    if chosen and chosen not in FRAMEWORKS:
        raise CannotYet(
            f"Apps with `{line(chosen)[:40]}` cannot be written without a model",
            hint=f"Choose one of {', '.join(FRAMEWORKS)}, or leave it out",
        )
    kind = FRAMEWORKS.get(chosen, "")
    text = description.strip() or EMPTY.get(kind, "a hello world API")
    told, slips = mend(unify(admit(text)))
    answered = {**(answers or {}), **({"kind": kind} if kind else {})}
    wishes = read_wishes(mend(unify(admit(with_answers(text, answered))))[0])
    if not chosen:
        _apply_kind(wishes, kind_answered(answered))
    elif not wishes.hello:
        _apply_kind(wishes, kind, only_if_open=True)
    if chosen in NODE:
        wishes.tech.language = Language.NODE
    if chosen == "react":
        wishes.tech.react = True
        wishes.kinds.add("react")
    wishes.name = wishes.name or line(name or "")
    made = make_app(told, wishes, lambda title: name_project(name or title, ()))
    understanding = _plan_new(description, made, None, slips, {})
    # What the call says already is not asked about.
    open_questions = tuple(question for question in understanding.questions if not (chosen and question.key == "kind"))
    return replace(understanding, steps=(), questions=open_questions)


def change_spec(spec: AppSpec, words: str, *, answers: Mapping[str, str] | None = None) -> Understanding:
    """The spec as it is after a change in words. Raises NotUnderstood and CannotYet."""
    told = admit(words)
    text, slips = mend(unify(told))
    changed = change_app(spec, text, answers=answers)
    return _changed(words, None, spec, changed, slips)


def _project_name(asked: str | None, title: str, known: Projects) -> str:
    """A name that the person chose is kept if it is free to be built in."""
    if asked and known.get(asked) is None:
        return name_project(asked, [name for name in known if name != asked])
    return name_project(title, known)


def _apply_kind(wishes: Wishes, kind: str | None, *, only_if_open: bool = False) -> None:
    explicit = wishes.kinds & {"api", "cli", "full_stack", "frontend", "site", "web", "pipeline"}
    if kind is None or (only_if_open and explicit):
        return
    wishes.kinds = (
        (wishes.kinds - explicit) | {kind} | ({"react"} if kind == "full_stack" and wishes.tech.react else set())
    )


def _plan_new(goal: str, made: Made, asked: str | None, slips: tuple[str, ...], known: Projects) -> Understanding:
    assumptions = (*slips, *made.assumptions)
    if made.spec is None:
        return Understanding(
            goal=goal,
            title="A new app",
            understood="You want an app, and it is not clear yet what it is about.",
            assumptions=assumptions,
            questions=made.questions,
            cannot=tuple(made.cannot),
            deploy=made.deploy,
            target=made.target,
        )
    spec = checked(made.spec)
    project = asked if asked and known.get(asked) is None else spec.name
    return Understanding(
        goal=goal,
        title=spec.title,
        project=project,
        spec=spec,
        understood=f"{describe(spec)} {what_next(made.deploy, made.target)}",
        assumptions=assumptions,
        questions=made.questions,
        cannot=tuple(made.cannot),
        deploy=made.deploy,
        target=made.target,
        steps=create_steps(project, spec, made.deploy, made.target),
    )


def checked(spec: AppSpec) -> AppSpec:
    """The spec with every rule looked at once more; raises NotUnderstood where a person's words fit no app."""
    try:
        return AppSpec.model_validate(apart_from_login(spec).to_json())
    except ValidationError as error:
        told = "; ".join(str(problem["msg"]).removeprefix("Value error, ") for problem in error.errors()[:3])
        raise NotUnderstood(f"That does not fit together: {told}", hint="Say it in other words. " + EXAMPLES) from error


def _existing(told: str, project: str | None, known: Projects) -> tuple[str, list[str]]:
    """The project that is meant, and how that was found out. Raises NotUnderstood if there is none."""
    if project in known and project is not None:
        return project, []
    named = mentioned(told, known)
    if named is not None:
        return named, []
    if not known:
        raise NotUnderstood("There is no project yet that could be changed", hint="Build something first. " + EXAMPLES)
    built = [name for name, spec in known.items() if spec is not None]
    newest = (built or list(known))[-1]
    return newest, [] if len(known) == 1 else [
        f"You did not say which project, so this is about the newest one, `{newest}`"
    ]


def _run_errand(goal: str, told: str, errand: Errand, project: str | None, known: Projects) -> Understanding:
    if errand.unknown:
        raise NotUnderstood(
            f"There is no project called “{errand.unknown}”",
            hint=f"There are: {', '.join(known)}" if known else "Build something first. " + EXAMPLES,
        )
    target, assumptions = _existing(told, project, known)
    step: Step = {"intent": errand.intent, "project": target}
    online = errand.online
    steps: tuple[Step, ...] = (step,)
    if errand.intent == "deploy_app":
        spec = known[target]
        if spec is not None and spec.kind in {Kind.CLI_TOOL, Kind.PIPELINE}:
            raise NotUnderstood(
                f"`{target}` runs on a computer and has nothing to open in a browser, so it cannot be put online",
                hint="Apps with pages, APIs and sites can",
            )
        steps = deploy_steps(target, online.deploy, online.target)
    words = {
        "test_app": f"Test `{target}`.",
        "rollback": f"Take back the last change of `{target}`.",
        "deploy_app": f"Put `{target}` online{f' with {online.target.capitalize()}' if online.target else ''}."
        if online.deploy == "auto"
        else f"Start `{target}` here.",
    }[errand.intent]
    return Understanding(
        goal=goal,
        title=words.rstrip("."),
        project=target,
        spec=known[target],
        understood=words,
        assumptions=tuple(assumptions),
        cannot=(online.cannot,) if online.cannot else (),
        deploy=online.deploy if errand.intent == "deploy_app" else "no",
        target=online.target,
        steps=steps,
    )


def _plan_change(
    goal: str,
    told: str,
    way: Route,
    project: str,
    spec: AppSpec | None,
    notes: Collection[str],
    answers: Mapping[str, str],
) -> Understanding:
    if spec is None:
        raise CannotYet(
            f"`{project}` was not built from a description, so rules cannot change it",
            hint="Projects that were built here can be changed in words. A model could read and change its code",
        )
    changed = change_app(spec, mend(unify(told))[0], answers=answers, front_end=way is Route.FRONT_END)
    understanding = _changed(goal, project, spec, changed, notes)
    new = understanding.spec or spec
    make = (
        front_end_steps(project, new, changed.deploy, changed.target)
        if way is Route.FRONT_END and changed.only_front_end
        else update_steps(project, line(told, longest=500), new, changed.deploy, changed.target)
    )
    return replace(understanding, steps=make)


def _changed(
    goal: str, project: str | None, before: AppSpec, changed: Changed, notes: Collection[str]
) -> Understanding:
    spec = checked(changed.spec)
    return Understanding(
        goal=goal,
        title=f"Change {spec.title}"[:120],
        project=project or spec.name,
        spec=spec,
        before=before,
        understood=f"In “{before.title}”: {changed.in_words()}. {what_next(changed.deploy, changed.target)}",
        assumptions=(*notes, *changed.assumptions),
        questions=changed.questions,
        cannot=tuple(changed.cannot),
        deploy=changed.deploy,
        target=changed.target,
    )
