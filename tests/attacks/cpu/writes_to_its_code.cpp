// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Writes to its own code.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    auto* code = reinterpret_cast<volatile unsigned char*>(&multiply);
    asm volatile("" : "+r"(code));
    *code = 0xc3;
    multiply(args);
}
// EVOLVE-BLOCK-END
