"""What a run is given of a project's packages."""

from dataclasses import replace

from environments.installed import InstalledPackages
from sandboxes.base import Job, Limits
from tests.environments.shop import Shop

FILES = {"requirements.txt": "alpha\nbeta<2\n", "package.json": '{"dependencies": {"left": "^1.0.0"}}'}


def test_a_run_is_given_all_of_a_projects_packages(shop: Shop) -> None:
    shop.install(FILES)
    installed, project = InstalledPackages(shop.environments), shop.project(FILES)
    files = shop.workspace.draft(project)
    mounts, env = installed.mounts(project, files), installed.env(project, files)
    snippet = Job(code="import alpha; alpha.main()", mounts=mounts, env=env)
    assert shop.sandbox.run(snippet).stdout.text == "alpha says 1.0\n"
    line = "python -c 'import alpha' && node -p 'require(\"left\")' && say-alpha && say-left"
    command = Job(argv=("sh", "-c", line), files=files, mounts=mounts, env=env, changes=True)
    links, limits = installed.links(project, files), Limits(address_space=False)
    result = shop.sandbox.run(replace(command, also=links, limits=limits))
    assert result.stdout.text == "left\nalpha says 1.0\nleft says right\n"
    assert (result.files, result.removed, result.left_out) == ({}, (), ())


def test_nothing_is_given_where_nothing_is_installed_or_the_list_is_broken(shop: Shop) -> None:
    installed = InstalledPackages(shop.environments)
    for text in ("not-installed-yet\n", "-e .\n"):
        project = shop.project({"requirements.txt": text})
        files = shop.workspace.draft(project)
        assert not installed.mounts(project, files)
        assert not installed.env(project, files)
        assert not installed.links(project, files)
    assert not installed.mounts("", shop.workspace.draft("", missing_ok=True))
