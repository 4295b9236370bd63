#!/bin/sh
# Every public declaration, field, enum constant and THRONG_ macro has a /// comment right above it.
# Macros that follow each other without a blank line share the comment above the first, and so do
# those in conditional blocks that follow each other.
# Relies on the layout clang-format gives: one declaration, field or constant starts a line.
# usage: check_documented.sh ROOT
set -eu
cd "$1"

awk '
function report(what) {
    print FILENAME ":" FNR ": " what " without a /// comment: " $0
    failed = 1
}

# Reads a line of code. kind[depth] says what a block holds: "fields" of a struct or union,
# "constants" of an enum, or "code", in which nothing needs a comment.
function readCode(line,    plain, opened, closed) {
    if (statement == "" && line !~ /^[ \t]*}/ && kind[depth] != "code" && !commented)
        report(depth == 0 ? "declaration" : "member")
    statement = statement line
    opened = gsub(/[{]/, "{", line)
    closed = gsub(/[}]/, "}", line)
    if (opened > closed) {
        kind[depth + 1] = kindOfBlock(kind[depth], statement)
        ++depth
        statement = ""
    } else if (closed > opened) {
        if (kind[depth] == "code")
            statement = ""
        --depth
    }
    # Commas and semicolons between parentheses separate no members.
    plain = statement
    while (gsub(/\([^()]*\)/, "", plain))
        ;
    if (depth > 0 && kind[depth] != "code" && plain ~ /[,;].*[A-Za-z]/)
        report("second member on a line")
    if (plain ~ /;[ \t]*$/ || (kind[depth] == "constants" && plain ~ /,[ \t]*$/))
        statement = ""
}

function kindOfBlock(outer, text) {
    if (outer == "code" || text ~ /[)=][ \t]*[{][ \t]*$/)
        return "code"
    return text ~ /(^|[ \t])enum([ \t]|$)/ ? "constants" : "fields"
}

FNR == 1 {
    depth = 0
    statement = ""
    commented = covered = continued = 0
    kind[0] = "declarations"
}
continued {
    continued = /\\$/
    next
}
/^[ \t]*\/\/\// {
    commented = covered = 1
    next
}
/^[ \t]*\/\// {
    commented = covered = 0
    next
}
/^[ \t]*$/ {
    # The cover holds from #endif over a blank line to the next #if, see below.
    betweenBlocks = covered && last ~ /^#[ \t]*endif/
    commented = covered = 0
    next
}
/^[ \t]*#/ {
    if (betweenBlocks && /^#[ \t]*if/)
        covered = 1
    if (/^[ \t]*#[ \t]*define[ \t]+THRONG_/ && $0 !~ /_H$/ && !covered)
        report("macro")
    continued = /\\$/
    commented = betweenBlocks = 0
    last = $0
    next
}
{
    line = $0
    sub(/[ \t]*\/\/.*/, "", line)
    readCode(line)
    commented = covered = betweenBlocks = 0
    last = line
}
END { exit failed }' include/throng/*.h
