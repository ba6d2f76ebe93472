# make lab        JupyterLab on copies of the notebooks that have not been run, in crashlab-notebooks
# make edit       JupyterLab on the notebooks themselves, with all that is stored in them
# make check      lint, types and the tests most about what differs from the last commit (SINCE=... from another one)
# make test       lint, types, every test with quick numbers, every notebook: a quarter of an hour on two cores
# make test-all   the same with full numbers, and what has no small form: 40 minutes
# make fifth      a fifth of what make test leaves out, by turns; FIFTH=3 chooses one
# make pins       whether the versions in constraints.txt fit together on the oldest Python that is promised
# make newest     the core, with little installed, on the newest Python that is here
# make another    types, and by turns the tests of watch, of course and play, or the notebooks, on another Python
# make nbval      all notebooks run again and compared with what is stored, without a browser
# make browserless  all tests that need no browser, and all notebooks
# make proof      5,000 random games of every game, interpreted and compiled: the same, event by event; and thousands
#                 of positions changed at random, played on from; and no question of a thousand games tells an answer;
#                 and 500 games with every function of the rules replaced by itself, all at once and each alone;
#                 and a million games of every game without a broken invariant; and the reasons of ten thousand small
#                 programs are those that a second interpreter finds, no other and none less
# make notebooks  run all notebooks again and store them clean
# make release    build a release into dist, and try it in clean environments; it publishes nothing
# make docs       the site in build/docs: manual, lessons whose films play, every name, all rules, search
# make site       the same in the folder site, with JupyterLab and Python in the reader's browser. It needs npm.
#                 ARGS=--whole fetches all of it now, ARGS="--lessons FOLDER" takes other notebooks
# make clean      remove the environment and all that the tools left
#
# Each works on a fresh machine that has Python 3.11 or newer, Debian 12's 3.11.2 as well. PYTHON=... chooses another
# one, whose environment is .venv-3.13, say, VENV=... another place, ARGS=... goes to JupyterLab (make lab ARGS=--no-browser). DOCS=... and
# SITE=... are other folders for the pages. `make lab` and `make edit` install what the notebooks need; all others complete that.

PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,$(shell \
	$(p) -c 'import sys; sys.version_info >= (3, 11) and print("$(p)")' 2>/dev/null)))
# A Python of this minor version, which may be pyenv's; the newest of all; one of each version that PYTHON is not.
FIND    = $(firstword $(foreach p,python3.$(1) $(wildcard $(HOME)/.pyenv/versions/3.$(1).*/bin/python3),$(shell \
	$(p) -c 'import ensurepip, venv; print("$(p)")' 2>/dev/null)))
NEWEST  = $(firstword $(foreach n,14 13 12 11,$(call FIND,$(n))))
OTHERS  = $(foreach n,$(filter-out $(shell $(PYTHON) -c 'import sys; print(sys.version_info[1])'),14 13 12 11),$(call FIND,$(n)))
# The number of the landing, by which all turns go.
TURN   ?= $(shell git rev-list --first-parent --count HEAD)
MINOR  := import sys; print("%d.%d" % sys.version_info[:2])
VENV   ?= .venv$(if $(findstring command,$(origin PYTHON)),-$(shell $(PYTHON) -c '$(MINOR)'))
BIN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
LAB    := $(VENV)/.for-the-notebooks
ALL    := $(VENV)/.for-the-tests
PYRIGHT := $(BIN)/pyright
PIP     = PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt $(BIN)/python -m pip install
COMMA  := ,
WORKERS ?= 2
DOCS   ?= build/docs
SITE   ?= site
# Hundreds of processes of the tests read the same modules.
unexport PYTHONDONTWRITEBYTECODE
# Every test file on one worker, as it shares a browser or compiled code. A worker that dies ends the run.
SHARED  := -n $(WORKERS) --dist loadscope --max-worker-restart=0
# Without the plugin for notebooks, which each process would load for seconds.
PYTEST  := $(BIN)/pytest -p no:nbval
CORE    := $(addprefix tests/,engine/test_core.py play/test_match.py engine/test_files.py engine/test_state.py compiled/test_wasm.py)

.PHONY: lab edit check test test-all fifth lint types pins newest core another part browserless nbval proof notebooks release docs site clean

lab: $(LAB)
	$(BIN)/python -m crashlab lab -- $(ARGS)

edit: $(LAB)
	$(BIN)/python -m crashlab lab --dir notebooks -- $(ARGS)

SINCE ?= HEAD
check: $(ALL) lint types
	@tests=`$(BIN)/python tests/tools/touched.py $(SINCE)` && \
		if [ -n "$$tests" ]; then $(PYTEST) $(SHARED) -q -m "not chromium and not firefox" $$tests; fi

TIER    = $(BIN)/python tests/tools/run_tier.py

test: $(ALL) $(PYRIGHT)
	$(TIER) quick $(ARGS)

test-all: $(ALL) $(PYRIGHT)
	$(TIER) full $(ARGS)

fifth: $(ALL) $(PYRIGHT)
	$(TIER) fifth $(ARGS)

lint: $(ALL)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/python tests/tools/plain_english.py

types: $(ALL)
	$(BIN)/mypy

# pip looks, and installs nothing.
pins: $(LAB)
	$(PIP) --quiet --dry-run --ignore-installed --only-binary :all: --python-version 3.11.0 --target build/pins '.[test]'

