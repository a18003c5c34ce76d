// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Asks for a stack that may be executed, and writes code there.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".section .note.GNU-stack, \"x\", @progbits; .text");

extern "C" void tilewright_run(const Args& args)
{
    volatile unsigned char code[16] = {0xc3};
    auto* function = reinterpret_cast<void (*)()>(reinterpret_cast<unsigned long>(code));
    asm volatile("" : "+r"(function)::"memory");
    function();
    multiply(args);
}
// EVOLVE-BLOCK-END
