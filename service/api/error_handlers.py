"""Error handlers: every error that ends a request becomes a problem document (RFC 9457)."""

import logging
from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from service import errors
from service.api.html import page
from service.api.problems import FRAMEWORK, MEDIA_TYPE, PROBLEMS, Problem
from service.api.request_headers import prefers_html
from service.api.responses import json_bytes

_log = logging.getLogger("asterism")


def register(app: Flask) -> None:
    """Handles our own errors, those of the framework, and unexpected ones."""
    app.register_error_handler(errors.AsterismError, _handle_ours)
    app.register_error_handler(HTTPException, _handle_http)
    app.register_error_handler(Exception, _handle_unexpected)


def base_url() -> str:
    """The URL under which clients reach the service, without a trailing slash."""
    public_url: str | None = current_app.config["PUBLIC_URL"]
    return public_url or request.host_url.rstrip("/")


def _handle_ours(error: errors.AsterismError) -> Response:
    problem = next((PROBLEMS[kind] for kind in type(error).mro() if kind in PROBLEMS), None)
    if problem is None:
        return _handle_unexpected(error)
    members = {name: getattr(error, name) for name in problem.members}
    response = _document(problem, str(error), members)
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="asterism"'
    retry_after = getattr(error, "retry_after", problem.retry_after)
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    if problem.status >= 500:
        level = logging.ERROR if retry_after is None else logging.WARNING  # a temporary condition
        _log.log(level, "%s %s: %s", _request_id(), problem.code, error)
    return response


def _handle_http(error: HTTPException) -> Response:
    problem = FRAMEWORK.get(error.code or 500)
    if problem is None:
        problem = FRAMEWORK[400]._replace(status=error.code or 400, title=error.name)
    detail = problem.explanation if problem.code == "not-found" else error.description
    response = _document(problem, detail or problem.explanation)
    for name, value in error.get_headers():
        if name != "Content-Type":
            response.headers[name] = value
    return response


def _handle_unexpected(error: Exception) -> Response:
    """A bug in the service: the log gets the traceback, the client the request id."""
    _log.error("%s internal-error", _request_id(), exc_info=error)
    problem = FRAMEWORK[500]
    return _document(problem, problem.explanation)


def _request_id() -> str:
    """The id of the request, set by `with_standard_headers`."""
    id: str = request.environ["asterism.request_id"]
    return id


def problem_response(
    problem: Problem, detail: str, base_url: str, request_id: str, members: Mapping[str, Any] = {}
) -> Response:
    """A problem document; its `type` is the URL of its page under `base_url`."""
    body = {
        "type": f"{base_url}/problems/{problem.code}",
        "title": problem.title,
        "status": problem.status,
        "detail": detail,
        "code": problem.code,
        "request_id": request_id,
        **members,
    }
    return Response(json_bytes(body), problem.status, content_type=MEDIA_TYPE)


def _document(problem: Problem, detail: str, members: Mapping[str, Any] = {}) -> Response:
    """The problem document for the current request; telemetry finds its code in the environ.

    A browser that looks for a page that is not there gets one, unless it looks in the API.
    """
    request.environ["asterism.problem"] = {"code": problem.code, "rule": members.get("rule")}
    if problem.status == 404 and not request.path.startswith("/v1/") and prefers_html():
        return page("not_found.html", status=404, problem=problem, detail=detail)
    return problem_response(problem, detail, base_url(), _request_id(), members)
