"""`make load`: ten minutes of everything at once, then a report; status 1 if anything failed."""

from statistics import quantiles

import click

from tests.load.memory import MB, MOST, growth
from tests.load.run import Findings, run

SECONDS = 600
LONGEST = 3600
_TOLD = 20
"""Faults that are printed, at the most."""


def report(found: Findings) -> None:
    """Prints what a run has come to."""
    tally, samples = found.tally, found.samples
    sent = sum(len(seconds) for (kind, _), seconds in tally.answers.items() if kind != "told")
    print(f"{sent} requests in {found.seconds:.0f} s; latency from when each was due")
    print(f"{'':<12}{'status':>8}{'answers':>10}{'median, ms':>12}{'p99, ms':>10}")
    for (kind, status), seconds in sorted(tally.answers.items()):
        middle, high = (value * 1e3 for value in _middle_and_high(seconds))
        print(f"{kind:<12}{status:>8}{len(seconds):>10}{middle:>12.1f}{high:>10.1f}")
    for code, count in tally.put_off.items():
        print(f"hints put off, to be asked for again ({code}): {count}")
    games = ", ".join(f"{count} {how}" for how, count in sorted(tally.finished.items()))
    print(f"games that players are done with: {games}")
    print(f"kept at the end: {found.kept}, {found.bytes_a_game:.0f} bytes each")
    print()
    minutes = [*samples[:-1:60], samples[-1]]
    most = f"{MOST / MB:.0f} at most"
    print(f"resident MB each minute and at the end; growth in the second half, {most}")
    for name in samples[0]:
        sizes = "".join(f"{sample[name] / MB:>7.1f}" for sample in minutes)
        print(f"{name:<11}{sizes}  {growth(samples, name) / MB:>+6.1f}")
    print()
    print("CPU seconds: " + ", ".join(f"{name} {spent:.1f}" for name, spent in found.cpu.items()))
    print()
    print(f"faults: {len(found.faults)}")
    for fault in found.faults[:_TOLD]:
        print(f"  {fault[:500]}")


def _middle_and_high(values: list[float]) -> tuple[float, float]:
    """Median and 99th percentile."""
    cuts = quantiles(values, n=100, method="inclusive") if len(values) > 1 else values * 99
    return cuts[49], cuts[98]


@click.command()
@click.argument("seconds", type=click.IntRange(1, LONGEST), default=SECONDS)
@click.pass_context
def main(context: click.Context, seconds: int) -> None:
    """Holds the load for SECONDS, reports, and says by the status whether all was well."""
    found = run(seconds)
    report(found)
    context.exit(bool(found.faults))


if __name__ == "__main__":
    main(prog_name="python -m tests.load")
