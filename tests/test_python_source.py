"""Reading Python source from many threads."""

import ast
import threading

import pytest

import python_source

DEEP = "x = " + "(" * 60 + "1" + ")" * 60 + "\n" + "def f(a):\n    if a:\n        return [i for i in a]\n" * 40


def test_many_threads_read_at_once_while_others_compile() -> None:
    over = threading.Event()
    read: list[ast.Module] = []

    def compile_on() -> None:
        while not over.is_set():
            try:
                compile(DEEP, "<other>", "exec")
            except SystemError:
                continue

    def read_on() -> None:
        read.extend(python_source.parse(DEEP) for _ in range(30))

    others = [threading.Thread(target=compile_on) for _ in range(2)]
    readers = [threading.Thread(target=read_on) for _ in range(4)]
    for thread in (*others, *readers):
        thread.start()
    for thread in readers:
        thread.join()
    over.set()
    for thread in others:
        thread.join()
    assert len(read) == 120


def test_what_is_not_python_is_said_to_be_so() -> None:
    with pytest.raises(SyntaxError):
        python_source.parse("def")
