"""The steps by which an app is made, tested and started: each is what `/run` takes."""

from typing import Any

from contracts.app_spec import AppSpec, Kind, Language

WITH_PACKAGES = frozenset({Kind.HELLO_API, Kind.API, Kind.WEB_APP, Kind.FULL_STACK, Kind.CLI_TOOL})

Step = dict[str, Any]


def create_steps(project: str, spec: AppSpec, deploy: str, target: str | None) -> tuple[Step, ...]:
    return ({"intent": "create_app", "project": project, "spec": spec.to_json()}, *after(project, spec, deploy, target))


def update_steps(project: str, words: str, spec: AppSpec, deploy: str, target: str | None) -> tuple[Step, ...]:
    first = {"intent": "update_app", "project": project, "change": words, "spec": spec.to_json()}
    return (first, *after(project, spec, deploy, target))


def front_end_steps(project: str, spec: AppSpec, deploy: str, target: str | None) -> tuple[Step, ...]:
    first = {"intent": "create_ui", "project": project, "framework": spec.ui or "html"}
    return (first, *after(project, spec, deploy, target))


def after(project: str, spec: AppSpec, deploy: str, target: str | None) -> tuple[Step, ...]:
    """What follows once the files are written."""
    packages = spec.kind in WITH_PACKAGES and spec.language is Language.PYTHON
    return (
        *([{"intent": "install_dependencies", "project": project}] if packages else []),
        *([{"intent": "build_ui", "project": project}] if spec.ui == "react" else []),
        {"intent": "test_app", "project": project},
        *deploy_steps(project, deploy, target),
    )


def deploy_steps(project: str, deploy: str, target: str | None) -> tuple[Step, ...]:
    if deploy == "no":
        return ()
    return ({"intent": "deploy_app", "project": project, "provider": target or deploy},)
