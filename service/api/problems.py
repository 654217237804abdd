"""Problem documents (RFC 9457): the table from errors to status, code and texts."""

from collections.abc import Mapping
from typing import NamedTuple

from service import errors

MEDIA_TYPE = "application/problem+json"


class Problem(NamedTuple):
    """One kind of problem.

    `extra` maps additional members to the attributes of the error that they come from.
    `retry_after` is in seconds; an error with an attribute of that name overrides it.
    """

    code: str
    status: int
    title: str
    explanation: str
    extra: Mapping[str, str] = {}
    retry_after: int | None = None


PROBLEMS: dict[type[Exception], Problem] = {
    errors.InvalidJsonError: Problem(
        "invalid-json",
        400,
        "Invalid JSON",
        "The body must be one JSON object in UTF-8, without repeated keys, NaN or Infinity, "
        "overlong numbers or deep nesting. The detail says what is wrong.",
    ),
    errors.TokenMissingError: Problem(
        "token-missing",
        401,
        "Play token required",
        "Anyone who knows a game's id can watch it, except for games of a daily deal whose day is"
        " not over. To watch one of those, and to play, undo, resign or delete in any game, send "
        "the play token from the game's creation as `Authorization: Bearer <play token>`.",
    ),
    errors.TokenWrongError: Problem(
        "token-wrong",
        403,
        "Wrong play token",
        "Each game has its own play token, which is shown once, when the game is created. A lost "
        "token cannot be recovered.",
    ),
    errors.GameNotFoundError: Problem(
        "game-not-found",
        404,
        "Game not found",
        "No game has this id: it never existed, was deleted, or has expired. A game is kept until"
        " its `expires_at`, which every accepted request extends.",
    ),
    errors.UnknownVariantError: Problem(
        "variant-not-found",
        404,
        "Variant not found",
        "`GET /v1/variants` lists the available variants.",
    ),
    errors.DealNotFoundError: Problem(
        "deal-not-found",
        404,
        "Deal not found",
        "The id of a numbered deal is its variant, a hyphen and a number from 1 to 2^64-1. The id"
        " of a daily deal is its variant, `-daily-` and a day that has begun, as YYYY-MM-DD. "
        "Sealed deals have no page: `GET /v1/games/{id}/reveal` reveals one after its game.",
    ),
    errors.ProblemNotFoundError: Problem(
        "problem-not-found",
        404,
        "Problem not found",
        "`GET /problems` lists all problems by code.",
    ),
    errors.IllegalMoveError: Problem(
        "illegal-move",
        409,
        "Illegal move",
        "`move`, at `index` of the batch (from 0), violates the rule `rule`, because of `piles`. "
        "No move of the batch has been played, and the version has not changed. `legal_moves` of "
        "the game lists what can be played.",
        {"move": "move", "index": "index", "rule": "rule", "piles": "piles"},
    ),
    errors.VersionConflictError: Problem(
        "version-conflict",
        409,
        "Version conflict",
        "The request was made for `expected_version`, but the game is at `current_version`: "
        "another request came first. Nothing has changed. Read the game and decide again.",
        {"expected_version": "expected", "current_version": "current"},
    ),
    errors.GameOverError: Problem(
        "game-over",
        409,
        "Game over",
        "A won or resigned game accepts no more moves, undos or redos. It can still be read, and "
        "its deal revealed.",
        {"game_status": "status"},
    ),
    errors.GameTooLongError: Problem(
        "game-too-long",
        409,
        "Too many moves in the game",
        "A game has at most `longest` moves, many times what any game needs. No move of the batch"
        " has been played. Undo moves that led nowhere, or resign.",
        {"longest": "longest"},
    ),
    errors.NothingToUndoError: Problem(
        "nothing-to-undo",
        409,
        "Not enough moves to undo",
        "The request was to undo `asked` moves, but only `available` can be undone. Nothing has "
        "changed.",
        {"asked": "asked", "available": "available"},
    ),
    errors.NothingToRedoError: Problem(
        "nothing-to-redo",
        409,
        "Not enough moves to redo",
        "The request was to redo `asked` moves, but only `available` can be redone: a new move "
        "after an undo discards the undone moves. Nothing has changed.",
        {"asked": "asked", "available": "available"},
    ),
    errors.GameRunningError: Problem(
        "deal-sealed",
        409,
        "Deal still sealed",
        "A sealed deal is revealed when its game is won or resigned, not before.",
    ),
    errors.DayNotOverError: Problem(
        "day-not-over",
        409,
        "Daily deal not open yet",
        "Everyone plays the same daily deal, so its cards stay secret until its day is over in "
        "UTC, even from those who have finished it. Try again at `opens_at`.",
        {"opens_at": "opens_at"},
    ),
    errors.NotTodayError: Problem(
        "not-todays-deal",
        409,
        "Not today's deal",
        "A daily deal can only be started on its own day, in UTC. `GET /v1/deals/daily` lists "
        "today's deals.",
        {"today": "today"},
    ),
    errors.CommitmentUnknownError: Problem(
        "commitment-unknown",
        409,
        "Unknown commitment",
        "No commitment has this id, or it has expired: commitments expire after an hour. Nothing "
        "has been created. Create a new one with `POST /v1/commitments`.",
    ),
    errors.CommitmentUsedError: Problem(
        "commitment-used",
        409,
        "Commitment already used",
        "Each commitment is for one game: a player who could try a second seed could choose the "
        "cards. Nothing has been created. Create a new one with `POST /v1/commitments`.",
    ),
    errors.ReplaySealedError: Problem(
        "replay-sealed",
        409,
        "Replay of a sealed deal",
        "A game can only be forked from a replay with all cards known: of a numbered deal, or of "
        "a revealed one. Otherwise a fork would show the hidden cards of a game that is still "
        "being played. Fetch the replay again when its game is over.",
    ),
    errors.ReplayWrongError: Problem(
        "replay-wrong",
        409,
        "Incorrect replay",
        "`fault` is the first error of the replay, at `ply`; `move` and `rule` are set if a move "
        "is illegal. `POST /v1/referee/verify` gives more details. No game has been created.",
        {"fault": "fault", "ply": "ply", "move": "move", "rule": "rule"},
    ),
    errors.PositionError: Problem(
        "position-impossible",
        409,
        "Impossible position",
        "No game can reach this position. The detail says why: an unknown pile, missing or "
        "duplicate cards, or an order that no play produces. `under` are the face-down cards; "
        "those of the stock are in dealing order.",
    ),
    errors.PreconditionError: Problem(
        "precondition-failed",
        412,
        "Precondition failed",
        "`If-Match` must contain the game's current ETag, from its latest response. Nothing has "
        "changed.",
        {"current_version": "current"},
    ),
    errors.InvalidRequestError: Problem(
        "invalid-request",
        422,
        "Invalid request",
        "Each item of `errors` has a `detail` and its place: a `pointer` (RFC 6901) into the "
        "body, a `parameter` or a `header`. Unknown fields and parameters are errors too. Nothing"
        " has changed.",
        {"errors": "errors"},
    ),
    errors.IdempotencyKeyReusedError: Problem(
        "idempotency-key-reused",
        422,
        "Idempotency key reused",
        "An idempotency key identifies one request: same game, same action, same body. Use a new "
        "random key for every new request, and the same key to retry a request.",
    ),
    errors.ForeignCursorError: Problem(
        "foreign-cursor",
        422,
        "Cursor of another list",
        "A `cursor` is the `next` of an earlier page of the same list: same game, variant or "
        "deal. Omit it to start at the first page.",
    ),
    errors.TooManyRequestsError: Problem(
        "too-many-requests",
        429,
        "Too many requests",
        "`policy` names the limit of `RateLimit-Policy` that is exceeded: `game-moves` and "
        "`game-hints` count per play token, `flood` in a proxy in front of the service, all "
        "others per client address. Nothing has changed. Retry after `Retry-After` seconds. Every"
        " response says in `RateLimit` how many requests remain (`r`), and when the quota resets "
        "(`t`, in seconds).",
        {"policy": "policy"},
    ),
    errors.TooManyWatchersError: Problem(
        "too-many-watchers",
        429,
        "Too many watchers",
        "At most `limit` clients can watch at once: in total, from one address, or of one game; "
        "the detail says which. Close unused streams, retry after `Retry-After` seconds, or read "
        "the game instead.",
        {"limit": "limit"},
        retry_after=10,
    ),
    errors.GameUnreadableError: Problem(
        "game-unreadable",
        500,
        "Stored game unreadable",
        "This release cannot read what is stored under this id. It has not been modified; the "
        "operator can inspect it.",
    ),
    errors.StoreUnavailableError: Problem(
        "store-unavailable",
        503,
        "Storage unavailable",
        "The service cannot reach its store, or cannot write to it. Retry the same request after "
        "`Retry-After` seconds: if it was carried out after all, the retry is recognized.",
        retry_after=1,
    ),
    errors.TooManySearchesError: Problem(
        "too-many-searches",
        503,
        "Too many concurrent searches",
        "Hints, referee judgements, forks and deals outside the catalogue need long computations,"
        " and their number at once is limited. Nothing has changed. Retry after `Retry-After` "
        "seconds. All other requests are served as usual.",
        retry_after=1,
    ),
    errors.LeavingError: Problem(
        "leaving",
        503,
        "Instance shutting down",
        "`/readyz` tells load balancers that this instance is about to stop; until then it still "
        "serves all requests.",
        retry_after=2,
    ),
}
"""The problem for each of our own errors."""

