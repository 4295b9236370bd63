#!/bin/sh
# Builds the tests with sanitizers and runs those whose names match.
#   sanitizers.sh SOURCE BUILD SANITIZERS TESTS [TARGET...]
# Sanitizers as the compiler names them, such as address,undefined; tests as a regular expression;
# targets that these tests need (default all).
set -eu
source=$1 build=$2 sanitizers=$3 tests=$4
shift 4

log=$build/build.log
mkdir -p "$build"
if ! { cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g" \
    -DTHRONG_SANITIZE="$sanitizers" -DTHRONG_VALIDATE=ON -DTHRONG_BENCH=OFF &&
    cmake --build "$build" ${1+--target "$@"}; } > "$log" 2>&1; then
    tail -n 40 "$log"
    exit 3
fi
exec ctest --test-dir "$build" --output-on-failure --no-tests=error -L fast -R "$tests"
