"""The sandbox that installs and runs packages, and which Python and Node it has."""

import threading
from collections.abc import Callable

from contracts.errors import Unavailable
from environments.python_target import PROBE, Target, parse_target
from sandboxes.base import Job, JobResult, Limits, OnOutput, Sandbox, Tick

NODE_PROBE = "const v = process.versions; console.log([v.modules, process.platform, process.arch].join(' '))"


class Machine:
    """Asks each sandbox once. Threads may share it."""

    def __init__(self, choose: Callable[[], Sandbox]) -> None:
        self._choose = choose
        self._lock = threading.Lock()
        self._pythons: dict[str, Target] = {}
        self._nodes: dict[str, str] = {}

    def run(self, job: Job, *, on_output: OnOutput | None = None, tick: Tick | None = None) -> JobResult:
        return self._choose().run(job, on_output=on_output, tick=tick)

    def python(self) -> Target:
        """Raises Unavailable if the sandbox's Python does not answer."""
        sandbox = self._choose()
        with self._lock:
            if sandbox.name not in self._pythons:
                result = sandbox.run(Job(code=PROBE))
                self._pythons[sandbox.name] = parse_target(result.stdout.text if result.ok else "")
            return self._pythons[sandbox.name]

    def node(self) -> str:
        """Its Node, as far as packages depend on it. Raises Unavailable if there is none."""
        libc = "-".join(self.python().libc)
        sandbox = self._choose()
        with self._lock:
            if sandbox.name not in self._nodes:
                result = sandbox.run(Job(argv=("node", "-e", NODE_PROBE), limits=Limits(address_space=False)))
                if not result.ok:
                    raise Unavailable(
                        "there is no Node.js that the sandbox could use",
                        hint="Install it with `sudo apt install nodejs npm`",
                    )
                self._nodes[sandbox.name] = f"{result.stdout.text.strip()} {libc}"
            return self._nodes[sandbox.name]
