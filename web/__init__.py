"""The agent over HTTP. `web.wiring.register` puts the routes on a Flask application; `web.server.serve` serves it."""
