#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Files that commands write, for every option of every command that names a file: nothing is written
# over what is read, nothing that was there before is lost, and what cannot be written is noticed
# before. Usage: test_program_outputs.sh PROGRAM

. "$(dirname "$0")/gear.sh"
cd "$folder" || exit 1
cp "$walk" own.json
"$throng" run own.json --quiet --record own.thlog --steps 20 || fail 'a recording to begin with'
cp own.json scene.before
cp own.thlog log.before

# words COMMAND: a command line of it that works, without options that name files.
words() {
    case $1 in
    run) echo 'run own.json --quiet --steps 5' ;;
    check) echo 'check own.json' ;;
    render) echo 'render own.thlog --quiet' ;;
    measure) echo 'measure own.thlog --quiet' ;;
    convert) echo 'convert own.thlog out.txt --quiet' ;;
    path) echo 'path own.json --from 0,0 --to 1,0' ;;
    bench) echo 'bench --scene own.json --steps 1 --warm-up 0 --threads 1' ;;
    verify) echo 'verify people --only iso-7 --avoid orca --seeds 1' ;; # names a folder, no file
    list | help) echo "$1" ;;
    *) fail "test_program_outputs.sh does not know how '$1' is called" ;;
    esac
}

# suffix OPTION: what names of its files end in
suffix() {
    case $1 in
    output) echo .png ;;
    record) echo .thlog ;;
    geometry) echo .wkt ;;
    with | against) echo .thlog ;;
    *) echo .x ;;
    esac
}

# unharmed WHAT: what was read is as it was, and no part is left.
unharmed() {
    cmp -s own.json scene.before || fail "$1: the scene was changed"
    cmp -s own.thlog log.before || fail "$1: the recording was changed"
    for part in *.part; do
        [ ! -e "$part" ] || fail "$1: $part is left"
    done
    cp scene.before own.json
    cp log.before own.thlog
}

# refused WHAT WORDS...: the program says what is wrong, and not by a crash.
refused() {
    what=$1
    shift
    "$throng" "$@" >out 2>&1
    code=$?
    [ "$code" -eq 2 ] || [ "$code" -eq 3 ] || fail "$what: exit code $code"
    grep -q '^throng' out || fail "$what: it is not said what is wrong"
}

commands=$("$throng" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
tried=0
for command in $commands; do
    line=$(words "$command")
    files=$("$throng" "$command" --help | sed -n 's/^  --\([a-z-]*\) \(FILE\|PREFIX\) .*/\1/p')
    for option in $files; do
        end=$(suffix "$option")
        tried=$((tried + 1))
        # What is read, by all of its names.
        own=$(echo "$line" | sed 's/.*\(own\.[a-z]*\).*/\1/')
        ln $own hard$end
        ln -s "$PWD/$own" soft$end
        ln -s soft$end softer$end
        for file in $own ./$own "$PWD/$own" hard$end soft$end softer$end; do
            # shellcheck disable=SC2086
            "$throng" $line "--$option" "$file" >out 2>&1
            unharmed "$command --$option $file"
        done
        rm -f hard$end soft$end softer$end
        # What cannot be: folders, and what is in none. Prefixes are no names yet.
        mkdir -p folder$end
        # shellcheck disable=SC2086
        refused "$command --$option in no folder" $line "--$option" "nowhere/x$end"
        [ $command-$option = measure-csv ] || # shellcheck disable=SC2086
            refused "$command --$option folder$end" $line "--$option" folder$end
        # A command that fails leaves what was there. The first words are the command and its file.
        for name in before$end before$end-figures.csv; do
            echo before >$name
        done
        # shellcheck disable=SC2086
        refused "$command of nothing" ${line%%own.*}nothing.json ${line#*own.} "--$option" before$end
        for name in before$end before$end-figures.csv; do
            grep -qx before $name || fail "$command that fails, --$option: $name was changed"
            rm $name
        done
        unharmed "$command that fails, --$option"
        # Two at once.
        for other in $files; do
            [ "$other" = "$option" ] && continue
            for same in same$end "$PWD/same$end" ./same$end; do
                # shellcheck disable=SC2086
                "$throng" $line "--$option" same$end "--$other" "$same" >out 2>&1
                case $?-$command-$option-$other in
                0-measure-csv-* | 0-measure-*-csv) ;; # names that begin alike are not the same
                0-*) fail "$command --$option and --$other to one file" ;;
                *) [ ! -e same$end ] || fail "$command --$option and --$other: a file is left" ;;
                esac
                rm -f same*
            done
        done
    done
done
[ "$tried" -ge 14 ] || fail "only $tried options that name files were found"