# With an environment of its own.
newest:
	@if [ "`$(PYTHON) -c '$(MINOR)'`" = "`$(or $(NEWEST),$(PYTHON)) -c '$(MINOR)'`" ]; then \
		echo "No newer Python is here than Python `$(PYTHON) -c '$(MINOR)'`, on which everything is tested."; \
	else \
		$(MAKE) core PYTHON=$(NEWEST) VENV=.venv-newest; \
	fi

core:
	$(PYTHON) -m venv $(VENV)
	$(PIP) --quiet --editable '.[fastest]' pytest
	$(PYTEST) -q $(CORE)

# By turns on each of the others that are here, and there by turns each of three parts.
another:
	@set -- $(OTHERS); if [ $$# = 0 ]; then echo "No other Python is here than Python `$(PYTHON) -c '$(MINOR)'`."; else \
		turn=$(TURN); part=$$((turn / $$#)); shift $$((turn % $$#)); \
		$(MAKE) part PART=$$part PYTHON=$$1 VENV=.venv-`$$1 -c '$(MINOR)'`; \
	fi

part: $(ALL) $(PYRIGHT)
	$(TIER) part $(PART)

# All but what needs a browser.
browserless: $(ALL)
	$(TIER) full -m "not chromium and not firefox"

nbval: $(ALL)
	TQDM_DISABLE=1 $(BIN)/python -m pytest $(SHARED) -p tests.nbval_plugin --nbval --nbval-current-env notebooks

# What `make test` does with fewer games of those that take long; hours.
proof: $(ALL)
	CRASHLAB_EFFORT=proof CRASHLAB_COMPILER=llvm $(PYTEST) -n $(WORKERS) --dist load --max-worker-restart=0 tests/compiled/test_two_backends.py \
		tests/engine/test_house_rules.py tests/engine/test_own_rules.py tests/engine/test_read_positions.py tests/lab/test_lab_predict.py tests/engine/test_many_games.py \
		tests/analysis/test_puzzles.py tests/games/crash_and_grab/test_crash_and_grab_text.py tests/games/crash_by_crash/test_crash_by_crash_text.py \
		tests/games/crash_by_crash/test_crash_by_crash_play.py tests/watch/test_no_false_reason.py \
		-k "interpreted_equals or told_no_false_reason or own_place or what_is_read or tells_its_own_answer or breaks_an_invariant or proven_anew \
		or read_as_it_was_written or magnets_are_busy or written_uniquely or would_have_had_them \
		or does_not_tell_who_it_is or neither_named_nor_driven"

notebooks: $(ALL)
	$(BIN)/python tests/tools/run_notebooks.py notebooks/*.ipynb

release: $(ALL)
	$(BIN)/python tests/tools/release.py

docs: $(ALL)
	$(BIN)/python binder/site/docs/pages.py $(DOCS)

site: $(ALL)
	$(BIN)/python binder/site/build.py $(SITE) $(ARGS)

# Installs again only when the wishes change, or JupyterLab's extension, which is copied. Python compiles what the
# notebooks need when they need it. The pip that comes with a Python may take four times as long as the one that is
# pinned.
$(LAB): pyproject.toml constraints.txt $(wildcard crashlab/lab/page/* crashlab/lab/page/static/*)
	@test -n "$(PYTHON)" || { echo "crashlab needs Python 3.11 or newer: install it, or say where it is with PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "crashlab needs Python 3.11 or newer: $(PYTHON) is not"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "$(PYTHON) lacks its venv module: install it (on Debian and Ubuntu the package python3-venv)"; exit 1; }
	@echo "Installing what the notebooks need into $(VENV): some 115 packages, 190 MB to fetch, 700 MB on the disk."
	@echo "That takes half a minute, on a slow machine or line some minutes, and only this once."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --quiet pip
	$(call install,--no-compile --editable '.[lab$(COMMA)fast$(COMMA)algorithms]')

$(ALL): $(LAB)
	@echo "Installing what the tests need into $(VENV) as well: some 40 packages, 110 MB to fetch."
	$(call install,--editable '.[test]')

# From npm, where that is here; without it the tests that need it are skipped.
$(PYRIGHT): $(LAB)
	@if command -v npm > /dev/null; then npm install --silent --global --prefix $(VENV) pyright@1.1.414 axe-core@4.14.1 typescript@5.9.3 && touch $@ || \
		echo "npm could not install Pyright, axe-core and TypeScript: the tests that need them are skipped."; fi

# pip's output, counted. What a pipe fails with is what its end fails with, so the stamp says whether pip did not.
define install
@rm -f $@; { $(PIP) $(1) && touch $@; } | { found=0 fetched=0; while read -r word what; do case "$$word $$what" in \
	Collecting*|Processing*) found=$$((found + 1));; \
	Downloading*.metadata*|Using*.metadata*) ;; \
	Downloading*|Using\ cached*) fetched=$$((fetched + 1));; \
	Installing\ collected*) printf '%s\n' "  $$found packages found, $$fetched fetched; unpacking them"; found=; continue;; \
	*) continue;; esac; \
	test -z "$$found" || ! test -t 1 || printf '  %s packages found, %s fetched\r' $$found $$fetched; done; }; test -e $@
endef

clean:
	rm -rf $(VENV) .venv-newest .venv-3.* site build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
