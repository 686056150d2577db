"""Carries connections from a listening socket of the service to a port of the sandbox's own loopback."""

import asyncio
import contextlib
import socket
from asyncio import StreamReader, StreamWriter

PATIENCE = 128
"""Connections that may wait to be taken."""


async def pump(source: StreamReader, target: StreamWriter) -> None:
    """Copies until the source ends, then tells the target so."""
    while data := await source.read(65_536):
        target.write(data)
        await target.drain()
    if target.can_write_eof():
        target.write_eof()


async def carry(outer_in: StreamReader, outer_out: StreamWriter, port: int) -> None:
    """One connection, both ways. A program that does not listen yet looks like a closed connection."""
    writers = [outer_out]
    try:
        inner_in, inner_out = await asyncio.open_connection("127.0.0.1", port)
        writers.append(inner_out)
        await asyncio.gather(pump(outer_in, inner_out), pump(inner_in, outer_out))
    except OSError:
        pass
    finally:
        for writer in writers:
            writer.close()
        for writer in writers:
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def serve(listener: int, port: int) -> None:
    running: set[asyncio.Task[None]] = set()  # the loop itself would let a task that waits be collected

    def accepted(reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.ensure_future(carry(reader, writer, port))
        running.add(task)
        task.add_done_callback(running.discard)

    sock = socket.socket(fileno=listener)
    server = await asyncio.start_unix_server(accepted, sock=sock, backlog=PATIENCE)
    await server.serve_forever()


def relay(listener: int, port: int) -> None:
    asyncio.run(serve(listener, port))
