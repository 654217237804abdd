"""The rules pages and the tests of the rules speak of the same rules, and of all of them."""

import ast
import re
from pathlib import Path

import pytest

import service.games
from service.games import VARIANTS

HERE = Path(__file__).parent
GAMES = {
    page.parent.name: page
    for page in sorted(Path(service.games.__file__).parent.glob("*/RULES.md"))
}
RULE_CODES = [
    "source-empty",
    "not-available",
    "count-invalid",
    "run-not-descending",
    "run-not-one-suit",
    "rank-not-adjacent",
    "rank-not-one-lower",
    "target-occupied",
    "tableau-not-buildable",
    "base-card-fixed",
    "foundation-needs-full-run",
    "foundation-not-empty",
    "cell-to-foundation",
    "stock-empty",
    "deal-blocked-by-empty-column",
    "same-pile",
    "no-such-pile",
]

every_game = pytest.mark.parametrize("game", GAMES)


def numbers_on_the_page(game: str) -> list[str]:
    return re.findall(r"^- \*\*([A-Z]\d+)\*\* ", GAMES[game].read_text(encoding="utf-8"), re.M)


def functions_testing(game: str) -> list[ast.FunctionDef]:
    tree = ast.parse((HERE / f"test_{game}.py").read_text(encoding="utf-8"))
    return [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def numbers_named(test: ast.FunctionDef, letter: str) -> set[str]:
    return set(re.findall(rf"\b{letter}\d+\b", ast.get_docstring(test) or ""))


def test_every_game_of_the_catalogue_has_its_page():
    assert {name.replace("-", "_") for name in VARIANTS} == set(GAMES)


@every_game
def test_every_rule_on_a_page_is_named_by_a_test_and_every_named_rule_is_on_the_page(game):
    on_the_page = numbers_on_the_page(game)
    tested = set().union(
        *(numbers_named(test, on_the_page[0][0]) for test in functions_testing(game))
    )
    assert tested == set(on_the_page)


@every_game
def test_every_test_of_a_game_names_its_rule(game):
    letter = numbers_on_the_page(game)[0][0]
    nameless = [test.name for test in functions_testing(game) if not numbers_named(test, letter)]
    assert nameless == []


def strings_in(*sources: Path) -> set[str]:
    return {
        node.value
        for source in sources
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_rule_code_is_given_by_a_game_and_expected_by_a_test():
    given = strings_in(*(page.with_name("rules.py") for page in GAMES.values()))
    expected = strings_in(*(HERE / f"test_{game}.py" for game in GAMES))
    assert [code for code in RULE_CODES if code not in given] == []
    assert [code for code in RULE_CODES if code not in expected] == []


def test_no_game_gives_a_code_that_is_not_promised():
    calls = [
        node
        for page in GAMES.values()
        for node in ast.walk(ast.parse(page.with_name("rules.py").read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal"
    ]
    assert {call.args[0].value for call in calls} == set(RULE_CODES)
