"""The rules pages, the tests of the rules and the contract speak of the same rules."""

import ast
import re
from pathlib import Path

import pytest

import service.games
from service.games import VARIANTS
from tests.contract.contract import document

HERE = Path(__file__).parent
GAMES = Path(service.games.__file__).parent


@pytest.mark.parametrize("name", VARIANTS)
def test_every_rule_on_a_page_is_named_by_a_test_and_every_named_rule_is_on_the_page(name):
    game = name.replace("-", "_")
    page = (GAMES / game / "RULES.md").read_text(encoding="utf-8")
    tests = (HERE / f"test_{game}.py").read_text(encoding="utf-8")
    on_the_page = re.findall(r"^- \*\*([A-Z]\d+)\*\* ", page, re.MULTILINE)
    assert on_the_page
    assert set(re.findall(rf"\b{on_the_page[0][0]}\d+\b", tests)) == set(on_the_page)


def test_the_games_give_the_rule_codes_that_the_contract_names():
    calls = [
        node
        for rules in GAMES.glob("*/rules.py")
        for node in ast.walk(ast.parse(rules.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal"
    ]
    named = document()["components"]["schemas"]["Rule"]["enum"]
    assert {call.args[0].value for call in calls} == set(named)
