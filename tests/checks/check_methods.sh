#!/bin/sh
# Every built-in method has what CONTRIBUTING.md asks for, as far as files tell: a page, a scene, a
# golden hash, tests, a benchmark. What it has to hold when it runs is in tests/world/test_every_method.c.
# And what a method may have is explained: every field of thMethod is in docs/methods/README.md.
# usage: check_methods.sh ROOT LIST
# LIST is a command that prints "KIND NAME" for each method, see list_methods.c.
set -eu
root=$1 list=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
status=0

# What a method does without, and why: KIND NAME WHAT, then the reason.
cat >"$work/exceptions" <<'END'
plan direct test       test_methods walks by it
plan given test        test_methods walks by it
group none test        does nothing; test_every_method
avoid none test        copies two columns; test_every_method
avoid steer-weak test  test_steer_world and test_steer_crowds
plan direct golden     nearly every subject plans by it: it is the default
plan given golden      copies what the host wrote; world-mixed has agents that the host moves
plan direct bench      two subtractions and a root: part of the step in every case of bench_world
plan given bench       copies two columns
group none golden      does nothing; part of every subject
group none bench       does nothing
avoid none golden      copies two columns; checked by test_every_method
avoid none bench       copies two columns
avoid steer-weak page  on the page of steer, whose weights it changes
avoid steer-weak golden  the code of steer with other defaults
avoid steer-weak scene   the code of steer with other defaults
avoid steer-weak bench the code of steer with other defaults
plan roadmap bench     plan_burst times its steps; searches are those of visibility/*
END

: >"$work/excused"
"$list" >"$work/methods"
[ -s "$work/methods" ] || {
    echo "no methods: $list printed nothing"
    exit 1
}
cd "$root"

# lacks WHAT TEXT: a method has not got something, unless it is excused.
lacks() {
    if grep -q "^$kind $name $1  *[^ ]" "$work/exceptions"; then
        echo "$kind $name $1" >>"$work/excused"
    else
        echo "$kind method $name: $2"
        status=1
    fi
}

# Whether files that find lists hold a text.
holds() { # PATTERN FOLDER NAME...
    pattern=$1 folder=$2
    shift 2
    for glob in "$@"; do
        find $folder -name "$glob" -type f
    done | xargs grep -lE -- "$pattern" /dev/null >/dev/null
}

while read -r kind name; do
    [ -f "docs/methods/$name.md" ] || lacks page "no page docs/methods/$name.md"
    grep -qE "^\| $kind \|.*(\[$name\]\(|\`$name\`)" docs/methods/README.md ||
        lacks row "not in the table of docs/methods/README.md"
    holds "\"$kind\": *([{] *)?\"$name\"" "scenes tests" '*.json' ||
        holds "--$kind $name( |'|\"|$)" tests 'test_*.sh' ||
        lacks scene "no scene names it, in scenes/ or tests/, and no test of the program asks for it"
    prefix=$name
    [ "$kind" = avoid ] || prefix=$kind-$name
    grep -qE "^$prefix(-[^ ]*)? [0-9a-f]{16}$" tests/golden/hashes.txt ||
        lacks golden "no subject $prefix or $prefix-... in tests/golden/hashes.txt"
    file=test_$(echo "$name" | tr - _)
    [ -n "$(find tests -name "$file.c" -o -name "${file}_*.c")" ] ||
        lacks test "no test program $file.c or ${file}_*.c in tests/"
    holds "\"$name\"" tests 'test_*.c' || lacks mention "no test program names it"
    holds "[.]name = \"$name[\"/]|^[^#]*\"$name/" bench 'bench_*.c' ||
        lacks bench "no case $name or $name/... in bench/"
done <"$work/methods"

# An exception that nobody needs any more misleads.
while read -r kind name what reason; do
    ! grep -qx "$kind $name" "$work/methods" || grep -qx "$kind $name $what" "$work/excused" || {
        echo "$kind method $name: excused from $what, but needs no excuse"
        status=1
    }
done <"$work/exceptions"

# Fields, and what the table of them names.
sed -n '/^typedef struct thMethod {/,/^} thMethod;/p' include/throng/method.h | sed '1d;$d' |
    sed '/^ *\/\/\//d' | tr '\n;' ' \n' |
    sed -nE -e 's/.*[(][*]([A-Za-z]+)[)][(].*/\1/p' -e t -e 's/.*[ *]([A-Za-z]+)$/\1/p' >"$work/fields"
[ -s "$work/fields" ] || {
    echo "include/throng/method.h: no fields of thMethod found"
    status=1
}
sed -n '/^| field | for what |/,/^$/p' docs/methods/README.md | cut -d '|' -f 2 >"$work/explained"
while read -r field; do
    grep -qF "\`$field\`" "$work/explained" || {
        echo "docs/methods/README.md: the table of fields has no $field"
        status=1
    }
done <"$work/fields"

exit $status
