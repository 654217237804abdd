"""The contract hangs together: nothing is missing, nothing is left over, the parts agree."""

import re
from collections import defaultdict

from tests.contract.contract import METHODS, document, elsewhere, pointed_at

SPEC = document()
SCHEMAS = SPEC["components"]["schemas"]


def operations():
    for path, item in SPEC["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{method.upper()} {path}", item, item[method]


def answers():
    for where, _, operation in operations():
        for status, answer in operation["responses"].items():
            yield f"{where} {status}", int(status), pointed_at(SPEC, answer)
    for status, answer in elsewhere(SPEC).items():
        yield f"elsewhere {status}", int(status), pointed_at(SPEC, answer)


def problems_of(status, answer):
    """What the problems that an answer can be add to every problem."""
    if status < 400:
        return []
    schema = pointed_at(SPEC, answer["content"]["application/problem+json"]["schema"])
    return [
        pointed_at(SPEC, branch)["allOf"][1]["properties"]
        for branch in schema.get("oneOf", [schema])
    ]


def codes_by_status():
    """Which codes the problems of each status have."""
    found = defaultdict(set)
    for _, status, answer in answers():
        found[status] |= {own["code"]["const"] for own in problems_of(status, answer)}
    return found


def references(node):
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        yield from (found for below in node.values() for found in references(below))
    elif isinstance(node, list):
        yield from (found for below in node for found in references(below))


def test_every_component_is_used():
    used = set(references(SPEC))
    unused = [
        f"#/components/{kind}/{name}"
        for kind, components in SPEC["components"].items()
        if kind not in ("securitySchemes", "pathItems")
        for name in components
        if f"#/components/{kind}/{name}" not in used
    ]
    assert unused == []


def test_every_answer_names_its_request():
    for where, _, answer in answers():
        assert "Request-Id" in answer["headers"], where


def test_every_refusal_is_a_problem_and_no_success_is():
    """A page that is not there can also be told as a page."""
    for where, status, answer in answers():
        media_types = list(answer.get("content", {}))
        if status >= 400:
            also = ["text/html"] if status == 404 and "/v1/" not in where else []
            assert media_types in (
                ["application/problem+json"],
                ["application/problem+json", *also],
            )
        else:
            assert "application/problem+json" not in media_types, where


def test_an_answer_describes_each_problem_by_its_code():
    for where, status, answer in answers():
        for own in problems_of(status, answer):
            assert f"`{own['code']['const']}`" in answer["description"], where


def test_every_problem_code_is_answered_with_one_status_and_listed_once():
    answered = [code for codes in codes_by_status().values() for code in codes]
    assert sorted(answered) == sorted(SCHEMAS["ProblemCode"]["enum"])


def test_what_needs_the_token_can_be_refused_for_it_and_nothing_else_can():
    for where, _, operation in operations():
        # A read takes the token without needing it in general: `{}` stands for going without.
        refusals = {"401", "403"} & set(operation["responses"])
        if where == "POST /v1/games":
            refusals -= {"403"}  # for a label key
        assert refusals == ({"401", "403"} if operation["security"] else set()), where


def test_a_body_can_be_refused_for_what_bodies_are_refused_for():
    for where, _, operation in operations():
        refusals = {"400", "413", "415"} & set(operation["responses"])
        assert refusals == ({"400", "413", "415"} if "requestBody" in operation else set()), where


def test_a_post_takes_an_idempotency_key_and_a_condition_can_fail():
    for where, item, operation in operations():
        names = {
            pointed_at(SPEC, parameter)["name"]
            for parameter in [*item.get("parameters", []), *operation.get("parameters", [])]
        }
        assert "Request-Id" in names, where
        assert ("Idempotency-Key" in names) == where.startswith("POST "), where
        assert ("If-Match" in names) == ("412" in operation["responses"]), where
        if "If-None-Match" in names:
            assert "304" in operation["responses"], where
        for name in re.findall(r"\{([^}]+)\}", where):
            assert name in names, where


def test_a_console_sends_no_optional_parameter_of_its_own_accord():
    """It fills in examples and defaults: all its users would send the same key or version."""
    for where, item, operation in operations():
        for given in [*item.get("parameters", []), *operation.get("parameters", [])]:
            parameter = pointed_at(SPEC, given)
            if not parameter.get("required"):
                schema = pointed_at(SPEC, parameter["schema"])
                offered = {"example", "examples", "default"} & (parameter | schema).keys()
                assert not offered, f"{where}: {parameter['name']}"


def test_generators_find_a_name_for_everything():
    """Of an object, an enumeration or a union that has none they make one, as InlineObject7."""

    def visit(schema, where):
        assert not {"properties", "enum", "title"} & schema.keys(), where
        named = [branch for branch in schema.get("oneOf", []) if branch != {"type": "null"}]
        assert len(named) < 2, where
        visit_parts(schema, where)

    def visit_parts(schema, where):
        for name, field in schema.get("properties", {}).items():
            visit(field, f"{where}/{name}")
        if "items" in schema:
            visit(schema["items"], f"{where}/items")

    for name, schema in SCHEMAS.items():
        for part in [schema, *schema.get("allOf", [])]:
            visit_parts(part, name)
    for where, item, operation in operations():
        for parameter in [*item.get("parameters", []), *operation.get("parameters", [])]:
            visit(pointed_at(SPEC, parameter)["schema"], where)
        for content in operation.get("requestBody", {}).get("content", {}).values():
            visit(content["schema"], where)
    for where, _, answer in answers():
        for content in answer.get("content", {}).values():
            visit(content.get("schema", {}), where)


def test_a_field_without_a_value_has_no_default():
    """Generated types require a field that has one."""
    for name, schema in SCHEMAS.items():
        for field, said in schema.get("properties", {}).items():
            assert "default" not in pointed_at(SPEC, said), f"{name}/{field}"


def test_requests_are_closed_and_answers_are_open():
    asked = {
        name
        for name, schema in SCHEMAS.items()
        if schema.get("additionalProperties") in (False, {"not": {}})
    }
    bodies: set[str] = set()
    further = [operation.get("requestBody", {}) for _, _, operation in operations()]
    while further:
        found = {r.rpartition("/")[2] for r in references(further.pop()) if "/schemas/" in r}
        further += [SCHEMAS[name] for name in found - bodies]
        bodies |= found
    assert asked == {name for name in bodies if "properties" in SCHEMAS[name]}


def test_every_field_of_an_answer_is_required():
    requests = {"NewGame", "CommitmentRequest", "UndoRequest", "RedoRequest", "HintRequest"}
    requests |= {"ReplayRequest", "PositionRequest"}

    def visit(schema, name):
        fields = schema.get("properties", {})
        if name.split("/")[0] not in requests and "allOf" not in name:
            assert set(schema.get("required", [])) == set(fields), name
        for field, below in fields.items():
            visit(below, f"{name}/{field}")
        for keyword in ("oneOf", "allOf"):
            for index, below in enumerate(schema.get(keyword, [])):
                visit(below, f"{name}/{keyword}/{index}")

    for name, schema in SCHEMAS.items():
        visit(schema, name)


def test_a_problem_requires_each_member_it_adds():
    for name, schema in SCHEMAS.items():
        if name.endswith("Problem") and "allOf" in schema:
            own = schema["allOf"][1]
            assert set(own["properties"]) == set(own["required"]), name


def test_an_enumeration_that_may_grow_says_so():
    settled = {
        ("GameStatus", None),
        ("Ending", None),
        ("Verdict", None),
    }

    def visit(schema, name, field):
        if "enum" in schema and (name, field) not in settled:
            assert "More may be added" in schema["description"], (name, field)
        for below_field, below in schema.get("properties", {}).items():
            visit(below, name, below_field)
        for keyword in ("oneOf", "allOf"):
            for below in schema.get(keyword, []):
                visit(below, name, field)

    for name, schema in SCHEMAS.items():
        visit(schema, name, None)


def test_a_link_leads_to_an_operation_and_sets_what_that_needs():
    known = {operation["operationId"]: (item, operation) for _, item, operation in operations()}
    links = [
        pointed_at(SPEC, link)
        for _, _, answer in answers()
        for link in answer.get("links", {}).values()
    ]
    assert links
    for link in links:
        item, operation = known[link["operationId"]]
        given = set(link.get("parameters", {}))
        for shared in item["parameters"]:
            parameter = pointed_at(SPEC, shared)
            if parameter["in"] == "path":
                assert given & {parameter["name"], f"path.{parameter['name']}"}, link
        needed = operation["security"] and {} not in operation["security"]
        assert ("header.Authorization" in given) == bool(needed), link
