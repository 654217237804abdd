"""Problem documents (RFC 9457): the table from errors to status, code and title."""

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from service import errors

MEDIA_TYPE = "application/problem+json"


class Problem(NamedTuple):
    """One kind of problem.

    Its documents also have `members`, which are attributes of the error. `retry_after` is in
    seconds; an error with an attribute of that name overrides it.
    """

    status: int
    code: str
    title: str
    members: tuple[str, ...] = ()
    retry_after: int | None = None

    @property
    def explanation(self) -> str:
        """What it means and what to do, as Markdown in one line."""
        return _explanations()[self.code]


@cache
def _explanations() -> dict[str, str]:
    """The sections of PROBLEMS.md, by code."""
    page = (files("service.api") / "PROBLEMS.md").read_text(encoding="utf-8")
    _, *parts = re.split(r"^## (.+)\n", page, flags=re.MULTILINE)
    return {
        code: " ".join(text.split()) for code, text in zip(parts[::2], parts[1::2], strict=True)
    }


PROBLEMS: dict[type[Exception], Problem] = {
    errors.InvalidJsonError: Problem(400, "invalid-json", "Invalid JSON"),
    errors.TokenMissingError: Problem(401, "token-missing", "Play token required"),
    errors.TokenWrongError: Problem(403, "token-wrong", "Wrong play token"),
    errors.LabelKeyWrongError: Problem(403, "label-key-wrong", "Wrong label key"),
    errors.GameNotFoundError: Problem(404, "game-not-found", "Game not found"),
    errors.UnknownVariantError: Problem(404, "variant-not-found", "Variant not found"),
    errors.DealNotFoundError: Problem(404, "deal-not-found", "Deal not found"),
    errors.ProblemNotFoundError: Problem(404, "problem-not-found", "Problem not found"),
    errors.IllegalMoveError: Problem(
        409, "illegal-move", "Illegal move", ("move", "index", "rule", "piles")
    ),
    errors.VersionConflictError: Problem(
        409, "version-conflict", "Version conflict", ("expected_version", "current_version")
    ),
    errors.GameOverError: Problem(409, "game-over", "Game over", ("game_status",)),
    errors.GameTooLongError: Problem(
        409, "game-too-long", "Too many moves in the game", ("longest",)
    ),
    errors.NothingToUndoError: Problem(
        409, "nothing-to-undo", "Not enough moves to undo", ("asked", "available")
    ),
    errors.NothingToRedoError: Problem(
        409, "nothing-to-redo", "Not enough moves to redo", ("asked", "available")
    ),
    errors.GameRunningError: Problem(409, "deal-sealed", "Deal still sealed"),
    errors.DayNotOverError: Problem(409, "day-not-over", "Daily deal not open yet", ("opens_at",)),
    errors.NotTodayError: Problem(409, "not-todays-deal", "Not today's deal", ("today",)),
    errors.CommitmentUnknownError: Problem(409, "commitment-unknown", "Unknown commitment"),
    errors.CommitmentUsedError: Problem(409, "commitment-used", "Commitment already used"),
    errors.ReplaySealedError: Problem(409, "replay-sealed", "Replay of a sealed deal"),
    errors.ReplayWrongError: Problem(
        409, "replay-wrong", "Incorrect replay", ("fault", "ply", "move", "rule")
    ),
    errors.PositionError: Problem(409, "position-impossible", "Impossible position"),
    errors.PreconditionError: Problem(
        412, "precondition-failed", "Precondition failed", ("current_version",)
    ),
    errors.InvalidRequestError: Problem(422, "invalid-request", "Invalid request", ("errors",)),
    errors.IdempotencyKeyReusedError: Problem(
        422, "idempotency-key-reused", "Idempotency key reused"
    ),
    errors.ForeignCursorError: Problem(422, "foreign-cursor", "Cursor of another list"),
    errors.TooManyRequestsError: Problem(
        429, "too-many-requests", "Too many requests", ("policy",)
    ),
    errors.TooManyWatchersError: Problem(
        429, "too-many-watchers", "Too many watchers", ("limit",), retry_after=10
    ),
    errors.GameUnreadableError: Problem(500, "game-unreadable", "Stored game unreadable"),
    errors.StoreUnavailableError: Problem(
        503, "store-unavailable", "Storage unavailable", retry_after=1
    ),
    errors.TooManySearchesError: Problem(
        503, "too-many-searches", "Too many concurrent searches", retry_after=1
    ),
    errors.LeavingError: Problem(503, "leaving", "Instance shutting down", retry_after=2),
}
"""The problem for each of our own errors."""

FRAMEWORK: dict[int, Problem] = {
    400: Problem(400, "bad-request", "Bad request"),
    404: Problem(404, "not-found", "Not found"),
    405: Problem(405, "method-not-allowed", "Method not allowed"),
    406: Problem(406, "not-acceptable", "Not acceptable"),
    413: Problem(413, "body-too-large", "Body too large"),
    415: Problem(415, "unsupported-media-type", "Unsupported media type"),
    500: Problem(500, "internal-error", "Internal server error"),
    503: Problem(503, "service-unavailable", "Service unavailable"),
}
"""The problems for errors of the framework, or of a full worker or a proxy in front (both 503)."""

BY_CODE: dict[str, Problem] = {p.code: p for p in (*PROBLEMS.values(), *FRAMEWORK.values())}
"""Every problem by its code."""
