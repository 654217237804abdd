# Thin on purpose: each target is one thing a person would do.

UV     := .tools/bin/uv
PYTHON := .venv/bin/python

export UV_PYTHON_DOWNLOADS = never

.PHONY: help run test test-rest test-all coverage pythons lint bench load census census-astrocyte compiled sbom lock clean

# Two workers on two cores; more only compete for them.
PYTEST := $(PYTHON) -m pytest -q -n auto --maxprocesses 4

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-18s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

SBOM ?= dist/sbom.json

run: .venv/run ## serve both games; PORT= and REDIS_URL= are heeded
	@exec $(PYTHON) -m service serve

test: .venv/test lint ## what to run at every change: three minutes, and nothing beyond Python
	$(PYTEST) -m "not slow and not external" --dist worksteal --all-answers

test-rest: .venv/test ## the other tests: real servers, deployment, fuzzing, long games
	@sh tests/need.sh
	$(PYTEST) -m "slow or external" --dist loadfile

test-all: test test-rest ## everything that must hold

coverage: .venv/test ## branch coverage of the quick tests, which must not fall
	$(PYTEST) -m "not slow and not external" --dist worksteal \
	  --cov=service --cov-branch --cov-report=term:skip-covered --cov-fail-under=91

pythons: .venv/test ## the quick tests on every supported Python that this machine has
	@sh tests/pythons.sh

lint: .venv/test ## format, style, types, and the layers of the house
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports

bench: .venv/test ## what a request costs, as ratios of CPU time
	$(PYTHON) -m tests.bench

load: .venv/test ## ten minutes, or DURATION= seconds, of players, bots, hints and watchers
	@exec $(PYTHON) -m tests.load $(DURATION)

census: .venv/test ## decide Binary Star's deals anew and write its catalogue; can be stopped and gone on with
	$(PYTHON) -m service solve binary-star --deal 1..100000 --out census.jsonl
	$(PYTHON) -m service catalogue binary-star census.jsonl --out service/deals/catalogue/binary-star.json.gz

RUNS := 0 1 2 3
census-astrocyte: .venv/test ## solve Astrocyte's deals, let the fair bot play them, and write its catalogue
	$(PYTHON) -m service solve astrocyte --deal 1..1000 --out census-astrocyte.jsonl
	for run in $(RUNS); do \
	  $(PYTHON) -m service bot --bot fair --variant astrocyte --seed $$run --deal 1..1000 \
	    --out census-astrocyte-run-$$run.jsonl || exit; done
	$(PYTHON) -m service catalogue astrocyte census-astrocyte.jsonl \
	  $(RUNS:%=--played census-astrocyte-run-%.jsonl) --out service/deals/catalogue/astrocyte.json.gz

# Where there is a C compiler, the rules and the search run compiled; tests run the sources.
COMPILED := build/compiled/sources
run bench load census census-astrocyte: $(COMPILED)
$(COMPILED): $(wildcard service/games/*.p* service/games/*/*.p* service/solvers/astrocyte/*.p*)
$(COMPILED): deploy/build_hook.py deploy/compile.sh | .venv/run
	@sh deploy/compile.sh

compiled: $(COMPILED) ## compile the rules and the search, as `make run` does; `make clean` takes them away

sbom: .venv/test ## what the service is made of, as CycloneDX, from its lock
	@mkdir -p $(dir $(SBOM))
	@$(PYTHON) -W ignore -m cyclonedx_py requirements deploy/requirements.lock \
	  --pyproject pyproject.toml --mc-type application --output-reproducible \
	  --spec-version 1.6 --output-format JSON --output-file $(SBOM)

lock: $(UV) ## pin every dependency anew, by hash
	$(UV) pip compile -q --upgrade --generate-hashes --universal --no-header \
	  --python-version 3.11 pyproject.toml -o deploy/requirements.lock
	$(UV) pip compile -q --upgrade --generate-hashes --universal --no-header \
	  --python-version 3.11 pyproject.toml --group test -o deploy/requirements-test.lock
	$(UV) pip compile -q --upgrade --generate-hashes --universal --no-header \
	  --python-version 3.11 --group build -o deploy/requirements-build.lock

clean: ## remove what was installed and built
	rm -rf .venv .tools build dist

# The environment holds a mark for each set of packages that has been installed in it.
.venv/run: deploy/requirements.lock pyproject.toml | .venv
	@echo "Installing what the service needs ..."
	@$(UV) pip install -q --require-hashes -r deploy/requirements.lock
	@$(UV) pip install -q --no-deps -e .
	@touch $@

.venv/test: deploy/requirements-test.lock pyproject.toml | .venv
	@$(UV) pip install -q --require-hashes -r deploy/requirements-test.lock
	@$(UV) pip install -q --no-deps -e .
	@touch $@ .venv/run

.venv: | $(UV)
	@$(UV) venv -q .venv

$(UV):
	@python3 -m pip install -q --disable-pip-version-check --target .tools uv
