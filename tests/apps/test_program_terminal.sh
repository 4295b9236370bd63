#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The program on a terminal: a bar that goes away, colours, lines that fit.
# Usage: test_program_terminal.sh PROGRAM

. "$(dirname "$0")/gear.sh"
if ! script -qec true /dev/null >/dev/null 2>&1; then
    echo "skipped: there is no 'script' that makes terminals"
    exit 77
fi
export TERM=xterm
escape=$(printf '\033')

# onTerminal WIDTH COMMAND: what the terminal gets, one write over another on lines of their own.
onTerminal() {
    script -qec "stty cols $1; $2" /dev/null </dev/null | tr '\r' '\n' >"$folder/out"
}

onTerminal 100 "$throng run random-10k --steps 40 --threads 1 --simd scalar"
grep -Eq 'random-10k  \[#*\.+\] +[0-9]+ %  t = [0-9.]+ s  [0-9.]+ x real time' "$folder/out" ||
    fail 'a bar is drawn'
! sed 's/\[K//' "$folder/out" | grep -Eq '.{101}' || fail 'the bar is wider than the terminal'
# The bar's last line is erased before the result comes.
grep -n "^${escape}\[K" "$folder/out" | tail -n 1 | grep -q 'scene *random-10k' ||
    fail 'the bar is erased'
onTerminal 40 "$throng run random-10k --steps 20 --threads 1 --simd scalar"
! sed "s/$escape\[K//" "$folder/out" | grep -E 'x real|left' | grep -Eq '.{40}' ||
    fail 'the bar is wider than a narrow terminal'
onTerminal 100 "$throng run random-10k --steps 20 --quiet"
! grep -q '[a-z]' "$folder/out" || fail '--quiet is silent on a terminal too'

broken=$here/scenes/broken.json
onTerminal 100 "$throng check $broken"
grep -qF "${escape}[31mtime.step:" "$folder/out" || fail 'errors are coloured'
for plain in "NO_COLOR=1 $throng check $broken" "TERM=dumb $throng check $broken" \
    "$throng check $broken | cat"; do
    onTerminal 100 "$plain"
    ! grep -qF "${escape}[31m" "$folder/out" || fail "$plain: errors are coloured"
    grep -qF 'time.step: -1' "$folder/out" || fail "$plain: no errors"
done

onTerminal 60 "$throng list"
! grep -Eq '.{61}' "$folder/out" || fail 'the list is wider than the terminal'
onTerminal 60 "$throng list | cat"
grep -Eq '.{61}' "$folder/out" || fail 'the list is cut although no terminal sees it'

finish
