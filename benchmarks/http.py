"""The service over HTTP: a whole command against git by hand, requests a second, open tabs, start-up and idling.

All that is compared is measured in one run, turn by turn, so that a noisy machine is as noisy for everyone. The
requests come from a second process.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HERE = str(Path(__file__).resolve().parent)
sys.path = [str(ROOT), *(place for place in sys.path if place != HERE)]

if __name__ == "http":
    # A script in this folder wanted the standard library's package of that name.
    del sys.modules["http"]
    import http  # noqa: F401
else:
    from benchmarks.http_run import main

    if __name__ == "__main__":
        sys.exit(main())
