#!/bin/sh
# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Three thousand people who press to one exit of 3 m get out, and nobody is deeper in anybody than
# 1 %.
# Usage: test_crowd_pressed.sh PROGRAM SEEDS

. "$(dirname "$0")/crowd_gear.sh"
seeds=$2

for seed in $(seq "$seeds"); do
    runCrowd 'one exit' "$seed" "$here/scenes/one-exit.json"
    judgeCrowd "one exit, seed $seed" 700 3000
done

printTable
finish
