#!/bin/sh
# Every source says first what it is: after the two SPDX lines and an empty one comes a paragraph of
# one to five lines, whose first sentence goes into the tables of docs/architecture.md
# (tools/file_tables.sh) and so has to stand for itself. More may follow after an empty line.
# Also, no folder under src/ or apps/ has more files of its own than one takes in at a glance.
# usage: check_files.sh ROOT
set -eu
cd "$1"
status=0
lineMax=5
sentenceMax=160
fileMax=25

list() { # FOLDER...: the sources of those folders that are there
    for folder in "$@"; do
        [ ! -d "$folder" ] || find "$folder" -type f \
            \( -name '*.c' -o -name '*.h' -o -name '*.inl' \)
    done | LC_ALL=C sort
}

list src apps bench tests/gear | xargs awk -v lineMax=$lineMax -v sentenceMax=$sentenceMax '
function report(line, text) {
    print file ":" line ": " text
    failed = 1
}
# What was read of a file is judged when its opening is over.
function judge(    sentence) {
    if (file == "" || done)
        return
    done = 1
    if (lines == 0) {
        report(4, "does not open with what it is, after the SPDX lines and an empty line")
        return
    }
    if (lines > lineMax)
        report(4, "opens with " lines " lines, more than " lineMax)
    sentence = text
    if (match(sentence, /[.]( |$)/))
        sentence = substr(sentence, 1, RSTART)
    else
        report(4, "the opening has no sentence that ends with a full stop")
    # Some count bytes, others characters: signs outside of ASCII count as one.
    gsub(/[\200-\277]/, "", sentence)
    if (length(sentence) > sentenceMax)
        report(4, "the first sentence has " length(sentence) " characters, more than " sentenceMax)
}
FNR == 1 {
    judge()
    file = FILENAME
    done = lines = 0
    text = ""
}
FNR <= 2 {
    if ($0 !~ /^\/\/ SPDX-/)
        report(FNR, "no SPDX line")
    next
}
FNR == 3 {
    if ($0 != "")
        report(3, "no empty line after the SPDX lines")
    next
}
!done {
    if ($0 ~ /^\/\/ [^ ]/) {
        ++lines
        text = text (lines > 1 ? " " : "") substr($0, 4)
    } else {
        judge()
    }
}
END {
    judge()
    exit failed
}' || status=1

list src apps | sed 's,/[^/]*$,,' | uniq -c | awk -v fileMax=$fileMax '
{ count[$2] += $1 }
END {
    for (folder in count)
        if (count[folder] > fileMax) {
            print folder ": " count[folder] " files, more than " fileMax
            failed = 1
        }
    exit failed
}' || status=1

exit $status
