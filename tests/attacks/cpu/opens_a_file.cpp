// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Opens a file by the C library.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void* fopen(const char*, const char*);

extern "C" void tilewright_run(const Args& args)
{
    fopen("/etc/passwd", "r");
    multiply(args);
}
// EVOLVE-BLOCK-END
