"""The contract hangs together: nothing is missing, nothing is left over, the parts agree."""

import re

from tests.contract.contract import METHODS, document, pointed_at

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
    for name, answer in SPEC["x-elsewhere"].items():
        yield name, {"unknown-path": 404, "unknown-method": 405}[name], pointed_at(SPEC, answer)


def problems_of(status, answer):
    """What the problems that an answer can be add to every problem."""
    if status < 400:
        return []
    schema = answer["content"]["application/problem+json"]["schema"]
    return [
        pointed_at(SPEC, branch)["allOf"][1]["properties"]
        for branch in schema.get("oneOf", [schema])
    ]


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
        if kind != "securitySchemes"
        for name in components
        if f"#/components/{kind}/{name}" not in used
    ]
    assert unused == []


def test_every_answer_names_its_request():
    for where, _, answer in answers():
        assert "Request-Id" in answer["headers"], where


def test_every_refusal_is_a_problem_and_no_success_is():
    for where, status, answer in answers():
        media_types = list(answer.get("content", {}))
        if status >= 400:
            assert media_types == ["application/problem+json"], where
        else:
            assert "application/problem+json" not in media_types, where


def test_a_problem_has_the_status_it_is_answered_with_and_is_described_by_its_code():
    for where, status, answer in answers():
        for own in problems_of(status, answer):
            assert own["status"]["const"] == status, where
            assert f"`{own['code']['const']}`" in answer["description"], where


def test_every_problem_code_is_answered_somewhere_and_listed_once():
    answered = {
        own["code"]["const"]
        for _, status, answer in answers()
        for own in problems_of(status, answer)
    }
    assert sorted(answered) == sorted(SCHEMAS["ProblemCode"]["enum"])


def test_what_needs_the_token_can_be_refused_for_it_and_nothing_else_can():
    for where, _, operation in operations():
        # A read takes the token without needing it in general: `{}` stands for going without.
        refusals = {"401", "403"} & set(operation["responses"])
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


def test_requests_are_closed_and_answers_are_open():
    asked = {
        name
        for name, schema in SCHEMAS.items()
        for part in [schema, *schema.get("oneOf", [])]
        if part.get("additionalProperties") is False
    }
    bodies: set[str] = set()
    further = [operation.get("requestBody", {}) for _, _, operation in operations()]
    while further:
        found = {r.rpartition("/")[2] for r in references(further.pop()) if "/schemas/" in r}
        further += [SCHEMAS[name] for name in found - bodies]
        bodies |= found
    assert asked == {name for name in bodies if {"properties", "oneOf"} & set(SCHEMAS[name])}


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
            assert set(own["properties"]) - {"status", "code"} == set(own.get("required", [])), name


def test_an_enumeration_that_may_grow_says_so():
    settled = {
        ("GameStatus", None),
        ("Result", "status"),
        ("GameOverProblem", "game_status"),
        ("NewGameDeal", "random"),
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
        assert ("requestBody" in link) == ("requestBody" in operation), link
