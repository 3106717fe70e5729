# What people and CI call. The targets do all their set-up themselves.

EXAMPLE = Examples/ContactBook
SERVER = Examples/ContactServer
BENCHMARKS = Benchmarks
TOOL = Tool
STUDIO = Studio
MACRO_TESTS = Tests/StorageKitMacrosTests
APP_TESTS = Tests/AppTests
NESTED = $(MACRO_TESTS) $(APP_TESTS) $(EXAMPLE) $(SERVER) $(BENCHMARKS) $(TOOL) $(STUDIO)
SWIFT_SOURCES = Package.swift Sources Tests scripts \
	$(foreach package,$(filter-out Tests/%,$(NESTED)),$(wildcard $(package)/Package.swift $(package)/Sources $(package)/Tests))

# Their folders use each other in one direction.
TARGETS_WITH_FOLDERS = $(addprefix Sources/,StorageCore StorageGRDB StorageKit StorageKitMacrosPlugin Persistence)

# The nested packages are built in the folder of this one: what they all stand on (GRDB, swift-syntax, StorageKit) is
# compiled once.
BUILD_FOLDER = $(CURDIR)/.build
IN_NESTED = --scratch-path $(BUILD_FOLDER)
# In CI a warning is an error from the first build on: what is built already does not say its warnings again.
WITHOUT_WARNINGS = $(CURDIR)/scripts/build-without-warnings
# Nor does anybody debug there, or change a file and build again: without what is for that a build takes three quarters of the time.
# (With one thread for a module the compiler cannot name the files of the index, by which SwiftPM finds tests.)
WHOLE_MODULES = $(addprefix -Xswiftc ,-wmo -disable-batch-mode -num-threads 2)
export BUILD_FLAGS = $(if $(CI),-debug-info-format none $(WHOLE_MODULES))
BUILD = swift build $(BUILD_FLAGS)
BUILD_TESTS = $(if $(CI),$(WITHOUT_WARNINGS),$(BUILD) --build-tests)
RUN_TESTS = $(CURDIR)/scripts/run-tests
# Builds the tests of a nested package and runs them.
TEST_NESTED = cd $(1) && $(BUILD_TESTS) $(IN_NESTED) && $(RUN_TESTS) $(IN_NESTED)
BENCHMARK = cd $(BENCHMARKS) && .build/release/StorageBenchmarks
QUICK_BENCHMARK = $(BUILD_FOLDER)/debug/StorageBenchmarks

.PHONY: help demo test test-package test-macros test-app test-example test-all test-rest test-long test-server test-tool test-studio \
	faults sanitize build apple docs bench bench-quick format lint clean

help:
	@echo "make demo     build ContactBook and show it at work in a temporary file"
	@echo "make test     test the package and ContactBook, with short runs of what tries random input"
	@echo "make test-all run all tests: 'make test', and then 'make test-rest' with the macros, the documentation's code, longer runs, the server, the tool and the studio"
	@echo "make faults   crash, fill, damage and crowd stores, for an hour; 'make test' does a part of it"
	@echo "make sanitize run the tests under the thread and the address sanitizer"
	@echo "make build    build everything but the benchmarks; a warning is an error"
	@echo "make apple    type-check the code that is for Apple's systems alone, after 'make build'"
	@echo "make docs     build the documentation; a warning or a missing doc comment is an error"
	@echo "make bench    measure StorageKit beside raw SQLite and plain GRDB, for some minutes"
	@echo "make bench-quick  see that the benchmarks work, in seconds"
	@echo "make format   format all Swift code"
	@echo "make lint     check the format, and that no folders use each other in a circle"
	@echo "make clean    remove what was built"

demo: prepare
	cd $(EXAMPLE) && $(BUILD) --product contactbook $(IN_NESTED)
	CONTACTBOOK=$(BUILD_FOLDER)/debug/contactbook $(EXAMPLE)/demo.sh

test: test-package test-example

test-package: prepare
	$(BUILD_TESTS)
	$(RUN_TESTS) --skip '^FaultTests'
	$(RUN_TESTS) --filter '^FaultTests'

test-macros: prepare
	$(call TEST_NESTED,$(MACRO_TESTS))

test-app: prepare
	$(call TEST_NESTED,$(APP_TESTS))

test-example: prepare
	$(call TEST_NESTED,$(EXAMPLE))

test-all: test test-rest

test-rest: test-macros test-app test-long test-server test-tool test-studio

# Again the suites whose runs are shorter in `make test`.
test-long: prepare
	$(BUILD_TESTS)
	STORAGEKIT_LONG=1 $(RUN_TESTS) --filter '(Program|Fuzz|CacheCoherence|History|SelectedQueryModel|EngineStates|WriterStates|ListDifference|InterleavedCommit|OneMoment)Tests'

test-server: prepare
	$(call TEST_NESTED,$(SERVER))

test-tool: prepare
	$(call TEST_NESTED,$(TOOL))

test-studio: prepare-browser
	$(call TEST_NESTED,$(STUDIO))

# Each suite prints a line with its counts; those of the last run stand in docs/Faults.md.
faults: prepare
	$(WITHOUT_WARNINGS)
	STORAGEKIT_FULL=1 swift test --skip-build --no-parallel --filter '^FaultTests|MigrationCrashTests|EngineProgramTests'

# Half an hour for each, and a build of its own for each.
sanitize: prepare
	scripts/sanitize/run thread
	scripts/sanitize/run address

build: prepare
	$(WITHOUT_WARNINGS)
	set -e; for package in $(filter-out $(BENCHMARKS),$(NESTED)); do (cd $$package && $(WITHOUT_WARNINGS) $(IN_NESTED)); done

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
	$(BENCHMARK) size --json Results/size.json
	cd $(BENCHMARKS) && swift build $(IN_NESTED)
	$(QUICK_BENCHMARK) compile --json $(BENCHMARKS)/Results/compile.json

# Shows that everything works; no figure is quoted from it. Optimised, as nothing else in CI is: some faults are there in optimised
# code alone. The macros are not optimised, since swift-syntax would take five minutes: `-Onone` is for all that is built, and the
# toolset, which SwiftPM does not use for macros, says `-O` for the rest.
bench-quick: prepare
	cd $(BENCHMARKS) && $(BUILD) -c release -Xswiftc -Onone --toolset $(CURDIR)/scripts/optimised-program.json
	$(BENCHMARK) --quick
	$(BENCHMARK) growth --quick --only W3,W8,W12
	$(BENCHMARK) memory --rows 1000
	$(BENCHMARK) size
	$(BENCHMARK) upgrade --rows 1000
	cd $(BENCHMARKS) && $(WITHOUT_WARNINGS) $(IN_NESTED)
	$(QUICK_BENCHMARK) compile --entities 2 --queries 5 --repetitions 1

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

lint:
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
	swift scripts/FolderArrows.swift $(TARGETS_WITH_FOLDERS)
	swift scripts/EmbedPage.swift --check

.PHONY: prepare prepare-browser
prepare:
	@scripts/prepare

# The tests of the studio drive a browser.
prepare-browser:
	@scripts/prepare browser

clean:
	rm -rf $(BUILD_FOLDER) .build-thread .build-address $(NESTED:=/.build)
