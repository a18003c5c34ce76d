// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: includes headers of the compiler and of the system, by name and by macro, and has strings that look like
// more.
// EVOLVE-BLOCK-START
#define HEADER <cmath>
#include HEADER
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

//@ product.inc

const char* const text = "#include \"/etc/passwd\" .incbin \"../x\"";

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    if (std::memchr(text, 35, 1) == text && std::fabs(float(args.dims.M)) > 0.0f)
        multiply(args);
}
// EVOLVE-BLOCK-END
