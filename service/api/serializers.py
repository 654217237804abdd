"""Serializers: every value of a response as JSON, and a game as its player sees it."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from service.api.responses import Json
from service.deals.catalogue import Entry
from service.deals.commitment import Commitment
from service.deals.deal import DailyDeal, Deal, PublicDeal, shuffled_pack
from service.deals.shuffle import SCHEME
from service.games.base import Position, Reveal, Variant, View
from service.games.moves import DEAL, format_move
from service.play.gameplay import PlayedMove
from service.play.referee import Judgement
from service.records.game import Game
from service.records.leaderboards import Place
from service.records.replay import FORMAT, Replay
from service.records.results import Result
from service.records.statistics import Statistics
from service.records.timeline import Message

_EPOCH = datetime(1970, 1, 1)


def game_json(game: Game, expires_at: int) -> Json:
    """`game` as its player sees it: made from the view, which contains no hidden card."""
    return {
        "id": game.id,
        "variant": game.variant.name,
        "ruleset": game.variant.ruleset,
        "deal": deal_json(game.deal),
        "version": game.version,
        "ply": game.ply,
        "status": game.status,
        "stuck": game.is_stuck,
        "label": game.label,
        "label_owned": game.label_owned,
        "forked_at": game.forked_at,
        "piles": piles_json(game.position.view),
        "legal_moves": [format_move(move) for move in game.legal_moves],
        "can": _can(game),
        "counters": game.counters._asdict(),
        "created_at": rfc3339(game.created_at),
        "updated_at": rfc3339(game.updated_at),
        "expires_at": rfc3339(expires_at),
    }


def legal_moves_json(game: Game) -> Json:
    """The legal moves of `game`, and what else can be done in it."""
    return {
        "version": game.version,
        "legal_moves": [format_move(move) for move in game.legal_moves],
        "can": _can(game),
        "stuck": game.is_stuck,
    }


def _can(game: Game) -> Json:
    running = not game.is_over
    return {
        "undo": running and game.ply > 0,
        "redo": running and game.length > game.ply,
        "deal": DEAL in game.legal_moves,
    }


def piles_json(view: View) -> list[Json]:
    """Each pile: the number of its face-down cards, and its face-up cards, bottom to top."""
    layout = view.variant.layout
    piles = zip(layout.ids, layout.kinds, view.face_down, view.cards, strict=True)
    return [
        {"id": id, "kind": kind, "hidden": hidden, "cards": cards}
        for id, kind, hidden, cards in piles
    ]


def deal_json(deal: Deal) -> Json:
    """What is public about a deal while its game is played."""
    return {
        "id": deal.id,
        "fairness": deal.fairness,
        "number": None if deal.number is None else str(deal.number),
        "commitment": deal.commitment,
    }


def hint_json(game: Game, *, whole_line: bool) -> Json:
    """The hint that `game` was given: a move or undo steps, the reason in words, and the line."""
    hint = game.receipt.outcome.hint
    assert hint is not None, "the response to a hint request contains a hint"
    return {
        "move": None if hint.move is None else format_move(hint.move),
        "why": hint.why,
        "verdict": hint.verdict,
        "undo_steps": hint.undo_steps,
        "line": [format_move(move) for move in game.plan] if whole_line else None,
    }


def commitment_json(commitment: Commitment) -> Json:
    """What is public about a commitment before its game is created."""
    return {
        "commitment_id": commitment.id,
        "scheme": SCHEME,
        "commitment": commitment.digest,
        "expires_at": rfc3339(commitment.expires_at),
    }


def deal_reveal_json(deal: Deal) -> Json:
    """Everything needed to reproduce a deal; only for a deal that is no longer secret."""
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
    """A numbered deal: solvability and difficulty."""
    return {
        **entry._asdict(),
        "id": PublicDeal(game, entry.number).id,
        "variant": game.name,
        "ruleset": game.ruleset,
        "number": str(entry.number),
    }


def daily_deal_json(deal: DailyDeal, closed: bool) -> Json:
    """A daily deal: its commitment always, its reveal once it is no longer `closed`."""
    return {
        "id": deal.id,
        "variant": deal.variant.name,
        "ruleset": deal.variant.ruleset,
        "day": str(deal.day),
        "commitment": deal.commitment,
        "opens_at": rfc3339(deal.opens_at),
        "reveal": None if closed else deal_reveal_json(deal),
    }


def result_json(result: Result, now: int) -> Json:
    """The result of a finished game, with its replay if it is there at the time `now`."""
    return {
        "game_id": result.game_id,
        "label": result.label,
        "label_owned": result.label_owned,
        "status": result.status,
        "moves": result.moves,
        "seconds": result.milliseconds / 1000,
        "undos": result.undos,
        "hints": result.hints,
        "first_attempt": result.first_attempt,
        "ranked": result.ranked,
        "ended_at": rfc3339(result.updated_at),
        "replay": None if result.is_gone(now) else f"/v1/games/{result.game_id}/replay",
    }


def place_json(place: Place) -> Json:
    """A place on a leaderboard: its rank, and what the label has achieved."""
    row = place.row
    return {"rank": place.rank, **row._asdict(), "win_rate": row.win_rate._asdict()}


def statistics_json(
    variant: str,
    label: str | None,
    label_owned: bool | None,
    deal_id: str | None,
    groups: Mapping[str, Statistics],
) -> Json:
    """Statistics by group of games, and the variant, label or deal that they cover."""
    return {
        "variant": variant,
        "label": label,
        "label_owned": label_owned,
        "deal": deal_id,
        "figures": {name: _statistics(group) for name, group in groups.items()},
    }


def _statistics(group: Statistics) -> Json:
    rate, moves, times = group.win_rate, group.moves, group.milliseconds
    return {
        "begun": group.begun,
        **group.outcomes,
        "win_rate": rate and rate._asdict(),
        "moves": moves and moves._asdict(),
        "seconds": times and {name: value / 1000 for name, value in times._asdict().items()},
    }


def reveals_json(reveals: Iterable[Reveal]) -> list[Json]:
    """Cards turned face up, each with its pile."""
    return [{"pile": reveal.pile, "card": reveal.card} for reveal in reveals]


def line_item_json(item: PlayedMove) -> Json:
    """One move of the line of play."""
    return {"ply": item.ply, "move": format_move(item.move), "reveals": reveals_json(item.reveals)}


def message_json(message: Message, expires_at: int | None) -> Json:
    """An event as watchers receive it; `expires_at` is that of the game, if it contains one."""
    event, game = message.event, message.game
    return {
        "version": message.version,
        "kind": message.kind,
        "at": rfc3339(message.at),
        "moves": [format_move(move) for move in event.moves] if event else [],
        "reveals": reveals_json(event.reveals) if event else [],
        "steps": event.steps if event else 0,
        "taken_back": message.taken_back,
        "game": None if game is None or expires_at is None else game_json(game, expires_at),
    }


def replay_json(replay: Replay) -> Json:
    """A replay with all its optional members."""
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


def judgement_json(judgement: Judgement) -> Json:
    """The referee's judgement of a replay."""
    fault = judgement.fault
    return {
        **judgement._asdict(),
        "right": fault is None,
        "fault": fault and {**fault._asdict(), "move": fault.move and format_move(fault.move)},
    }


def position_json(position: Position, reveals: Iterable[Reveal]) -> Json:
    """A position with all its cards, the cards turned on the way, and its legal moves."""
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


def rfc3339(milliseconds: int) -> str:
    """Milliseconds since 1970 as a UTC time in RFC 3339, to the millisecond."""
    time = _EPOCH + timedelta(milliseconds=milliseconds)
    return f"{time.isoformat(timespec='milliseconds')}Z"
