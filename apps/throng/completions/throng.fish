# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Completes the command line of throng in fish.

complete -c throng -f
complete -c throng -n __fish_use_subcommand -l help -d 'print help'
complete -c throng -n __fish_use_subcommand -l version -d 'say what this is'
complete -c throng -n __fish_use_subcommand -a run -d 'simulate a scene and tell what happened'
complete -c throng -n __fish_use_subcommand -a check -d 'say everything that is wrong with a scene'
complete -c throng -n __fish_use_subcommand -a list -d 'list the scenes that come with the program'
complete -c throng -n __fish_use_subcommand -a render -d 'draw a recording or a scene: pictures, charts, films'
complete -c throng -n __fish_use_subcommand -a convert -d 'write a recording in another format, or as a scene'
complete -c throng -n __fish_use_subcommand -a measure -d 'say what happened in a recording or a scene'
complete -c throng -n __fish_use_subcommand -a path -d 'say which way a planner finds in a scene'
complete -c throng -n __fish_use_subcommand -a bench -d 'measure how long steps take'
complete -c throng -n __fish_use_subcommand -a verify -d 'hold crowds against real people and known patterns'
complete -c throng -n __fish_use_subcommand -a help -d 'say what the program or a command does'
complete -c throng -n '__fish_seen_subcommand_from run check list render measure convert path bench verify' -l help -d 'print help'

complete -c throng -n '__fish_seen_subcommand_from run check render measure path' -a '(throng list --names 2>/dev/null)'
complete -c throng -n '__fish_seen_subcommand_from run check path' -a '(__fish_complete_suffix .json .map)'
complete -c throng -n '__fish_seen_subcommand_from render measure' -F
complete -c throng -n '__fish_seen_subcommand_from run check render measure path bench verify' -x -l set \
    -d 'change the scene'

complete -c throng -n '__fish_seen_subcommand_from run render measure bench verify' -x -l avoid \
    -a '(throng list --methods avoid 2>/dev/null)' -d 'avoidance'
complete -c throng -n '__fish_seen_subcommand_from run render measure bench' -x -l plan \
    -a '(throng list --methods plan 2>/dev/null)' -d 'planner'
complete -c throng -n '__fish_seen_subcommand_from run' -x -l group \
    -a '(throng list --methods group 2>/dev/null)' -d 'group method'
complete -c throng -n '__fish_seen_subcommand_from run render measure' -x -l seed -d 'seed'
complete -c throng -n '__fish_seen_subcommand_from run' -x -l runs -d 'so many runs'
complete -c throng -n '__fish_seen_subcommand_from run bench' -x -l steps -d 'so many steps'
complete -c throng -n '__fish_seen_subcommand_from run' -x -l until -d 'end at this time'
complete -c throng -n '__fish_seen_subcommand_from run path bench verify' -x -l threads -d 'threads'
complete -c throng -n '__fish_seen_subcommand_from run bench' -x -l simd \
    -a 'auto scalar sse2 avx2 avx512 neon' -d 'instruction set'
complete -c throng -n '__fish_seen_subcommand_from run' -x -l backend -a cpu -d 'what computes'
complete -c throng -n '__fish_seen_subcommand_from run' -rF -l summary -d 'write the result as JSON'
complete -c throng -n '__fish_seen_subcommand_from run' -rF -l hashes -d 'write state hashes'
complete -c throng -n '__fish_seen_subcommand_from run' -rF -l record -d 'record who is where'
complete -c throng -n '__fish_seen_subcommand_from run' -x -l fps -d 'frames in a second'
complete -c throng -n '__fish_seen_subcommand_from run' -x -l area -d 'record only within this box'
complete -c throng -n '__fish_seen_subcommand_from run' -l check-walls -d 'look after the walls'
complete -c throng -n '__fish_seen_subcommand_from run render measure verify' -l quiet -d 'errors only'
complete -c throng -n '__fish_seen_subcommand_from run' -x -l snapshot-every -d 'save every N steps'
complete -c throng -n '__fish_seen_subcommand_from run' -rF -l snapshot -d 'where the run is saved'
complete -c throng -n '__fish_seen_subcommand_from run' -rF -l resume -d 'go on from a saved run'

complete -c throng -n '__fish_seen_subcommand_from check path' -l json -d 'print JSON'
complete -c throng -n '__fish_seen_subcommand_from list' -l names -d 'print only the names'
complete -c throng -n '__fish_seen_subcommand_from list' -l presets -d 'print the presets of profiles'
complete -c throng -n '__fish_seen_subcommand_from list' -x -l methods -a 'avoid plan group' \
    -d 'print the names of methods'

complete -c throng -n '__fish_seen_subcommand_from render' -rF -l output -d 'where the picture goes'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l as -a 'frame paths density lapse counts flow arrivals diagram' \
    -d 'what to draw'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l width -d 'width in pixels'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l at -d 'the time of a frame'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l from -d 'where it begins'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l to -d 'where it ends'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l level -d 'the floor to show'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l line -d 'measure at this line'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l area -d 'measure in this box'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l colour -a 'goal agent group speed' \
    -d 'what colours tell'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l trails -d 'how long trails are'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l smooth -d 'how far a person spreads'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l cell -d 'edge of the cells'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l moments -d 'how many of a lapse'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l fps -d 'frames a second of a film'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l speed -d 'times real time'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l rate -d 'frames a second of FILE'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l unit -a 'm cm' -d 'unit of positions'
