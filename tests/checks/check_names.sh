#!/bin/sh
# A name means one thing: a type thName, or anything thiName, is defined in one file of the library
# and the program, also where two files that never meet could each have their own. Types that only
# one file sees have plain names without th, and these may come back elsewhere.
# `typedef struct thName thName;` and `extern` only declare, and so does a function without a body.
# Relies on the layout clang-format gives: definitions start in the first column.
# usage: check_names.sh ROOT
set -eu
cd "$1"

# Alternatives of which each translation unit gets one: the lanes of an instruction set, and the
# kernels over them, whose names a macro completes.
for folder in include src apps; do
    [ ! -d $folder ] || find $folder -type f \( -name '*.c' -o -name '*.h' -o -name '*.inl' \) \
        ! -path 'src/simd/lanes_*.h'
done | LC_ALL=C sort | xargs awk '
function define(name, line) {
    if (name == "" || (FILENAME, name) in seen)
        return # the other branch of an #if, or the tag and the name of one type
    seen[FILENAME, name] = 1
    if (name in place) {
        print FILENAME ":" line ": " name " is defined in " place[name] " as well"
        failed = 1
    } else {
        place[name] = FILENAME ":" line
    }
}

# The last word of a text, if it is a prefix with a capital behind it.
function lastName(text, prefix,    count) {
    gsub(/[^A-Za-z0-9_]+/, " ", text)
    count = split(text, words, " ")
    return count > 0 && words[count] ~ ("^" prefix "[A-Z]") ? words[count] : ""
}

# A statement in the first column, up to its semicolon or brace.
function readStatement(text,    head, name) {
    if (text ~ /^typedef/) {
        head = text
        if (head ~ /[{]$/) {
            sub(/[{].*/, "", head)
            define(lastName(head, "th"), start)
        } else if (head !~ /^typedef (struct|union|enum) [A-Za-z0-9_]+ [A-Za-z0-9_]+;/) {
            # An array, a function or a pointer to one: the name comes before what it takes.
            sub(/\)\(.*/, "", head)
            if (head !~ /\(\*/)
                sub(/\(.*/, "", head)
            sub(/\[.*/, "", head)
            define(lastName(head, "th"), start)
        }
        return
    }
    if (text ~ /^(struct|union|enum) th[A-Z][A-Za-z0-9]* *[{]$/) {
        define(lastName(text, "th"), start)
        return
    }
    if (text ~ /^extern/ || text !~ /thi[A-Z]/)
        return
    head = text
    sub(/ = .*/, "", head)
    name = head
    sub(/[([].*/, "", name)
    # A function with a body, or a variable with a value; others only declare.
    if (index(head, "(") ? text ~ /[{]$/ : text != head)
        define(lastName(name, "thi"), start)
}

FNR == 1 {
    statement = ""
    inside = continued = 0
}
continued {
    continued = /\\$/
    next
}
/^#/ {
    continued = /\\$/
    if (match($0, /^#[ ]*define thi?[A-Z][A-Za-z0-9]*/))
        define(lastName(substr($0, RSTART, RLENGTH), "thi?"), FNR)
    next
}
inside { # a block ends in the first column; what follows a typedef is its name
    if (/^}/) {
        inside = 0
        if (anonymous && /th[A-Z]/)
            define(lastName($0, "th"), FNR)
    }
    next
}
/^[ \t]*(\/\/.*)?$/ { next }
{
    line = $0
    sub(/[ \t]*\/\/.*/, "", line)
    if (statement == "") {
        if (line ~ /^[ \t}]/)
            next
        start = FNR
        statement = line
    } else {
        sub(/^[ \t]+/, "", line)
        statement = statement " " line
    }
    if (statement ~ /[;{]$/ || statement ~ /[{].*[}]$/) {
        inside = statement ~ /[{]$/ && statement !~ /^extern "C"/
        anonymous = statement ~ /^typedef (struct|union|enum) [{]$/
        sub(/[{][^{]+$/, "{", statement)
        readStatement(statement)
        statement = ""
    }
}
END { exit failed }'
