#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The command `convert`: what other programs say of the files it writes, messages about files that
# are wrong, and what it leaves behind. Usage: test_program_convert.sh PROGRAM

. "$(dirname "$0")/gear.sh"
cd "$folder" || exit 1

cat >people.txt <<'END'
# framerate: 10 fps
# id frame x/m y/m z/m
1 0 0.5 0.25 0
1 1 0.75 0.25 0
1 2 1 0.25 0
2 1 3 4 0
END
echo 'POLYGON ((-1 -1, 9 -1, 9 9, -1 9, -1 -1), (5 5, 6 5, 6 6, 5 5))' >hall.wkt

# The way through all formats and back.
expect 0 'a.thlog: 3 frames, 10 a second, with 4 positions' convert people.txt a.thlog \
    --geometry hall.wkt
expect 0 '' convert a.thlog b.h5 --quiet
expect 0 '' convert b.h5 c.sqlite --quiet
expect 0 '' convert c.sqlite d.txt --quiet
cat >expected <<'END'
# description: written by throng
# framerate: 10 fps
# id frame x/m y/m z/m
1 0 0.500000 0.250000 0
1 1 0.750000 0.250000 0
2 1 3.000000 4.000000 0
1 2 1.000000 0.250000 0
END
diff expected d.txt >out || fail 'the way through all formats changes rows'

# Parts.
expect 0 '' convert a.thlog part.txt --quiet --fps 20 --from 0.05 --to 0.15 --area 0,0,2,2
cat >expected <<'END'
# description: written by throng
# framerate: 20 fps
# id frame x/m y/m z/m
1 1 0.625000 0.250000 0
1 2 0.750000 0.250000 0
1 3 0.875000 0.250000 0
END
diff expected part.txt >out || fail 'a part is not what it should be'
expect 2 "'a.thlog' has no frame that is wanted" convert a.thlog none.txt --from 7
[ ! -e none.txt ] || fail 'a file without frames was written'

# A line that was cut is left out; suffixes may be in capitals; a rate that is given counts.
printf '%s\n1 3 1.5 0.25 0\n1 4 1.7' "$(cat people.txt)" >cut.txt
expect 0 'cut.txt:8: the last line is not complete and was left out' convert cut.txt CUT.THLOG
grep -qF 'CUT.THLOG: 4 frames' out || fail 'another line was left out'
expect 0 'CUT.H5: 4 frames, 10 a second' convert CUT.THLOG CUT.H5
expect 0 'CUT.SQLITE: 4 frames, 10 a second' convert CUT.H5 CUT.SQLITE
expect 0 'CUT.TXT: 4 frames, 5 a second' convert CUT.SQLITE CUT.TXT --rate 5
expect 0 'e.h5: 3 frames, 20 a second' convert a.thlog e.h5 --rate 20

# What text has no place for is told.
expect 0 'throng convert: walls are not kept in .txt' convert b.h5 walls.txt
expect 0 '' convert b.h5 walls.txt --quiet
expect 0 'walls.txt: 3 frames' convert people.txt walls.txt
grep -q 'not kept' out && fail 'nothing was lost'

# Nobody in it.
expect 0 'f.h5: 3 frames, 10 a second, with 0 positions; nobody was in it' convert a.thlog f.h5 \
    --area 100,100,101,101
expect 0 'f.txt: 3 frames, 10 a second, with 0 positions; nobody was in it' convert f.h5 f.txt

# What others say.
if command -v h5dump >/dev/null; then
    h5dump -A b.h5 >out
    for text in '"fps"' 'H5T_STD_U32LE "frame"' 'H5T_STD_U32LE "id"' 'H5T_IEEE_F64LE "x"' \
        'H5T_IEEE_F64LE "y"' 'H5T_IEEE_F64LE "z"' 'STRSIZE H5T_VARIABLE' 'CSET H5T_CSET_UTF8' \
        'POLYGON ((-1 -1, 9 -1, 9 9, -1 9, -1 -1), (5 5, 6 5, 6 6, 5 5))' 'SIMPLE { ( 4 )' \
        'GROUP "throng"' 'DATASET "people"' 'DATASET "shapes"' 'H5T_IEEE_F32LE "radius"'; do
        grep -qF -- "$text" out || fail "h5dump does not say $text"
    done
    h5dump -y -w 0 -d /trajectory b.h5 | tr -d ' \n' | grep -q '{0,1,0.5,0.25,0},{1,1,0.75,0.25,0}' ||
        fail 'h5dump shows other rows'
