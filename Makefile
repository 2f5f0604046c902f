# The two commands of the README: `make demo` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Tests start many a process, which need not compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test quick coverage lint kernels clean

demo: $(VENV)/installed
	@$(BIN)/semisplit demo

# Linters use one core, so what tests need can be compiled meanwhile.
test: $(VENV)/installed
	@$(MAKE) --no-print-directory -j2 lint kernels
	$(BIN)/pytest -n 2 --dist worksteal

# About a minute: nothing large is compiled, and no browser, cluster or match is started.
quick: $(VENV)/installed
	$(BIN)/pytest -n 2 --dist worksteal -m "not exhaustive and not slow"

# The quick tests again, and how much of the sources they run: it fails below the figure in
# pyproject.toml. What is in a cache is not compiled, so they begin with an empty one.
coverage: $(VENV)/installed
	rm -rf .coverage_cache
	$(BIN)/coverage erase
	SEMISPLIT_CACHE=$(CURDIR)/.coverage_cache $(BIN)/coverage run -m pytest -n 2 --dist worksteal -m "not exhaustive and not slow"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --sort=cover

kernels: $(VENV)/installed
	$(BIN)/python -m tests.support.kernels

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
