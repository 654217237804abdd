"""gunicorn in a container of its own, with the process that tells events in another.

    gunicorn -c deploy/gunicorn.conf.py

It is set up as `asterism serve` sets its own up; below stands what a container needs besides.
"""

import os

from service.hosting import COMMON
from service.server import playing_options

globals().update(COMMON, **playing_options(os.environ))

wsgi_app = "service.wsgi:app"

# Workers show that they live by touching a file. On a disk that can block them until they are taken
# for dead, and a root that is read-only has no place for it; this one is memory.
worker_tmp_dir = "/dev/shm"  # noqa: S108 - gunicorn makes a file there that has no name
