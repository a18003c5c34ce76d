#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A bundle brings what its programs and Qt's plugins load, small enough, and its window draws every screen from it.
#   test_bundle.sh SOURCE BUILD WORK
set -eu
source=$1 build=$2 work=$3
fail() {
    echo "test-bundle: $*" >&2
    exit 1
}
rm -rf "$work"
mkdir -p "$work/home"
"$source/packaging/bundle" "$build" "$work/tilewright"
bundle="$work/tilewright"

# The target's own are the C and C++ libraries alone; everything else is found in the bundle.
for file in "$bundle"/bin/* "$bundle"/plugins/*/*.so; do
    LD_LIBRARY_PATH="$bundle/lib" ldd "$file" | awk '$2 == "=>" {print $1, $3}' | while read -r name path; do
        case "$name" in
        libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.* | libgcc_s.so.* | libstdc++.so.*) ;;
        *) [ "${path#"$bundle/lib/"}" != "$path" ] || fail "$file takes $name from $path" ;;
        esac
    done
done
for name in libssl.so.3 libcrypto.so.3; do
    [ -e "$bundle/lib/$name" ] || fail "$name is not there: no model could be asked over https"
done
for name in NotoSans-Regular JetBrainsMono-Regular; do
    [ -e "$bundle/share/tilewright/fonts/$name.ttf" ] || fail "the font $name is not there"
done
[ -x "$bundle/share/tilewright/resources/lineage/bisect-speed" ] || fail "the script for git bisect is not there"

run() { env -i HOME="$work/home" PATH=/usr/bin:/bin QT_QPA_PLATFORM=offscreen "$@"; }
run "$bundle/tilewright-cli" tasks | grep -q gemm-fp32-cpu || fail "the bundle finds no task"
run "$bundle/tilewright-cli" demo gemm-cpu --to "$work/demo.tilewright" >/dev/null || fail "the bundle has no demo"
run "$bundle/tilewright-cli" export "$work/demo.tilewright" best --to "$work/exported" >/dev/null ||
    fail "the bundle does not export"
[ -s "$work/exported/harness/src/core/node/node.cpp" ] && [ -s "$work/exported/harness/third-party/nlohmann/json.hpp" ] ||
    fail "an export of the bundle has no harness"
run "$bundle/tilewright" --screenshot "$work/screens" >/dev/null || fail "the window does not draw"
[ -s "$work/screens/evolve.png" ] || fail "no picture of Evolve"
# What proves the GPU half finds all it needs in the bundle, and says in a line what is missing.
if command -v python3 >/dev/null; then
    run "$bundle/gpu-test" --log "$work/gpu-test.jsonl" --only facts,attacks,twins,noise >"$work/gpu-test.txt" 2>&1 || true
    [ "$(grep -c . "$work/gpu-test.txt")" -eq 1 ] || [ -s "$work/gpu-test.jsonl" ] || fail "$(cat "$work/gpu-test.txt")"
fi
