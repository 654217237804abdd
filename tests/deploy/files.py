"""The files of deploy/, as their readers would read them."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
NGINX = DEPLOY / "nginx" / "nginx.conf.template"


@cache
def compose(**variables: str) -> Any:
    """What compose.yaml says where the environment has these variables and no others."""
    return yaml.safe_load(interpolated((DEPLOY / "compose.yaml").read_text(), variables))


def interpolated(text: str, variables: dict[str, str]) -> str:
    """`text` with `${NAME:-default}` and `${NAME:?error}` filled in, as Compose does it."""

    def fill(found: re.Match[str]) -> str:
        name, kind, rest = found.groups()
        assert name in variables or kind == ":-", f"{name}: {rest}"
        return variables.get(name, rest)

    return re.sub(r"\$\{([A-Z_]+)(:-|:\?)([^}]*)\}", fill, text)


def filled_in(template: str, variables: dict[str, str]) -> str:
    """`template` with its variables filled in, as the image of nginx does it.

    That is envsubst with NGINX_ENVSUBST_FILTER: what is not set, or has another name, stays.
    """
    for name, value in variables.items():
        if name.startswith("ASTERISM_"):
            template = template.replace(f"${{{name}}}", value)
    return template


def build_steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile's first stage, in their order: name and text."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", "")
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
    first, second = re.split(r"^FROM .*\n", text, flags=re.MULTILINE)[1:]
    assert "COPY --from=build /opt/asterism /opt/asterism" in second
    return re.findall(r"^([A-Z]+) +(.*)$", first, re.MULTILINE)
