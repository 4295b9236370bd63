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

mkdir -p "$clean/include/throng" "$clean/src/base" "$clean/src/plan/route" \
    "$clean/src/plan/graph" "$clean/src/avoid" "$clean/src/record"
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
cat >"$clean/include/throng/throng.h" <<'END'
/// @file
/// All there is.

#ifndef THRONG_THRONG_H
#define THRONG_THRONG_H

#include "throng/method.h"
#include "throng/pair.h"

#endif
END
cat >"$clean/include/throng/method.h" <<'END'
/// @file
/// What methods are.

#ifndef THRONG_METHOD_H
#define THRONG_METHOD_H

#include <stdint.h>

/// A way to do something.
typedef struct thMethod {
    /// What it is called;
    /// unique.
    const char* name;
    /// Its needs.
    uint32_t needs;
    /// Does it.
    int32_t (*solve)(const char* batch, const void* params);
} thMethod;

#endif
END
source() { # FILE OPENING: writes a source of the tree, with what it has to open with
    {
        printf '// SPDX-FileCopyrightText: 2026\n// SPDX-License-Identifier: MIT\n\n'
        printf '// %s\n\n' "$2"
        cat
    } >"$clean/$1"
}
source src/base/pair.c 'Sums of pairs.' <<'END'
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
source src/avoid/escape.h 'A way out. It does not include walk.h.' <<'END'
#include "base/pair.h"
END
source src/plan/walk.c 'Walks, see pair.h for pairs.' <<'END'
#include "plan/walk.h"

#include "base/pair.h"

static float half(const struct Hooks* hooks)
{
    hooks.log(hooks);
    return floorf(sqrtf(0.5f));
}
END
source src/plan/route/line.h 'Lines.' <<'END'
typedef struct thLine thLine;

struct thLine {
    int length;
};

typedef struct Local {
    int length;
} Local;

extern const int thiLineLimit;
int thiLineLength(const thLine* line);
END
source src/plan/route/line.c 'How long lines are.' <<'END'
#include "plan/route/line.h"

typedef struct Local {
    int width;
} Local;

const int thiLineLimit = 3;

#if LONG
int thiLineLength(const thLine* line)
{
    return line->length + 1;
}
#else
int thiLineLength(const thLine* line)
{
    return line->length;
}
#endif
END
source src/plan/graph/edge.c 'Edges.' <<'END'
#include "plan/route/line.h"
END
source src/record/curve.c 'Curves.' <<'END'
static float wave(float x)
{
    return sinf(x);
}
END

# A method with all it needs.
mkdir -p "$clean/docs/methods" "$clean/scenes" "$clean/tests/golden" "$clean/tests/avoid" \
    "$clean/bench"
echo '# hop' >"$clean/docs/methods/hop.md"
cat >"$clean/docs/methods/README.md" <<'END'
| avoid | guidance | the velocity | [hop](hop.md) |

| field | for what |
|---|---|
| `name`, `needs` | `solve` |
| `solve` | a batch |

END
echo '{"profiles": {"p": {"avoid": {"hop": {}}}}}' >"$clean/scenes/hops.json"
echo 'hop-circle 0123456789abcdef' >"$clean/tests/golden/hashes.txt"
echo 'const char* name = "hop";' >"$clean/tests/avoid/test_hop.c"
source bench/bench_hop.c 'Hops.' <<'END'
static const thBenchCase cases[] = {{.name = "hop/1k", .item = "hop"}};
END
printf '#!/bin/sh\necho avoid hop\n' >"$work/list"
chmod +x "$work/list"

for folder in bench src/avoid src/base src/plan src/record; do
    printf '<!-- files of %s -->\n<!-- end -->\n' $folder
done >"$clean/docs/architecture.md"
sh "$checks/../../tools/file_tables.sh" "$clean"
cat >"$work/tables" <<'END'
<!-- files of src/plan -->

| file of `src/plan` | what it is |
|---|---|
| `walk` | Walks, see pair.h for pairs |

| file of `src/plan/graph` | what it is |
|---|---|
| `edge` | Edges |

| file of `src/plan/route` | what it is |
|---|---|
| `line` | Lines |

<!-- end -->
END
sed -n '/of src.plan -/,/<!-- end/p' "$clean/docs/architecture.md" | diff "$work/tables" - || status=1