# Derived names too.
ln -s own.thlog p-people.csv
expect 2 "cannot write --csv to 'p-people.csv': it is what is read as FILE" measure own.thlog --csv p
[ ! -e p-figures.csv ] || fail 'one of four files was written'
unharmed 'measure --csv'
rm -f p-*
expect 2 "cannot write --summary to 'p-lines.csv': that is where --csv goes" measure own.thlog \
    --summary p-lines.csv --csv p --line a=0,0,0,1
"$throng" convert own.thlog own.h5 >/dev/null 2>&1 &&
    expect 2 "cannot write the log of --record to 'l.h5.thlog': that is where --summary goes" \
        run own.json --record l.h5 --summary l.h5.thlog
ln -s own.json own.thsnap
expect 2 "cannot write --snapshot to 'own.thsnap': it is what is read as the scene" run own.json \
    --snapshot-every 2
rm own.thsnap
unharmed 'a snapshot by its usual name'
expect 2 "--snapshot is '-', expected a file" run own.json --snapshot -
expect 2 "it is what is read as --compare" bench --scene own.json --csv b.csv --compare ./b.csv

mkdir hall
sed 's#"goals"#"walls": [{"file": "hall.wkt"}], "goals"#' own.json >hall/hall.json
echo 'LINESTRING (90 90, 91 91)' >hall/hall.wkt
expect 2 "cannot write --summary to 'hall/hall.wkt': it is what is read as walls of the scene" \
    run hall/hall.json --summary hall/hall.wkt
grep -q LINESTRING hall/hall.wkt || fail 'walls of the scene were written over'

# A run may go on from a snapshot and replace it.
expect 0 '' run own.json --quiet --steps 5 --snapshot s
expect 0 '' run own.json --quiet --steps 9 --snapshot s --resume s
expect 0 'in 9 steps' run own.json --steps 9 --resume s

# Pipes, devices and the standard output are written as they are, and links are followed.
"$throng" measure own.thlog --quiet --summary s.json || fail 'a summary'
for file in - /dev/stdout /dev/fd/1; do
    "$throng" measure own.thlog --summary $file >printed 2>out || fail "--summary $file > file"
    cmp -s s.json printed || fail "--summary $file > file: other bytes"
    "$throng" measure own.thlog --summary $file 2>out | cmp -s - s.json || fail "--summary $file |"
done
"$throng" measure own.thlog --quiet --summary /dev/stderr 2>printed || fail '--summary /dev/stderr'
cmp -s s.json printed || fail '--summary /dev/stderr: other bytes'
expect 0 '' run own.json --quiet --steps 5 --summary /dev/null --hashes /dev/null
[ -c /dev/null ] || fail '/dev/null is gone'
mkfifo pipe
cat pipe >printed &
expect 0 '' measure own.thlog --quiet --summary pipe
wait $!
cmp -s s.json printed || fail 'a pipe gets other bytes'
[ -p pipe ] || fail 'the pipe was replaced'
# What is not written from its beginning to its end needs a plain file.
for end in h5 sqlite; do
    "$throng" convert own.thlog try.$end >/dev/null 2>&1 || continue
    ln -s pipe pipe.$end
    timeout 20 "$throng" convert own.thlog pipe.$end >out 2>&1
    [ $? -eq 3 ] && grep -q "cannot write 'pipe.$end': it is no plain file" out ||
        fail "a pipe as .$end"
done
mkdir there
ln -s there/real link
ln -s link link2
expect 0 '' measure own.thlog --quiet --summary link2
cmp -s s.json there/real && [ -h link ] && [ -h link2 ] || fail 'links to what is not there'
echo before >there/real
chmod 640 there/real
expect 0 '' measure own.thlog --quiet --summary link2
cmp -s s.json there/real && [ -h link2 ] || fail 'links to what is there'
[ "$(ls -l there/real | cut -c 1-10)" = '-rw-r-----' ] || fail 'it has another mode'
ln -s loop loop
expect 3 "cannot write 'loop': Too many levels of symbolic links" measure own.thlog --summary loop
"$throng" measure own.thlog --summary out >out 2>messages
[ $? -eq 2 ] && grep -q 'that is where the standard output goes' messages ||
    fail 'a file that the standard output goes to'
for file in /dev/full full; do
    [ -e /dev/full ] || continue
    [ -h full ] || ln -s /dev/full full
    expect 3 "cannot write '$file': No space left on device" measure own.thlog --quiet --summary $file
    expect 3 "cannot write '$file': No space left on device" run own.json --quiet --hashes $file
    expect 3 "cannot write '$file': No space left on device" bench --scene own.json --csv $file \
        --steps 1 --threads 1
