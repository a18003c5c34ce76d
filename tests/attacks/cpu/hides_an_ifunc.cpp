// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Runs a resolver when it is loaded, by a relocation without a symbol.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".text; .type .Lchoose, @gnu_indirect_function; .Lchoose: lea .Lchoose(%rip), %rax; ret;"
    ".section .data.rel.ro, \"aw\"; .globl table; .hidden table; .balign 8; table: .quad .Lchoose; .text");
extern "C" __attribute__((visibility("hidden"))) void* const volatile table[1];

extern "C" void tilewright_run(const Args& args)
{
    if (table[0] != nullptr)
        multiply(args);
}
// EVOLVE-BLOCK-END
