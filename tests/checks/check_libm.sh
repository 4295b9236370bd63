#!/bin/sh
# Results have the same bits everywhere, so the simulation calls no function that C libraries or
# processors compute differently. What IEEE fixes (sqrtf, fabsf, floorf and the like) is allowed,
# and so is everything in folders whose numbers never flow back into a step.
# usage: check_libm.sh ROOT
set -eu
cd "$1"

find src -type d \( -path src/record -o -path src/measure -o -path src/render -o \
    -path src/opencl \) -prune -o -type f \( -name '*.c' -o -name '*.h' -o -name '*.inl' \) \
    -exec awk '
BEGIN {
    start = "(^|[^A-Za-z0-9_])"
    names = "(a?(sin|cos|tan)h?|sincos|atan2|exp|exp2|exp10|expm1|pow|log|log2|log10|log1p" \
        "|fma|hypot|cbrt|erf|erfc|lgamma|tgamma)"
    called = start "(__builtin_)?" names "[fl]?[ \t]*\\("
    named = start "(__builtin_)?" names "f([^A-Za-z0-9_]|$)"
    # Estimates of 1/x and 1/sqrt(x), fused multiply-add, and WebAssembly that leaves a choice.
    x86 = "_mm[0-9]*_[a-z0-9_]*(rsqrt|rcp|fmadd|fmsub|fnmadd|fnmsub)"
    arm = start "(vrsqrt|vrecp|vfma|vfms)"
    wasm = "wasm_[a-z0-9]*_relaxed"
}
{
    code = $0
    sub(/\/\/.*/, "", code)
    gsub(/(\.|->)[A-Za-z0-9_]+/, ".member", code) # hooks.log(...) is no logarithm
}
code ~ called || code ~ named || code ~ x86 || code ~ arm || code ~ wasm {
    print FILENAME ":" FNR ": differs between machines, see throng/math.h: " $0
    failed = 1
}
END { exit failed }' {} +
