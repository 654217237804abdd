"""`make bench`: what requests and solving cost in CPU time; nothing else should run meanwhile."""

from tests.bench import fair, memory, requests, solving, watchers

requests.report()
print()
watchers.report()
print()
memory.report()
print()
solving.report("binary-star")
print()
fair.report()