else
    echo 'no h5dump here'
fi
if command -v sqlite3 >/dev/null; then
    sqlite3 c.sqlite 'PRAGMA integrity_check; SELECT * FROM trajectory_data;
        SELECT * FROM metadata ORDER BY key; SELECT wkt FROM geometry;
        SELECT frame, geometry_hash = hash FROM frame_data, geometry;' >out
    cat >expected <<'END'
ok
0|1|0.5|0.25|0.0|0.0
1|1|0.75|0.25|0.0|0.0
1|2|3.0|4.0|0.0|0.0
2|1|1.0|0.25|0.0|0.0
fps|10
version|2
xmax|3
xmin|0.5
ymax|4
ymin|0.25
POLYGON ((-1 -1, 9 -1, 9 9, -1 9, -1 -1), (5 5, 6 5, 6 6, 5 5))
0|1
1|1
2|1
END
    diff expected out || fail 'the sqlite3 shell finds something else'
    sqlite3 c.sqlite .schema | tr -d '\n' >out
    for text in 'frame_id_idx ON trajectory_data(frame, id)' 'geometry_hash ON geometry(hash)' \
        'metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL)' \
        'frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL)'; do
        grep -qF "$text" out || fail "the schema has no $text"
    done
    sqlite3 wrong.sqlite "CREATE TABLE metadata(key, value);
        INSERT INTO metadata VALUES('version', '4'), ('fps', '1')"
    expect 2 'its version is 4, expected 1, 2 or 3' convert wrong.sqlite x.txt
else
    echo 'no sqlite3 here'
fi
: >out

# Files that are wrong: each is named, with its line.
# wrong TEXT CONTENT [OPTIONS...]
wrong() {
    text=$1
    printf '%b' "$2" >wrong.txt
    shift 2
    expect 2 "$text" convert wrong.txt x.txt "$@"
    [ ! -e x.txt ] || fail "something was written after '$text'"
}
head='# framerate: 10 x/m\n'
wrong "wrong.txt:3: column 3 is 'x', expected a number" "${head}1 1 2 3\n1 2 x 3\n"
wrong "wrong.txt:2: column 1 is '1.5', expected an id" "${head}1.5 1 2 3\n"
wrong "wrong.txt:2: column 1 is '-1', expected an id" "${head}-1 1 2 3\n"
wrong "wrong.txt:2: column 2 is '0.5', expected a frame" "${head}1 0.5 2 3\n"
wrong "wrong.txt:2: column 4 is 'nan', expected a number" "${head}1 1 2 nan\n"
wrong "wrong.txt:2: column 3 is '1e300', expected a place on earth" "${head}1 1 1e300 3\n"
wrong "wrong.txt:2: the row has 3 columns, expected at least 4" "${head}1 1 2\n"
wrong "wrong.txt:4: person 1 is in frame 1 already, in line 2" "${head}1 1 2 3\n1 2 2 3\n1 1 2 3\n"
wrong "wrong.txt:1: the frame rate is '0', expected a number greater than 0" '# framerate: 0\n'
wrong "'wrong.txt' has no rows" '# framerate: 10\n'
wrong "'wrong.txt' has no frame that is wanted" "$head"
wrong "'wrong.txt' has no rows" ''
wrong "wrong.txt:1: column 1 is '{" '{"json": 1} 2 3 4\n'
wrong "does not say how many frames a second has" '1 1 2 3 170\n'
wrong "does not say its unit" '1 1 2 3\n' --rate 5
wrong "does not say its unit" '1 1 2 3 0\n' --rate 5
wrong "--unit is 'km', expected m or cm" '1 1 2 3\n' --rate 5 --unit km
expect 2 "--unit is 'km', expected m or cm" convert a.thlog x.txt --unit km
for file in a.thlog b.h5 c.sqlite; do
    expect 2 "--unit is about text; '$file' is in metres" convert $file x.txt --unit cm
