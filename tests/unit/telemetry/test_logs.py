"""How lines are written: an object or a row of words, and no more of a fault than its place."""

import json
import logging
import os
import re

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.errors import SettingsError
from service.telemetry.logs import FaultHandler, line_renderer, log_faults

FIELDS = {"event": "request", "status": 409, "ms": 1.5, "code": None, "said": 'a "b"\nc=d'}


def test_a_json_line_is_one_object_without_what_there_is_not():
    line = line_renderer("json")(FIELDS)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {k: v for k, v in FIELDS.items() if v is not None}


def test_a_text_line_quotes_what_is_no_plain_word():
    line = line_renderer("text")(FIELDS)
    assert line == b'event=request status=409 ms=1.5 said="a \\"b\\"\\nc=d"\n'


def fault(record, capfd, form="json"):
    FaultHandler(form).emit(record)
    return json.loads(capfd.readouterr().err)


def record_of(error):
    try:
        raise error
    except type(error) as raised:
        info = (type(raised), raised, raised.__traceback__)
    return logging.LogRecord("asterism", logging.ERROR, "", 0, "id %s", ("internal-error",), info)


def test_a_fault_is_told_by_its_place_and_without_what_its_error_says(capfd):
    told = fault(record_of(KeyError("the nine of hearts")), capfd)
    assert told["message"] == "id internal-error"
    assert re.match(r"KeyError < \S+test_logs.py:\d+ record_of", told["trace"])
    assert "hearts" not in json.dumps(told)


def test_a_wrong_setting_is_told_with_its_words(capfd):
    told = fault(record_of(SettingsError("PORT must be a number.")), capfd)
    assert told["trace"].startswith("SettingsError: PORT must be a number. <")


@pytest.fixture
def gunicorn_logger(monkeypatch):
    for logger in map(logging.getLogger, ("gunicorn.error", "asterism")):
        for name in ("handlers", "propagate", "level"):
            monkeypatch.setattr(logger, name, getattr(logger, name))
    gunicorn_logger = Logger(Config())
    log_faults("text")
    return gunicorn_logger


def test_gunicorn_repeats_nothing_of_a_request(gunicorn_logger, capfd):
    gunicorn_logger.warning("Invalid request from ip=::1: Invalid HTTP Header: 'Bearer secret'")
    gunicorn_logger.exception("Error handling request %s %s", "GET", "/?token=secret")
    told = capfd.readouterr().err
    assert "ip=::1" in told
    assert "Error handling request" in told
    assert "secret" not in told


def test_each_line_is_written_in_one_piece(monkeypatch):
    written = []
    monkeypatch.setattr(os, "write", lambda descriptor, line: written.append((descriptor, line)))
    FaultHandler("text").emit(record_of(KeyError("x")))
    [(descriptor, line)] = written
    assert descriptor == 2
    assert line.endswith(b"\n")


def test_lines_that_nobody_takes_disturb_nobody(monkeypatch):
    def gone(descriptor, line):
        raise BrokenPipeError

    monkeypatch.setattr("service.telemetry.logs.os.write", gone)
    FaultHandler("text").emit(record_of(KeyError("x")))
