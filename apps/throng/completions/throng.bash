# SPDX-FileCopyrightText: 2026 The throng authors
# SPDX-License-Identifier: MIT

# Completes the command line of throng in bash.

_throng() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]-} words=
    COMPREPLY=()
    case $before in
    --summary | --hashes | --snapshot | --resume | --output | --csv | --compare)
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    --avoid) words='none orca' ;;
    --plan) words='direct given' ;;
    --group) words='none' ;;
    --simd) words='auto scalar sse2 avx2 avx512 neon' ;;
    --backend) words='cpu' ;;
    --scene) words=$(throng list --names 2>/dev/null) ;;
    --set | --seed | --runs | --steps | --until | --threads | --snapshot-every | --at | --trails | \
        --width | --level | --warm-up) return ;;
    *)
        if [ "$COMP_CWORD" -eq 1 ]; then
            words='run check list render bench help --help --version'
        elif [ "$command" = help ]; then
            words='run check list render bench help'
        elif [[ $word == -* ]]; then
            case $command in
            run)
                words='--avoid --plan --group --set --seed --runs --steps --until --threads --simd
                    --backend --summary --hashes --check-walls --quiet --snapshot-every --snapshot
                    --resume --help'
                ;;
            check) words='--set --json --help' ;;
            list) words='--names --help' ;;
            render) words='--output --at --trails --width --level --set --seed --quiet --help' ;;
            bench)
                words='--scene --avoid --threads --simd --set --steps --warm-up --csv --compare
                    --help'
                ;;
            esac
        elif [[ $command == run || $command == check || $command == render ]]; then
            words=$(throng list --names 2>/dev/null)
            COMPREPLY=($(compgen -f -X '!*.json' -- "$word") $(compgen -d -S / -- "$word"))
        fi
        ;;
    esac
    COMPREPLY+=($(compgen -W "$words" -- "$word"))
}

complete -F _throng throng
