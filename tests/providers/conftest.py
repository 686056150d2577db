"""The tests that hosts share say in full what differs, as other tests do."""

import pytest

pytest.register_assert_rewrite("tests.providers.contract")
