#!/bin/sh
# Installs what this machine lacks to build, to test, to test other builds too, or to run every test
# there is.
# usage: tools/setup.sh build|test|more|all
# With everything in place it says nothing, changes nothing and needs no network.
# Exit code 3: something is missing and this machine offers no way to install it.
set -eu

case ${1-} in
build | test | more | all) set=$1 ;;
*)
    echo "usage: tools/setup.sh build|test|more|all" >&2
    exit 2
    ;;
esac
missing=
log=

# need PACKAGE COMMAND...: the package is missing unless the command succeeds.
need() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

anyOf() {
    for name in "$@"; do
        command -v "$name" && return
    done
    return 1
}

anyModule() { # of pkg-config
    for name in "$@"; do
        pkg-config --exists "$name" && return
    done
    return 1
}

finds() { # COMPILER HEADER
    echo "#include <$2>" | "$1" -E -
}

needForBuild() {
    cc=$(anyOf cc gcc) || cc=cc
    need gcc anyOf cc gcc
    need libc6-dev finds "$cc" stdio.h
    need cmake anyOf cmake
    need ninja-build anyOf ninja
    need pkg-config anyOf pkg-config
    need libcairo2-dev pkg-config --exists cairo
    need libhdf5-dev anyModule hdf5-serial hdf5
    need libsqlite3-dev pkg-config --exists sqlite3
    need libexpat1-dev pkg-config --exists expat
}

needForTest() {
    need g++ anyOf g++
    need clang-format anyOf clang-format
    need libcmocka-dev finds "$cc" cmocka.h
    need libjansson-dev finds "$cc" jansson.h
    need libgeos-dev finds "$cc" geos_c.h
    need ffmpeg anyOf ffmpeg
    need hdf5-tools anyOf h5dump
    need sqlite3 anyOf sqlite3
}

needForMore() {
    need clang anyOf clang
    need lld anyOf wasm-ld
    need nodejs anyOf node
    need wasi-libc test -e /usr/include/wasm32-wasi/stdio.h
}

needForAll() {
    need clang-tidy anyOf clang-tidy
    need gcc-aarch64-linux-gnu anyOf aarch64-linux-gnu-gcc
    need libc6-dev-arm64-cross finds aarch64-linux-gnu-gcc stdio.h
    need qemu-user anyOf qemu-aarch64 qemu-aarch64-static
    need valgrind anyOf valgrind
}

# Clang's run-time libraries come in packages named after its version, so clang comes first. One
# file stands for each package: the fuzzer's comes with those of the sanitizers.
needForClang() {
    version=$(clang -dumpversion)
    libraries=$(clang -print-resource-dir)/lib
    major=${version%%.*}
    need "libclang-rt-$major-dev" hasFile "$libraries"/*/libclang_rt.fuzzer*
    need "libclang-rt-$major-dev-wasm32" hasFile "$libraries"/*was*/libclang_rt.builtins*
}

# Given a pattern: one that matched nothing is passed as it stands, and is no file.
hasFile() {
    test -e "$1"
}

asRoot() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

apt() {
    asRoot env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" \
        </dev/null >>"$log" 2>&1
}

installMissing() {
    if ! command -v apt-get >/dev/null; then
        echo "setup: no apt-get here; please install what Debian calls:$missing" >&2
        exit 3
    fi
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        echo "setup: not root and no sudo here; please install:$missing" >&2
        exit 3
    fi
    echo "setup: installing$missing" >&2
    if [ -z "$log" ]; then
        log=$(mktemp)
        trap 'rm -f "$log"' EXIT
        trap 'exit 1' HUP INT TERM
        # What is listed already may do, so a failure counts only if the installation fails too.
        apt update || true
    fi
    # A list of names, split on purpose.
    if ! apt install -y --no-install-recommends $missing; then
        tail -n 30 "$log" >&2
        echo "setup: could not install$missing" >&2
        exit 1
    fi
}

# ensure FUNCTION...: installs what the functions find missing.
ensure() {
    missing=
    for look in "$@"; do $look; done
    [ -n "$missing" ] || return 0
    installMissing
    missing=
    for look in "$@"; do $look; done
    if [ -n "$missing" ]; then
        echo "setup: installed, but still not found:$missing" >&2
        exit 1
    fi
}

case $set in
build) ensure needForBuild ;;
test) ensure needForBuild needForTest ;;
more) ensure needForBuild needForTest needForMore ;;
all) ensure needForBuild needForTest needForMore needForAll ;;
esac
if [ "$set" = more ] || [ "$set" = all ]; then
    ensure needForClang
fi
