# What people and CI call. `make test` and `make demo` do all their set-up themselves.

SWIFT_SOURCES = Package.swift Sources Tests $(EXAMPLE)/Package.swift $(EXAMPLE)/Sources $(EXAMPLE)/Tests
EXAMPLE = Examples/ContactBook

.PHONY: help demo test test-package test-examples build format lint clean

help:
	@echo "make demo     build ContactBook and show it at work in a temporary file"
	@echo "make test     run all tests, those of the examples too"
	@echo "make build    build everything; a warning is an error"
	@echo "make format   format all Swift code"
	@echo "make lint     check the format"
	@echo "make clean    remove what was built"

demo: prepare
	cd $(EXAMPLE) && swift build --product contactbook
	$(EXAMPLE)/demo.sh

test: test-package test-examples

test-package: prepare
	swift build --build-tests
	swift test --skip-build

test-examples: prepare
	cd $(EXAMPLE) && swift build --build-tests
	cd $(EXAMPLE) && swift test --skip-build

build: prepare
	scripts/build-without-warnings
	cd $(EXAMPLE) && ../../scripts/build-without-warnings

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

lint:
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

.PHONY: prepare
prepare:
	@scripts/prepare

clean:
	rm -rf .build $(EXAMPLE)/.build
