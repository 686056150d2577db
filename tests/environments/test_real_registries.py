"""The same against the registries of this machine, where they can be reached."""

import json
import os

import pytest

from contracts.errors import Unavailable
from environments.base import Downloaded
from sandboxes.bubblewrap import Bubblewrap
from tests.environments.shop import Shop

TRIES = 3
"""A line to a registry may be cut once without anything being wrong here."""


def download(shop: Shop, sandbox: Bubblewrap, files: dict[str, str]) -> tuple[Shop, Downloaded]:
    real = Shop(shop.root, sandbox, shop.published, environ=os.environ)
    for tries in range(TRIES, 0, -1):
        try:
            return real, real.download(files)
        except Unavailable as error:
            if tries == 1:
                pytest.skip(f"registry: {error.message}")
    raise AssertionError


@pytest.mark.registry
def test_a_package_of_the_python_index(shop: Shop, sandbox: Bubblewrap) -> None:
    real, downloaded = download(shop, sandbox, {"requirements.txt": "itsdangerous==2.2.0\n"})
    [package] = downloaded.packages
    assert (package.name, package.version, package.licence) == ("itsdangerous", "2.2.0", "BSD License")
    environment = real.environments.build(downloaded)
    assert real.python(environment, "import itsdangerous; print(itsdangerous.Signer('k').sign('v').decode())")


@pytest.mark.registry
def test_a_package_of_the_npm_registry(shop: Shop, sandbox: Bubblewrap) -> None:
    files = {"package.json": json.dumps({"dependencies": {"is-number": "7.0.0"}})}
    real, downloaded = download(shop, sandbox, files)
    [package] = downloaded.packages
    assert (package.name, package.version, package.licence) == ("is-number", "7.0.0", "MIT")
    environment = real.environments.build(downloaded)
    assert real.run(environment, "node", "-p", "require('is-number')(5)").stdout.text == "true\n"
