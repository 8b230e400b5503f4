# Two commands matter: `make run` plays, `make test` checks everything. Both need only Python 3.11 or newer.
.PHONY: run test lint format docs libraries wheel bench bench-server simulate soak clean

PYTHON ?= python3
BIN := .venv/bin
# Bytecode is kept, whatever the shell says: compiling the tests anew takes each run a quarter of a minute.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
INPUTS := pyproject.toml constraints.txt hatch_build.py $(wildcard src/mchezo/*/words.toml src/mchezo/games/*/words.toml src/mchezo/games/*/themes.toml) \
	$(shell find web -type f -not -path '*/node_modules/*' -not -path 'web/dev/*' -not -path 'web/generated/*' -not -name '*.py')

run: .venv/installed
	$(BIN)/mchezo

# Long tests rotate from run to run, see tests/rotation.py. Tests wait for more than half of their time, for a server, a
# page or a process: five at once keep two cores busy.
test: .venv/tested
	$(BIN)/python -m tests.compile
	$(BIN)/python -m pytest -n 5 --dist worksteal

lint: .venv/tested
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/npm --prefix web run check

format: .venv/tested
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/npm --prefix web run format

# The documentation as a site: warnings are errors, and every link is checked.
docs: .venv/documented
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs site
	$(BIN)/python docs/check_site.py site

# The install builds the libraries of the games, unless they are made of the very same sources.
libraries: .venv/tested
	$(PIP) --editable '.[test]'

# One wheel for all platforms: the libraries are small, and one machine can build them all.
wheel: .venv/tested
	MCHEZO_TARGETS=all $(BIN)/python -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir dist .

bench: .venv/tested
	-$(PIP) --editable '.[bench]'
	$(BIN)/mchezo bench
	$(BIN)/python bench/comparison.py
	$(BIN)/python bench/environments.py
	PYTHONPATH=. $(BIN)/python bench/webassembly.py

# The server under load, by clients of Node.js; figures for docs/reliability.md.
bench-server: .venv/tested
	$(BIN)/python -m bench.moves
	$(BIN)/python -m bench.server

# The server with a simulated clock, network, disk and threads; a seed always does exactly the same. FAULTS=kill,cut
# selects kinds of faults, PLANT=drop-fsync plants a bug; `python -m tests.simulation --help` lists them.
SEEDS ?= 0-199
simulate: .venv/tested
	$(BIN)/python -m tests.simulation --seeds $(SEEDS) $(if $(FAULTS),--faults $(FAULTS)) $(if $(PLANT),--plant $(PLANT))

# All tests whole, the libraries for arm64 where QEMU runs them, and the server's long trials: killed in the middle of
# 200 games, several processes, hidden things, hostile input, 200 games of each kind by impatient players, a journey without
# a connection in Firefox where it is installed, fuzzing where Atheris installs, 100,000 simulated seeds (continued where they were interrupted).
soak: .venv/tested
	$(BIN)/python -m tests.compile
	$(BIN)/python -m pytest -n 5 --dist worksteal --whole
	PYTHONPATH=. $(BIN)/python soak/run.py
	PYTHONPATH=. $(BIN)/python -m soak.fairness
	$(BIN)/python -m soak.arm64
	PYTHONPATH=. $(BIN)/python -m soak.clicks --games 200
	PYTHONPATH=. $(BIN)/python -m soak.firefox
	-$(PIP) --editable '.[fuzz]'
	PYTHONPATH=. $(BIN)/python -m soak.fuzz.run 300
	$(BIN)/python -m tests.simulation --seeds 0-99999 --jobs 2 --resume .simulation.json

clean:
	rm -rf .venv build dist site web/node_modules tests/web/node_modules src/mchezo/libraries src/mchezo/pyodide src/mchezo/web .mypy_cache .ruff_cache .pytest_cache .hypothesis .fuzz .import_linter_cache .simulation.json
	find src tests -name __pycache__ -prune -exec rm -rf {} +

.venv/bin/python:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'mchezo needs Python 3.11 or newer')"
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python $(INPUTS)
	$(PIP) --editable .
	touch $@

.venv/tested: .venv/bin/python $(INPUTS)
	$(PIP) --editable '.[test]'
	$(BIN)/python -m tests.web.browser
	touch $@ .venv/installed

.venv/documented: .venv/bin/python $(INPUTS)
	$(PIP) --editable '.[docs,envs]'
	touch $@ .venv/installed
