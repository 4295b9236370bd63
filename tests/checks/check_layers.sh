#!/bin/sh
# Folders under src/ include only what stands below them. Also, files and folders are snake_case
# and file names are unique within src/, so that a name alone says which file is meant.
# usage: check_layers.sh ROOT
set -eu
cd "$1"
status=0

# From below to above; folders joined by a comma stand side by side and do not know each other.
order='base simd geom space method velocity,steer plan,group,avoid,move sim
    scene,record,measure,opencl apps'
# The same within a layer: folders that are not named here stand beside all others of their layer.
# What lies in the layer itself is free to include them and to be included.
inner='plan/route plan/graph,plan/field plan/continuum,plan/flow,plan/roadmap,plan/visibility
    sim/jam,sim/together sim/pace sim/step sim/snapshot
    scene/read scene/walls scene/run'

find src -type f \( -name '*.c' -o -name '*.h' -o -name '*.inl' \) -exec awk -v order="$(echo $order)" \
    -v inner="$(echo $inner)" '
function report(text) {
    print FILENAME ":" FNR ": " text
    failed = 1
}
function rankAll(text,    i, j, levelCount, nameCount) {
    levelCount = split(text, levels, " ")
    for (i = 1; i <= levelCount; ++i) {
        nameCount = split(levels[i], names, ",")
        for (j = 1; j <= nameCount; ++j)
            rank[names[j]] = i
    }
}
# Layer and folder of a path that begins with the layer; "" for what lies in the layer itself.
function innerFolder(path,    count) {
    count = split(path, parts, "/")
    return count > 2 ? parts[1] "/" parts[2] : ""
}
BEGIN {
    rankAll(order)
    rankAll(inner)
}
FNR == 1 {
    own = innerFolder(substr(FILENAME, 5))
    split(FILENAME, parts, "/")
    folder = parts[2]
    if (!(folder in rank))
        report("folder " folder " has no place in the order of layers")
}
/^[ \t]*#[ \t]*include[ \t]*["<].*\// {
    path = $0
    sub(/^[^"<]*/, "", path)
    quoted = path ~ /^"/
    sub(/^["<]/, "", path)
    sub(/[">].*/, "", path)
    top = path
    sub(/\/.*/, "", top)
    if (path !~ /\// || top == "throng")
        next
    if (top == folder) {
        other = innerFolder(path)
        if (own != "" && other != "" && own != other && !(rank[other] && rank[other] < rank[own]))
            report("includes " path ", which is " \
                (rank[own] && rank[other] > rank[own] ? "above " : "beside ") own)
        next
    }
    if (top in rank) {
        if (rank[top] > rank[folder])
            report("includes " path ", which is above " folder)
        else if (rank[top] == rank[folder])
            report("includes " path ", which is beside " folder)
    } else if (quoted) {
        report("includes " path ", which is in no layer")
    }
}
END { exit failed }' {} + || status=1

find src -type f ! -name CMakeLists.txt | LC_ALL=C sort | awk -F / '
{
    if ($NF in first) {
        print $0 ": same name as " first[$NF]
        failed = 1
    } else {
        first[$NF] = $0
    }
    plain = $0
    sub(/(\.[a-z0-9]+)+$/, "", plain)
    if (plain !~ /^[a-z][a-z0-9_]*(\/[a-z][a-z0-9_]*)*$/) {
        print $0 ": not snake_case"
        failed = 1
    }
}
END { exit failed }' || status=1

exit $status
