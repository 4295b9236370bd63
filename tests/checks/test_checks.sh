#!/bin/sh
# Shows that every check finds what it is for: a small tree passes, and with one error planted the
# check fails and names it.
set -eu

checks=$(cd "$(dirname "$0")" && pwd)
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
clean=$work/clean
tree=$work/tree
status=0

mkdir -p "$clean/include/throng" "$clean/src/base" "$clean/src/plan" "$clean/src/avoid" \
    "$clean/src/record"
cp "$checks/../../.clang-format" "$clean"
cat >"$clean/include/throng/pair.h" <<'END'
/// @file
/// A header that breaks no rule.

#ifndef THRONG_PAIR_H
#define THRONG_PAIR_H

#include <stdint.h>

/// Marks what is exported.
#define THRONG_EXPORT __attribute__((visibility("default")))

/// Starts a declaration.
#ifdef __cplusplus
#define THRONG_API extern "C" THRONG_EXPORT
#else
#define THRONG_API THRONG_EXPORT
#endif

/// How pairs differ.
typedef enum thPairKind {
    /// Plain.
    th_pairPlain = 0,
    /// Twisted.
    th_pairTwisted = 1,
} thPairKind;

/// Two numbers.
typedef struct thPair {
    /// The first.
    int32_t first;
    /// Makes the second.
    int32_t (*second)(int32_t first, int32_t seed);
} thPair;

/// Visits a pair.
typedef void thPairFcn(void* context, const thPair* pair);

/// Whether it is plain.
static inline int32_t thPair_IsPlain(thPairKind kind)
{
    if (kind == th_pairPlain) {
        return 1;
    } else {
        return 0;
    }
}

/// The sum of a pair.
THRONG_API int32_t thPair_GetSum(const thPair* pair, thPairKind kind, int32_t seed,
                                 thPairFcn* function);

#endif
END
cat >"$clean/src/base/pair.c" <<'END'
#include "throng/pair.h"

#include <sys/types.h>

int32_t thiPairSum(const thPair* pair, int32_t seed);

// A comment may speak of sinf(x).
int32_t thiPairSum(const thPair* pair, int32_t seed)
{
    return pair->first + pair->second(pair->first, seed);
}

THRONG_EXPORT int32_t thPair_GetSum(const thPair* pair, thPairKind kind, int32_t seed,
                                    thPairFcn* function)
{
    function(0, pair);
    return thPair_IsPlain(kind) ? thiPairSum(pair, seed) : 0;
}
END
cat >"$clean/src/avoid/escape.h" <<'END'
#include "base/pair.h"
END
cat >"$clean/src/plan/walk.c" <<'END'
#include "plan/walk.h"

#include "base/pair.h"

static float half(const struct Hooks* hooks)
{
    hooks.log(hooks);
    return floorf(sqrtf(0.5f));
}
END
cat >"$clean/src/record/curve.c" <<'END'
static float wave(float x)
{
    return sinf(x);
}
END

# Runs a check on the tree; the libraries are built only for the check that looks at them.
run() {
    if [ "$1" = check_symbols ]; then
        "$cc" -fvisibility=hidden -fPIC -I"$tree/include" -c "$tree/src/base/pair.c" \
            -o "$tree/pair.o"
        "$cc" -shared "$tree/pair.o" -o "$tree/libpair.so"
        ar rc "$tree/libpair.a" "$tree/pair.o"
        sh "$checks/$1.sh" "$tree" "$tree/libpair.so" "$tree/libpair.a"
    else
        sh "$checks/$1.sh" "$tree"
    fi
}

# A fresh tree, for the next error to be planted in.
fresh() {
    rm -rf "$tree"
    cp -R "$clean" "$tree"
}

catches() { # CHECK TEXT: the check fails and its report holds the text
    code=0
    run "$1" >"$work/report" 2>&1 || code=$?
    if [ $code -eq 77 ]; then
        echo "$1: $(cat "$work/report")"
    elif [ $code -eq 0 ] || ! grep -qF -- "$2" "$work/report"; then
        echo "$1: did not report '$2', exit code $code:"
        cat "$work/report"
        status=1
    fi
}

