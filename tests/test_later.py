"""A part is built once, by whoever needs it first."""

import threading

from later import Later


def test_it_is_built_once_however_many_ask_at_once() -> None:
    built: list[object] = []

    def build() -> object:
        built.append(object())
        return built[-1]

    part = Later(build)
    assert part.if_built() is None
    got: list[object] = []
    threads = [threading.Thread(target=lambda: got.append(part())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 1 and set(map(id, got)) == {id(built[0])} and part.if_built() is built[0]
