"""What happens, as it happens: Server-Sent Events, resumable."""

import flask
from pydantic import Field

from web.deps import Deps
from web.feed import Line
from web.models import TaskId
from web.routes import Input, Route

STREAM = "text/event-stream"


class EventQuery(Input):
    after: int | None = Field(None, ge=0, description="Number of the last event that was seen.")
    task_id: TaskId | None = Field(None, description="Only events of this task.")


class EventHeaders(Input):
    last_event_id: int | None = Field(
        None, alias="Last-Event-ID", ge=0, description="Number of the last event that was seen; wins over `after`."
    )


def events(deps: Deps, query: EventQuery, headers: EventHeaders) -> flask.Response:
    """Follow what happens: one event for everything that is done, with a sign of life at least every two seconds.

    Each has an `id` to go on from, its type as `event`, and its JSON as `data`.
    """
    after = query.after if headers.last_event_id is None else headers.last_event_id
    task_id = query.task_id

    def wanted(line: Line) -> bool:
        return task_id is None or line.task_id == task_id

    # Nobody would read, and so nobody would close, the stream of a HEAD request.
    stream = deps.feed.stream(after, wanted) if flask.request.method == "GET" else ()
    return flask.Response(stream, content_type=STREAM, headers={"X-Accel-Buffering": "no"})


ROUTES = (Route("GET", "/events", events, {}, media=(STREAM,)),)
