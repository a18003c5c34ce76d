# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the scripts of this folder: where things are, how to say something, how to fail with one clear line.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

say() { printf '== %s\n' "$*"; }
fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# "SCRIPT --help" prints the comment that the script begins with.
case "${1:-}" in
-h | --help)
    sed -n '3,/^[^#]/ { s/^# \{0,1\}//p }' "$0"
    exit 0
    ;;
esac

# ccache, where it is installed (setup does), makes the second build short. Where it may not write into the home folder,
# its files lie beside the build.
use_ccache() {
    launcher=
    command -v ccache >/dev/null 2>&1 || return 0
    launcher=ccache
    export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros # without which it keeps nothing that begins with precompiled headers
    cache=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/ccache}
    mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ] || export CCACHE_DIR="$root/build/ccache"
}

# configure PRESET [OPTION…], quietly unless it goes wrong. Warnings are errors with the g++ that Tilewright is developed
# with; a newer one may warn of more. The same for all scripts, so that they share one build.
configure() {
    preset=$1
    shift
    use_ccache
    mkdir -p build 2>/dev/null && [ -w build ] || fail "the folder $root cannot be written: copy it to one of your own"
    case "$(g++ -dumpversion)" in
    12 | 12.*) strict=ON ;;
    *) strict=OFF ;;
    esac
    # A build folder knows its own path: one whose checkout was moved or copied is of no use.
    made_for=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "build/$preset/CMakeCache.txt" 2>/dev/null || true)
    [ -z "$made_for" ] || [ "$made_for" -ef "$root" ] || rm -rf "build/$preset"
    log=$(mktemp)
    if ! cmake --preset "$preset" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" -DTILEWRIGHT_WERROR=$strict "$@" >"$log" 2>&1
    then
        cat "$log" >&2
        rm -f "$log"
        fail "configuring '$preset' failed; the lines above say what is missing (packaging/setup installs it)"
    fi
    features <"$log"
    rm -f "$log"
}

# What a configuration's log says of the parts: one line each, with what an absence costs.
features() {
    awk '/^-- The following features have been enabled/ { there = "yes"; next }
         /^-- The following features have been disabled/ { there = "no "; next }
         /^-- / { there = "" }
         there && sub(/^ \* /, "") { sub(/, /, ": "); print "   " there " " $0 }'
}

# build PRESET [TARGET…]
build() {
    preset=$1
    shift
    [ $# -eq 0 ] || set -- --target "$@"
    cmake --build --preset "$preset" --parallel "$(nproc)" "$@" ||
        fail "building '$preset' failed; the first error stands above"
}
