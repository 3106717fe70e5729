# What people and CI call. `make test` and `make demo` do all their set-up themselves.

EXAMPLE = Examples/ContactBook
SERVER = Examples/ContactServer
BENCHMARKS = Benchmarks
TOOL = Tool
NESTED = $(EXAMPLE) $(SERVER) $(BENCHMARKS) $(TOOL)
SWIFT_SOURCES = Package.swift Sources Tests scripts \
	$(foreach package,$(NESTED),$(wildcard $(package)/Package.swift $(package)/Sources $(package)/Tests))

# The nested packages are built in the folder of this one: what they all stand on (GRDB, swift-syntax, StorageKit) is
# compiled once.
BUILD_FOLDER = $(CURDIR)/.build
IN_NESTED = --scratch-path $(BUILD_FOLDER)
BENCHMARK = cd $(BENCHMARKS) && .build/release/StorageBenchmarks
QUICK_BENCHMARK = $(BUILD_FOLDER)/debug/StorageBenchmarks

.PHONY: help demo test test-package test-examples test-tool faults sanitize build apple docs bench bench-quick format lint clean

help:
	@echo "make demo     build ContactBook and show it at work in a temporary file"
	@echo "make test     run all tests, those of the examples and the tool too"
	@echo "make faults   crash, fill, damage and crowd stores, for an hour; 'make test' does a part of it"
	@echo "make sanitize run the tests under the thread and the address sanitizer"
	@echo "make build    build everything; a warning is an error"
	@echo "make apple    type-check the code that is for Apple's systems alone, after 'make build'"
	@echo "make docs     build the documentation; a warning or a missing doc comment is an error"
	@echo "make bench    measure StorageKit beside raw SQLite and plain GRDB, for some minutes"
	@echo "make bench-quick  see that the benchmarks work, in seconds"
	@echo "make format   format all Swift code"
	@echo "make lint     check the format"
	@echo "make clean    remove what was built"

demo: prepare
	cd $(EXAMPLE) && swift build --product contactbook $(IN_NESTED)
	CONTACTBOOK=$(BUILD_FOLDER)/debug/contactbook $(EXAMPLE)/demo.sh

test: test-package test-examples test-tool

test-package: prepare
	swift build --build-tests
	scripts/run-tests --skip '^FaultTests'
	scripts/run-tests --filter '^FaultTests'

test-examples: prepare
	cd $(EXAMPLE) && swift build --build-tests $(IN_NESTED)
	cd $(EXAMPLE) && ../../scripts/run-tests $(IN_NESTED)
	cd $(SERVER) && swift build --build-tests $(IN_NESTED)
	cd $(SERVER) && ../../scripts/run-tests $(IN_NESTED)

test-tool: prepare
	cd $(TOOL) && swift build --build-tests $(IN_NESTED)
	cd $(TOOL) && ../scripts/run-tests $(IN_NESTED)

# Each suite prints a line with its counts; those of the last run stand in docs/Faults.md.
faults: prepare
	scripts/build-without-warnings
	STORAGEKIT_FULL=1 swift test --skip-build --no-parallel --filter '^FaultTests|MigrationCrashTests'

# Half an hour for each, and a build of its own for each.
sanitize: prepare
	scripts/sanitize/run thread
	scripts/sanitize/run address

build: prepare
	scripts/build-without-warnings
	cd $(EXAMPLE) && ../../scripts/build-without-warnings $(IN_NESTED)
	cd $(SERVER) && ../../scripts/build-without-warnings $(IN_NESTED)
	cd $(TOOL) && ../scripts/build-without-warnings $(IN_NESTED)

apple: prepare
	scripts/check-apple

docs: prepare
	scripts/build-docs

# Figures, and the plot that the README shows.
bench: prepare
	cd $(BENCHMARKS) && swift build -c release
	mkdir -p $(BENCHMARKS)/Results
	$(BENCHMARK) --json Results/compare.json --plot Results/ratios.svg
	$(BENCHMARK) growth --only W3,W6,W8,W9,W11,W12 --largest 1000000 --json Results/growth.json
	$(BENCHMARK) memory --json Results/memory.json
	$(BENCHMARK) compile --json Results/compile.json

# Shows that everything works. Not optimised: that takes the compiler minutes more, and no figure is quoted from it.
bench-quick: prepare
	cd $(BENCHMARKS) && ../scripts/build-without-warnings $(IN_NESTED)
	$(QUICK_BENCHMARK) --quick
	$(QUICK_BENCHMARK) growth --quick --only W3,W8,W12
	$(QUICK_BENCHMARK) memory --rows 1000
	$(QUICK_BENCHMARK) compile --entities 2 --queries 5 --repetitions 1

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

lint:
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

.PHONY: prepare
prepare:
	@scripts/prepare

clean:
	rm -rf $(BUILD_FOLDER) $(NESTED:=/.build)
