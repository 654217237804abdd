"""The script of the page that verifies a deal, run by Node.js as a browser runs it."""

import json
import subprocess
from collections import Counter
from pathlib import Path

from service.games.cards import TWO_PACKS
from tests.support import reading
from tests.unit.deals.test_verification import DEALS, revealed

MODULE = Path(__file__).parents[2] / "service" / "api" / "templates" / "verify_deal.mjs"
SCRIPT = """
import { derive } from %s;
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync(0));
console.log(JSON.stringify(await Promise.all(given.map((deal) => derive(...deal)))));
"""


def test_the_page_derives_every_deal_as_an_independent_reading_does():
    given = [
        (
            revealed(deal, commitment=None, seed=None, pack=None),
            sorted((Counter(TWO_PACKS) - Counter(deal.variant.pack)).elements()),
        )
        for deal in DEALS
    ]
    node = subprocess.run(
        ["node", "--input-type=module", "-e", SCRIPT % json.dumps(MODULE.as_uri())],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    for deal, found in zip(DEALS, json.loads(node.stdout), strict=True):
        canonical = [*TWO_PACKS]
        for card in reading.GAMES[deal.variant.name].laid_out_first:
            canonical.remove(card)
        assert found == {
            "commitment": deal.commitment,
            "seed": deal.seed.hex(),
            "pack": reading.shuffle(canonical, deal.seed)[0],
        }
