#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Measures and draws real people who leave through a gap 3 m wide (experiment ao-300 of the
# Pedestrian Dynamics Data Archive, Jülich) beside our own in the same room, scenes/bottleneck-300.
# Usage: tools/compare_bottleneck.sh DATA [OUT [PROGRAM]]
# DATA has ao-300.txt and ao-300_geo.xml; pictures go to OUT (default the present folder), and a
# table to the standard output.
set -eu

data=$1
out=${2-.}
program=${3-$(dirname "$0")/../build/throng}
scene=bottleneck-300
mkdir -p "$out"

# real COMMAND OPTIONS...: of the recording, at the lines and in the areas of the scene.
real() {
    command=$1
    shift
    "$program" "$command" "$data/ao-300.txt" --geometry "$data/ao-300_geo.xml" --scene "$scene" \
        --quiet "$@"
}
for what in counts flow diagram arrivals; do
    real render --as "$what" --with "$scene" --output "$out/compared-$what.png"
done
real render --as density --output "$out/real-density.png"
"$program" render "$scene" --as density --quiet --output "$out/our-density.png"
real measure --summary "$out/real.json"
"$program" measure "$scene" --quiet --summary "$out/our.json"

# figure FILE GROUP NAME KEY: a figure of the line or area of that name, to three digits.
figure() {
    awk -v group="\"$2\":" -v name="\"$3\":" -v key="\"$4\":" '
        $1 == group { isGroup = 1 }
        isGroup && $1 == name { isName = 1 }
        isName && (at = index($0, key " ")) {
            printf "%.3g\n", substr($0, at + length(key) + 1)
            exit
        }' "$1"
}
# row TEXT GROUP NAME KEY
row() {
    echo "| $1 | $(figure "$out/real.json" "$2" "$3" "$4") | $(figure "$out/our.json" "$2" "$3" "$4") |"
}
echo '| | real | ours |'
echo '|---|---|---|'
row 'people' lines gap people
row 'flow [1/s]' lines gap flow
row 'flow of the middle 80 % [1/s]' lines gap steady_flow
row 'specific flow [1/(m s)]' lines gap specific_flow
row 'density in the gap [1/m²]' areas gap voronoi_density
row 'speed in the gap [m/s]' areas gap voronoi_speed
row 'density in front of it [1/m²]' areas front voronoi_density
row 'speed in front of it [m/s]' areas front voronoi_speed
