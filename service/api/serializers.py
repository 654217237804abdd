"""Answers as JSON: the one place where a game becomes what its player sees."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import orjson
from flask import Response

from service.api.requests import is_known
from service.deals.catalogue import Entry
from service.deals.commitment import Commitment
from service.deals.deal import DailyDeal, Deal, PublicDeal, shuffled_pack
from service.deals.shuffle import SCHEME
from service.games.base import Position, Reveal, Variant, View
from service.games.moves import DEAL, format_move
from service.play.gameplay import PlayedMove
from service.play.referee import Fault, Judgement
from service.records.game import Game
from service.records.hint import Hint
from service.records.replay import FORMAT, Replay
from service.records.results import Result
from service.records.statistics import Statistics
from service.records.timeline import Message

Json = dict[str, Any]

_EPOCH = datetime(1970, 1, 1)


def not_modified(game: Game) -> Response | None:
    """304 if the client has `game` at this version already, else None."""
    return Response(status=304, headers={"ETag": etag(game)}) if is_known(etag(game)) else None


def json_bytes(body: Json) -> bytes:
    """`body` as JSON in UTF-8."""
    return orjson.dumps(body)


def answer(body: Json, status: int = 200, **headers: str) -> Response:
    """An answer with `body` as its JSON; `_` in the names of headers stands for `-`."""
    response = Response(json_bytes(body), status, content_type="application/json")
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = value
    return response


def marked(response: Response, replayed: bool) -> Response:
    """`response`, marked if it repeats an answer that was given before."""
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


def etag(game: Game) -> str:
    """The entity tag of a game: its version, never a digest of what it holds."""
    return f'"v{game.version}"'


def game_json(game: Game, expires_at: int) -> Json:
    """`game` as its player sees it: built from the view, which has no hidden card to show."""
    return {
        "id": game.id,
        "variant": game.variant.name,
        "ruleset": game.variant.ruleset,
        "deal": deal_json(game.deal),
        "version": game.version,
        "ply": game.ply,
        "status": game.status,
        "stuck": _stuck(game),
        "label": game.label,
        "forked_at": game.forked_at,
        "piles": piles_json(game.position.view),
        "legal_moves": [format_move(move) for move in game.legal_moves],
        "can": _can(game),
        "counters": game.counters._asdict(),
        "created_at": time_text(game.created_at),
        "updated_at": time_text(game.updated_at),
        "expires_at": time_text(expires_at),
    }


def legal_moves_json(game: Game) -> Json:
    """What can be played in `game`, and whether anything can."""
    return {
        "version": game.version,
        "legal_moves": [format_move(move) for move in game.legal_moves],
        "can": _can(game),
        "stuck": _stuck(game),
    }


def _can(game: Game) -> Json:
    running = not game.is_over
    return {
        "undo": running and game.ply > 0,
        "redo": running and game.length > game.ply,
        "deal": DEAL in game.legal_moves,
    }


def _stuck(game: Game) -> bool:
    return not game.is_over and game.position.view.stuck


def piles_json(view: View) -> list[Json]:
    """Each pile: a count of what lies face down, and the face-up cards, bottom to top."""
    return [
        {"id": id, "kind": kind, "hidden": hidden, "cards": cards}
        for id, kind, hidden, cards in view.piles
    ]


def deal_json(deal: Deal) -> Json:
    """What may be known of a deal while its game is played."""
    return {
        "id": deal.id,
        "fairness": deal.fairness,
        "number": None if deal.number is None else str(deal.number),
        "commitment": deal.commitment,
    }


def hint_json(hint: Hint | None) -> Json:
    """A hint, in words and as a move."""
    assert hint is not None, "an answer to a hint request has a hint"
    move, why, verdict, undo_steps = hint
    return {
        "move": None if move is None else format_move(move),
        "why": why,
        "verdict": verdict,
        "undo_steps": undo_steps,
    }


def commitment_json(commitment: Commitment) -> Json:
    """What may be known of a commitment while it waits for its game."""
    return {
        "commitment_id": commitment.id,
        "scheme": SCHEME,
        "commitment": commitment.digest,
        "expires_at": time_text(commitment.expires_at),
    }


def deal_reveal_json(deal: Deal) -> Json:
    """Everything to derive a deal again; only for a deal that may be known."""
    return {
        "scheme": SCHEME,
        "variant": deal.variant.name,
        "ruleset": deal.variant.ruleset,
        "fairness": deal.fairness,
        "number": None if deal.number is None else str(deal.number),
        "commitment": deal.commitment,
        "server_seed": None if deal.server_seed is None else deal.server_seed.hex(),
        "player_seed": None if deal.player_seed is None else deal.player_seed.hex(),
        "seed": deal.seed.hex(),
        "pack": shuffled_pack(deal),
    }


def known_deal_json(game: Variant, entry: Entry) -> Json:
    """What is known of a numbered deal."""
    number, verdict, moves, transfers, difficulty = entry
    return {
        "id": PublicDeal(game, number).id,
        "variant": game.name,
        "ruleset": game.ruleset,
        "number": str(number),
        "verdict": verdict,
        "moves": moves,
        "transfers": transfers,
        "difficulty": difficulty,
    }


def daily_deal_json(deal: DailyDeal, closed: bool) -> Json:
    """The deal of a day: its commitment at once, and all the rest when it is closed no more."""
    return {
        "id": deal.id,
        "variant": deal.variant.name,
        "ruleset": deal.variant.ruleset,
        "day": str(deal.day),
        "commitment": deal.commitment,
        "opens_at": time_text(deal.opens_at),
        "reveal": None if closed else deal_reveal_json(deal),
    }


def result_json(result: Result) -> Json:
    """What a game came to."""
    return {
        "game_id": result.game_id,
        "label": result.label,
        "status": "won" if result.won else "resigned",
        "moves": result.moves,
        "seconds": result.milliseconds / 1000,
        "undos": result.undos,
        "hints": result.hints,
        "first_attempt": result.first_attempt,
        "ranked": result.ranked,
        "ended_at": time_text(result.ended_at),
        "replay": f"/v1/games/{result.game_id}/replay",
    }


def figures_json(
    variant: str, label: str | None, deal_id: str | None, groups: Mapping[str, Statistics]
) -> Json:
    """Figures by group, and what they are about."""
    return {
        "variant": variant,
        "label": label,
        "deal": deal_id,
        "figures": {name: _figures(figures) for name, figures in groups.items()},
    }


def _figures(figures: Statistics) -> Json:
    rate, moves, times = figures.win_rate, figures.moves, figures.milliseconds
    return {
        "games": figures.games,
        "wins": figures.wins,
        "win_rate": rate and rate._asdict(),
        "moves": moves and moves._asdict(),
        "seconds": times and {name: value / 1000 for name, value in times._asdict().items()},
    }


def reveals_json(reveals: Iterable[Reveal]) -> list[Json]:
    """Cards that were turned face up, each with its pile."""
    return [{"pile": reveal.pile, "card": reveal.card} for reveal in reveals]


def line_item_json(item: PlayedMove) -> Json:
    """One move of the line of play."""
    return {"ply": item.ply, "move": format_move(item.move), "reveals": reveals_json(item.reveals)}


def message_json(message: Message, expires_at: int | None) -> Json:
    """What a watcher is told; `expires_at` is that of the game, where there is one in it."""
    event, game = message.event, message.game
    return {
        "version": message.version,
        "kind": message.kind,
        "at": time_text(message.at),
        "moves": [format_move(move) for move in event.moves] if event else [],
        "reveals": reveals_json(event.reveals) if event else [],
        "steps": event.steps if event else 0,
        "taken_back": message.taken_back,
        "game": None if game is None or expires_at is None else game_json(game, expires_at),
    }


def replay_json(replay: Replay) -> Json:
    """A replay that claims everything."""
    assert replay.start is not None
    return {
        "format": FORMAT,
        "variant": replay.variant.name,
        "ruleset": replay.ruleset,
        "deal": replay.deal_members,
        "start": piles_json(replay.start),
        "moves": [format_move(move) for move in replay.moves],
        "reveals": [turned._asdict() for turned in replay.reveals or ()],
        "status": replay.status,
    }


def ruling_json(ruling: Judgement) -> Json:
    """What the referee says of a replay."""
    fault = ruling.fault
    return {
        "right": fault is None,
        "derived": ruling.derived,
        "ply": ruling.ply,
        "status": ruling.status,
        "stuck": ruling.stuck,
        "fault": None if fault is None else fault_json(fault),
    }


def fault_json(fault: Fault) -> Json:
    """The first thing that is wrong with a replay."""
    move = None if fault.move is None else format_move(fault.move)
    return {**fault._asdict(), "move": move}


def position_json(position: Position, reveals: Iterable[Reveal]) -> Json:
    """A position of which every card is known, and what is legal in it."""
    view = position.view
    return {
        "variant": position.variant.name,
        "ruleset": position.variant.ruleset,
        "piles": [
            {"id": pile.id, "under": under, "cards": pile.cards}
            for pile, under in zip(view.piles, position.under, strict=True)
        ],
        "reveals": reveals_json(reveals),
        "status": "won" if view.won else "in_progress",
        "stuck": view.stuck,
        "legal_moves": [format_move(move) for move in position.legal_moves()],
    }


def time_text(milliseconds: int) -> str:
    """A time in UTC as RFC 3339 writes it, to the millisecond."""
    time = _EPOCH + timedelta(milliseconds=milliseconds)
    return f"{time.isoformat(timespec='milliseconds')}Z"
