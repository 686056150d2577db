"""One sandbox, one registry and one store for all tests of environments."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.store import remove
from sandboxes.bubblewrap import Bubblewrap
from tests.environments.made_packages import Registries, make_source, make_wheel, serve
from tests.environments.shop import Shop


@pytest.fixture(scope="session")
def place() -> Iterator[Path]:
    """Not below pytest's own folder, which other users may not enter."""
    folder = Path(tempfile.mkdtemp(prefix="environment-tests-"))
    folder.chmod(0o711)
    yield folder
    remove(folder)


@pytest.fixture(scope="session")
def sandbox(place: Path) -> Iterator[Bubblewrap]:
    made = Bubblewrap(place / "sandbox", pool_size=0)
    state = made.available()
    if not state.ok:
        pytest.skip(f"bubblewrap: {state.words}")
    yield made
    made.close()


@pytest.fixture(scope="session")
def published() -> Iterator[Registries]:
    found = Registries()
    with serve(found):
        for made in python_packages():
            found.publish(made)
        found.publish_node("left", dependencies={"right": "^1.0.0"}, bin={"say-left": "cli.js"}, files={"cli.js": CLI})
        found.publish_node("right", scripts={"postinstall": "touch $INSTALL_SCRIPT_RAN; touch ran"})
        found.publish_node("roundabout", dependencies={"far": "git+ssh://git@127.0.0.1/far.git"})
        found.publish_node("detour", dependencies={"tar": f"{found.url}/right/-/right-1.0.0.tgz"})
        yield found


CLI = "#!/usr/bin/env node\nconsole.log('left says', require('right'))\n"


def python_packages() -> Iterator[tuple[str, bytes]]:
    command = "[console_scripts]\nsay-alpha = alpha:main\n"
    alpha = {"alpha/__init__.py": "import beta\ndef main():\n    print('alpha says', beta.VERSION)\n"}
    yield make_wheel("alpha", files=alpha, needs=("beta>=1", 'gamma; extra == "more"'), entry_points=command)
    for version in ("1.0", "2.0"):
        yield make_wheel("beta", version)
    yield make_wheel("gamma", needs=('delta; python_version == "3.99"', "beta"))
    yield make_wheel("delta")
    yield make_wheel("old", needs=("beta<2",))
    yield make_wheel("new", needs=("beta>=2",))
    yield make_wheel("large", bomb=3)
    yield make_source("legacy", [])
    yield make_wheel("setuptools", files={"setuptools.py": ""})
    yield make_wheel("wheel", files={"wheel.py": ""})


@pytest.fixture(scope="session")
def shop(place: Path, sandbox: Bubblewrap, published: Registries) -> Shop:
    return Shop(place / "shop", sandbox, published)


@pytest.fixture
def own_shop(shop: Shop, place: Path, request: pytest.FixtureRequest) -> Shop:
    """A store of the test's own, for tests that count or remove what is in it: it holds only the agent's pytest."""
    own = Shop(place / request.node.name, shop.sandbox, shop.published)
    plain = shop.environment_for({})
    assert plain
    layer = plain.mounts[-1]
    shutil.copytree(layer, own.root / "environments" / "ready" / layer.name)
    return own
