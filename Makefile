# Two commands matter: `make run` plays, `make test` checks everything. Both need only Python 3.11 or newer.
.PHONY: run test lint format bench bench-server soak clean

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
INPUTS := pyproject.toml constraints.txt hatch_build.py $(wildcard src/mchezo/*/words.toml src/mchezo/games/*/words.toml) \
	$(shell find web -type f -not -path '*/node_modules/*' -not -path 'web/dev/*' -not -name '*.py')

run: .venv/installed
	$(BIN)/mchezo

test: .venv/tested
	$(BIN)/python -c "from mchezo.cli.measure import compile_all; import mchezo; compile_all(list(mchezo.games()))"
	$(BIN)/python -c "from mchezo.envs.batch import warm_up; import mchezo; list(map(warm_up, mchezo.games()))"
	$(BIN)/python -m mchezo.server.compiling
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: .venv/tested
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/npm --prefix web run check

format: .venv/tested
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: .venv/tested
	-$(PIP) --editable '.[bench]'
	$(BIN)/mchezo bench
	$(BIN)/python bench/environments.py

# The server under load, by clients of Node.js; figures for docs/reliability.md.
bench-server: .venv/tested
	PYTHONPATH=. $(BIN)/python bench/server.py

# The server's long trials: killed in the middle of 200 games, several processes, hidden things, hostile input.
soak: .venv/tested
	PYTHONPATH=. $(BIN)/python soak/run.py

clean:
	rm -rf .venv build dist web/node_modules src/mchezo/web .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -prune -exec rm -rf {} +

.venv/bin/python:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'mchezo needs Python 3.11 or newer')"
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python $(INPUTS)
	$(PIP) --editable .
	touch $@

.venv/tested: .venv/bin/python $(INPUTS)
	$(PIP) --editable '.[test]'
	touch $@ .venv/installed
