"""The WSGI application for a gunicorn of your own, configured by the environment.

gunicorn -k service.server.worker.Worker service.wsgi:app
"""

from service.config import read_settings
from service.server.application import build_application

app = build_application(read_settings())
