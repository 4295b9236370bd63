#!/bin/sh
# Builds the tests with sanitizers and runs those whose names match.
#   sanitizers.sh SOURCE BUILD COMPILER SANITIZERS TESTS [TARGET...]
# Sanitizers as the compiler names them, such as address,undefined; tests as a regular expression;
# targets that these tests need (default all). Warnings are errors.
set -eu
source=$1 build=$2 compiler=$3 sanitizers=$4 tests=$5
shift 5

log=$build/build.log
mkdir -p "$build"
if ! { cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g" \
    -DCMAKE_C_COMPILER="$compiler" -DTHRONG_WERROR=ON -DTHRONG_SANITIZE="$sanitizers" -DTHRONG_VALIDATE=ON \
    -DTHRONG_BENCH=ON &&
    cmake --build "$build" ${1+--target "$@"}; } > "$log" 2>&1; then
    tail -n 40 "$log"
    exit 3
fi
exec ctest --test-dir "$build" --output-on-failure --no-tests=error -L fast -R "$tests"
