"""Says at the end of a run how much has been tried at random."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "fuzzing" and report.when == "call":
                    terminalreporter.section("requests at random")
                    terminalreporter.write_line(value)
