"""Keeps what a person can read of an output, whatever its length."""

import threading

from sandboxes.base import Captured


class Capture:
    """The beginning and the end."""

    def __init__(self, room: int) -> None:
        self._head_room = room * 3 // 4
        self._tail_room = room - self._head_room
        self._head = bytearray()
        self._tail = bytearray()
        self.size = 0

    def feed(self, data: bytes) -> None:
        self.size += len(data)
        take = self._head_room - len(self._head)
        if take > 0:
            self._head += data[:take]
            data = data[take:]
        self._tail += data[-self._tail_room :]
        if len(self._tail) > 2 * self._tail_room:
            del self._tail[: -self._tail_room]

    def captured(self) -> Captured:
        tail = bytes(self._tail[-self._tail_room :])
        cut = self.size - len(self._head) - len(tail)
        if not cut:
            return Captured(_text(bytes(self._head) + tail), self.size)
        return Captured(f"{_text(bytes(self._head))}\n[... {cut} bytes cut ...]\n{_text(tail)}", self.size, cut)


def _text(data: bytes) -> str:
    return data.decode(errors="backslashreplace")


class Ring:
    """The latest output of something that goes on running. Threads may share it."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._data = bytearray()
        self._size = 0
        self._lock = threading.Lock()

    def feed(self, data: bytes) -> None:
        with self._lock:
            self._size += len(data)
            self._data += data[-self._room :]
            if len(self._data) > 2 * self._room:
                del self._data[: -self._room]

    def text(self) -> str:
        """From the first whole line on, if the beginning has been dropped."""
        with self._lock:
            data = bytes(self._data[-self._room :])
            dropped = self._size > self._room
        return _text(data.partition(b"\n")[2] or data if dropped else data)
