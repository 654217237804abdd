"""Problems (RFC 9457): the one table from error to status, code and words."""

from collections.abc import Mapping
from typing import NamedTuple

from service import errors

MEDIA_TYPE = "application/problem+json"


class Problem(NamedTuple):
    """One kind of problem.

    `extra` names the members it adds and the attributes they come from, `retry_after` the seconds
    after which the same request may do better, unless the error itself knows them.
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
        "The body is no JSON",
        "The body must be one JSON object in UTF-8: no repeated keys, no NaN or Infinity, numbers "
        "of a sensible length, and no deep nesting. The detail says what was met.",
    ),
    errors.TokenMissingError: Problem(
        "token-missing",
        401,
        "A play token is needed",
        "Whoever has a game's id may watch it, but for games of a daily deal whose day is not "
        "over. To watch one of those, and to play, undo, resign or delete in any, send the play "
        "token that came with the game's creation as `Authorization: Bearer <play token>`.",
    ),
    errors.TokenWrongError: Problem(
        "token-wrong",
        403,
        "The play token is not this game's",
        "Each game has a play token of its own, shown once when the game is created. A lost token "
        "cannot be had again.",
    ),
    errors.GameNotFoundError: Problem(
        "game-not-found",
        404,
        "There is no such game",
        "The id was never given out, or the game has been deleted, or it has expired: an "
        "untouched game is kept until its `expires_at`.",
    ),
    errors.UnknownVariantError: Problem(
        "variant-not-found",
        404,
        "There is no such variant",
        "`GET /v1/variants` lists the variants that can be played.",
    ),
    errors.DealNotFoundError: Problem(
        "deal-not-found",
        404,
        "There is no such deal",
        "The id of a numbered deal is its variant, a hyphen and its number, 1 … 2^64-1; that of a "
        "daily deal is its variant, `-daily-` and a day that has begun, as YYYY-MM-DD. Sealed "
        "deals cannot be looked up: `GET /v1/games/{id}/reveal` tells all of one after its game.",
    ),
    errors.ProblemNotFoundError: Problem(
        "problem-not-found",
        404,
        "There is no such problem",
        "`GET /problems` lists every kind of problem by its code.",
    ),
    errors.IllegalMoveError: Problem(
        "illegal-move",
        409,
        "The rules refuse a move",
        "`move` at place `index` of the batch (from 0) is refused by the rule that `rule` names, "
        "because of `piles`. Nothing of the batch has been played and the version has not "
        "changed. `legal_moves` of the game lists what can be played.",
        {"move": "move", "index": "index", "rule": "rule", "piles": "piles"},
    ),
    errors.VersionConflictError: Problem(
        "version-conflict",
        409,
        "The game has moved on",
        "The request was made for `expected_version` and the game is at `current_version`: "
        "another request came first. Nothing has changed. Read the game again and decide anew.",
        {"expected_version": "expected", "current_version": "current"},
    ),
    errors.GameOverError: Problem(
        "game-over",
        409,
        "The game has ended",
        "A won or resigned game takes no more moves, undos or redos. It can still be read, and "
        "its deal revealed.",
        {"game_status": "status"},
    ),
    errors.GameTooLongError: Problem(
        "game-too-long",
        409,
        "The line of play is too long",
        "A line has `longest` moves at the most, many times what any game needs. Nothing of the "
        "batch has been played. Take moves back that led nowhere, or resign.",
        {"longest": "longest"},
    ),
    errors.NothingToUndoError: Problem(
        "nothing-to-undo",
        409,
        "Not so many moves have been played",
        "`asked` moves were to be taken back and `available` can be. Nothing has changed.",
        {"asked": "asked", "available": "available"},
    ),
    errors.NothingToRedoError: Problem(
        "nothing-to-redo",
        409,
        "Not so many moves have been taken back",
        "`asked` moves were to be played again and `available` can be: a new move after an undo "
        "drops what had been taken back. Nothing has changed.",
        {"asked": "asked", "available": "available"},
    ),
    errors.GameRunningError: Problem(
        "deal-sealed",
        409,
        "The deal is still sealed",
        "A sealed deal is revealed when its game is won or resigned, and not before.",
    ),
    errors.DayNotOverError: Problem(
        "day-not-over",
        409,
        "The day of this deal is not over",
        "Everybody plays the same daily deal, so its cards stay closed until its day has ended in "
        "UTC, also to those who have played it. Come back at `opens_at`.",
        {"opens_at": "opens_at"},
    ),
    errors.NotTodayError: Problem(
        "not-todays-deal",
        409,
        "Only today's deal can be begun",
        "A daily deal can be begun on its own day, in UTC. `GET /v1/deals/daily` tells today's.",
        {"today": "today"},
    ),
    errors.CommitmentUnknownError: Problem(
        "commitment-unknown",
        409,
        "No such commitment waits for its game",
        "The id was never given out, or the commitment has expired: it waits an hour. Nothing has "
        "been created. Take a new one with `POST /v1/commitments`.",
    ),
    errors.CommitmentUsedError: Problem(
        "commitment-used",
        409,
        "The commitment has been used",
        "One game is made of a commitment, and one has been: who might try a second seed could "
        "choose the cards. Nothing has been created. Take a new one with `POST /v1/commitments`.",
    ),
    errors.ReplaySealedError: Problem(
        "replay-sealed",
        409,
        "The replay does not tell its deal",
        "A game can go on from a replay of which every card is known: of a numbered deal, or of "
        "one that has been revealed. Whoever played on from another would look under the cards of "
        "a game that is still being played. Take the replay anew when its game is over.",
    ),
    errors.ReplayWrongError: Problem(
        "replay-wrong",
        409,
        "The replay is not right",
        "`fault` says what is wrong with it first, at `ply`; `move` and `rule` are there where the "
        "rules refuse a move. `POST /v1/referee/verify` says more. No game has been created.",
        {"fault": "fault", "ply": "ply", "move": "move", "rule": "rule"},
    ),
    errors.PositionError: Problem(
        "position-impossible",
        409,
        "No game can reach this position",
        "The detail says why: a pile that the variant has not, cards that are missing or too many, "
        "or an order that no play can bring about. `under` are the cards that lie face down, those "
        "of the stock in the order of dealing.",
    ),
    errors.PreconditionError: Problem(
        "precondition-failed",
        412,
        "If-Match does not match",
        "`If-Match` must name the game as it is now: the ETag of its last answer. Nothing has "
        "changed.",
        {"current_version": "current"},
    ),
    errors.InvalidRequestError: Problem(
        "invalid-request",
        422,
        "The request has the wrong shape",
        "Each entry of `errors` names one fault: `pointer` (RFC 6901) into the body, or the "
        "`parameter` or `header`, and `detail`. Unknown fields and parameters are faults too. "
        "Nothing has changed.",
        {"errors": "errors"},
    ),
    errors.IdempotencyKeyReusedError: Problem(
        "idempotency-key-reused",
        422,
        "The idempotency key was used for another request",
        "An idempotency key stands for one request: same game, same action, same body. Take a new "
        "random key for every new request, and the same key to send a request again.",
    ),
    errors.ForeignCursorError: Problem(
        "foreign-cursor",
        422,
        "The cursor belongs to another list",
        "A `cursor` is the `next` of an earlier page of the same list: of the same game, variant "
        "or deal. Leave it out to begin at the first page.",
    ),
    errors.TooManyRequestsError: Problem(
        "too-many-requests",
        429,
        "More requests than the limit allows",
        "`policy` names the limit of `RateLimit-Policy` that has been used up: `game-moves` and "
        "`game-hints` are counted by play token, all others by address, `flood` by a proxy in "
        "front of the service. Nothing has been looked at, and nothing has changed. Wait for "
        "`Retry-After` seconds. On every answer `RateLimit` tells how many requests are left "
        "(`r`), and in how many seconds all of them are (`t`).",
        {"policy": "policy"},
    ),
    errors.TooManyWatchersError: Problem(
        "too-many-watchers",
        429,
        "There is no room for one more watcher",
        "So many as `limit` says may watch at once in all, from one address, or one game; the "
        "detail says which limit was met. Close streams that you do not need, wait for "
        "`Retry-After` seconds, or read the game instead.",
        {"limit": "limit"},
        retry_after=10,
    ),
    errors.GameUnreadableError: Problem(
        "game-unreadable",
        500,
        "The kept game cannot be read",
        "What the store holds under this id is no game that this release can read. It has been "
        "left as it is; the operator can look at it.",
    ),
    errors.StoreUnavailableError: Problem(
        "store-unavailable",
        503,
        "The store is away",
        "The service cannot reach its store, or cannot write to it. Wait for `Retry-After` "
        "seconds and send the same again: a request that was applied after all is recognised.",
        retry_after=1,
    ),
    errors.TooManySearchesError: Problem(
        "too-many-searches",
        503,
        "Too much is being thought about",
        "Hints, rulings, replays to go on from and single deals that are not in the catalogue take "
        "thought, and so many at once as there are just now have all the time there is for it. "
        "Nothing has changed. Wait for `Retry-After` seconds and send the same again. Everything "
        "else is answered as always.",
        retry_after=1,
    ),
    errors.LeavingError: Problem(
        "leaving",
        503,
        "The instance is about to stop",
        "`/readyz` says so to whoever spreads requests over several instances, before this one "
        "stops; until then it answers all that it is sent.",
        retry_after=2,
    ),
}
"""What each error of ours is over HTTP."""

FRAMEWORK: dict[int, Problem] = {
    400: Problem(
        "bad-request", 400, "The request cannot be understood", "It is no well-formed HTTP request."
    ),
    404: Problem(
        "not-found", 404, "There is nothing here", "`GET /` and the contract name every path."
    ),
    405: Problem(
        "method-not-allowed",
        405,
        "This path has no such method",
        "The `Allow` header lists the methods it has.",
    ),
    406: Problem(
        "not-acceptable",
        406,
        "The answer has no such form",
        "Answers of the API are `application/json` and `application/problem+json`, replays also "
        "`text/plain`, events also `text/event-stream` and `application/x-ndjson`; the `Accept` "
        "header must admit them.",
    ),
    413: Problem(
        "body-too-large", 413, "The body is too large", "A request body is 64 KiB at the most."
    ),
    415: Problem(
        "unsupported-media-type",
        415,
        "The body has the wrong media type",
        "Send `Content-Type: application/json`, in UTF-8 and without a content encoding.",
    ),
    500: Problem(
        "internal-error",
        500,
        "Something went wrong here",
        "The fault is the service's own. Tell the operator the `request_id`.",
    ),
    503: Problem(
        "service-unavailable",
        503,
        "The service is away",
        "Nobody answers behind the proxy: the service is about to start, or has failed. Wait for "
        "`Retry-After` seconds and send the same again: a request that was applied after all is "
        "recognised.",
    ),
}
"""What the framework itself refuses, or a proxy in front of the service (503), by status."""

BY_CODE: dict[str, Problem] = {p.code: p for p in (*PROBLEMS.values(), *FRAMEWORK.values())}
"""Every problem by its code."""
