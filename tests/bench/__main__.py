"""`make bench`: CPU time of requests and searches, on an otherwise idle machine."""

from tests.bench import engine, fair, learners, memory, requests, runner, solving, start, watchers

requests.report()
print()
engine.report()
print()
watchers.report()
print()
runner.report()
print()
memory.report()
print()
start.report()
print()
solving.report("binary-star")
print()
fair.report()
print()
learners.report()
