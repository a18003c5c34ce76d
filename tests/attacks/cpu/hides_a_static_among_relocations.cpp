// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Puts a writable array into a section that the object rules leave to the linker.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".section .data.rel.ro, \"aw\"; .globl hidden_cache; .hidden hidden_cache; hidden_cache: .zero 65536; .text");
extern "C" __attribute__((visibility("hidden"))) volatile float hidden_cache[16384];

extern "C" void tilewright_run(const Args& args)
{
    hidden_cache[0] = hidden_cache[0] + 1.0f;
    if (hidden_cache[0] > 0.0f)
        multiply(args);
}
// EVOLVE-BLOCK-END
