# Two commands on a fresh machine (git, python3 >= 3.11, pip, make): `make demo` and `make test`.
# Everything lands in this folder: .tools (uv), .venv (the environment). `make clean` takes both away.

PYTHON  ?= python3
WORKERS ?= 2
UV_VERSION := 0.13.9
UV      := .tools/uv-$(UV_VERSION)/bin/uv
BIN     := .venv/bin
READY   := .venv/.ready
SOURCES := src/talekeeper app evals graph agents prompts tools sources rules memory tests

# A set VIRTUAL_ENV or a pip constraints file of the machine must not decide what is installed here.
unexport VIRTUAL_ENV UV_PROJECT_ENVIRONMENT PYTHONPATH PYTHONHOME
export UV_PYTHON_DOWNLOADS := never
export UV_NO_PROGRESS := 1
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
# A company's or a mirror's own certificate is in the system's bundle, which uv and node ask only when told to.
CA_BUNDLE := $(firstword $(wildcard /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt))
ifneq ($(CA_BUNDLE),)
export UV_SYSTEM_CERTS ?= 1
export NODE_EXTRA_CA_CERTS ?= $(CA_BUNDLE)
endif
# Without a writable home folder, uv keeps its cache here as well.
ifneq ($(shell test -n "$$HOME" && test -w "$$HOME" && echo yes),yes)
export UV_CACHE_DIR ?= $(CURDIR)/.tools/uv-cache
export XDG_CACHE_HOME ?= $(CURDIR)/.tools/cache
endif

.DEFAULT_GOAL := help
.PHONY: help demo demo-en test check lint soak bench rules-report lock clean

help:  ## list what can be made
	@echo "talekeeper: the memory curator for long role-play chats and novels"
	@echo
	@grep -hE '^[a-z-]+:.*##' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z-]+):[^#]*## ?(.*)/  make \1|\2/' | awk -F'|' '{printf "%-14s %s\n", $$1, $$2}'
	@echo
	@echo "The first call makes the environment (.venv, about 900 MB, a minute or two); later calls start at once."

demo: $(READY)  ## curate the bundled Chinese sample chat and show what was learnt
	@$(BIN)/talekeeper demo --lang zh --library talekeeper-demo --fresh

demo-en: $(READY)  ## the same with its English twin
	@$(BIN)/talekeeper demo --lang en --library talekeeper-demo --fresh

test: $(READY)  ## run the whole test suite
	@$(BIN)/python -m pytest -n $(WORKERS)

check: lint test  ## linters, type checkers and tests: what must pass before a commit

lint: $(READY)  ## linters and type checkers alone
	@failed=; run() { echo "$$*"; "$(BIN)/$$@" || failed="$$failed ($$*)"; }; \
	run ruff check .; run ruff format --check .; run mypy; run pyright; \
	[ -z "$$failed" ] || { echo "Failed:$$failed (see above)" >&2; exit 1; }

soak: $(READY)  ## kill a running curation again and again; the library must come out as if nothing had happened
	@$(BIN)/python -m talekeeper.evals.soak

bench: $(READY)  ## measure speed and memory; figures go to bench-out/ as JSON
	@$(BIN)/python -m talekeeper.evals.bench --out bench-out

rules-report: $(READY)  ## score every rule on broken and nearly broken texts; the table goes to docs/rules-report.md
	@$(BIN)/python -m talekeeper.evals.rule_corpus

lock: $(UV)  ## resolve the dependencies again and write uv.lock
	@$(UV) lock --python $(PYTHON)

clean:  ## take away the environment, the caches and the demo's library
	rm -rf .venv .tools build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis bench-out talekeeper-demo
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

$(UV):
	@command -v $(PYTHON) >/dev/null 2>&1 || { echo "No '$(PYTHON)' found. Install Python 3.11 or later (Debian: apt install python3 python3-pip), or name one: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$$($(PYTHON) --version) is too old: talekeeper needs 3.11 or later. Name a newer one: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -m pip --version >/dev/null 2>&1 || { echo "'$(PYTHON)' has no pip. Install it (Debian: apt install python3-pip), then try again." >&2; exit 1; }
	@echo "Getting uv $(UV_VERSION), which installs the rest (into .tools) …"
	@rm -rf $(dir $(@D))
	@PIP_CONSTRAINT=/dev/null $(PYTHON) -m pip install --quiet --quiet --disable-pip-version-check --no-warn-script-location \
	    --target $(patsubst %/,%,$(dir $(@D))) "uv==$(UV_VERSION)" \
	  || { echo "uv could not be installed: is the package registry in reach? (pip config list shows what is set.)" >&2; exit 1; }

$(READY): pyproject.toml uv.lock | $(UV)
	@echo "Making the environment (into .venv) …"
	@$(UV) sync --frozen --compile-bytecode --python $(PYTHON) --quiet \
	  || { echo "The environment could not be made. What uv says stands above; run 'make clean' and try again once that is mended." >&2; exit 1; }
	@touch $@
