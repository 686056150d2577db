"""Package managers run with what they need to know, and end in bounded time and size."""

import os
import re
import sys
from pathlib import Path

import pytest

from contracts.errors import TooLarge, Unavailable
from environments.base import Doing
from environments.fetching import Fetch, clean_environment, fetch
from tests.web.live import alive, until

ENVIRON = {
    "PATH": os.environ["PATH"],
    "HOME": "/home/me",
    "PIP_INDEX_URL": "http://index.example/simple",
    "pip_index_url": "not a setting of pip",
    "NPM_CONFIG_REGISTRY": "http://registry.example",
    "NPM_CONFIG_IGNORE_SCRIPTS": "false",
    "SSL_CERT_FILE": "/etc/ssl/certs.pem",
    "https_proxy": "http://proxy.example",
    "OPENAI_API_KEY": "secret",
    "AGENT_TOKEN": "secret",
    "PYTHONPATH": "/tmp",
    "NODE_OPTIONS": "--require=/tmp/evil.js",
    "LD_PRELOAD": "/tmp/evil.so",
}


def command(folder: Path, code: str, *, seconds: float = 30.0, max_bytes: int = 1_000_000, news: str = "(?!)") -> Fetch:
    return Fetch(
        argv=(sys.executable, "-I", "-c", code),
        env=clean_environment(ENVIRON, folder, {}),
        folder=folder,
        max_bytes=max_bytes,
        seconds=seconds,
        news=re.compile(news, re.MULTILINE),
    )


def test_only_settings_of_registries_are_passed_on(tmp_path: Path) -> None:
    passed = clean_environment(ENVIRON, tmp_path, {"npm_config_ignore_scripts": "true"})
    assert set(passed) == {
        *("PATH", "HOME", "LANG", "TMPDIR", "PIP_INDEX_URL", "SSL_CERT_FILE", "https_proxy"),
        *("NPM_CONFIG_REGISTRY", "npm_config_ignore_scripts"),
    }


def test_what_it_says_is_kept_and_news_are_passed_on(tmp_path: Path) -> None:
    heard: list[str] = []
    code = "import time\nfor name in 'ab': print('Collecting', name, flush=True); time.sleep(0.2)"
    said = fetch(command(tmp_path, code, news=r"^Collecting (\w+)"), Doing(say=heard.append))
    assert said.ok
    assert said.text.count("Collecting") == 2
    assert heard == ["Fetching `a`", "Fetching `b`"]


def test_one_that_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    code = "import os, time\npid = os.fork()\nif not pid: open('child', 'w').write(str(os.getpid()))\ntime.sleep(600)"
    for seconds in (1, 5, 25, 60):
        with pytest.raises(Unavailable, match=f"not there after {seconds} seconds"):
            fetch(command(tmp_path, code, seconds=seconds), Doing())
        if (tmp_path / "child").exists():  # a busy machine may need longer to start it
            break
    child = int((tmp_path / "child").read_text())
    until(lambda: not alive(child), "its child to end")


def test_one_that_fetches_too_much_is_ended(tmp_path: Path) -> None:
    code = "import time\nopen('big', 'wb').write(bytes(3_000_000))\ntime.sleep(60)"
    with pytest.raises(TooLarge, match="2 MiB that may be downloaded"):
        fetch(command(tmp_path, code, max_bytes=2 * 1024 * 1024), Doing())
