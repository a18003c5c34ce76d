// SPDX-License-Identifier: Apache-2.0
// The CPU vendor: OpenBLAS sgemm on one thread behind the candidates' calling convention.
#pragma once

namespace tilewright {

/// Loads the library (single-threaded, warmed up) and returns a function that takes the Args of a GEMM task
/// {int M, N, K; const float *A, *B; float *C; …}, or null with the reason.
void (*loadVendorBlas(const char** why))(const void* args);

/// Of the library that loadVendorBlas() has loaded: its configuration ("OpenBLAS 0.3.21 …"), a line feed, and the core
/// type that it chose for this process ("SkylakeX"). Cut to the size.
void describeVendorBlas(char* text, unsigned long size);

/// What the library says of itself ("OpenBLAS 0.3.21 … SkylakeX MAX_THREADS=64"); empty where there is none.
const char* vendorBlasName();

} // namespace tilewright
