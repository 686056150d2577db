"""Lists everything the agent can do. A new field of actions stands here and nowhere else."""

from functools import partial
from typing import TYPE_CHECKING, Any

from actions.apps import app_actions
from actions.archives import archive_actions
from actions.building import building_actions
from actions.code import CodeRules, code_actions
from actions.deploy import deploy_actions
from actions.files import file_actions
from actions.packages import installed, package_actions
from actions.permissions import permission_actions
from actions.proving import proving_actions
from actions.queue import queue_actions
from actions.undo import undo_actions
from archives import ArchiveLimits
from context_manager import ContextManager
from contracts.actions import Action
from deployment_manager import DeploymentManager
from git_manager import GitManager
from later import Later
from settings import Settings

if TYPE_CHECKING:
    from environments.manager import Environments
    from previews import Previews
    from sandbox_runner import SandboxRunner


def all_actions(
    settings: Settings,
    memory: ContextManager,
    git: GitManager,
    sandbox: "Later[SandboxRunner]",
    previews: "Later[Previews]",
    environments: "Later[Environments]",
    deployments: DeploymentManager,
) -> list[Action[Any]]:
    limits = ArchiveLimits(settings.max_archive_files, settings.max_archive_bytes, settings.max_archive_ratio)
    rules = CodeRules(frozenset(settings.safety_block_operations), frozenset(settings.safety_watch_operations))
    environment_of = partial(installed, environments)
    return [
        *file_actions(max_bytes=settings.max_file_bytes),
        *archive_actions(settings.home / "uploads", limits),
        *code_actions(sandbox, environment_of, rules),
        *package_actions(environments),
        *app_actions(previews, environment_of),
        *building_actions(git, memory.agreed_apps),
        *proving_actions(sandbox, environment_of, memory, git, looks=settings.proof_browser),
        *deploy_actions(deployments, memory),
        *queue_actions(),
        *undo_actions(memory, git),
        *permission_actions(),
    ]
