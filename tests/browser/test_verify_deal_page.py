"""The scripts of the page that verifies a deal, run by Node.js as a browser runs them."""

import json
import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from service.api.serializers import replay_json
from service.deals.deal import start_position
from service.games.cards import TWO_PACKS
from service.records.replay import Replay, RevealAt
from service.records.replay_text import print_replay
from tests.support import reading
from tests.unit.deals.test_verification import BROUGHT, DEALS, revealed

TEMPLATES = Path(__file__).parents[2] / "service" / "api" / "templates"
SCRIPT = """
import { derive } from "%(templates)s/verify_deal.mjs";
import { claims, readReplay } from "%(templates)s/verify_claims.mjs";
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync(0));
const found = given.map(async ([reveal, setAside, kept]) => {
  const derived = await derive(reveal, setAside);
  if (!kept) return derived;
  const replay = kept.replay && readReplay(kept.replay);
  return claims(reveal, derived, { ...kept, replay }, setAside);
});
console.log(JSON.stringify(await Promise.all(found)));
"""


def in_node(given):
    """What the scripts find in each of `given`: a reveal, the cards set aside, what was kept."""
    node = subprocess.run(
        ["node", "--input-type=module", "-e", SCRIPT % {"templates": TEMPLATES.as_uri()}],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(node.stdout)


def set_aside(deal):
    return sorted((Counter(TWO_PACKS) - Counter(deal.variant.pack)).elements())


def kept_replay(deal, length=60):
    """What a player keeps of a game with `deal` that is still being played."""
    position = start = start_position(deal)
    choice, moves, reveals = random.Random(deal.id), [], []
    for ply in range(1, length + 1):
        legal = position.legal_moves()
        if not legal:
            break
        moves.append(legal[-1] if ply % 10 == 0 else choice.choice(legal))
        position, turned = position.play(moves[-1])
        reveals += [RevealAt(ply, reveal.pile, reveal.card) for reveal in turned]
    public = deal if deal.number is not None else None
    return Replay(
        deal.variant,
        tuple(moves),
        public,
        deal.commitment,
        start.view,
        tuple(reveals),
        "in_progress",
        deal.variant.ruleset,
    )


def wrong(claims):
    return [words for words, holds in claims if not holds]


def test_the_page_derives_every_deal_as_an_independent_reading_does():
    given = [
        (revealed(deal, commitment=None, seed=None, pack=None), set_aside(deal)) for deal in DEALS
    ]
    for deal, found in zip(DEALS, in_node(given), strict=True):
        canonical = [*TWO_PACKS]
        for card in reading.GAMES[deal.variant.name].laid_out_first:
            canonical.remove(card)
        assert found == {
            "commitment": deal.commitment,
            "seed": deal.seed.hex(),
            "pack": reading.shuffle(canonical, deal.seed)[0],
        }


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("form", [lambda r: json.dumps(replay_json(r)), print_replay])
def test_a_replay_that_was_kept_agrees_with_its_deal(form, ends):
    replays = [kept_replay(deal) for deal in DEALS]
    assert sum(len(replay.reveals) > 8 for replay in replays) > len(DEALS) / 3
    given = [
        (revealed(deal), set_aside(deal), {"replay": form(replay).replace("\n", ends)})
        for deal, replay in zip(DEALS, replays, strict=True)
    ]
    for found in in_node(given):
        assert wrong(found) == []
        assert len(found) >= 4


def changed(replay, **changes):
    return json.dumps({**replay_json(replay), **changes})


def another_card(reveals, index):
    """The same cards turned, but one of them."""
    card = next(face for face in TWO_PACKS if face != reveals[index]["card"])
    return [*reveals[:index], {**reveals[index], "card": card}, *reveals[index + 1 :]]


def test_every_card_of_a_kept_replay_that_the_deal_has_not_is_found():
    deal = next(d for d in DEALS if d.variant.name == "astrocyte" and d.commitment)
    replay = kept_replay(deal)
    told = replay_json(replay)
    last = len(told["reveals"]) - 1
    start = [dict(pile, cards=["AS"]) if pile["id"] == "t3" else pile for pile in told["start"]]
    fewer = [dict(pile, hidden=39) if pile["id"] == "s" else pile for pile in told["start"]]
    altered = {
        "which move": changed(replay, reveals=another_card(told["reveals"], last)),
        "of t3 at the start": changed(replay, start=start),
        "in the stock": changed(replay, start=fewer),
    }
    given = [(revealed(deal), set_aside(deal), {"replay": text}) for text in altered.values()]
    for words, found in zip(altered, in_node(given), strict=True):
        assert len(wrong(found)) == 1
        assert words in wrong(found)[0]


def test_the_replay_of_another_deal_is_called_so():
    numbered, other = DEALS[:2]
    sealed, another = [deal for deal in DEALS if deal.commitment][:2]
    assert numbered.variant is other.variant
    assert sealed.variant is another.variant
    given = [
        (revealed(deal), set_aside(deal), {"replay": json.dumps(replay_json(kept_replay(kept)))})
        for deal, kept in ((numbered, other), (sealed, another))
    ]
    for found in in_node(given):
        assert wrong(found)[0] == "The replay is one of this deal"


def test_the_seed_and_the_commitment_that_were_kept_are_compared():
    deal = next(d for d in DEALS if d.player_seed is not None and d.player_seed.hex() == BROUGHT)
    kept = {"commitment": deal.commitment.upper(), "seed": BROUGHT.upper()}
    others = {"commitment": "0" * 64}, {"seed": "0f" * 16}
    given = [(revealed(deal), set_aside(deal), noted) for noted in (kept, *others)]
    right, commitment, seed = map(wrong, in_node(given))
    assert right == []
    assert commitment == ["It is the commitment you were shown"]
    assert seed == ["It uses the seed you sent"]
