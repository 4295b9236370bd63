#!/bin/sh
# Each public header compiles alone, as C17 and as C++17, with every compiler that is there, and
# throng.h includes it.
# usage: check_headers.sh ROOT
set -eu
cd "$1"

status=0
compiled=0

compile() { # COMPILER LANGUAGE STANDARD
    command -v "$1" >/dev/null || return 0
    for header in include/throng/*.h; do
        compiled=$((compiled + 1))
        echo "#include \"throng/${header##*/}\"" |
            "$1" -x "$2" -std="$3" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude - || {
            echo "$header: does not compile alone with $1 -std=$3"
            status=1
        }
    done
}

compile gcc c c17
compile g++ c++ c++17
compile clang c c17
compile clang++ c++ c++17
if [ $compiled -eq 0 ]; then
    echo "no compiler or no header found"
    status=1
fi

for header in include/throng/*.h; do
    name=${header##*/}
    [ "$name" = throng.h ] || grep -qx "#include \"throng/$name\"" include/throng/throng.h || {
        echo "$header: not included by include/throng/throng.h"
        status=1
    }
done
exit $status
