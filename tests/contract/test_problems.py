"""The problems of the service are those of the contract, with the same status and title."""

from service.api.problems import BY_CODE
from tests.contract.examples import examples
from tests.contract.test_wholeness import codes_by_status


def test_the_codes_of_the_service_are_those_of_the_contract():
    promised = {code: status for status, codes in codes_by_status().items() for code in codes}
    assert {code: problem.status for code, problem in BY_CODE.items()} == promised


def test_the_examples_of_problems_have_the_titles_of_the_service():
    for place, _, value in examples():
        if isinstance(value, dict) and "title" in value and value.get("code") in BY_CODE:
            assert value["title"] == BY_CODE[value["code"]].title, place
