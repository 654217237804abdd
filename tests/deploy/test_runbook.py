"""The runbook explains every alert, and names only what exists."""

import re
from pathlib import Path

import yaml

from service.config import VARIABLES

ROOT = Path(__file__).parents[2]
RUNBOOK = (ROOT / "deploy/RUNBOOK.md").read_text()


def test_every_alert_has_its_section_in_the_order_of_the_rules():
    rules = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yaml").read_text())
    alerts = [
        rule["alert"] for group in rules["groups"] for rule in group["rules"] if "alert" in rule
    ]
    assert re.findall("^### (.+)$", RUNBOOK, re.MULTILINE) == alerts


def test_every_variable_it_names_exists():
    named = set(re.findall(r"\b(?:ASTERISM|REDIS)_[A-Z_]+\b", RUNBOOK))
    assert named <= set(VARIABLES)
    assert "ASTERISM_DRAIN" in named


def test_every_file_it_names_exists():
    named = re.findall(r"`(tests/[a-z_/]+\.py)`", RUNBOOK)
    assert len(named) > 2
    assert [name for name in named if not (ROOT / name).exists()] == []
