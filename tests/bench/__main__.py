"""`make bench`: what requests and solving cost in CPU time; nothing else should run meanwhile."""

from tests.bench import requests, solving, watchers

requests.report()
print()
watchers.report()
print()
solving.report("binary-star")
