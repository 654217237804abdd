"""The application serves the paths and methods of the contract, all of them and no others."""

import re

from tests.contract.contract import METHODS, document


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


def anonymous(path):
    """The path with its placeholders alike, whatever they are called and converted by."""
    return re.sub(r"<[^>]+>|\{[^}]+\}", "{}", path)
