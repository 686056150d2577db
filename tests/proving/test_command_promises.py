"""Checks of tools and pipelines, by commands on tools written by hand that keep their word or break it."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from contracts.app_spec import AppSpec, Kind
from proof import CheckResult, Ran, checks_for, run_check
from proving.check import Grounds
from tests.proving import tiny_pipeline, tiny_tool
from tests.scaffolds.specs import everything, library, spec

HERE = Path(__file__).parent
TASKS = AppSpec.model_validate(tiny_tool.SPEC)
SALES = AppSpec.model_validate(tiny_pipeline.SPEC)
BROKEN_TOOL = {
    "edit forgets": "change-tasks",
    "forgives damage": "damaged",
    "keeps nothing": "keep-tasks",
    "sort reversed": "sort-tasks",
    "takes anything": "required-tasks",
    "ticks nothing": "done-tasks",
    "wrong exit code": "rules-tasks",
}
BROKEN_PIPELINE = {
    "any table": "mistakes",
    "first file only": "figures",
    "smallest first": "groups",
    "unescaped": "report",
    "wrong median": "figures",
}


class FolderTerminal:
    """A tool in a folder of its own, as a person would run it there."""

    def __init__(self, folder: Path, program: Path | None, fault: str) -> None:
        self._folder = folder
        self._fault = fault
        folder.mkdir()
        if program:
            (folder / "main.py").write_bytes(program.read_bytes())
            (folder / "sample").mkdir()
            (folder / "sample" / "one.csv").write_text("region,amount\nNorth,1\n")

    def run(self, argv: Sequence[str], stdin: bytes, files: Mapping[str, bytes]) -> Ran:
        for name, data in files.items():
            (self._folder / name).parent.mkdir(exist_ok=True)
            (self._folder / name).write_bytes(data)
        before = self._files()
        command = [sys.executable, "-I", "-S", "-B", "main.py", *argv]
        env = {"PATH": os.environ["PATH"], "FAULT": self._fault}
        done = subprocess.run(command, cwd=self._folder, input=stdin, env=env, capture_output=True, check=False)
        written = {name: data for name, data in self._files().items() if before.get(name) != data}
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode(), written)

    def _files(self) -> dict[str, bytes]:
        paths = [path for path in self._folder.rglob("*") if path.is_file()]
        return {str(path.relative_to(self._folder)): path.read_bytes() for path in paths}


def tried(one: AppSpec, program: Path | None, folder: Path, fault: str = "", *ids: str) -> list[CheckResult]:
    count = iter(range(1000))
    grounds = Grounds(one, "salt", terminal=lambda _: FolderTerminal(folder / str(next(count)), program, fault))
    return [run_check(check, grounds) for check in checks_for(one) if not ids or check.id in ids]


@pytest.mark.parametrize(
    ("one", "program", "count"), [(TASKS, "tiny_tool.py", 13), (SALES, "tiny_pipeline.py", 7)], ids=["tool", "pipeline"]
)
def test_all_checks_hold_on_a_program_that_keeps_its_word(
    tmp_path: Path, one: AppSpec, program: str, count: int
) -> None:
    results = tried(one, HERE / program, tmp_path)
    assert [(result.id, result.why) for result in results if not result.ok] == []
    assert len(results) == count


@pytest.mark.parametrize(("fault", "found_by"), BROKEN_TOOL.items(), ids=list(BROKEN_TOOL))
def test_each_broken_promise_of_a_tool_is_found(tmp_path: Path, fault: str, found_by: str) -> None:
    (result,) = tried(TASKS, HERE / "tiny_tool.py", tmp_path, fault, found_by)
    assert not result.ok and len(result.why) > 20


@pytest.mark.parametrize(("fault", "found_by"), BROKEN_PIPELINE.items(), ids=list(BROKEN_PIPELINE))
def test_each_broken_promise_of_a_pipeline_is_found(tmp_path: Path, fault: str, found_by: str) -> None:
    (result,) = tried(SALES, HERE / "tiny_pipeline.py", tmp_path, fault, found_by)
    assert not result.ok and len(result.why) > 20


def test_every_fault_of_the_programs_is_tried() -> None:
    for name, broken in (("tiny_tool.py", BROKEN_TOOL), ("tiny_pipeline.py", BROKEN_PIPELINE)):
        assert set(re.findall(r'FAULT [!=]= "([a-z ]+)"', (HERE / name).read_text())) == set(broken)


RICH = [
    spec(Kind.CLI_TOOL, everything()),
    spec(Kind.CLI_TOOL, *library(), storage="sqlite"),
    spec(Kind.PIPELINE, pipeline={"reads": "json", "group_by": "region"}),
]


@pytest.mark.parametrize("one", RICH, ids=["everything", "library", "pipeline"])
@pytest.mark.parametrize("says", [None, "print('{}')", "raise SystemExit(2)"], ids=["nothing", "yes", "no"])
def test_no_check_passes_on_a_program_that_is_not_there_or_does_nothing(
    tmp_path: Path, one: AppSpec, says: str | None
) -> None:
    program = None
    if says:
        program = tmp_path / "hollow.py"
        program.write_text(says)
    results = tried(one, program, tmp_path)
    assert [result.id for result in results if result.ok] == []
    assert len({result.id for result in results}) == len(results)
