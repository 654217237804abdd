"""Each alert fires for what it is about, and none while all is well."""

import json
import subprocess

import pytest
import yaml

from tests.deploy.files import DEPLOY
from tests.deploy.kit import found

ALERTS = DEPLOY / "prometheus" / "alerts.yaml"
RULES = yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]
NAMES = [rule["alert"] for rule in RULES if "alert" in rule]

HOUR = "x60"
"""Values minute by minute, as promtool writes them: `0+60x60` is one a second for an hour."""


def counted(a_minute, code):
    return {f'asterism_problems_total{{code="{code}"}}': f"0+{a_minute}{HOUR}"}


def within(metric, seconds, **labels):
    """Sixty a minute, all of which took as long as this bucket says."""
    told = "".join(f',{name}="{value}"' for name, value in labels.items())
    return {
        f'asterism_{metric}_bucket{{le="{le}"{told}}}': f"0+{60 * (float(le) >= seconds)}{HOUR}"
        for le in ("0.001", "0.01", "0.1", "0.25", "1", "2.5", "5", "+Inf")
    }


MOVES = "/v1/games/{game_id}/moves"
HINTS = "/v1/games/{game_id}/hint"

WELL = {
    'up{job="asterism",instance="a"}': f"1{HOUR}",
    'up{job="asterism",instance="b"}': f"1{HOUR}",
    'asterism_build_info{version="1"}': f"1{HOUR}",
    f'asterism_requests_total{{route="{MOVES}",method="POST",status="200"}}': f"0+600{HOUR}",
    f'asterism_requests_total{{route="{HINTS}",method="POST",status="200"}}': f"0+60{HOUR}",
    **within("request_seconds", 0.01, route=MOVES),
    **within("store_seconds", 0.001, operation="save"),
    **within("hint_seconds", 0.25, variant="a"),
    **counted(6, "illegal-move"),
    **counted(6, "version-conflict"),
    **counted(1, "token-wrong"),
}

NO_INSTANCE = {series: f"0{HOUR}" for series in WELL if series.startswith("up")}

AMISS = {
    "AsterismGone": NO_INSTANCE,
    "AsterismInstanceGone": {'up{job="asterism",instance="b"}': f"0{HOUR}"},
    "AsterismStoreAway": counted(60, "store-unavailable"),
    "AsterismFault": {'asterism_problems_total{code="internal-error"}': "_x55 1x10"},
    "AsterismGameUnreadable": {'asterism_problems_total{code="game-unreadable"}': "_x55 1x10"},
    "AsterismReleasesMixed": {'asterism_build_info{version="2"}': f"1{HOUR}"},
    "AsterismMovesSlow": within("request_seconds", 1, route=MOVES),
    "AsterismStoreSlow": within("store_seconds", 0.25, operation="save"),
    "AsterismHintsSlow": within("hint_seconds", 5, variant="a"),
    "AsterismSearchesFull": counted(6, "too-many-searches"),
    "AsterismWatchersRefused": counted(1, "too-many-watchers"),
    "AsterismLimitsReached": counted(120, "too-many-requests"),
    "AsterismTokensTried": counted(120, "token-wrong"),
    "AsterismConflicts": counted(300, "version-conflict"),
}
"""For each alert what is different when it fires. All the rest is well."""


def judged(folder, series, expected):
    """Asserts that these alerts, and no others, fire after an hour of these series."""
    test = {
        "rule_files": [str(ALERTS)],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": [{"series": s, "values": values} for s, values in series.items()],
                "promql_expr_test": [
                    {
                        "expr": 'group by (alertname) (ALERTS{alertstate="firing"})',
                        "eval_time": "60m",
                        "exp_samples": [
                            {"labels": f'{{alertname="{name}"}}', "value": 1} for name in expected
                        ],
                    }
                ],
            }
        ],
    }
    file = folder / "test.json"  # which is YAML, too
    file.write_text(json.dumps(test))
    done = subprocess.run(
        [found("promtool"), "test", "rules", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_are_ones():
    subprocess.run([found("promtool"), "check", "rules", str(ALERTS)], check=True)


def test_no_alert_fires_while_all_is_well(tmp_path):
    judged(tmp_path, WELL, [])


def test_there_is_a_case_for_every_alert():
    assert list(AMISS) == NAMES


@pytest.mark.parametrize("name", AMISS)
def test_an_alert_fires_for_what_it_is_about_and_no_other_does(tmp_path, name):
    also = ["AsterismInstanceGone"] if name == "AsterismGone" else []
    judged(tmp_path, {**WELL, **AMISS[name]}, [name, *also])


@pytest.mark.parametrize("rule", [rule for rule in RULES if "alert" in rule], ids=NAMES)
def test_an_alert_says_how_urgent_it_is_what_it_means_and_where_to_look(rule):
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert set(rule["annotations"]) == {"summary", "description"}
    assert rule["annotations"]["summary"].endswith(".")
