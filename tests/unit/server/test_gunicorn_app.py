"""A worker can hold the connections that it is configured for."""

import subprocess
import sys

import pytest

_RAISED = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from service.server.gunicorn_app import raise_file_limit
raise_file_limit()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(
    ("soft", "hard", "raised"), [(256, 512, 512), (512, 512, 512), (1024, 20_000, 8192 + 256)]
)
def test_the_limit_of_open_files_is_raised_to_what_a_worker_can_use(soft, hard, raised):
    code = _RAISED.format(soft=soft, hard=hard)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(ran.stdout) == raised
