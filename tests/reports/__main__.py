"""`python -m tests.reports`: tries every case on a checkout, and prints a line for each.

It starts servers of its own on free ports of loopback, and ends them.
"""

import argparse
import resource
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.bench.serving import checkout
from tests.reports import connections, games, operation, wire  # noqa: F401 - they have the cases
from tests.reports.site import CASES, Site
from tests.support.servers import ROOT

AT_ONCE = 4
"""Cases that run side by side: most wait more than they work."""


def main() -> bool:
    """Whether every case came out as expected."""
    parser = argparse.ArgumentParser(prog="python -m tests.reports", description=__doc__)
    parser.add_argument("--checkout", type=checkout, default=ROOT, metavar="DIR")
    parser.add_argument("--only", metavar="N7,N8", help="these cases alone")
    given = parser.parse_args()
    wanted = given.only.split(",") if given.only else {case.id for case in CASES}
    if unknown := set(wanted) - {case.id for case in CASES}:
        parser.error(f"there is no case {', '.join(sorted(unknown))}")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    cases = sorted((c for c in CASES if c.id in wanted), key=lambda case: int(case.id[1:]))
    passed = True
    with Site(given.checkout) as site, ThreadPoolExecutor(AT_ONCE) as runs:
        for line in runs.map(lambda case: case.line(site), cases):
            print(line, flush=True)
            passed = passed and line.endswith(": pass")
    return passed


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
