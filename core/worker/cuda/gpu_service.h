// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU worker: one GPU behind a socket. Untrusted once candidate code has run in it; it exits after a fault that
// took its context along, and the node starts another.
#pragma once

namespace tilewright {

/// argv: gpu FD UUID. Greets with {"op":"ready", …} or "failed", serves until the node is gone.
int runGpuService(int argc, char** argv);

/// argv: devices FD. Sends {"op":"devices","devices":[facts…]} or "failed", and ends.
int runDeviceListing(int argc, char** argv);

} // namespace tilewright
