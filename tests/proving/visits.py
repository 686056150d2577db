"""Apps that run beside the tests, and what visits them."""

import http.server
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from werkzeug.serving import make_server

from proof import AddressVisitor


@contextmanager
def served(app: Callable[..., Iterable[bytes]]) -> Iterator[str]:
    """The app at an address of this machine."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def answering(handler: type[http.server.BaseHTTPRequestHandler]) -> Iterator[AddressVisitor]:
    """Somebody who answers by a handler, and a visitor."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield AddressVisitor(f"http://127.0.0.1:{server.server_address[1]}", seconds=60)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
