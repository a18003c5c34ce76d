#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A package depends on what its programs load and brings what they read.
#   test_deb.sh SOURCE BUILD WORK
set -eu
source=$1 build=$2 work=$3
fail() {
    echo "test-deb: $*" >&2
    exit 1
}
rm -rf "$work"
"$source/packaging/deb" "$build" "$work"
package=$(ls "$work"/tilewright_*.deb)
depends=$(dpkg-deb -f "$package" Depends)
for name in libgit2 libzip libzstd libqt6sql6-sqlite qt6-qpa-plugins g++; do
    case ", $depends" in
    *", $name"*) ;;
    *) fail "the package does not depend on $name: $depends" ;;
    esac
done
dpkg-deb -x "$package" "$work/root"
share=$work/root/usr/share/tilewright
for file in kernels/gemm-fp32-cpu/task.json prompts docs/export.md resources/demo/gemm-cpu.tilewright.zst \
    resources/lineage/bisect-speed harness/core/node/node.h harness/app/kernel/cuda_kernel.cpp harness/app/harness/main.cpp \
    harness/third-party/nlohmann/json.hpp harness/LICENSES/MIT.txt; do
    [ -e "$share/$file" ] || fail "$file is not in the package"
done
