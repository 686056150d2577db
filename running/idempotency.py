"""Idempotency keys: a command that is sent again with its key is answered, not carried out again."""

import hashlib
import threading
from typing import Any

import orjson

from context_manager import ContextManager
from contracts.errors import Conflict


class Keys:
    """Keys of tasks in memory are known for good; those of requests under way are held here until then."""

    def __init__(self, memory: ContextManager) -> None:
        self._memory = memory
        self._guard = threading.Lock()
        self._claimed: dict[str, tuple[str, str]] = {}

    def claim(self, key: str, task_id: str, command: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
        """The task that the key stands for already, if any; and what to record with a new one.

        Raises Conflict if the key was used for another command.
        """
        digest = hashlib.sha256(orjson.dumps(command, option=orjson.OPT_SORT_KEYS)).hexdigest()
        with self._guard:
            with self._memory.reading() as state:
                stored = state.idempotency.get(key)
            known = (stored["task"], stored["digest"]) if stored else self._claimed.get(key)
            if known is None:
                self._claimed[key] = (task_id, digest)
                return None, {"idempotency_key": key, "digest": digest}
        if known[1] != digest:
            raise Conflict("This Idempotency-Key was used for another command", hint="Use a new key for a new command")
        return known[0], {}

    def is_stored(self, key: str) -> bool:
        with self._memory.reading() as state:
            return key in state.idempotency

    def release(self, key: str) -> None:
        """The command did not become a task; the key may be used again."""
        with self._guard:
            self._claimed.pop(key, None)
