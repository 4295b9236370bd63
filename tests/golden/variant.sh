#!/bin/sh
# Builds the golden program another way and compares it with the reference:
#   variant.sh SOURCE BUILD REFERENCE COMPARE THREADS 'RUNNER' CMAKE-ARGUMENTS...
# RUNNER goes before the program's name, such as 'node run_wasm.mjs'; empty for native programs.
set -eu
source=$1 build=$2 reference=$3 compare=$4 threads=$5 runner=$6
shift 6

log=$build/variant.log
mkdir -p "$build"
if ! { cmake -S "$source" -B "$build" -G Ninja -DTHRONG_GOLDEN_ONLY=ON -DTHRONG_BENCH=OFF \
    -DTHRONG_EXAMPLES=OFF -DTHRONG_INSTALL=OFF "$@" && cmake --build "$build" --target golden; } > "$log" 2>&1; then
    tail -n 40 "$log"
    exit 3
fi
program=$build/tests/golden/golden
[ -f "$program" ] || program=$program.wasm
exec "$compare" --reference "'$reference'" --candidate "${runner:+$runner }'$program'" \
    --threads "$threads"
