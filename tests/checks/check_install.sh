#!/bin/sh
# Installs a build into a temporary prefix and uses it from outside in each documented way.
# usage: check_install.sh ROOT BUILD VERSION
# CC, CXX, CMAKE and GENERATOR choose the tools; a sanitized library wants its own compiler.
set -eu

root=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
version=$3
cmake=${CMAKE:-cmake}
cc=${CC:-cc}
cxx=${CXX:-c++}
consumer=$root/tests/checks/consumer

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
log=$work/log

# Only the temporary prefix may be found, not a throng that this machine happens to have.
unset DESTDIR CMAKE_PREFIX_PATH throng_DIR throng_ROOT PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
unset LD_LIBRARY_PATH CFLAGS CXXFLAGS LDFLAGS

die() {
    echo "$1"
    tail -n 40 "$log" 2>/dev/null || true
    exit 1
}

configure() { # DIRECTORY ARGUMENTS...
    directory=$work/$1
    shift
    "$cmake" -S "$consumer" -B "$directory" -G "${GENERATOR:-Ninja}" -DCMAKE_C_COMPILER="$cc" \
        "$@" >"$log" 2>&1
}

runs() { # NAME PROGRAM: it must find its results right and be of the installed version
    printed=$("$2" 2>"$log") || die "$1: the program failed"
    [ "$printed" = "$version" ] || die "$1: version '$printed' instead of $version"
    echo "$1: ok"
}

needsShared() { # NAME PROGRAM yes|no: which of the two libraries was linked
    if readelf -d "$2" | grep -q 'NEEDED.*libthrong'; then needed=yes; else needed=no; fi
    [ "$needed" = "$3" ] || die "$1: needs libthrong.so: $needed instead of $3"
}

# Without the prefix nothing may be found, or the rest would prove nothing.
if configure absent; then
    die "find_package: found without the prefix"
fi
grep -q throngConfig.cmake "$log" || die "find_package: failed for another reason than the package"
mkdir "$work/empty"
export PKG_CONFIG_LIBDIR="$work/empty"
if pkg-config --exists throng; then
    die "pkg-config: found without the prefix"
fi

"$cmake" --install "$build" --prefix "$work/first" >"$log" 2>&1 || die "install failed"
# An installed tree may be moved.
prefix=$work/prefix
mv "$work/first" "$prefix"
if grep -rlF -e "$root" -e "$work" "$prefix" --include='*.cmake' --include='*.pc' >"$log"; then
    die "installed files name directories of this machine"
fi
for header in "$root"/include/throng/*.h; do
    cmp "$header" "$prefix/include/throng/${header##*/}" || die "header not installed"
done
pc=$(find "$prefix" -name throng.pc)
[ -n "$pc" ] || die "throng.pc not installed"
libDir=${pc%/pkgconfig/throng.pc}

for kind in shared static; do
    name="find_package $kind"
    case $kind in
    shared) library=throng::throng needed=yes ;;
    static) library=throng::throng_static needed=no ;;
    esac
    configure "cmake-$kind" -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_LIBRARY="$library" \
        -DCONSUMER_VERSION="$version" || die "$name: not configured"
    "$cmake" --build "$work/cmake-$kind" >"$log" 2>&1 || die "$name: not built"
    needsShared "$name" "$work/cmake-$kind/consumer" "$needed"
    runs "$name" "$work/cmake-$kind/consumer"
done
nextMajor=$((${version%%.*} + 1)).0
if configure later -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_VERSION="$nextMajor"; then
    die "find_package: accepts another major version"
fi

# What pkg-config prints is a list of words, so its output stays unquoted.
export PKG_CONFIG_LIBDIR="$libDir/pkgconfig"
[ "$(pkg-config --modversion throng)" = "$version" ] || die "pkg-config: wrong version"
"$cc" -std=c17 "$consumer/main.c" -o "$work/pc-shared" $(pkg-config --cflags --libs throng) \
    -Wl,-rpath,"$libDir" >"$log" 2>&1 || die "pkg-config shared: not built"
needsShared "pkg-config shared" "$work/pc-shared" yes
runs "pkg-config shared" "$work/pc-shared"

"$cxx" -std=c++17 -x c++ "$consumer/main.c" -x none -o "$work/pc-cxx" \
    $(pkg-config --cflags --libs throng) -Wl,-rpath,"$libDir" >"$log" 2>&1 ||
    die "pkg-config C++: not built"
runs "pkg-config C++" "$work/pc-cxx"

# The linker prefers the shared library; with it gone, --static has to name all that the static
# one needs.
rm "$libDir"/libthrong.so*
"$cc" -std=c17 "$consumer/main.c" -o "$work/pc-static" \
    $(pkg-config --static --cflags --libs throng) >"$log" 2>&1 ||
    die "pkg-config --static: not built"
needsShared "pkg-config --static" "$work/pc-static" no
runs "pkg-config --static" "$work/pc-static"
