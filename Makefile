# The two commands of the README: `make demo` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Tests start many a process, which need not compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint kernels clean

demo: $(VENV)/installed
	@$(BIN)/semisplit demo

# Linters use one core, so what tests need can be compiled meanwhile.
test: $(VENV)/installed
	@$(MAKE) --no-print-directory -j2 lint kernels
	$(BIN)/pytest -n 2 --dist worksteal

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
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