complete -c throng -n '__fish_seen_subcommand_from render' -rF -l geometry -d 'walls of a recording'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l scene \
    -a '(throng list --names 2>/dev/null)' -d 'whose lines and areas count'
complete -c throng -n '__fish_seen_subcommand_from render' -rF -l with -d 'another one in the chart'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l window -d 'frames for speeds'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l cut-off -d 'where Voronoi cells end'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l radius -d 'of people'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l debug -d 'what an agent thinks'
complete -c throng -n '__fish_seen_subcommand_from render' -x -l plan-of -d 'what an agent plans with'

complete -c throng -n '__fish_seen_subcommand_from measure' -x -l line -d 'count people across this line'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l area -d 'density and speed in this box'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l from -d 'leave out what was before'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l to -d 'leave out what comes after'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l window -d 'frames for speeds'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l cut-off -d 'where Voronoi cells end'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l radius -d 'of people'
complete -c throng -n '__fish_seen_subcommand_from measure' -rF -l against -d 'compare with this recording'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l offset -d 'how much later its times are'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l rate -d 'frames a second of FILE'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l unit -a 'm cm' -d 'unit of positions'
complete -c throng -n '__fish_seen_subcommand_from measure' -rF -l geometry -d 'walls of a recording'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l fps -d 'frames a second of a scene'
complete -c throng -n '__fish_seen_subcommand_from measure' -rF -l csv -d 'write tables'
complete -c throng -n '__fish_seen_subcommand_from measure' -rF -l summary -d 'write the result as JSON'
complete -c throng -n '__fish_seen_subcommand_from measure' -x -l scene \
    -a '(throng list --names 2>/dev/null)' -d 'whose lines and areas count'

complete -c throng -n '__fish_seen_subcommand_from convert' -F
complete -c throng -n '__fish_seen_subcommand_from convert' -x -l fps -d 'frames in a second'
complete -c throng -n '__fish_seen_subcommand_from convert' -x -l area -d 'only people in this box'
complete -c throng -n '__fish_seen_subcommand_from convert' -x -l from -d 'leave out what was before'
complete -c throng -n '__fish_seen_subcommand_from convert' -x -l to -d 'leave out what comes after'
complete -c throng -n '__fish_seen_subcommand_from convert' -l no-pauses -d 'nobody pauses in a scene'
complete -c throng -n '__fish_seen_subcommand_from convert' -x -l rate -d 'frames in a second of IN'
complete -c throng -n '__fish_seen_subcommand_from convert' -x -l unit -a 'm cm' -d 'unit of text'
complete -c throng -n '__fish_seen_subcommand_from convert' -rF -l geometry -d 'walls'
complete -c throng -n '__fish_seen_subcommand_from convert' -l quiet -d 'errors only'

complete -c throng -n '__fish_seen_subcommand_from path' -x -l from -d 'where the way begins'
complete -c throng -n '__fish_seen_subcommand_from path' -x -l to -d 'where it is to lead'
complete -c throng -n '__fish_seen_subcommand_from path' -rF -l queries -d 'many at once'
complete -c throng -n '__fish_seen_subcommand_from path' -x -l plan \
    -a '(throng list --methods plan 2>/dev/null)' -d 'planner'
complete -c throng -n '__fish_seen_subcommand_from path' -x -l radius -d 'of who is to go there'
complete -c throng -n '__fish_seen_subcommand_from path' -x -l level -d 'the floor'

complete -c throng -n '__fish_seen_subcommand_from bench' -x -l case \
    -a 'random-100k-early random-10k-late city-100k evacuation-5000 stadium-25k random-100k-apart clearpath-100k random-1m' \
    -d 'a case to measure'
complete -c throng -n '__fish_seen_subcommand_from bench' -x -l scene \
    -a '(throng list --names 2>/dev/null)' -d 'a scene to measure'
complete -c throng -n '__fish_seen_subcommand_from bench' -x -l warm-up -d 'steps before these'
complete -c throng -n '__fish_seen_subcommand_from bench' -rF -l csv -d 'write the table as CSV'
complete -c throng -n '__fish_seen_subcommand_from bench' -rF -l compare -d 'print the change'

complete -c throng -n '__fish_seen_subcommand_from verify' -a people -d 'real people'
complete -c throng -n '__fish_seen_subcommand_from verify' -a models -d 'what models are known for'
complete -c throng -n '__fish_seen_subcommand_from verify' -l quick -d 'fewer rows, scenes and seeds'
complete -c throng -n '__fish_seen_subcommand_from verify' -x -l only \
    -a 'corridor corridor-1.8 single-file door bottleneck corner junction two-way jam rimea-4 rimea-9 rimea-11 rimea-12a rimea-15 iso-7 iso-13 iso-14 capacity faster clogging lanes oscillation stripes door-1.2' -d 'only this row'
complete -c throng -n '__fish_seen_subcommand_from verify' -x -l seeds -d 'seeds of each scene'
complete -c throng -n '__fish_seen_subcommand_from verify' -x -l out -a '(__fish_complete_directories)' -d 'folder for pages'
complete -c throng -n '__fish_seen_subcommand_from verify' -x -l data -a '(__fish_complete_directories)' -d 'folder of real data'

complete -c throng -n '__fish_seen_subcommand_from help' -a 'run check list render measure convert path bench verify help'
