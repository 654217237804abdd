"""The application has the paths, methods and problems of the contract, and no others."""

import re

from service.api.problems import BY_CODE
from tests.contract.contract import METHODS, document
from tests.contract.examples import examples
from tests.contract.test_wholeness import codes_by_status


def anonymous(path):
    """The path with its placeholders alike, whatever they are called and converted by."""
    return re.sub(r"<[^>]+>|\{[^}]+\}", "{}", path)


def test_the_routes_are_the_paths_of_the_contract(app):
    served = {
        (anonymous(rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    promised = {
        (anonymous(path), method.upper())
        for path, item in document()["paths"].items()
        for method in METHODS
        if method in item
    }
    assert served == promised


def test_the_problems_of_the_service_are_those_of_the_contract():
    promised = {code: status for status, codes in codes_by_status().items() for code in codes}
    assert {code: problem.status for code, problem in BY_CODE.items()} == promised


def test_the_examples_of_problems_have_the_titles_of_the_service():
    for place, _, value in examples():
        if isinstance(value, dict) and "title" in value and value.get("code") in BY_CODE:
            assert value["title"] == BY_CODE[value["code"]].title, place