# Runs a check on the tree; the libraries are built only for the check that looks at them.
run() {
    if [ "$1" = check_symbols ]; then
        "$cc" -fvisibility=hidden -fPIC -I"$tree/include" -c "$tree/src/base/pair.c" \
            -o "$tree/pair.o"
        "$cc" -shared "$tree/pair.o" -o "$tree/libpair.so"
        ar rc "$tree/libpair.a" "$tree/pair.o"
        sh "$checks/$1.sh" "$tree" "$tree/libpair.so" "$tree/libpair.a"
    elif [ "$1" = check_methods ]; then
        sh "$checks/$1.sh" "$tree" "$work/list"
    elif [ "$1" = check_tables ]; then
        sh "$checks/../../tools/file_tables.sh" "$tree" check
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

for check in headers symbols layers files names tables methods documented libm format; do
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
fresh && replace include/throng/throng.h pair '// #include "throng/pair.h"'
catches check_headers "$header: not included by include/throng/throng.h"

fresh && replace src/base/pair.c THRONG_EXPORT 'int32_t thPair_Add(const thPair* pair,
    thPairKind kind, int32_t seed,'
catches check_symbols 'thPair_GetSum: declared but not exported'
fresh && echo 'THRONG_EXPORT int32_t thPair_Extra;' >>"$tree/src/base/pair.c"
catches check_symbols 'thPair_Extra: exported but not declared'
fresh && echo 'int32_t pairCount;' >>"$tree/src/base/pair.c"
catches check_symbols 'pairCount: global name without th or thi'

fresh && replace src/base/pair.c '#include <sys' '#include "sim/world.h"'
catches check_layers 'src/base/pair.c:8: includes sim/world.h, which is above base'
fresh && replace src/plan/walk.c '#include "base' '#include "avoid/escape.h"'
catches check_layers 'src/plan/walk.c:8: includes avoid/escape.h, which is beside plan'
fresh && replace src/plan/walk.c '#include "base' '#include "../avoid/escape.h"'
catches check_layers 'src/plan/walk.c:8: includes ../avoid/escape.h, which is in no layer'
fresh && mkdir "$tree/src/attic" && cp "$tree/src/plan/walk.c" "$tree/src/attic/other.c"
catches check_layers 'src/attic/other.c:1: folder attic has no place'
fresh && cp "$tree/src/plan/walk.c" "$tree/src/base/walk.c"
catches check_layers 'src/plan/walk.c: same name as src/base/walk.c'
fresh && cp "$tree/src/plan/walk.c" "$tree/src/plan/walkFast.c"
catches check_layers 'src/plan/walkFast.c: not snake_case'

fresh && replace src/plan/route/line.c '#include' '#include "plan/graph/edge.h"'
catches check_layers 'src/plan/route/line.c:6: includes plan/graph/edge.h, which is above plan/route'
fresh && mkdir "$tree/src/plan/fog" && replace src/plan/graph/edge.c '#include' \
    '#include "plan/fog/fog.h"'
catches check_layers 'src/plan/graph/edge.c:6: includes plan/fog/fog.h, which is beside plan/graph'

fresh && replace src/plan/walk.c '// Walks' ''
catches check_files 'src/plan/walk.c:4: does not open with what it is'
fresh && replace src/plan/walk.c '// Walks' '// One.
// 2
// 3
// 4
// 5
// 6'
catches check_files 'src/plan/walk.c:4: opens with 6 lines'
fresh && replace src/plan/walk.c '// Walks' '// Walks, see pair.h'
catches check_files 'src/plan/walk.c:4: the opening has no sentence'
fresh && replace src/plan/walk.c '// Walks' "// $(printf '%0170d' 0)."
catches check_files 'src/plan/walk.c:4: the first sentence has 171 characters'
fresh && replace src/plan/walk.c SPDX-License ''
catches check_files 'src/plan/walk.c:2: no SPDX line'
fresh && for i in $(seq 25); do cp "$tree/src/record/curve.c" "$tree/src/record/curve$i.c"; done
catches check_files 'src/record: 26 files, more than 25'

fresh && replace src/plan/walk.c '// Walks' '// Goes.'
catches check_tables '> | `walk` | Goes |'
fresh && mkdir "$tree/src/geom" && mv "$tree/src/record/curve.c" "$tree/src/geom/curve.c"
catches check_tables 'docs/architecture.md: no table for src/geom'
catches check_tables ': no sources in src/record'

fresh && rm "$tree/docs/methods/hop.md"
catches check_methods 'avoid method hop: no page docs/methods/hop.md'
fresh && echo >"$tree/docs/methods/README.md"
catches check_methods 'avoid method hop: not in the table of docs/methods/README.md'
fresh && rm "$tree/scenes/hops.json"
catches check_methods 'avoid method hop: no scene names it'
fresh && replace tests/golden/hashes.txt hop 'hopper-circle 0123456789abcdef'
catches check_methods 'avoid method hop: no subject hop or hop-... in tests/golden/hashes.txt'
fresh && rm "$tree/tests/avoid/test_hop.c"
catches check_methods 'avoid method hop: no test program names it'
fresh && mv "$tree/tests/avoid/test_hop.c" "$tree/tests/avoid/test_hops.c"
catches check_methods 'avoid method hop: no test program test_hop.c or test_hop_*.c in tests/'
for line in '' '{.name = "step/1k", .item = "hop"}' '{.name = "hopper/1k"}' '#include "hop/1k"'; do
    fresh && replace bench/bench_hop.c hop/1k "$line"
    catches check_methods 'avoid method hop: no case hop or hop/... in bench/'
done
for field in name needs solve; do
    fresh && sed "s/^\(| .*\)\`$field\`\(.* | \)/\1\2/" "$clean/docs/methods/README.md" \
        >"$tree/docs/methods/README.md"
    catches check_methods "docs/methods/README.md: the table of fields has no $field"
done

twice=src/avoid/escape.h
first=src/plan/route/line
for definition in 'struct thLine {' 'typedef struct thLine {' 'typedef int thLine;' \
    'typedef int thLine[3];' 'typedef int (*thLine)(thPair* pair);' 'typedef thPair thLine(int a);'; do
    fresh && echo "$definition" >>"$tree/$twice"
    catches check_names "$first.h:8: thLine is defined in $twice:7 as well"
done
fresh && printf 'static inline thLine thiLineLength(int a,\n    int b)\n{\n}\n' >>"$tree/$twice"
catches check_names "$first.c:15: thiLineLength is defined in $twice:7 as well"
for definition in 'static const int thiLineLimit[] = {1};' '#define thiLineLimit 3'; do
    fresh && echo "$definition" >>"$tree/$twice"
    catches check_names "$first.c:12: thiLineLimit is defined in $twice:7 as well"
done

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
    catches check_libm 'src/plan/walk.c:13: '
done

fresh && replace src/base/pair.c 'return pair' 'return pair->first;'
catches check_format src/base/pair.c:14

exit $status
