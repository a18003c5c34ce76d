// SPDX-License-Identifier: Apache-2.0
// The CPU guest: the process in which candidate code runs. It maps what the node gave it, locks itself in, loads one
// shared object, and then answers a doorbell for as long as it lives. Single-threaded; trusted until the object is
// loaded.
#pragma once

namespace tilewright {

/// argv: guest CONTROL_FD OBJECT, where OBJECT is a path or "vendor:openblas-sgemm-1t". Returns only on failure.
int runGuest(int argc, char** argv);

} // namespace tilewright
