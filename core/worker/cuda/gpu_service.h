// SPDX-License-Identifier: Apache-2.0
// The GPU worker: one GPU behind a socket. Untrusted once candidate code has run in it; it exits after a fault that
// took its context along, and the node starts another.
#pragma once

namespace tilewright {

/// argv: gpu FD UUID. Greets with {"op":"ready", …} or "failed", serves until the node is gone.
int runGpuService(int argc, char** argv);

/// argv: devices FD. Sends {"op":"devices","devices":[facts…]} or "failed", and ends.
int runDeviceListing(int argc, char** argv);

// The build worker: a warm NVRTC behind a socket. Sees one source after another and the headers it was given, no GPU.

/// argv: compile FD LIBRARY. Greets with {"op":"ready","version"} or "failed", serves until the node is gone.
int runCompileService(int argc, char** argv);

// A program launched for a tool that looks over the worker's shoulder.

/// argv: "once", a folder with job.json and program.cubin. Buffers are allocated to the byte, so that a tool sees where
/// they end. Exit code 0 when all launches ran, 3 when one failed, 2 for a job that cannot be read.
int runOnce(int argc, char** argv);

} // namespace tilewright
