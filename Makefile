# The one door to every task. Needs make and Python 3.11 or newer; everything else goes into .venv.

REPO ?= .
BENCHMARKS ?= $(sort $(wildcard benchmarks/*.py))

# The first interpreter that is new enough and can make a virtual environment (Debian splits that off).
CANDIDATES = python3.13 python3.12 python3.11 python3.14 python3
SUITABLE = import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in $(CANDIDATES); do $$p -c '$(SUITABLE)' 2>/dev/null && command -v $$p && break; done)

VENV = .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check --quiet
RUN = $(VENV)/run.stamp
DEV = $(VENV)/dev.stamp

.DEFAULT_GOAL = ci
.DELETE_ON_ERROR:
.PHONY: run test lint fix slow bench doctor ci pin clean help

run: $(RUN) ## index REPO (default: this folder), then serve it to agents
	@$(BIN)/lorewatch scan "$(REPO)"
	@exec $(BIN)/lorewatch serve "$(REPO)"

test: $(DEV) ## the fast tests
	PYTHONWARNDEFAULTENCODING=1 $(BIN)/python -m pytest -n auto

slow: $(DEV) ## the tests that need minutes, real processes or large trees
	PYTHONWARNDEFAULTENCODING=1 $(BIN)/python -m pytest -m slow --timeout 900

lint: $(DEV) ## format, rules, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

fix: $(DEV) ## mend format and whatever rules can be mended by machine
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(DEV) ## every benchmark, or those named by BENCHMARKS
	@for each in $(BENCHMARKS); do echo "== $$each"; $(BIN)/python "$$each" || exit 1; done

doctor: $(RUN) ## prove that this installation indexes, finds and forgets
	@$(BIN)/lorewatch doctor

ci: lint test ## what .ci/run calls

pin: | $(BIN)/python ## write constraints.txt anew from a fresh environment
	$(BIN)/python -m venv --clear $(VENV)/pin
	$(VENV)/pin/bin/python -m pip --quiet install -e '.[dev]'
	$(VENV)/pin/bin/python -m pip freeze --exclude-editable > constraints.new
	rm -rf $(VENV)/pin && mv constraints.new constraints.txt

clean: ## everything that can be made again
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 10

$(RUN): pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing into $(VENV); this takes about a minute the first time"
	$(PIP) install -c constraints.txt -e .
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $(RUN) $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer with venv found; install one or set PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
