# The short way to what CMake does. `make help` lists the targets.
# Further options for CMake: make CMAKE_FLAGS=-DTHRONG_WERROR=ON

BUILD = build
PREFIX =
CMAKE_FLAGS =

# Always from the same options, whatever the directory was configured with before; only a directory
# that CMake would refuse (of another generator, or of a tree that was moved) loses its cache.
configure = \
	@for line in CMAKE_GENERATOR:INTERNAL=Ninja 'CMAKE_HOME_DIRECTORY:INTERNAL=$(CURDIR)'; do \
		[ ! -e $(BUILD)/CMakeCache.txt ] || grep -qxF "$$line" $(BUILD)/CMakeCache.txt || \
			rm -rf $(BUILD)/CMakeCache.txt $(BUILD)/CMakeFiles; \
	done; \
	cmake -S . -B $(BUILD) -G Ninja -U 'THRONG_*' -DCMAKE_BUILD_TYPE=Release

.PHONY: all build demo gallery test test-more test-all bench docs format install clean help

all: build

build:
	@tools/setup.sh build
	$(configure) -DTHRONG_TESTS=OFF -DTHRONG_BENCH=OFF $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD)

demo: build
	@mkdir -p $(BUILD)/demo
	@$(BUILD)/throng run station-hall --summary $(BUILD)/demo/station-hall.json \
		--record $(BUILD)/demo/station-hall.h5
	@$(BUILD)/throng render station-hall --at 15 --quiet --output $(BUILD)/demo/station-hall.png
	@echo
	@echo 'picture       $(BUILD)/demo/station-hall.png'
	@echo 'trajectories  $(BUILD)/demo/station-hall.h5'
	@echo 'result        $(BUILD)/demo/station-hall.json'

gallery: build
	@tools/gallery.sh $(BUILD)/throng

test:
	@tools/setup.sh test
	$(configure) -DTHRONG_TESTS=ON -DTHRONG_BENCH=ON $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD)
	@ctest --test-dir $(BUILD) --output-on-failure -L 'fast|slow' -j2

test-more:
	@tools/setup.sh more
	$(configure) -DTHRONG_TESTS=ON -DTHRONG_BENCH=ON $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD)
	@ctest --test-dir $(BUILD) --output-on-failure -L more -j2

test-all:
	@tools/setup.sh all
	$(configure) -DTHRONG_TESTS=ON -DTHRONG_BENCH=ON $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD)
	@ctest --test-dir $(BUILD) --output-on-failure -j2

bench:
	@tools/setup.sh build
	$(configure) -DTHRONG_TESTS=OFF -DTHRONG_BENCH=ON $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD)
	@$(BUILD)/bench/throng_bench

# Writes what is made from the source: tables of files, keys and the schema of scenes.
docs:
	@tools/setup.sh test
	$(configure) -DTHRONG_TESTS=ON -DTHRONG_BENCH=ON $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD) --target scene_reference
	@tools/file_tables.sh .
	@$(BUILD)/tests/scene/scene_reference schema >$(BUILD)/schema && \
		cp $(BUILD)/schema docs/scene.schema.json
	@$(BUILD)/tests/scene/scene_reference page <docs/scenes.md >$(BUILD)/page && \
		cp $(BUILD)/page docs/scenes.md

format:
	@tests/checks/check_format.sh . fix

install: build
	@cmake --install $(BUILD) $(if $(PREFIX),--prefix $(PREFIX))

clean:
	@rm -rf $(BUILD)

help:
	@echo 'make            build the release into $(BUILD)/'
	@echo 'make demo       build, run the station hall and draw it'
	@echo 'make gallery    build, and draw the scenes for docs/gallery.md'
	@echo 'make test       build, and run the tests that every change must keep'
	@echo 'make test-more  build, and run the tests of other builds and the slowest scenes'
	@echo 'make test-all   build, and run all tests, also those that take long'
	@echo 'make bench      build, and run the benchmarks'
	@echo 'make docs       write the tables of the documentation that are made from the source'
	@echo 'make format     format the C files with clang-format 14'
	@echo 'make install    build, and install (PREFIX=/some/directory)'
	@echo 'make clean      remove $(BUILD)/'
	@echo 'What is missing to do so is installed first, see tools/setup.sh.'
