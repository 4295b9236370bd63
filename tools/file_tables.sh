#!/bin/sh
# Writes the tables of files into docs/architecture.md: between `<!-- files of FOLDER -->` and
# `<!-- end -->` a row for each source of that folder, with the first sentence of its opening. A
# header and the sources of its name are one row, and the header's sentence is taken. Folders below
# that have no place of their own on the page follow with a table each.
# usage: tools/file_tables.sh ROOT [check]
# With check nothing is written; exit code 1 where the tables are not what they should be.
set -eu
cd "$1"
page=docs/architecture.md

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Every source with its sentence, separated by a tab.
for folder in src apps bench tests/gear; do
    [ ! -d $folder ] || find $folder -type f \( -name '*.c' -o -name '*.h' -o -name '*.inl' \
        -o -name '*.cpp' \)
done | LC_ALL=C sort | xargs awk '
function finish() {
    if (file == "")
        return
    if (match(text, /[.]( |$)/))
        text = substr(text, 1, RSTART - 1)
    print file "\t" text
    file = ""
}
FNR == 1 {
    finish()
    file = FILENAME
    text = ""
    over = 0
}
FNR > 3 && !over {
    if ($0 ~ /^\/\/ [^ ]/)
        text = text (text == "" ? "" : " ") substr($0, 4)
    else
        over = 1
}
END { finish() }' >"$work/sentences"

awk -F '\t' -v page="$page" '
# The folder a file is listed under: the nearest above it that has a table.
function tableOf(folder) {
    while (!(folder in marked)) {
        if (folder !~ /\//)
            return ""
        sub(/\/[^\/]*$/, "", folder)
    }
    return folder
}

# Orders files so that what is taken for a row comes first.
function weight(name) {
    return (name ~ /(_internal|_wide)\./ ? 4 : 0) + (name ~ /\.h$/ ? 0 : name ~ /\.c$/ ? 1 : 2)
}

function readFile(path, sentence,    name, folder, stem, base, table) {
    folder = name = path
    sub(/\/[^\/]*$/, "", folder)
    sub(/.*\//, "", name)
    table = tableOf(folder)
    if (table == "") {
        if (!(folder in told))
            print page ": no table for " folder >"/dev/stderr"
        told[folder] = failed = 1
        return
    }
    stem = folder "/" name
    sub(/\.[a-z]+$/, "", stem)
    base = stem
    sub(/_(internal|wide)$/, "", base)
    if (base in isStem)
        stem = base
    if (!(stem in best)) {
        best[stem] = 100
        rows[folder, ++rowCount[folder]] = stem
        if (rowCount[folder] == 1)
            folders[table, ++folderCount[table]] = folder
    }
    ++files[stem]
    if (weight(name) < best[stem]) {
        best[stem] = weight(name)
        text[stem] = sentence
        only[stem] = name
    }
}

function printTable(folder,    i, stem, shown) {
    printf "\n| file of `%s` | what it is |\n|---|---|\n", folder
    for (i = 1; i <= rowCount[folder]; ++i) {
        stem = rows[folder, i]
        shown = substr(stem, length(folder) + 2)
        if (files[stem] == 1 && only[stem] !~ /\.c$/)
            shown = shown substr(only[stem], index(only[stem], "."))
        gsub(/[|]/, "\\|", text[stem])
        gsub(/</, "\\&lt;", text[stem])
        print "| `" shown "` | " text[stem] " |"
    }
}

# The folder itself, then those below it.
function printTables(table,    i) {
    if (rowCount[table])
        printTable(table)
    for (i = 1; i <= folderCount[table]; ++i)
        if (folders[table, i] != table)
            printTable(folders[table, i])
    print ""
}

FNR == 1 { ++pass }
pass == 1 { # the page: which folders have a table
    if (/^<!-- files of .* -->$/)
        marked[substr($0, 15, length($0) - 18)] = 1
    next
}
pass == 2 { # stems
    stem = $1
    sub(/\.[a-z]+$/, "", stem)
    isStem[stem] = 1
    next
}
pass == 3 {
    readFile($1, $2)
    next
}
inside && /^<!-- end -->$/ { inside = 0 }
inside { next }
{ print }
/^<!-- files of .* -->$/ {
    table = substr($0, 15, length($0) - 18)
    if (!folderCount[table]) {
        print FILENAME ":" FNR ": no sources in " table >"/dev/stderr"
        failed = 1
    }
    printTables(table)
    inside = 1
}
END {
    if (inside) {
        print FILENAME ": no <!-- end --> after the table of " table >"/dev/stderr"
        failed = 1
    }
    exit failed
}' "$page" "$work/sentences" "$work/sentences" "$page" >"$work/page"

if [ "${2-}" != check ]; then
    cmp -s "$work/page" "$page" || cp "$work/page" "$page"
elif ! diff "$page" "$work/page"; then
    echo "$page: tables of files are not up to date; make docs renews them"
    exit 1
fi
