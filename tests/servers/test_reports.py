"""What users of other services reported does not happen: all that `tests.reports` tries."""

import sys

import pytest

from tests.clients.tools import run
from tests.support.servers import ROOT


@pytest.mark.slow
def test_every_case_comes_out_as_expected():
    told = run(sys.executable, "-m", "tests.reports", folder=ROOT)
    assert told.count(": pass") == len(told.splitlines()) > 0