done
# Folders and files that may not be written; nothing stops the superuser, who becomes somebody else.
mkdir closed
echo before >closed/old
chmod 400 closed/old
chmod 755 . closed
(
    set -- "$throng"
    [ "$(id -u)" -ne 0 ] || set -- setpriv --reuid=65534 --clear-groups "$throng"
    "$@" --version >out 2>&1 || exit 0
    chmod 555 closed
    for option in summary hashes snapshot record; do
        "$@" run own.json --quiet --$option closed/new.thlog 2>messages
        [ $? -eq 3 ] && grep -q "cannot write 'closed/new.thlog': Permission denied" messages ||
            { echo "--$option in a folder that is closed"; exit 1; }
    done
    [ "$(id -u)" -eq 0 ] || chmod 755 closed
    "$@" run own.json --quiet --summary closed/old 2>messages
    [ $? -eq 3 ] && grep -q "cannot write 'closed/old': Permission denied" messages
) || fail 'what may not be written'
chmod 755 closed

# Ctrl-C: what is not complete does not replace what was.
for name in c-figures.csv c-people.csv s.json; do
    echo before >$name
done
cat >long.json <<'END'
{"throng": 1, "time": {"end": {"at": 1e9}},
 "agents": [{"at": [0, 0], "goal": {"offset": [9, 0]}}]}
END
endAfter 0.7 measure long.json --csv c --summary s.json
for name in c-figures.csv c-people.csv s.json; do
    grep -qx before $name || fail "an interrupted measure has changed $name"
done
unharmed 'an interrupted measure'
if "$throng" help | grep -q '^  render'; then
    echo before >r.png
    endAfter 0.7 render long.json --as paths --output r.png
    grep -qx before r.png || fail 'an interrupted render has changed its picture'
    unharmed 'an interrupted render'
fi

"$throng" run long.json --quiet --record long.thlog --until 20000
for end in thlog txt h5 sqlite; do
    echo before >c.$end
    "$throng" convert own.thlog try.$end >/dev/null 2>&1 || continue
    start convert long.thlog c.$end
    sleep 0.03
    kill -TERM "$child"
    wait "$child" 2>/dev/null
    code=$? # 143 where it came before the program listened
    case $code in
    0) [ "$(wc -c <c.$end)" -gt 1000 ] || fail "a conversion to .$end is not complete" ;;
    1 | 143) grep -qx before c.$end || fail "an interrupted conversion has changed c.$end" ;;
    *) fail "an interrupted conversion ends with $code" ;;
    esac
    unharmed 'an interrupted conversion'
done
rm -f try.*

# Two runs to one recording: the second one is refused, and the first does not notice.
for name in two.thlog two.h5; do
    [ $name = two.thlog ] || [ -e own.h5 ] || continue
    start run long.json --quiet --record $name
    sleep 0.7
    "$throng" run own.json --quiet --record $name 2>messages
    [ $? -eq 3 ] || fail "the second run to $name: exit code"
    grep -q "another program is writing it; wait until that has ended" messages ||
        fail "the second run to $name: it is not said why"
    "$throng" convert own.thlog two.thlog >messages 2>&1 && [ $name = two.thlog ] &&
        fail 'a recording that is being written is replaced by another'
    rm -f messages
    kill -TERM "$child"
    wait "$child"
    expect 0 '1 frames' convert $name all.thlog --to 0
    expect 0 'most at once                      1' measure $name
    [ ! -e two.h5.thlog ] || fail 'the log of two.h5 is left'
    rm -f two.thlog
done
# The same of any other file; what a killed one has left does not matter.
start run long.json --quiet --hashes h.txt --summary h.json
sleep 0.5
expect 3 "cannot write 'h.txt': another program is writing it" run own.json --hashes h.txt
expect 3 "cannot write './h.json': another program is writing it" measure own.thlog --summary ./h.json
kill -9 "$child"
wait "$child" 2>/dev/null
[ -e h.txt.part ] && [ ! -e h.txt ] || fail 'a killed run has given its file a name'
expect 0 '' run own.json --quiet --hashes h.txt --summary h.json --steps 3
[ "$(wc -l <h.txt)" -eq 3 ] || fail 'what a killed run has left is among the hashes'
unharmed 'runs after a killed one'

# A log begins to replace another with its first frame, and not before.
echo before >old.thlog
expect 2 '--fps is 7' run own.json --record old.thlog --fps 7
grep -qx before old.thlog || fail 'a run that did not begin has emptied a log'
(ulimit -f 0 && "$throng" run own.json --quiet --record old.thlog 2>/dev/null)
[ $? -eq 3 ] || fail 'a log without room: exit code'
grep -qx before old.thlog || fail 'a run that could record nothing has emptied a log'
unharmed 'a log without room'

finish
