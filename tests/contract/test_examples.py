"""The examples of the contract are right: as their schemas say, and as the games themselves say."""

import json
from itertools import chain

import pytest

from service.api.serializers import daily_deal_json
from service.deals.deal import PublicDeal, SealedDeal, shuffled_pack, start_position
from service.deals.shuffle import commitment
from service.games import VARIANTS
from service.games.moves import DEAL
from service.play.calendar import Calendar
from service.play.keys import ServerKey
from tests.contract.contract import Contract, document
from tests.contract.examples import example, examples
from tests.support.servers import SERVER_KEY

CONTRACT = Contract.load()
EXAMPLES = examples()
CALENDAR = Calendar(ServerKey(SERVER_KEY.encode()), lambda: 2**41)


@pytest.mark.parametrize("found", EXAMPLES, ids=lambda found: found.place)
def test_an_example_is_as_its_schema_says(found):
    """No field too few, and none that the schema does not name."""
    CONTRACT.check_value(found.place, "example", found.schema, found.value)


def test_there_are_examples_of_every_kind():
    places = [found.place for found in EXAMPLES]
    for kind in ("/parameters/", "/headers/", "/responses/", "/requestBody/", "/schemas/"):
        assert any(kind in place for place in places), kind
    answers = {place.split("/responses/")[0] for place in places if "/get/responses/" in place}
    assert len(answers) > 10


def test_every_answer_in_json_has_an_example():
    without = [
        f"{method} {path} {status}"
        for path, item in document()["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
        for status, answer in operation["responses"].items()
        for media_type, content in answer.get("content", {}).items()
        if media_type.endswith("json") and not {"example", "examples"} & set(content)
    ]
    assert without == []


GAMES = [
    pytest.param(given["value"].get("game", given["value"]), id=name)
    for name, given in document()["components"]["examples"].items()
    if "legal_moves" in given["value"].get("game", given["value"])
]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_the_examples_can_be_reached(game):
    position = next(
        (
            found
            for found in reachable(start_position(deal_of(game)), game["ply"])
            if shows(found, game)
        ),
        None,
    )
    assert position is not None, "no legal moves lead to this table"
    running = game["status"] == "in_progress"
    legal = [str(move) for move in position.legal_moves()] if running else []
    assert game["legal_moves"] == legal
    assert game["stuck"] == position.view.stuck
    assert game["can"]["deal"] == (running and position.why_not(DEAL) is None)
    assert game["can"]["undo"] == (running and game["ply"] > 0)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_the_examples_names_its_deal(game):
    deal = deal_of(game)
    assert game["deal"]["id"] == deal.id
    assert game["deal"]["commitment"] == deal.commitment
    assert game["ruleset"] == deal.variant.ruleset


@pytest.mark.parametrize("name", ["PublicReveal", "SealedReveal"])
def test_a_revealed_deal_of_the_examples_gives_its_pack(name):
    shown = example(name)
    deal = revealed(shown)
    assert shown["seed"] == deal.seed.hex()
    assert shown["pack"] == list(shuffled_pack(deal))
    if shown["fairness"] == "sealed":
        assert shown["commitment"] == commitment(bytes.fromhex(shown["server_seed"]))


DAILY_DEALS = [
    pytest.param(item, id=found.place)
    for found in EXAMPLES
    if isinstance(found.value, dict)
    for item in found.value.get("items", [found.value])
    if isinstance(item, dict) and {"id", "opens_at"} <= set(item)
]


@pytest.mark.parametrize("shown", DAILY_DEALS)
def test_a_daily_deal_of_the_examples_gives_its_commitment_and_its_pack(shown):
    deal = CALENDAR.parse_deal_id(shown["id"])
    served = daily_deal_json(deal, closed=shown["reveal"] is None)
    assert shown == json.loads(json.dumps(served))


def test_the_variant_of_the_examples_is_the_game_that_is_played():
    shown = example("BinaryStarVariant")
    variant = VARIANTS[shown["name"]]
    assert (shown["title"], shown["ruleset"]) == (variant.title, variant.ruleset)
    assert shown["rules"] == variant.rules
    assert shown["actions"] == [str(move) for move in variant.actions]
    assert shown["layout"] == [
        {"kind": group.kind, "label": group.label, "piles": list(group.ids)}
        for group in variant.layout.groups
    ]


def reachable(position, plies):
    """Every position that `plies` legal moves lead to."""
    if plies == 0:
        return iter([position])
    return chain.from_iterable(
        reachable(position.after(move), plies - 1) for move in position.legal_moves()
    )


def shows(position, game):
    return game["piles"] == [
        {"id": pile.id, "kind": pile.kind, "hidden": pile.hidden, "cards": list(pile.cards)}
        for pile in position.view.piles
    ]


def deal_of(game):
    if game["deal"]["number"]:
        return PublicDeal(VARIANTS[game["variant"]], int(game["deal"]["number"]))
    shown = example("SealedReveal")
    assert shown["commitment"] == game["deal"]["commitment"]
    return revealed(shown)


def revealed(shown):
    variant = VARIANTS[shown["variant"]]
    if shown["fairness"] == "public":
        return PublicDeal(variant, int(shown["number"]))
    player_seed = bytes.fromhex(shown["player_seed"])
    return SealedDeal(variant, bytes.fromhex(shown["server_seed"]), player_seed)
