# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Completes the command line of throng in bash.

_throng() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]-} words=
    COMPREPLY=()
    case $before in
    --summary | --hashes | --record | --snapshot | --resume | --output | --csv | --compare | \
        --against | --geometry | --with | --queries)
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    --avoid | --plan | --group) words=$(throng list --methods "${before#--}" 2>/dev/null) ;;
    --methods) words='avoid plan group' ;;
    --simd) words='auto scalar sse2 avx2 avx512 neon' ;;
    --backend) words='cpu' ;;
    --as) words='frame paths density lapse counts flow arrivals diagram' ;;
    --colour) words='goal agent group speed' ;;
    --unit) words='m cm' ;;
    --scene) words=$(throng list --names 2>/dev/null) ;;
    --case)
        words='random-100k-early random-10k-late city-100k evacuation-5000 stadium-25k
            random-100k-apart clearpath-100k random-1m'
        ;;
    --only)
        words='corridor corridor-1.8 single-file door bottleneck corner junction two-way jam
            rimea-4 rimea-9 rimea-11 rimea-12a rimea-15 iso-7 iso-13 iso-14 capacity'
        ;;
    --out | --data)
        COMPREPLY=($(compgen -d -- "$word"))
        return
        ;;
    --set | --seed | --seeds | --runs | --steps | --until | --threads | --fps | --area | --snapshot-every | \
        --at | --trails | --width | --level | --warm-up | --from | --to | --rate | --line | --debug | \
        --plan-of | \
        --smooth | --cell | --moments | --speed | --window | --cut-off | --radius | \
        --offset) return ;;
    *)
        if [ "$COMP_CWORD" -eq 1 ]; then
            words='run check list render measure convert path bench verify help --help --version'
        elif [ "$command" = help ]; then
            words='run check list render measure convert path bench verify help'
        elif [[ $word == -* ]]; then
            case $command in
            run)
                words='--avoid --plan --group --set --seed --runs --steps --until --threads --simd
                    --backend --summary --hashes --record --fps --area --check-walls --quiet
                    --snapshot-every --snapshot --resume --help'
                ;;
            check) words='--set --json --help' ;;
            list) words='--names --presets --methods --help' ;;
            render)
                words='--output --as --width --quiet --at --from --to --level --line --area --scene
                    --with --debug --plan-of --colour --trails --smooth --cell --moments --fps --speed
                    --window --cut-off --radius --rate --unit --geometry --avoid --plan --set --seed
                    --help'
                ;;
            measure)
                words='--line --area --scene --from --to --window --cut-off --radius --against --offset
                    --rate --unit --geometry --avoid --plan --set --seed --fps --csv --summary --quiet
                    --help'
                ;;
            convert)
                words='--fps --area --from --to --no-pauses --rate --unit --geometry --quiet --help'
                ;;
            path)
                words='--from --to --queries --plan --radius --level --set --threads --json --help'
                ;;
            bench)
                words='--case --scene --avoid --plan --threads --simd --set --steps --warm-up --csv
                    --compare --help'
                ;;
            verify) words='--quick --only --avoid --set --seeds --threads --out --data --quiet --help' ;;
            esac
        elif [ "$command" = verify ]; then
            words='people models'
        elif [ "$command" = convert ]; then
            COMPREPLY=($(compgen -f -- "$word"))
        elif [[ $command == render || $command == measure ]]; then
            words=$(throng list --names 2>/dev/null)
            COMPREPLY=($(compgen -f -- "$word"))
        elif [[ $command == run || $command == check || $command == path ]]; then
            words=$(throng list --names 2>/dev/null)
            COMPREPLY=($(compgen -f -X '!*.@(json|map)' -- "$word") $(compgen -d -S / -- "$word"))
        fi
        ;;
    esac
    COMPREPLY+=($(compgen -W "$words" -- "$word"))
}

complete -F _throng throng