FRAMEWORK: dict[int, Problem] = {
    400: Problem("bad-request", 400, "Bad request", "The request is not well-formed HTTP."),
    404: Problem("not-found", 404, "Not found", "`GET /` and the contract list all paths."),
    405: Problem(
        "method-not-allowed",
        405,
        "Method not allowed",
        "The `Allow` header lists the methods of this path.",
    ),
    406: Problem(
        "not-acceptable",
        406,
        "Not acceptable",
        "The API responds with `application/json` and `application/problem+json`, replays also "
        "with `text/plain`, events also with `text/event-stream` and `application/x-ndjson`; the "
        "`Accept` header must admit one of these.",
    ),
    413: Problem("body-too-large", 413, "Body too large", "A request body has at most 64 KiB."),
    415: Problem(
        "unsupported-media-type",
        415,
        "Unsupported media type",
        "Send `Content-Type: application/json`, in UTF-8 and without a content encoding.",
    ),
    500: Problem(
        "internal-error",
        500,
        "Internal server error",
        "This is a bug in the service. Report the `request_id` to the operator.",
    ),
    503: Problem(
        "service-unavailable",
        503,
        "Service unavailable",
        "The service behind the proxy does not respond: it is starting, or has failed. Retry the "
        "same request after `Retry-After` seconds: if it was carried out after all, the retry is "
        "recognized.",
    ),
}
"""The problems for errors of the framework, or of a proxy in front of the service (503)."""

BY_CODE: dict[str, Problem] = {p.code: p for p in (*PROBLEMS.values(), *FRAMEWORK.values())}
"""Every problem by its code."""
