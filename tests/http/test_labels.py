"""A label is owned by whoever uses its key, which comes with the first game."""

import logging
import re

import pytest

from service.api.services import services_of
from service.errors import LabelKeyWrongError
from service.play.keys import ServerKey
from tests.conftest import TTL
from tests.http.kit import (
    KEY,
    MIDNIGHT,
    TODAY,
    UNKNOWN_ID,
    assert_replayed,
    faults,
    instance_on,
    known,
    nothing_changes,
)

ADA = {"variant": "astrocyte", "label": "ada"}
DAY = 24 * 60 * 60


def create(api, deal=None, **more):
    """The answer to the creation of a game of ada, at a numbered deal or a random one."""
    deal = {"random": True} if deal is None else {"number": str(deal)}
    return api.post("/v1/games", {**ADA, "deal": deal, **more})


@pytest.fixture
def label_key(api, clock):
    """The key of ada, who has played once without it and once with it."""
    key = create(api).json["label_key"]
    assert create(api, label_key=key).status == 201
    return key


def results(api, deal):
    """Who was the owner, and who made the first attempt, at a deal where all resign."""
    listed = api.get(f"/v1/deals/astrocyte-{deal}/results").json["items"]
    return sorted((item["label_owned"], item["first_attempt"]) for item in listed)


def resign(api, answer):
    game, token = answer.json["game"], answer.json["play_token"]
    path = f"/v1/games/{game['id']}/resignation"
    resigned = api.post(path, {"version": 1}, Authorization=f"Bearer {token}")
    assert resigned.json["game"]["label_owned"] == game["label_owned"]


# The key


def test_the_first_game_with_a_label_brings_its_key_and_no_other_does(api, clock):
    first, second, other = create(api), create(api), create(api, label="bob")
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", first.json["label_key"])
    assert first.json["game"]["label_owned"]
    assert (second.json["label_key"], second.json["game"]["label_owned"]) == (None, False)
    assert other.json["label_key"] not in (None, first.json["label_key"])
    assert create(api, label=None).json["label_key"] is None


def test_a_repeated_creation_brings_the_same_key_however_often_it_is_used(api):
    for deal in ({"random": True}, {"number": "7"}):
        body, key = {**ADA, "deal": deal, "label": f"{deal}"}, f"{KEY}{len(str(deal))}"
        first = api.post("/v1/games", body, Idempotency_Key=key)
        assert_replayed(api.post("/v1/games", body, Idempotency_Key=key), first)
        api.begin({**body, "label_key": first.json["label_key"]})
        assert_replayed(api.post("/v1/games", body, Idempotency_Key=key), first)


def test_the_key_is_shown_once_and_neither_stored_nor_logged(api, fake, caplog):
    with caplog.at_level(logging.DEBUG):
        player = api.begin(ADA, Idempotency_Key=KEY)
        key = api.post("/v1/games", ADA, Idempotency_Key=KEY).json["label_key"]
        create(api, label_key=key)
        create(api, label_key="x" * 43)
        answers = [player.play("deal"), player.undo(), player.resign(), create(api, label_key=key)]
        paths = [f"{player.path}/{part}" for part in ("moves", "replay", "events?wait=0", "reveal")]
        answers += [api.get(path) for path in (*paths, player.path, "/v1/stats?label=ada")]
    for answer in answers:
        assert key not in answer.body.decode() + str(answer.headers)
    assert key not in caplog.text
    stored = b"".join(fake.execute_command("DUMP", name) for name in fake.keys("*"))
    assert key.encode() not in stored


@pytest.mark.parametrize("wrong", ["E2smLbE-E6DsvcW4VUja8sWXm6SmRCdq1bqIbJA-TxE", "the play token"])
def test_a_wrong_key_is_refused_and_nothing_is_created(api, fake, label_key, wrong):
    wrong = create(api).json["play_token"] if wrong == "the play token" else wrong
    with nothing_changes(fake):
        for label in ("ada", "nobody's yet"):
            refused = create(api, 7, label=label, label_key=wrong)
            assert known(refused) == (403, "label-key-wrong")
    assert wrong not in refused.body.decode()


@pytest.mark.parametrize(
    "more",
    [
        {"label": None, "label_key": "x" * 43},
        *({"label_key": key} for key in ("", "x" * 42, "x" * 44, "x" * 42 + "\n", "é" * 43, 7)),
    ],
    ids=ascii,
)
def test_what_is_no_key_or_has_no_label_is_an_invalid_request(api, fake, more):
    with nothing_changes(fake):
        assert faults(create(api, **more)) == ["/label_key"]


