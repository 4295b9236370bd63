#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# The experiments of sampled avoidance on many threads: no wall is crossed, nobody is deeper in
# anybody than 0.9 %, and everybody arrives before the frames are over; only where four crowds cross
# it is enough that lanes form. Evacuations are those at the paper's parameters.
# Usage: test_sampled_scenes.sh PROGRAM [SCENE...]

. "$(dirname "$0")/crowd_gear.sh"
shift
names=${*:-simple car robots circle-32 narrow narrow-straight stadium-245 crosswalk-400
    evacuation-500-rvo}

# A bound on time is that of the scene: it ends after so many frames.
for name in $names; do
    case $name in
    crosswalk-400)
        runCrowd "$name" 1 "$name" --record "$folder/crosswalk.thlog"
        judgeBodies "$name"
        expect 0 '' measure "$folder/crosswalk.thlog" --quiet --summary "$folder/summary"
        holds "$(figure lane_order) > 0.5" || fail "$name: lane order $(figure lane_order)"
        echo "$name: lane order $(figure lane_order)"
        ;;
    *)
        runCrowd "$name" 1 "$name"
        judgeCrowd "$name" 1000 "$(everybody)"
        echo "$name: $(figure steps) frames"
        ;;
    esac
done

finish
