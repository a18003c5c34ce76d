// SPDX-License-Identifier: GPL-3.0-or-later
// The build worker: a warm NVRTC behind a socket. Sees one source after another and the headers it was given, no GPU.
#pragma once

namespace tilewright {

/// argv: compile FD LIBRARY. Greets with {"op":"ready","version"} or "failed", serves until the node is gone.
int runCompileService(int argc, char** argv);

} // namespace tilewright
