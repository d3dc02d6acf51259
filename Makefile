# Everything that a developer or a new user runs. All targets can be run again at any time.
PYTHON ?= python3
DATA ?= $(wildcard ../shared/data)
MIRRORS ?= $(wildcard ../.mirror)
VENV := .venv
READY := $(VENV)/.ready

.PHONY: demo test check tuning docs man coverage bench bench-verify bench-safeguards load soak clean
.DEFAULT_GOAL := demo

$(READY): pyproject.toml uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "fixgate needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9'
# Compiled once: tests start hundreds of processes, and some environments forbid these to keep theirs.
	UV_PROJECT_ENVIRONMENT=$(VENV) $(VENV)/bin/uv sync --frozen --quiet --compile-bytecode \
	  --python $(VENV)/bin/python
	touch $@

demo: $(READY)
	$(VENV)/bin/fixgate demo

# Bytecode is kept here, too, whatever the environment says: each of the processes that are started,
# and each that collects tests, would compile what it imports.
test coverage bench bench-verify bench-safeguards: export PYTHONDONTWRITEBYTECODE :=

# Each process begins with a part of the files in their order, as tests of one file share what they
# set up; how many there are, tests/conftest.py says.
test: $(READY)
	FIXGATE_DATA="$(DATA)" FIXGATE_MIRRORS="$(MIRRORS)" \
	  $(VENV)/bin/pytest --numprocesses auto --dist worksteal $(PYTEST_ARGUMENTS)

check: $(READY)
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy

# Slower than `make test`: every process that the tests start is measured too.
coverage: $(READY)
	rm -f .coverage .coverage.*
	FIXGATE_DATA="$(DATA)" FIXGATE_MIRRORS="$(MIRRORS)" \
	  $(VENV)/bin/coverage run -m pytest --numprocesses auto --dist worksteal $(PYTEST_ARGUMENTS)
	$(VENV)/bin/coverage combine --quiet
	$(VENV)/bin/coverage report

# PyTorch comes by pip, which takes a build for processors where one is offered (PIP_FIND_LINKS,
# PIP_EXTRA_INDEX_URL); the lock names the build that brings CUDA. Both have the locked version.
tuning: $(READY)
	$(VENV)/bin/uv export --frozen --quiet --extra tuning --no-dev --no-emit-project --no-hashes \
	  --output-file $(VENV)/tuning.txt
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	  "$$(grep -o '^torch==[^ ;]*' $(VENV)/tuning.txt)"
	$(VENV)/bin/uv export --frozen --quiet --extra tuning --no-dev --no-emit-project --no-hashes \
	  --prune torch --output-file $(VENV)/tuning.txt
	$(VENV)/bin/uv pip install --quiet --python $(VENV)/bin/python --requirement $(VENV)/tuning.txt

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict --quiet --clean

# For `man`: copy them to a folder `man1` of a place that `manpath` lists.
man: $(READY)
	$(VENV)/bin/python docs/man_pages.py build/man

bench: $(READY)
	FIXGATE_DATA="$(DATA)" FIXGATE_MIRRORS="$(MIRRORS)" $(VENV)/bin/python -m tests.bench $(BENCH_ARGUMENTS)

bench-verify: $(READY)
	FIXGATE_MIRRORS="$(MIRRORS)" $(VENV)/bin/python -m tests.verification.bench $(BENCH_ARGUMENTS)

bench-safeguards: $(READY)
	FIXGATE_MIRRORS="$(MIRRORS)" $(VENV)/bin/python -m tests.verification.safeguard_costs $(BENCH_ARGUMENTS)

load: $(READY)
	$(VENV)/bin/python -m tests.load $(LOAD_ARGUMENTS)

soak: $(READY)
	$(VENV)/bin/python -m tests.soak $(SOAK_ARGUMENTS)

clean:
	rm -rf $(VENV) .coverage* demo-output site build .mypy_cache .ruff_cache .pytest_cache .hypothesis
