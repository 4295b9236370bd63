#!/bin/sh
# Tries tools/setup.sh with made-up machines: a PATH of our own and an apt-get that only pretends.
# usage: test_setup.sh ROOT
set -eu

setup=$1/tools/setup.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
bin=$work/bin
status=0

# A machine with nothing but the commands that every system has, as root.
bare() {
    rm -rf "$bin"
    mkdir "$bin"
    for name in sh cat env mktemp rm tail; do
        ln -s "$(command -v $name)" "$bin/$name"
    done
    stub id 'echo 0'
    : >"$work/apt"
}

stub() { # NAME SCRIPT
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# Compilers that know every header, so that what the test says does not depend on this machine.
stubTools() {
    for name in "$@"; do
        stub "$name" 'cat >/dev/null'
    done
}

runs() { # CODE SET: runs setup.sh and compares its exit code
    code=0
    PATH=$bin sh "$setup" "$2" >"$work/out" 2>&1 || code=$?
    [ $code -eq "$1" ] || fail "setup.sh $2: exit code $code instead of $1"
}

says() {
    grep -qF -- "$1" "$work/out" || fail "setup.sh did not say '$1'"
}

fail() {
    echo "$1:"
    cat "$work/out"
    status=1
}

bare
runs 3 build
says 'no apt-get here; please install what Debian calls: gcc libc6-dev cmake ninja-build pkg-config libcairo2-dev'

bare
stub apt-get ''
stub id 'echo 1000'
runs 3 build
says 'no sudo'

# Everything is there: not a word, and apt-get is not called.
bare
stubTools cc cmake ninja pkg-config
stub apt-get "echo called >>'$work/apt'"
runs 0 build
[ ! -s "$work/out" ] && [ ! -s "$work/apt" ] || fail "setup.sh build was not silent"

# One thing is missing and gets installed, through sudo, with one update before.
bare
stubTools cc ninja pkg-config
stub id 'echo 1000'
stub sudo 'exec "$@"'
stub apt-get "echo \"\$*\" >>'$work/apt'
case \$* in *install*) echo '#!/bin/sh' >'$bin/cmake'; /bin/chmod +x '$bin/cmake' ;; esac"
runs 0 build
says 'setup: installing cmake'
calls=$(sed 's/.*Timeout=[0-9]* //' "$work/apt")
[ "$calls" = "update
install -y --no-install-recommends cmake" ] || fail "unexpected calls of apt-get: $calls"

# apt-get fails: the end of its log is shown, and what was wanted.
bare
stubTools cc ninja pkg-config
stub apt-get 'echo "no such thing"; exit 100'
runs 1 build
says 'no such thing'
says 'could not install cmake'

bare
stubTools cc ninja pkg-config
stub apt-get ''
runs 1 build
says 'still not found: cmake'

# The packages of clang's run-time libraries follow its version.
bare
stubTools cc cmake ninja g++ clang-format wasm-ld node pkg-config h5dump sqlite3 ffmpeg
stub clang "case \$1 in -dumpversion) echo 19.1.7 ;; *) echo '$work/resources' ;; esac"
stub apt-get 'exit 100'
if [ -e /usr/include/wasm32-wasi/stdio.h ]; then
    runs 1 more
    says 'could not install libclang-rt-19-dev libclang-rt-19-dev-wasm32'
fi

runs 2 nonsense
says 'usage:'

exit $status