# Replaces the first line that holds a text by another line.
replace() { # FILE TEXT LINE
    awk -v text="$2" -v new="$3" '!done && index($0, text) { $0 = new; done = 1 } { print }
        END { exit !done }' "$tree/$1" >"$work/replaced"
    cp "$work/replaced" "$tree/$1"
}

for check in headers symbols layers documented libm format; do
    fresh
    code=0
    run check_$check >"$work/report" 2>&1 || code=$?
    if [ $code -ne 0 ] && [ $code -ne 77 ]; then
        echo "check_$check: fails on a tree without errors:"
        cat "$work/report"
        status=1
    fi
done

header=include/throng/pair.h

fresh && replace $header '#include <stdint.h>' ''
catches check_headers "$header: does not compile alone"
fresh && replace $header 'int32_t first;' '    int32_t class;'
catches check_headers "$header: does not compile alone with g++ -std=c++17"

fresh && replace src/base/pair.c THRONG_EXPORT 'int32_t thPair_Add(const thPair* pair,
    thPairKind kind, int32_t seed,'
catches check_symbols 'thPair_GetSum: declared but not exported'
fresh && echo 'THRONG_EXPORT int32_t thPair_Extra;' >>"$tree/src/base/pair.c"
catches check_symbols 'thPair_Extra: exported but not declared'
fresh && echo 'int32_t pairCount;' >>"$tree/src/base/pair.c"
catches check_symbols 'pairCount: global name without th or thi'

fresh && replace src/base/pair.c '#include <sys' '#include "sim/world.h"'
catches check_layers 'src/base/pair.c:3: includes sim/world.h, which is above base'
fresh && replace src/plan/walk.c '#include "base' '#include "avoid/escape.h"'
catches check_layers 'src/plan/walk.c:3: includes avoid/escape.h, which is beside plan'
fresh && replace src/plan/walk.c '#include "base' '#include "../avoid/escape.h"'
catches check_layers 'src/plan/walk.c:3: includes ../avoid/escape.h, which is in no layer'
fresh && mkdir "$tree/src/attic" && cp "$tree/src/plan/walk.c" "$tree/src/attic/other.c"
catches check_layers 'src/attic/other.c:1: folder attic has no place'
fresh && cp "$tree/src/plan/walk.c" "$tree/src/base/walk.c"
catches check_layers 'src/plan/walk.c: same name as src/base/walk.c'
fresh && cp "$tree/src/plan/walk.c" "$tree/src/plan/walkFast.c"
catches check_layers 'src/plan/walkFast.c: not snake_case'

for comment in 'Marks what' 'How pairs differ' Plain. Twisted. 'Two numbers' 'The first' \
    'Makes the' 'Visits a pair' 'Whether it is' 'The sum'; do
    fresh && replace $header "$comment" ''
    line=$(grep -nF "$comment" "$clean/$header" | cut -d : -f 1)
    catches check_documented "$header:$((line + 1)): "
done
fresh && replace $header 'Starts a' ''
catches check_documented "$header:14: macro without"
fresh && replace $header 'int32_t first;' '    int32_t first, last;'
catches check_documented "$header:30: second member on a line"
fresh && replace $header th_pairTwisted '    th_pairTwisted = 1, th_pairOther,'
catches check_documented "$header:24: second member on a line"

for call in 'sinf(x)' 'pow (x, 2.0)' '__builtin_expf(x)' 'apply(logf)' '_mm_rsqrt_ps(x)' \
    '_mm512_mask_rcp14_ps(x)' '_mm256_fmadd_ps(x, x, x)' 'vrecpeq_f32(x)'; do
    fresh && replace src/plan/walk.c floorf "    return $call;"
    catches check_libm 'src/plan/walk.c:8: '
done

fresh && replace src/base/pair.c 'return pair' 'return pair->first;'
catches check_format src/base/pair.c:9

exit $status
