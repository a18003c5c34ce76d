// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Writes a gigabyte to standard output without a library.
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
    for (long line = 0; line < (1 << 30) / 64; ++line)
        system_call(1, 1, reinterpret_cast<long>("a line of sixty-four letters, over and over, until it is full.."), 64);
    multiply(args);
}
// EVOLVE-BLOCK-END
