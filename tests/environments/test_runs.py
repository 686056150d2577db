"""What a run is given of a project's packages, whichever way it runs."""

from dataclasses import replace

from sandboxes.base import Job, Limits
from tests.environments.shop import Shop

FILES = {"requirements.txt": "alpha\nbeta<2\n", "package.json": '{"dependencies": {"left": "^1.0.0"}}'}


def test_snippets_and_commands_find_all_of_a_projects_packages(shop: Shop) -> None:
    shop.install(FILES)
    files = shop.workspace.draft(shop.project(FILES))
    environment = shop.environments.environment_for(files)
    assert environment
    snippet = Job(code="import alpha; alpha.main()", mounts=environment.mounts, env=environment.env)
    assert shop.sandbox.run(snippet).stdout.text == "alpha says 1.0\n"
    line = "python -c 'import alpha' && node -p 'require(\"left\")' && say-alpha && say-left"
    command = replace(snippet, code=None, argv=("sh", "-c", line), files=files, also=environment.links, changes=True)
    result = shop.sandbox.run(replace(command, limits=Limits(address_space=False)))
    assert result.stdout.text == "left\nalpha says 1.0\nleft says right\n"
    assert (result.files, result.removed, result.left_out) == ({}, (), ())
