"""The other side of the HTTP benchmark, in a process of its own: requests as fast as they are answered, and open tabs.

`rate PORT PATH SECONDS CONNECTIONS` prints requests a second; `tabs PORT COUNT` holds event streams until its input
ends, and closes and opens all of them at every line. The token comes in the environment, never on the command line.
"""

import os
import selectors
import socket
import sys
import time

TOKEN = os.environ.get("BENCHMARK_TOKEN", "")


def request(path: str) -> bytes:
    """Everyone may ask for `/health`, and most do so without the token."""
    signed = f"Authorization: Bearer {TOKEN}\r\n" if path != "/health" else ""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{signed}\r\n".encode()


def connected(port: int, asking: bytes) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), 30)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.sendall(asking)
    return made


def rate(port: int, path: str, seconds: float, connections: int) -> float:
    """Every connection sends its next request when the answer to the last one is there."""
    asking = request(path)
    ready = selectors.DefaultSelector()
    for _ in range(connections):
        ready.register(connected(port, asking), selectors.EVENT_READ)
    answered, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        for key, _ in ready.select(0.1):
            connection = key.fileobj
            assert isinstance(connection, socket.socket)
            data = connection.recv(65536)
            if not data or (data.startswith(b"HTTP/1.1 ") and not data.startswith(b"HTTP/1.1 200")):
                raise SystemExit(f"not answered: {data[:200]!r}")
            if data.rstrip().endswith(b"}"):
                answered += 1
                connection.sendall(asking)
    return answered / seconds


def opened(port: int, count: int) -> list[socket.socket]:
    """So many tabs at once; those that are told to come back later do."""
    asking = request("/events")
    waiting = [connected(port, asking) for _ in range(count)]
    tabs: list[socket.socket] = []
    while waiting:
        refused = []
        for tab in waiting:
            if tab.recv(4096).startswith(b"HTTP/1.1 200"):
                tabs.append(tab)
            else:
                tab.close()
                refused.append(tab)
        if refused:
            time.sleep(0.2)
        waiting = [connected(port, asking) for _ in refused]
    return tabs


def hold(port: int, count: int) -> None:
    tabs = opened(port, count)
    print("ready", flush=True)
    for _ in sys.stdin:
        for tab in tabs:
            tab.close()
        tabs = opened(port, count)
        print("ready", flush=True)


def main() -> None:
    match sys.argv[1:]:
        case ["rate", port, path, seconds, connections]:
            print(rate(int(port), path, float(seconds), int(connections)))
        case ["tabs", port, count]:
            hold(int(port), int(count))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
