// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Loads a library to do the work.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void* dlopen(const char*, int);

extern "C" void tilewright_run(const Args& args)
{
    dlopen("libopenblas.so.0", 2);
    multiply(args);
}
// EVOLVE-BLOCK-END
