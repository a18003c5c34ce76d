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

# ccache, where it is installed, makes the second build short.
launcher() {
    if command -v ccache >/dev/null 2>&1; then
        export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1
        printf -- '-DCMAKE_CXX_COMPILER_LAUNCHER=ccache'
    else
        printf -- '-DTILEWRIGHT_CCACHE=none'
    fi
}

# configure PRESET [OPTION…], quietly unless it goes wrong
configure() {
    preset=$1
    shift
    log=$(mktemp)
    if ! cmake --preset "$preset" "$(launcher)" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        fail "configuring '$preset' failed; the lines above say what is missing (packaging/setup installs it)"
    fi
    rm -f "$log"
}

build() {
    cmake --build --preset "$1" --parallel "$(nproc)" || fail "building '$1' failed; the first error stands above"
}
