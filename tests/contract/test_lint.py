"""The contract is a good OpenAPI document, by the word of a program that knows the standard.

What linters and generators say of it, tests/clients tell.
"""

from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.contract.contract import document


def test_the_contract_is_an_openapi_document():
    faults = OpenAPIV31SpecValidator(document()).iter_errors()
    assert [str(fault) for fault in faults] == []
