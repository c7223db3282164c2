# Two commands matter: `make run` and `make test`.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
DATA_DIR ?= data
WEB := web/dist/api-reference.js
# The OpenID Connect provider that the server's tests sign in at. npm writes this file when it is done.
TEST_PROVIDER := crates/server/tests/oidc-provider
TEST_PROVIDER_DONE := $(TEST_PROVIDER)/node_modules/.package-lock.json
TEST := $(shell command -v cargo-nextest >/dev/null && echo "cargo nextest run" || echo "cargo test")

.PHONY: help run build web test test-provider check generate bench clean

help: ## Show what there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | column -t -s $$'\t'

run: build ## Build, and start the server on 127.0.0.1:7080 with an embedded database in data/
	./target/release/toolgate serve --data-dir $(DATA_DIR)

build: $(WEB) ## Build the release binary, target/release/toolgate
	cargo build --release --locked --package toolgate

web: $(WEB) ## Build what the server embeds

$(WEB): web/package-lock.json web/build.mjs
	scripts/ensure node
	cd web && npm ci --ignore-scripts --no-progress && npm run build

test-provider: $(TEST_PROVIDER_DONE) ## Install the identity provider that the tests sign in at

$(TEST_PROVIDER_DONE): $(TEST_PROVIDER)/package-lock.json
	scripts/ensure node npm
	cd $(TEST_PROVIDER) && npm ci --ignore-scripts --no-progress

test: $(WEB) $(TEST_PROVIDER_DONE) ## Run every test, with private PostgreSQL and Redis servers
	scripts/with-services $(TEST) --locked --workspace --all-features

check: ## Format, lints, licences, and the repo's own rules
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
	cargo run --locked --quiet --package xtask -- tidy

generate: ## Refresh what is generated: the OpenAPI document, the limits in the docs
	cargo run --locked --quiet --package xtask -- generate

bench: build ## Measure against floors, side by side; writes bench/results/
	cargo build --locked --release --package toolgate --package toolgate-bench
	scripts/with-services target/release/toolgate-bench $(BENCH)

clean: ## Remove what was built
	cargo clean
	rm -rf web/node_modules web/dist/*.js $(TEST_PROVIDER)/node_modules
