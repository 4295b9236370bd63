#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Every command and option is in the manual, in docs/program.md and in each completion, and these
# mention no option that does not exist. Usage: test_program_documented.sh PROGRAM SOURCE

. "$(dirname "$0")/gear.sh"
cd "$2" || exit 1

"$throng" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\).*/\1/p' >"$folder/commands"
[ "$(wc -l <"$folder/commands")" -ge 4 ] || fail 'commands are found in the help'
{
    "$throng" help
    while read -r command; do "$throng" "$command" --help; done <"$folder/commands"
} | sed -n 's/^  --\([a-z-]*\).*/\1/p' | sort -u >"$folder/options"
[ "$(wc -l <"$folder/options")" -ge 20 ] || fail 'options are found in the help'

completions=apps/throng/completions
for file in docs/throng.1 docs/program.md $completions/throng.bash $completions/_throng \
    $completions/throng.fish; do
    # How an option is written: in the manual its dashes are escaped, in fish it has none.
    case $file in
    *.1) sed 's/\\-/-/g' "$file" ;;
    *.fish) sed 's/ -l / --/g' "$file" ;;
    *) cat "$file" ;;
    esac >"$folder/text"
    while read -r word; do
        grep -qw -- "$word" "$folder/text" || fail "$file does not mention the command $word"
    done <"$folder/commands"
    grep -oE -- '(^|[^a-z-])--[a-z][a-z-]*' "$folder/text" | sed 's/.*--/--/' | sed 's/^--//' |
        sort -u >"$folder/mentioned"
    comm -23 "$folder/options" "$folder/mentioned" >"$folder/out"
    [ ! -s "$folder/out" ] || fail "$file does not mention these options"
    # Without cairo there is no command `render`, whose options are mentioned all the same.
    : >"$folder/out"
    ! grep -qx render "$folder/commands" ||
        comm -13 "$folder/options" "$folder/mentioned" >"$folder/out"
    [ ! -s "$folder/out" ] || fail "$file mentions options that do not exist"
done
: >"$folder/out"

# Every key of the summary is in docs/program.md.
"$throng" run "$here/scenes/walk.json" --summary - | grep -oE '"[a-z_][a-z_0-9]*":' | tr -d '":' |
    sort -u >"$folder/keys"
while read -r key; do
    grep -qF "\`$key\`" docs/program.md || fail "docs/program.md does not explain $key"
done <"$folder/keys"

# The run that docs/program.md shows, but for times.
"$throng" run circle-10 | grep -Ev '^(speed| )' >"$folder/shown"
while read -r line; do
    grep -qxF "$line" docs/program.md || fail "docs/program.md does not show: $line"
done <"$folder/shown"

# The scripts are sound where their shells are there.
bash -n $completions/throng.bash || fail 'throng.bash is no bash script'
for shell in zsh fish; do
    file=$completions/_throng
    [ $shell = zsh ] || file=$completions/throng.fish
    ! command -v $shell >/dev/null || $shell -n $file || fail "$file is no $shell script"
done

# What bash offers.
offers() { # WORDS-SO-FAR...: the last one is being typed
    PATH="$(dirname "$throng"):$PATH" bash -c ". $completions/throng.bash
        COMP_WORDS=(\"\$@\") COMP_CWORD=\$((\$# - 1)); _throng; printf '%s\n' \"\${COMPREPLY[@]}\"" \
        bash "$@" >"$folder/out"
}
offers throng ch
grep -qx check "$folder/out" || fail 'bash completes commands'
offers throng run --su
grep -qx -- --summary "$folder/out" || fail 'bash completes options'
offers throng run circle-1
grep -qx circle-10 "$folder/out" || fail 'bash completes scenes'
offers throng run circle-10 --simd av
grep -qx avx2 "$folder/out" || fail 'bash completes values'
: >"$folder/out"

# All completions get the names of methods and scenes from the program, and bash offers them all.
for kind in avoid plan group; do
    "$throng" list --methods $kind | sort >"$folder/names"
    case $kind in
    avoid) known=orca ;;
    plan) known=visibility ;;
    group) known=none ;;
    esac
    grep -qx $known "$folder/names" || fail "list --methods $kind names $known"
    while read -r name; do
        "$throng" run "$here/scenes/walk.json" --$kind "$name" --steps 0 --quiet >"$folder/out" 2>&1
        ! grep -q "no $kind method" "$folder/out" || fail "list --methods $kind names $name"
    done <"$folder/names"
    offers throng run --$kind ''
    sort "$folder/out" | cmp -s - "$folder/names" || fail "bash offers every method of --$kind"
    ! grep -F -- "--${kind}[" $completions/_throng | grep -v "_throng_methods $kind'" >"$folder/out" ||
        fail "_throng offers every method of --$kind"
    sed -e ':again' -e '/\\$/N' -e 's/\\\n//' -e 't again' $completions/throng.fish |
        grep -- "-l $kind " | grep -vF "(throng list --methods $kind " >"$folder/out"
    [ ! -s "$folder/out" ] || fail "throng.fish offers every method of --$kind"
done
"$throng" list --names | sort >"$folder/names"
for words in 'run' 'check' 'path' 'render' 'measure' 'bench --scene'; do
    # shellcheck disable=SC2086
    offers throng $words ''
    sort -u "$folder/out" | comm -23 "$folder/names" - >"$folder/missing"
    [ ! -s "$folder/missing" ] || fail "bash offers every scene after $words"
done
for file in $completions/_throng $completions/throng.fish; do
    grep -q 'throng list --names' $file || fail "$file offers every scene"
done
expect 2 'expected avoid, plan or group' list --methods way
: >"$folder/out"

# The manual has no errors, where there is a formatter.
if command -v groff >/dev/null; then
    groff -man -ww -z docs/throng.1 2>"$folder/out"
    [ ! -s "$folder/out" ] || fail 'docs/throng.1 has errors'
fi

finish
