"""Any sequence of work and meddling can be taken back, and forth again."""

from hypothesis import HealthCheck, settings

from tests.undo_machine import UndoMachine

TestUndo = UndoMachine.TestCase
TestUndo.settings = settings(
    max_examples=40,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
