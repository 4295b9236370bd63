#!/bin/sh
# The shared library exports what the public headers declare, no more and no less; and every global
# name in the static library is ours: th… for the public, thi… for the rest.
# usage: check_symbols.sh ROOT SHARED_LIBRARY STATIC_LIBRARY
set -eu
export LC_ALL=C

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The name is the word before the first parenthesis, which may be on a later line.
awk '/^THRONG_API/ { text = ""; inside = 1 }
     inside {
         text = text " " $0
         if (index(text, "(")) {
             sub(/[ ]*\(.*/, "", text)
             sub(/.*[ *]/, "", text)
             print text
             inside = 0
         }
     }' "$1"/include/throng/*.h | sort -u >"$work/declared"
nm -D --defined-only "$2" | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u >"$work/exported"
nm -g --defined-only "$3" | awk 'NF == 3 { print $3 }' | sort -u >"$work/global"

[ -s "$work/declared" ] || echo "no declarations found in $1/include/throng" >>"$work/report"
[ -s "$work/global" ] || echo "no global names found in $3" >>"$work/report"
comm -23 "$work/declared" "$work/exported" | sed 's/$/: declared but not exported/' >>"$work/report"
comm -13 "$work/declared" "$work/exported" | sed 's/$/: exported but not declared/' >>"$work/report"
grep -Ev '^thi?[A-Z]' "$work/global" | sed 's/$/: global name without th or thi/' >>"$work/report"

cat "$work/report"
[ ! -s "$work/report" ]
