# Lexforge: `make help` says what there is. Everything works from a fresh clone; a second time takes seconds.

PDF ?= tools/sample/regulation.pdf
export PDF

.PHONY: help setup demo app dist dist-twice test soak pictures lint audit clean-demo

help:            ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

setup:           ## what the build needs: system packages, wasm32 std, libtorch, the encoders
	@tools/setup

demo: setup      ## the main job on the sample regulation, or on a file of yours: make demo PDF=rules.pdf
	@tools/demo "$$PDF"

app: setup       ## build and open the window, optimised
	@tools/optimised lexforge-app lexforge-parser lexforge-models
	@"$${CARGO_TARGET_DIR:-target}/dist/lexforge-app"

dist: setup      ## the packages for Linux, into out/dist: .tar.zst, .deb, .rpm, licences, bill of materials, checksums
	@tools/fetch.py licences
	@tools/dist

dist-twice: setup ## the same, a second time in another folder, and the bytes compared
	@tools/fetch.py licences
	@tools/dist --twice

test:            ## every test: units, the whole product, the window
	@tools/setup --tests
	@tools/test

soak:            ## the long forms of tests that have one: a thousand calls over a kill, reviewing at speed
	@tools/setup --tests
	@tools/test --soak

pictures:        ## the tests of the window, with a picture of each screen in target/screenshots
	@tools/setup --tests
	@tools/test --pictures

lint:            ## formatting, where crates come from, clippy, documentation links
	@tools/lint

audit:           ## advisories on the crates (fetched where a network allows), their licences, sources and bans
	@tools/audit

clean-demo:      ## remove the demo's workspaces and reports
	rm -rf out