# What it is for


def test_after_its_first_game_first_attempts_of_a_label_need_its_key(api):
    label_key = create(api).json["label_key"]
    (item,) = api.get("/v1/stats?variant=astrocyte&label=ada").json["items"]
    assert item["label_owned"]
    for more in ({}, {"label_key": label_key}, {"label_key": label_key}, {}):
        resign(api, create(api, 7, **more))
    assert results(api, 7) == [(False, False), (False, False), (True, False), (True, True)]
    (item,) = api.get("/v1/stats?variant=astrocyte&label=ada").json["items"]
    assert item["label_owned"]
    assert (item["figures"]["all"]["begun"], item["figures"]["label_owned"]["begun"]) == (4, 2)


def test_the_daily_deal_ranks_the_owner_alone(api, clock, label_key):
    for more in ({}, {"label_key": label_key}):
        resign(api, api.post("/v1/games", {**ADA, "deal": {"daily": TODAY}, **more}))
    clock.now = MIDNIGHT
    listed = api.get(f"/v1/deals/astrocyte-daily-{TODAY}/results").json["items"]
    assert [(item["label_owned"], item["ranked"]) for item in listed] == [
        (True, True),
        (False, False),
    ]


def test_every_way_to_create_a_game_takes_the_key(api, label_key):
    replay = {"variant": "astrocyte", "deal": {"number": "1"}, "moves": ["t7t2", "t4t3"]}
    id = api.post("/v1/commitments").json["commitment_id"]
    for deal in (
        {"replay": replay, "ply": 1},
        {"commitment_id": id, "player_seed": "0f" * 16},
        {"daily": TODAY},
    ):
        made = api.post("/v1/games", {**ADA, "deal": deal, "label_key": label_key})
        assert (made.json["game"]["label_owned"], made.json["label_key"]) == (True, None)


def test_a_refused_creation_owns_no_label(api, fake):
    id = api.post("/v1/commitments").json["commitment_id"]
    deal = {"commitment_id": id, "player_seed": "0f" * 16}
    api.begin({"variant": "astrocyte", "deal": deal})
    body = {**ADA, "deal": {"number": "7"}}
    api.begin({**body, "label": None}, Idempotency_Key=KEY)
    with nothing_changes(fake):
        assert known(api.post("/v1/games", {**ADA, "deal": deal})) == (409, "commitment-used")
        reused = api.post("/v1/games", body, Idempotency_Key=KEY)
        assert known(reused) == (422, "idempotency-key-reused")
    assert create(api).json["label_key"]


# How long


def test_a_key_that_was_never_used_lapses_with_its_game(api, clock):
    player = api.begin(ADA)
    clock.now += 3600
    assert create(api).json["label_key"] is None
    player.delete()
    again = create(api)
    assert again.json["label_key"]
    assert again.json["game"]["label_owned"]


def test_a_key_that_was_used_outlives_its_games(api, fake, clock, label_key):
    for name in fake.keys("ast:{*"):
        fake.delete(name)
    clock.now += TTL
    assert create(api).json["label_key"] is None
    assert create(api, label_key=label_key).json["game"]["label_owned"]
    assert 89 * DAY < fake.ttl("ast:label/1:{ada}") <= 90 * DAY
    fake.delete("ast:label/1:{ada}")  # as if 90 days had passed
    assert known(create(api, label_key=label_key)) == (403, "label-key-wrong")
    assert create(api).json["label_key"] not in (None, label_key)


def test_a_key_stays_right_when_the_server_key_is_changed(store, label_key):
    api = instance_on(store, ServerKey(b"another server key of 32 bytes !!"), limits={})
    assert create(api, label_key=label_key).json["game"]["label_owned"]


def test_of_two_creations_at_once_one_owns_the_label(app, store, clock):
    """The other reads what the first has claimed, or claims it in vain."""
    labels = services_of(app).creation.labels
    admitted = [labels.admit("ada", None, letter * 26) for letter in "abab"]
    assert admitted == [True, False, True, False]
    with pytest.raises(LabelKeyWrongError):
        labels.admit("ada", "x" * 43, UNKNOWN_ID)


def test_a_claim_whose_game_was_never_created_is_given_up_after_a_while(app, clock):
    labels = services_of(app).creation.labels
    assert labels.admit("ada", None, "a" * 26)
    clock.now += 9
    assert not labels.admit("ada", None, "b" * 26)
    clock.now += 1
    assert labels.admit("ada", None, "c" * 26)
