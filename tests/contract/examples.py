"""Every example of the contract, with its place and the schema that it is an example of."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.contract.contract import document, pointed_at


class Example(NamedTuple):
    """A value of the document that is given as an example or as a default."""

    place: str
    schema: Any
    value: Any


def examples() -> list[Example]:
    """All examples of the document."""
    return list(_walk(document(), "#"))


def example(name: str) -> Any:
    """The value of an example among the components."""
    return document()["components"]["examples"][name]["value"]


def _walk(node: Any, place: str) -> Iterator[Example]:
    if isinstance(node, list):
        for index, below in enumerate(node):
            yield from _walk(below, f"{place}/{index}")
    elif isinstance(node, dict):
        yield from _of_a_content(node, place)
        yield from _of_a_schema(node, place)
        for key, below in node.items():
            if key not in ("example", "examples", "default", "enum", "const", "requestBody"):
                yield from _walk(below, f"{place}/{key}")
        if "content" in node.get("requestBody", {}):  # a link's requestBody is no content
            yield from _walk(node["requestBody"], f"{place}/requestBody")


def _of_a_content(node: dict[str, Any], place: str) -> Iterator[Example]:
    """The examples of a media type, a parameter or a header."""
    if not isinstance(node.get("schema"), dict):
        return
    if "example" in node:
        yield Example(f"{place}/example", node["schema"], node["example"])
    for name, given in node.get("examples", {}).items():
        value = pointed_at(document(), given)["value"]
        yield Example(f"{place}/examples/{name}", node["schema"], value)


def _of_a_schema(node: dict[str, Any], place: str) -> Iterator[Example]:
    if isinstance(node.get("examples"), list):
        for index, value in enumerate(node["examples"]):
            yield Example(f"{place}/examples/{index}", node, value)
    if "default" in node and not isinstance(node["default"], dict):
        yield Example(f"{place}/default", node, node["default"])
