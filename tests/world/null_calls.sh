#!/bin/sh
# Every public function that takes a pointer, as a line of C that calls it without any: what
# test_null_calls.c includes. Relies on the layout clang-format gives.
#   null_calls.sh ROOT FILE
#     CALL(name, arguments)    no pointers, no ids; numbers are theNumber
#     HELD(name, arguments)    the same, but the world, the scene or the run is there
set -eu

awk '/^THRONG_API/ { text = ""; inside = 1 }
     inside {
         text = text " " $0
         if (index(text, ";")) {
             inside = 0
             gsub(/ +/, " ", text)
             print text
         }
     }' "$1"/include/throng/*.h | awk '
     {
         name = $0
         sub(/\(.*/, "", name)
         sub(/.*[ *]/, "", name)
         list = $0
         sub(/^[^(]*\(/, "", list)
         sub(/\);.*/, "", list)
         if (!index(list, "*"))
             next
         count = split(list, parts, /, /)
         calls = ""
         held = ""
         for (i = 1; i <= count; ++i) {
             type = parts[i]
             if (type ~ /\[/) # an array is a pointer
                 sub(/ [A-Za-z]+\[.*/, "*", type)
             else
                 sub(/ ?[A-Za-z]+$/, "", type)
             zero = type ~ /^(u?int(32|64)_t|size_t|float|double)$/ ? "(" type ")theNumber" \
                                                                     : "(" type "){0}"
             calls = calls ", " zero
             object = type == "thWorld*" || type == "const thWorld*" ? "theWorld" \
                    : type == "thScene*" || type == "const thScene*" ? "theScene" \
                    : type == "thRun*" || type == "const thRun*" ? "theRun" : ""
             held = held ", " (object != "" ? object : zero)
         }
         print "CALL(" name calls ")"
         if (held != calls && name !~ /^thDestroy(World|Scene|Run)$/)
             print "HELD(" name held ")"
     }' >"$2"
