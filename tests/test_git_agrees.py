"""Law: whatever rules a project has for ignoring and converting files, git finds nothing to add after a step."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.files import Draft
from tests.real_project import RealProject

NAMES = ("a", "b", "x", "build", "keep", "keep.log", "q.log", "m.py", "t.txt", "r.bat")
IGNORE_RULES = (
    *("*.log", "!keep.log", "build/", "/a", "a/b", "**/x", "x/**", "!build/keep", "*", "!*/", "!*.py", "/a/*", "!/a/b"),
    *("*/b", "keep", "[ab]", "q*"),
)
ATTRIBUTES = (
    *("text", "-text", "text=auto", "eol=crlf", "eol=lf", "crlf", "-crlf", "binary", "ident", "text=auto eol=crlf"),
    *("filter=none", "working-tree-encoding=UTF-8"),
)
CONTENTS = (
    *(
        b"",
        b"a\n",
        b"a\r\nb\r\n",
        b"a\r\nb\n",
        b"a\rb\r\n",
        b"\0\r\n",
        b"$Id: abc $\r\n",
        b"\xff\xfe\r\n",
        b"x\r\n\x1a",
    ),
    *(b"\x01\x02\x03\x04\r\n", b"no end\r\nx"),
)
attribute_lines = st.builds("{} {}".format, st.sampled_from(("*", "*.txt", "a/*")), st.sampled_from(ATTRIBUTES))
paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)
trees = st.dictionaries(paths, st.sampled_from(CONTENTS), max_size=12)


def possible(tree: dict[str, bytes]) -> dict[str, bytes]:
    """Without files that stand where a folder has to."""
    return {path: data for path, data in tree.items() if not any(other.startswith(f"{path}/") for other in tree)}


@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(
    ignored=st.lists(st.sampled_from(IGNORE_RULES), max_size=4),
    attributes=st.lists(attribute_lines, max_size=2),
    autocrlf=st.sampled_from(("false", "false", "input", "true")),
    steps=st.lists(trees, min_size=1, max_size=2),
)
def test_git_finds_nothing_to_add_after_a_step(
    ignored: list[str], attributes: list[str], autocrlf: str, steps: list[dict[str, bytes]]
) -> None:
    with tempfile.TemporaryDirectory() as root:
        project = RealProject(Path(root))
        project.repo.fingerprint()
        project.git("config", "core.autocrlf", autocrlf)
        project.put_all({".gitignore": "\n".join(ignored).encode(), ".gitattributes": "\n".join(attributes).encode()})
        for tree in steps:

            def replace(draft: Draft, tree: dict[str, bytes] = tree) -> None:
                for path, _ in list(draft.children()):
                    if not path.startswith(".git"):
                        draft.remove(path)
                for path, data in possible(tree).items():
                    draft.write(path, data)

            recorded = project.step(replace)[1]
            assert project.status() == []
            ignores = set(project.git("ls-files", "-oi", "--exclude-standard").splitlines())
            assert {left.path for left in recorded.left_out} <= ignores
            tracked = set(project.git("ls-files").splitlines())
            assert tracked | ignores == {*possible(tree), ".gitignore", ".gitattributes"}
