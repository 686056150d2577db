"""What was understood of a person's words, said back before anything is built."""

from dataclasses import dataclass
from typing import Any, Literal

from contracts.app_spec import AppSpec
from contracts.errors import BadInput

MOST_QUESTIONS = 3


class NotUnderstood(BadInput):
    """The words could not be made sense of."""

    code = "not_understood"


class CannotYet(BadInput):
    """The words are clear, and what they ask for cannot be built by rules alone."""

    code = "cannot_without_model"


@dataclass(frozen=True, slots=True)
class Question:
    """Something worth asking; the default is what happens if nobody answers."""

    key: str
    text: str
    default: str
    options: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"key": self.key, "text": self.text, "default": self.default, "options": list(self.options)}


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a person has to see to first, and how."""

    what: str
    remedy: str

    def to_json(self) -> dict[str, Any]:
        return {"what": self.what, "remedy": self.remedy}


@dataclass(frozen=True, slots=True)
class Understanding:
    """Without steps there is nothing to do yet: the questions come first."""

    goal: str
    title: str
    project: str | None = None
    spec: AppSpec | None = None
    before: AppSpec | None = None
    """The app as it is, where it is to be changed."""
    understood: str = ""
    """One plain paragraph, said back to the person."""
    assumptions: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    cannot: tuple[str, ...] = ()
    """What was asked for and is left out, each with what a model would add."""
    deploy: Literal["auto", "local", "no"] = "local"
    target: str | None = None
    """A host that was named, such as `vercel`."""
    steps: tuple[dict[str, Any], ...] = ()
    """Each is what `/run` takes."""

    def __post_init__(self) -> None:
        if len(self.questions) > MOST_QUESTIONS:
            raise ValueError(f"a person is asked {MOST_QUESTIONS} questions at most")

    def to_json(self) -> dict[str, Any]:
        return {
            "goal": self.goal,
            "title": self.title,
            "project": self.project,
            "spec": self.spec.to_json() if self.spec else None,
            "before": self.before.to_json() if self.before else None,
            "understood": self.understood,
            "assumptions": list(self.assumptions),
            "questions": [question.to_json() for question in self.questions],
            "cannot": list(self.cannot),
            "deploy": self.deploy,
            "target": self.target,
            "steps": [dict(step) for step in self.steps],
        }
