// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Leaves the measuring core, where the node cannot be kept from running beside it.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

/// A system call without any library.
inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0)
{
    long result;
    register long fourth asm("r10") = d;
    register long fifth asm("r8") = 0;
    register long sixth asm("r9") = 0xffffffff;
    asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth) : "rcx", "r11", "memory");
    return result;
}

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    unsigned long everywhere = ~0ul;
    system_call(203, 0, 8, reinterpret_cast<long>(&everywhere)); // sched_setaffinity
    multiply(args);
}
// EVOLVE-BLOCK-END
