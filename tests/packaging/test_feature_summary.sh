#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The scripts of packaging/ show of CMake's log the parts alone: what is there, what is not, and what that costs.
. "$1/packaging/common.sh" # which takes the folder above the script that runs for its root, and goes there

shown=$(features <<'LOG'
-- Found PkgConfig: /usr/bin/pkg-config
-- The following features have been enabled:

 * GPU worker, always built: driver, NVRTC and cuBLAS are loaded at run time

-- The following features have been disabled:

 * GPU tasks here, no NVRTC was found on this machine

-- The following packages have been found:

 * Threads
LOG
)
expected='   yes GPU worker: always built: driver, NVRTC and cuBLAS are loaded at run time
   no  GPU tasks here: no NVRTC was found on this machine'
[ "$shown" = "$expected" ] || fail "shown: $shown"
