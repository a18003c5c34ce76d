// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Makes a 32-bit system call, whose numbers mean other things.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    int result;
    asm volatile("int $0x80" : "=a"(result) : "a"(2), "b"(0) : "memory"); // fork
    multiply(args);
}
// EVOLVE-BLOCK-END
