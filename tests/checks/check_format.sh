#!/bin/sh
# Our C files are as clang-format leaves them. Versions differ in what they do, so only 14 counts.
# usage: check_format.sh ROOT [fix]
# With fix the files are changed instead. Exit code 77: this machine has no clang-format 14.
set -eu
cd "$1"

version=$(clang-format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
if [ "$version" != 14 ]; then
    echo "skipped: clang-format 14 is needed, this machine has ${version:-none}"
    exit 77
fi
if [ "${2-}" = fix ]; then
    set -- -i
else
    set -- --dry-run --Werror
fi
# Build directories and what is fetched into the tree are not ours: only these folders are.
for folder in include src apps tests bench examples; do
    if [ -d $folder ]; then
        echo $folder
    fi
done | xargs -I FOLDER find FOLDER -type f \( -name '*.c' -o -name '*.h' -o -name '*.inl' \) |
    xargs clang-format --style=file "$@"
