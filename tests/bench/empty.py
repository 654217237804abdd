"""The smallest Flask application: what every other request is measured against."""

from flask import Flask

app = Flask(__name__)


@app.get("/")
def nothing() -> str:
    """Answers with two bytes."""
    return "ok"
