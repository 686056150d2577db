"""What the service is compared with: one JSON route of plain Flask on the very same server."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from web.server import Address, Service, serve


def load(address: Address) -> Service:
    import flask  # noqa: PLC0415 - in the worker, like the service

    app = flask.Flask("bare")

    @app.get("/health")
    def health() -> flask.Response:
        return flask.jsonify(success=True, message="ok")

    return Service(app, stop=lambda: None)


if __name__ == "__main__":
    sys.exit(serve(load, host="127.0.0.1", port=int(sys.argv[1]), max_streams=256))
