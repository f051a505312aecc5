# OpenPendant. `make run` and `make test` do all set-up on a fresh clone; `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
STATIC := src/openpendant/server/static/index.html
WEB_SOURCES := $(shell find web/src web/index.html web/*.json web/*.ts -type f 2>/dev/null)
BODY_SOURCES := $(wildcard src/openpendant/shapes/*.py src/openpendant/robots/*/*.py src/openpendant/robots/*/facts.toml) tools/bodies.py

# With a Node of the machine's own, the page asks nothing of Python and is built beside its installation.
OWN_NODE := $(shell $(PYTHON) tools/npm.py --own)
NPM := $(if $(OWN_NODE),$(PYTHON),$(PY)) tools/npm.py

# A first start takes half the time where what is independent is done side by side.
SIDE_BY_SIDE = @$(MAKE) --no-print-directory --jobs=4
READY = $(SIDE_BY_SIDE) $(VENV)/.dev $(VENV)/.kernels $(STATIC)

# Tests that run robots in real time (marker `live`) run apart from tests that keep both cores busy. They mostly wait:
# behind all others, with idle priority, run those that know no clock (marker `timeless`) and that nothing can hold up
# too long.
OTHER := --kind other
LIVE := --kind live
TIMELESS := --kind timeless --timeout 900

# Workers on two cores. What only waits for robots takes less than half a core of each worker.
WORKERS = -n $(1) --dist loadfile --no-loadscope-reorder

# Robots in real time come one phase after the other; those behind begin with the first, and follow each other as well.
PYTEST = $(PY) -m pytest $(call WORKERS,$(1)) $(CHANGED)
PYTHON_PHASES = python $(call PYTEST,3) --ignore tests/e2e $(OTHER) \
	--then python-live $(call PYTEST,3) --void-stalls --keep-awake --ignore tests/e2e $(LIVE)
BROWSER_LIVE_PHASE = browser-live $(PY) -m pytest $(CHANGED) --void-stalls tests/e2e $(LIVE)
BROWSER_PHASE = browser $(call PYTEST,2) tests/e2e $(OTHER)
PAGE_PHASE = page $(NPM) run --silent test $(CHANGED_WEB)
# Threads of linear algebra that wait for each other keep a processor busy that others want.
TIMELESS_PHASE = python-timeless env OPENBLAS_NUM_THREADS=1 $(call PYTEST,2) --ignore tests/e2e $(TIMELESS)

# Seconds that each phase may take on two cores; `make test` and .ci/run name those that took longer.
BUDGETS := set-up=180 python=150 python-live=390 browser-live=330 page=150 python-timeless=480 browser=420
PHASE := $(PYTHON) tools/phase.py

# Tests start hundreds of Python processes, also of robots in real time. Each would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test test-changed test-python test-web test-browser check check-style check-types check-page bench soak docs images types format lock dev-setup clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

$(VENV)/.run: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "OpenPendant needs Python 3.11 or newer; say which with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@echo "Installing what OpenPendant needs (once, about a minute) ..."
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@OPENPENDANT_SKIP_WEB=1 $(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.bodies: $(BODY_SOURCES) $(VENV)/.run
	@echo "Making the bodies of the robots ..."
	@$(PY) tools/bodies.py
	@touch $@

# Side by side: cells begin with kernels of collisions and paths, which know nothing of the kinematics.
$(VENV)/.kinematics: $(VENV)/.run
	@echo "Compiling the kinematics (once, about a minute) ..."
	@$(PY) -c 'from openpendant.kinematics import compile_kernels; compile_kernels()'
	@touch $@

$(VENV)/.cells: $(VENV)/.run | $(VENV)/.bodies
	@echo "Compiling what cells need (once, about a minute) ..."
	@$(PY) -c 'from openpendant.runtime import compile_kernels; compile_kernels()'
	@touch $@

$(VENV)/.kernels: $(VENV)/.kinematics $(VENV)/.cells
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	@echo "Installing what tests and checks need (once, some minutes) ..."
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.lock -r requirements-dev.lock
	@touch $@

web/node_modules/.done: web/package.json web/package-lock.json $(if $(OWN_NODE),,$(VENV)/.run)
	@$(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

$(STATIC): $(WEB_SOURCES) web/node_modules/.done
	@echo "Building the page ..."
	@$(NPM) run --silent build

run: ## Start the studio and open it in the browser
	$(SIDE_BY_SIDE) $(VENV)/.kernels $(STATIC)
	@$(BIN)/openpendant serve --open

test: ## Run all tests, and tell what took long
	$(READY)
	@$(PHASE) $(PYTHON_PHASES) --then $(BROWSER_LIVE_PHASE) \
		--behind $(PAGE_PHASE) --behind $(TIMELESS_PHASE) --behind $(BROWSER_PHASE); code=$$?; $(PHASE) --report $(BUDGETS); exit $$code

test-python: ## Tests of the Python rooms and the examples
	$(READY)
	@$(PHASE) $(PYTHON_PHASES) --behind $(TIMELESS_PHASE)

test-changed: ## Only the tests that a change since main can reach, for work in between
	@$(MAKE) --no-print-directory test CHANGED=--changed CHANGED_WEB="-- --changed main --passWithNoTests"

test-web: web/node_modules/.done ## Unit tests of the page
	@$(PHASE) $(PAGE_PHASE)

test-browser: ## Tests that drive the page in Chromium
	$(READY)
	@$(PHASE) $(BROWSER_LIVE_PHASE) --behind $(BROWSER_PHASE)

check: check-style check-types check-page ## Style, types, layers, generated files

check-style: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports
	@$(PY) tools/generate_types.py --check
	@$(PY) tools/generate_schema.py --check

check-types: $(VENV)/.dev
	@$(BIN)/pyright

check-page: web/node_modules/.done
	@$(NPM) run --silent check

bench: $(VENV)/.dev $(VENV)/.kernels ## Measure against the named peers, in the same run
	@$(PY) -m benchmarks.kinematics
	@$(PY) -m benchmarks.motion
	@$(PY) -m benchmarks.scene
	@$(PY) -m benchmarks.programs
	@$(PY) -m benchmarks.gate
	@$(PY) -m benchmarks.virtual
	@$(PY) -m benchmarks.virtual_abb
	@$(PY) -m benchmarks.servo
	@$(PY) -m benchmarks.urscript
	@$(PY) -m benchmarks.rapid
	@$(PY) -m benchmarks.studio
	@$(PY) -m benchmarks.stop

soak: $(VENV)/.dev $(VENV)/.kernels $(STATIC) ## What takes too long for every run
	@$(PY) -m pytest -m soak

docs: $(VENV)/.dev $(VENV)/.kernels ## Check the links of the documentation and run its examples
	@$(PY) -m pytest tests/docs tests/examples

images: $(VENV)/.dev $(VENV)/.kernels $(STATIC) ## Write the pictures of docs/images anew
	@$(PY) tools/screenshots.py
	@$(PY) tools/studio_pictures.py
	@$(PY) tools/plots.py

types: $(VENV)/.dev ## Write the TypeScript types of the messages and the JSON Schema of cells anew
	@$(PY) tools/generate_types.py
	@$(PY) tools/generate_schema.py

format: $(VENV)/.dev web/node_modules/.done ## Format all sources
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .
	@$(NPM) run --silent format

lock: $(VENV)/.dev ## Write the lock files from what is installed
	@$(PY) tools/lock.py

dev-setup: ## Install everything for development
	$(SIDE_BY_SIDE) $(VENV)/.dev $(VENV)/.kernels web/node_modules/.done

clean: ## Remove what was built and installed
	rm -rf $(VENV) web/node_modules web/dist src/openpendant/server/static src/openpendant/robots/made dist build .pytest_cache
