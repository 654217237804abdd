"""The contract as a judge: whether an answer is one that openapi.yaml promises.

It knows no transport. Whoever has sent a request, through a test client or over a socket, hands
the answer to `Contract.check`, which raises AssertionError, in words, where the two differ.

It is stricter than a client should be: a field that the file does not name is refused. A service
that tells more than it has promised may be telling a secret.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import yaml
from jsonschema_rs import Draft202012Validator

from tests.contract import conventions
from tests.contract.conventions import Headers, fail, require

FILE = Path(__file__).parents[2] / "openapi.yaml"
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
PROBLEM = "application/problem+json"

# libyaml is ten times as fast, where it is to be had.
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MOST_ERRORS = 5
_LONGEST_ERROR = 300

Json = Any
Schema = Json


class Documented(NamedTuple):
    """An answer that the file documents: an operation and one of its statuses."""

    operation: str
    status: int


class _Operation(NamedTuple):
    name: str
    where: str
    answers: Mapping[int, Json]


class _Path(NamedTuple):
    pattern: re.Pattern[str]
    operations: Mapping[str, _Operation]


@cache
def document(file: Path = FILE) -> Json:
    """What openapi.yaml says, references as they stand."""
    return yaml.load(file.read_text(encoding="utf-8"), Loader=_Loader)


def pointed_at(spec: Json, node: Json) -> Json:
    """`node`, or what it refers to."""
    while "$ref" in node:
        steps = node["$ref"].removeprefix("#/").split("/")
        node = spec
        for step in steps:
            node = node[step.replace("~1", "/").replace("~0", "~")]
    return node


def elsewhere(spec: Json) -> Json:
    """The answers of paths and methods that the document does not have, by their status."""
    return spec["components"]["pathItems"]["Elsewhere"]["get"]["responses"]


class Contract:
    """The answers of one contract document, and which of them have been seen."""

    def __init__(self, spec: Json) -> None:
        self._spec = spec
        self._components = _components(spec)
        self._validators: dict[int, tuple[Schema, Draft202012Validator]] = {}
        self._paths = [_Path(_pattern(path), self._operations(path)) for path in spec["paths"]]
        self.documented = [
            Documented(operation.name, status)
            for path in self._paths
            for operation in path.operations.values()
            for status in operation.answers
        ]
        """Every answer that the document names, in its order."""
        self.seen: set[Documented] = set()
        """Those of them that a check has met."""

    @classmethod
    def load(cls, file: Path = FILE) -> "Contract":
        """The contract in `file`."""
        return cls(document(file))

    @property
    def unseen(self) -> list[Documented]:
        """The documented answers that no check has met yet."""
        return [answer for answer in self.documented if answer not in self.seen]

    def report(self) -> str:
        """How much of the contract has been seen, and what has not, in lines."""
        everything, unseen = len(self.documented), self.unseen
        lines = [f"seen {everything - len(unseen)} of {everything} documented answers"]
        for name in dict.fromkeys(answer.operation for answer in unseen):
            statuses = (str(answer.status) for answer in unseen if answer.operation == name)
            lines.append(f"  not seen: {name} {' '.join(statuses)}")
        return "\n".join(lines)

    def check(self, method: str, path: str, status: int, headers: Headers, body: bytes) -> None:
        """Raises AssertionError, saying why, unless this answer is as documented.

        `path` is the path that was requested, with or without a query. `body` is the body as it
        was received, without any transfer or content encoding.
        """
        where = f"{method.upper()} {path} -> {status}"
        given = conventions.by_lower_name(headers)
        operations, verb = self._operations_at(conventions.bare_path(path)), method.lower()
        conventions.check_origins(where, given)
        conventions.check_handling(where, given)
        if operations is None:
            require(status == HTTPStatus.NOT_FOUND, where, "the document has no such path: 404")
            self._check_elsewhere(where, status, given, body)
        elif verb == "options":
            conventions.check_preflight(where, status, given, body)
        elif verb in operations:
            self._check_answer(operations[verb], where, status, given, body)
        elif verb == "head" and "get" in operations:
            require(not body, where, "an answer to HEAD has no body")
            self._check_headers(where, _answer(operations["get"], where, status), given)
        else:
            expected = status == HTTPStatus.METHOD_NOT_ALLOWED
            require(expected, where, "the path has no such method: 405")
            self._check_elsewhere(where, status, given, body)
            conventions.check_allow(where, operations, given["allow"])

    def check_value(self, where: str, what: str, schema: Schema, value: Json) -> None:
        """Raises AssertionError unless `value` is as `schema`, a part of the document, says."""
        errors = list(self._validator(schema).iter_errors(value))
        if errors:
            found = "".join(f"\n  {_described(error)}" for error in errors[:_MOST_ERRORS])
            fail(where, f"the {what} is not as documented:{found}")

    def _check_answer(
        self, operation: _Operation, where: str, status: int, headers: dict[str, str], body: bytes
    ) -> None:
        answer = _answer(operation, where, status)
        self._check_headers(where, answer, headers)
        parsed = self._check_body(where, answer, status, headers, body)
        conventions.check_game(where, parsed, headers)
        self.seen.add(Documented(operation.name, status))

    def _check_elsewhere(
        self, where: str, status: int, headers: dict[str, str], body: bytes
    ) -> None:
        answer = pointed_at(self._spec, elsewhere(self._spec)[str(status)])
        self._check_headers(where, answer, headers)
        if where.startswith("HEAD "):
            require(not body, where, "an answer to HEAD has no body")
        else:
            self._check_body(where, answer, status, headers, body)

    def _check_headers(self, where: str, answer: Json, headers: dict[str, str]) -> None:
        for name, reference in answer.get("headers", {}).items():
            header = pointed_at(self._spec, reference)
            value = headers.get(name.lower())
            if value is None:
                require(not header.get("required"), where, f"the header {name} is missing")
                continue
            schema = pointed_at(self._spec, header["schema"])
            number = schema["type"] == "integer" and re.fullmatch("-?[0-9]+", value)
            self.check_value(where, f"header {name}", schema, int(value) if number else value)

    def _check_body(
        self, where: str, answer: Json, status: int, headers: dict[str, str], body: bytes
    ) -> Json:
        content = answer.get("content")
        if content is None:
            require(not body, where, f"a body of {len(body)} bytes where none is documented")
            return None
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        known = content.get(media_type, content.get("*/*"))
        if known is None:
            fail(where, f"the content type is {media_type!r}, not {' or '.join(content)}")
        if "schema" not in known:
            return None
        parsed = _parsed(where, media_type, body)
        self.check_value(where, "body", known["schema"], parsed)
        if media_type == PROBLEM:
            conventions.check_problem(where, parsed, status, headers)
        return parsed

    def _validator(self, schema: Schema) -> Draft202012Validator:
        """The validator of `schema`, a part of the document; compiled once."""
        known = self._validators.get(id(schema))
        if known is None:
            whole = {**closed(schema), **self._components}
            known = (schema, Draft202012Validator(whole, validate_formats=True))
            self._validators[id(schema)] = known
        return known[1]

    def _operations(self, path: str) -> dict[str, _Operation]:
        item = self._spec["paths"][path]
        return {
            method: _Operation(
                item[method]["operationId"],
                f"{method.upper()} {path}",
                {
                    int(status): pointed_at(self._spec, answer)
                    for status, answer in item[method]["responses"].items()
                },
            )
            for method in METHODS
            if method in item
        }

    def _operations_at(self, path: str) -> Mapping[str, _Operation] | None:
        """The operations of the path that `path` is an instance of; no two paths share one."""
        return next((at.operations for at in self._paths if at.pattern.fullmatch(path)), None)


def closed(schema: Schema, *, part: bool = False) -> Schema:
    """`schema` with every object closed: fields that it does not name are refused.

    A `part` is a branch of an allOf. It must stay open, because it knows nothing of the fields
    of the other branches; what encloses the branches is closed instead.
    """
    if isinstance(schema, list):
        return [closed(branch, part=part) for branch in schema]
    shut: dict[str, Json] = {}
    for key, value in schema.items():
        if key == "properties":
            shut[key] = {name: closed(field) for name, field in value.items()}
        elif key == "items":
            shut[key] = closed(value)
        elif key == "allOf":
            shut[key] = closed(value, part=True)
        elif key in ("oneOf", "anyOf"):
            shut[key] = closed(value, part=part)
        elif key == "$ref" and part:
            shut[key] = value.replace("#/components/schemas/", "#/components/parts/")
        else:
            shut[key] = value
    if not part and {"properties", "allOf"} & set(schema) and "additionalProperties" not in schema:
        shut["unevaluatedProperties"] = False
    return shut


def _components(spec: Json) -> Json:
    """The schemas that others refer to: closed ones, and open ones as the parts of an allOf."""
    schemas = spec["components"]["schemas"]
    return {
        "components": {
            "schemas": {name: closed(schema) for name, schema in schemas.items()},
            "parts": {name: closed(schema, part=True) for name, schema in schemas.items()},
        }
    }


def _pattern(path: str) -> re.Pattern[str]:
    literals = re.split(r"\{[^}]+\}", path)
    return re.compile("[^/]+".join(re.escape(literal) for literal in literals))


def _answer(operation: _Operation, where: str, status: int) -> Json:
    known = ", ".join(str(known) for known in operation.answers)
    require(status in operation.answers, where, f"{operation.where} answers {known}")
    return operation.answers[status]


def _parsed(where: str, media_type: str, body: bytes) -> Json:
    try:
        text = body.decode("utf-8")
        if media_type.endswith(("/json", "+json")):
            return json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_constant)
        return yaml.load(text, Loader=_Loader) if media_type.endswith("/yaml") else text
    except (ValueError, yaml.YAMLError) as error:
        fail(where, f"the body is no {media_type}: {error}")


def _distinct(pairs: list[tuple[str, Json]]) -> Json:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key comes twice in one object")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _described(error: Any) -> str:
    place = "".join(f"/{step}" for step in error.instance_path)
    message = error.message
    if len(message) > _LONGEST_ERROR:
        message = f"{message[:_LONGEST_ERROR]} ..."
    return f"at {place or 'the top'}: {message}"
