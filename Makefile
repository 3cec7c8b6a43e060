# `make up` and `make test` are the main commands. `npx aks-wi --help` lists the single ones.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help up down clean check test azure build bench soak witnesses node-version

AKS_WI := node cli/bin.mjs

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

up: node_modules ## deploy and verify the example environment on this machine
	@$(AKS_WI) up

down: node_modules ## stop everything; the state stays
	@$(AKS_WI) down

clean: node_modules ## stop everything and delete the state; saves stay; YES=1 for scripts
	@$(AKS_WI) clean $(if $(YES),--yes)

check: node_modules ## check format, lint, types, unused exports and duplicates, and run the unit tests
	@node tests/run.mjs check

test: node_modules ## check format, lint, types, unused exports and duplicates, and run all tests
	@node tests/run.mjs

azure: node_modules ## deploy the smallest stack to Azure (costs money; asks first), remove it, and report differences
	@$(AKS_WI) azure-run $(if $(YES),--yes)

build: node_modules ## bundle the command, the local cloud, its plugins and the example application
	@node build.mjs

bench: node_modules ## measure the main commands, and previews against a flat program; BENCH='--clusters 50' for more
	@node tests/bench/main.mjs $(BENCH)

soak: node_modules ## deploy from nothing twenty times, with random start delays
	@node tests/soak.mjs

witnesses: node_modules ## run the newest Azure CLI and SDKs for Python and Go against the local cloud of `make up`
	@sh tests/witnesses/run.sh

# npm writes node_modules/.package-lock.json last, so an interrupted install is done again.
node_modules: node_modules/.package-lock.json

node_modules/.package-lock.json: package-lock.json | node-version
	npm ci
	@touch $@

node-version:
	@command -v node >/dev/null || { echo 'error: Node is missing: version 20.19, 22.17, 24 or newer is required.' >&2; echo '  → Install it (https://nodejs.org) and run make again.' >&2; exit 1; }
	@node cli/nodeVersion.mjs
