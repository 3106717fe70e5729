# What people and CI call. `make test` and `make demo` do all their set-up themselves.

SWIFT_SOURCES = Package.swift Sources Tests scripts $(EXAMPLE)/Package.swift $(EXAMPLE)/Sources $(EXAMPLE)/Tests \
	$(SERVER)/Package.swift $(SERVER)/Sources $(SERVER)/Tests $(BENCHMARKS)/Package.swift $(BENCHMARKS)/Sources
EXAMPLE = Examples/ContactBook
SERVER = Examples/ContactServer
# The server is built where ContactBook is: what both stand on is then compiled once.
SERVER_BUILD = --scratch-path ../ContactBook/.build
BENCHMARKS = Benchmarks
BENCHMARK = cd $(BENCHMARKS) && .build/release/StorageBenchmarks
QUICK_BENCHMARK = cd $(BENCHMARKS) && .build/debug/StorageBenchmarks

.PHONY: help demo test test-package test-examples faults build docs bench bench-quick format lint clean

help:
	@echo "make demo     build ContactBook and show it at work in a temporary file"
	@echo "make test     run all tests, those of the examples too"
	@echo "make faults   crash, fill, damage and crowd stores, for an hour; 'make test' does a part of it"
	@echo "make build    build everything; a warning is an error"
	@echo "make docs     build the documentation; a warning or a missing doc comment is an error"
	@echo "make bench    measure StorageKit beside raw SQLite and plain GRDB, for some minutes"
	@echo "make bench-quick  see that the benchmarks work, in seconds"
	@echo "make format   format all Swift code"
	@echo "make lint     check the format"
	@echo "make clean    remove what was built"

demo: prepare
	cd $(EXAMPLE) && swift build --product contactbook
	$(EXAMPLE)/demo.sh

test: test-package test-examples

test-package: prepare
	swift build --build-tests
	swift test --skip-build --skip '^FaultTests'
	swift test --skip-build --filter '^FaultTests'

test-examples: prepare
	cd $(EXAMPLE) && swift build --build-tests
	cd $(EXAMPLE) && swift test --skip-build
	cd $(SERVER) && swift build --build-tests $(SERVER_BUILD)
	cd $(SERVER) && swift test --skip-build $(SERVER_BUILD)

# Each suite prints a line with its counts; those of the last run stand in docs/Faults.md.
faults: prepare
	scripts/build-without-warnings
	STORAGEKIT_FULL=1 swift test --skip-build --no-parallel --filter '^FaultTests|MigrationCrashTests'

build: prepare
	scripts/build-without-warnings
	cd $(EXAMPLE) && ../../scripts/build-without-warnings

docs: prepare
	scripts/build-docs

# Figures, and the plot that the README shows.
bench: prepare
	cd $(BENCHMARKS) && swift build -c release
	mkdir -p $(BENCHMARKS)/Results
	$(BENCHMARK) --json Results/compare.json --plot Results/ratios.svg
	$(BENCHMARK) growth --largest 100000 --json Results/growth.json
	$(BENCHMARK) compile --json Results/compile.json

# Shows that everything works. Not optimised: that takes the compiler minutes more, and no figure is quoted from it.
bench-quick: prepare
	cd $(BENCHMARKS) && ../scripts/build-without-warnings
	$(QUICK_BENCHMARK) --quick
	$(QUICK_BENCHMARK) growth --quick --only W3,W8,W12
	$(QUICK_BENCHMARK) compile --entities 2 --queries 5 --repetitions 1

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

lint:
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

.PHONY: prepare
prepare:
	@scripts/prepare

clean:
	rm -rf .build $(EXAMPLE)/.build $(SERVER)/.build $(BENCHMARKS)/.build
