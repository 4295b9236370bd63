#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The installed program, in a tree that was moved: it finds its scenes, and its manual and
# completions are there. Usage: test_program_install.sh PROGRAM BUILD CMAKE

. "$(dirname "$0")/gear.sh"

unset DESTDIR
"$3" --install "$2" --prefix "$folder/first" >"$folder/out" 2>&1 || fail 'install'
prefix=$folder/moved
mv "$folder/first" "$prefix"
throng=$prefix/bin/throng
expect 0 "$prefix/share/throng/scenes/circle-10.json is sound" check circle-10
expect 0 circle-10 list --names
for file in share/man/man1/throng.1 share/bash-completion/completions/throng \
    share/zsh/site-functions/_throng share/fish/vendor_completions.d/throng.fish; do
    [ -s "$prefix/$file" ] || fail "$file is not installed"
done

finish
