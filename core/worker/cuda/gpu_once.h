// SPDX-License-Identifier: GPL-3.0-or-later
// A program launched for a tool that looks over the worker's shoulder.
#pragma once

namespace tilewright {

/// argv: "once", a folder with job.json and program.cubin. Buffers are allocated to the byte, so that a tool sees where
/// they end. Exit code 0 when all launches ran, 3 when one failed, 2 for a job that cannot be read.
int runOnce(int argc, char** argv);

} // namespace tilewright
