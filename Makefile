# make lab        JupyterLab on copies of the notebooks that have not been run, in crashlab-notebooks
# make edit       JupyterLab on the notebooks themselves, with all that is stored in them
# make test       every check there is
# make newest     what needs no browser, on the newest Python that is here
# make proof      5,000 random games of every game, interpreted and compiled: the same, event by event; and thousands
#                 of positions changed at random, played on from; and no question of a thousand games tells an answer;
#                 and 500 games with every function of the rules replaced by itself, all at once and each alone;
#                 and a million games of every game without a broken invariant
# make notebooks  run all notebooks again and store them clean
# make reference  the pages of reference: names, rules, notation, how to add something; in build/reference
# make site       a folder, site, that needs no server: Python and the lessons in the reader's browser. It needs npm.
#                 ARGS=--whole fetches all of it now, ARGS="--lessons FOLDER" takes other notebooks
# make clean      remove the environment and all that the tools left
#
# Each works on a fresh machine that has Python 3.11 or newer. PYTHON=... chooses another one, VENV=... another place,
# ARGS=... goes to JupyterLab (make lab ARGS=--no-browser). REFERENCE=... and SITE=... are other folders for the pages.

PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,$(shell \
	$(p) -c 'import sys; sys.version_info >= (3, 11) and print("$(p)")' 2>/dev/null)))
# The newest one, which may be pyenv's; numba comes to a new Python some months later.
NEWEST  = $(firstword $(foreach n,14 13 12 11,$(foreach p,python3.$(n) $(wildcard $(HOME)/.pyenv/versions/3.$(n).*/bin/python3),$(shell \
	$(p) -c 'import ensurepip, venv; print("$(p)")' 2>/dev/null))))
MINOR  := import sys; print("Python %s.%s" % sys.version_info[:2])
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
WORKERS ?= 2
REFERENCE ?= build/reference
SITE   ?= site
# Hundreds of processes of the tests read the same modules.
unexport PYTHONDONTWRITEBYTECODE
# Every test file on one worker, as it shares a browser or compiled code; in the order of tests/conftest.py.
SHARED  := -n $(WORKERS) --dist loadscope --no-loadscope-reorder
# Without the plugin of `make nbval`, which each process would load for seconds.
PYTEST  := $(BIN)/pytest -p no:nbval

.PHONY: lab edit test lint types pytest bounds newest browserless proof nbval notebooks reference site clean

lab: $(STAMP)
	$(BIN)/python -m crashlab lab -- $(ARGS)

edit: $(STAMP)
	$(BIN)/python -m crashlab lab --dir notebooks -- $(ARGS)

test: lint types pytest bounds nbval

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy

pytest: $(STAMP)
	$(PYTEST) $(SHARED) --rules

# Once more what runs compiled, with every index checked: machine code does not look whether a row is long enough.
bounds: $(STAMP)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) $(SHARED) tests/test_two_bodies.py tests/test_simulate.py tests/test_agents.py \
		tests/test_duel.py tests/test_adapters_batch.py

# With an environment of its own.
newest:
	@if [ "`$(PYTHON) -c '$(MINOR)'`" = "`$(or $(NEWEST),$(PYTHON)) -c '$(MINOR)'`" ]; then \
		echo "No newer Python is here than `$(PYTHON) -c '$(MINOR)'`, on which everything is tested."; \
	else \
		$(MAKE) browserless PYTHON=$(NEWEST) VENV=.venv-newest; \
	fi

browserless: $(STAMP)
	$(PYTEST) $(SHARED) -m "not chromium" $(TESTS)

# What `make test` does with fewer games of those that take long; hours.
proof: $(STAMP)
	CRASHLAB_PROOF=1 $(PYTEST) -n $(WORKERS) --dist load tests/test_two_bodies.py tests/test_house.py \
		tests/test_own_rules.py tests/test_read_positions.py tests/test_lab_predict.py tests/test_many_games.py \
		tests/test_puzzles.py tests/test_crash_and_grab_text.py tests/test_crash_by_crash_play.py \
		-k "interpreted_equals or own_place or what_is_read or tells_its_own_answer or breaks_an_invariant or proven_anew \
		or read_as_it_was_written or magnets_are_busy"

nbval: $(STAMP)
	TQDM_DISABLE=1 $(BIN)/python -m pytest $(SHARED) -p tests.nbval_plugin --nbval --nbval-current-env \
		--nbval-sanitize-with=tests/nbval_sanitize.cfg notebooks

notebooks: $(STAMP)
	$(BIN)/python tests/tools/run_notebooks.py notebooks/*.ipynb

reference: $(STAMP)
	$(BIN)/python binder/site/reference/build.py $(REFERENCE)

site: $(STAMP)
	$(BIN)/python binder/site/reference/build.py $(SITE)/reference
	$(BIN)/python binder/site/build.py $(SITE) $(ARGS)

# Installs again only when the wishes change, or JupyterLab's extension, which is copied.
$(STAMP): pyproject.toml constraints.txt $(wildcard crashlab/lab/page/* crashlab/lab/page/static/*)
	@test -n "$(PYTHON)" || { echo "crashlab needs Python 3.11 or newer: install it, or say where it is with PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "crashlab needs Python 3.11 or newer: $(PYTHON) is not"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "$(PYTHON) lacks its venv module: install it (on Debian and Ubuntu the package python3-venv)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) .venv-newest site build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
