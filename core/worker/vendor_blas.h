// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU vendor: OpenBLAS sgemm on one thread behind the candidates' calling convention.
#pragma once

namespace tilewright {

/// Loads the library (single-threaded, warmed up) and returns a function that takes the Args of a GEMM task
/// {int M, N, K; const float *A, *B; float *C; …}, or null with the reason.
void (*loadVendorBlas(const char** why))(const void* args);

} // namespace tilewright