done
wrong "wrong.txt:2: the row has 7 columns, expected at least 8" '1 1 2 0 3 0 0 0\n1 2 3 4 5 6 7\n'
printf 'ID,Frame,x\n1,2,3\n' >wrong.csv
expect 2 "wrong.csv:1: there is no column 'y'" convert wrong.csv x.txt --rate 1
echo 'POLYGON ((0 0, 1' >wrong.wkt
expect 2 'wrong.wkt:' convert people.txt x.txt --geometry wrong.wkt
printf '<geometry>\n<polygon><vertex px="1" py="a"/>' >wrong.xml
expect 2 "wrong.xml:2: py of <vertex> is 'a'" convert people.txt x.txt --geometry wrong.xml
printf '<geometry>\n<polygon>' >wrong.xml
expect 2 'wrong.xml:2: ' convert people.txt x.txt --geometry wrong.xml
echo '<a/>' >wrong.xml
expect 2 "'wrong.xml' has no walls" convert people.txt x.txt --geometry wrong.xml
expect 3 'No such file' convert people.txt x.txt --geometry not-there.wkt
expect 2 "--geometry is 'hall.svg', expected a name that ends in .wkt, .geojson, .json or .xml" \
    convert people.txt x.txt --geometry hall.svg
for suffix in h5 sqlite thlog; do
    cp people.txt "text.$suffix"
    "$throng" convert "text.$suffix" x.txt >out 2>&1
    code=$?
    [ "$code" -ge 2 ] && [ "$code" -le 3 ] && [ -s out ] || fail "text as .$suffix is not refused"
    head -c 3000 /dev/urandom >>"text.$suffix"
    expect 3 'No such file' convert "not-there.$suffix" x.txt
done

# Bad usage.
expect 2 "IN is missing; see 'throng convert --help'" convert
expect 2 "OUT is missing; see 'throng convert --help'" convert people.txt
expect 2 "'third' is unexpected" convert people.txt x.txt third
expect 2 "'people.json' is no name of a recording" convert people.json x.txt
expect 2 "'x.csv' is no name of a recording that can be written" convert people.txt x.csv
expect 2 "cannot write OUT to 'people.txt': it is what is read as IN" convert people.txt people.txt
expect 2 "--area is '1,2,3', expected" convert people.txt x.txt --area 1,2,3
expect 2 '--from is 3, expected a time before --to, which is 2' convert people.txt x.txt --from 3 --to 2
expect 2 "--fps is '0', expected a number" convert people.txt x.txt --fps 0

# A failure leaves what was there, and nothing else.
for suffix in txt h5 sqlite; do
    cp people.txt "old.$suffix"
    expect 2 'wrong.txt:2' convert wrong.txt "old.$suffix"
    cmp -s people.txt "old.$suffix" || fail "the old .$suffix is gone"
    expect 3 'not-there' convert people.txt "not-there/x.$suffix"
done
if [ -e /dev/full ]; then
    ln -s /dev/full full.txt.part
    expect 3 'symbolic links' convert people.txt full.txt
    [ -h full.txt.part ] || fail 'a link of somebody else is removed'
    rm full.txt.part
    ln -s /dev/full device.txt
    expect 3 'No space left' convert people.txt device.txt
    [ -h device.txt ] || fail 'the link to the device is replaced'
    rm device.txt
    [ ! -e full.txt ] || fail 'a file that did not fit has its name'
fi
ls -- *.part >out 2>/dev/null && fail 'parts of files are left'
: >out

finish
