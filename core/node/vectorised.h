// SPDX-License-Identifier: Apache-2.0
// Marks the node's own hot loops: compiled for several instruction sets, chosen when the program starts, so that one
// binary is quick everywhere. Sanitizers cannot see through the choice, so they get the plain version.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)                  \
    && !defined(__SANITIZE_THREAD__)
#define TILEWRIGHT_VECTORISED __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define TILEWRIGHT_VECTORISED
#endif
