// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Finds the time by asking futexes with time limits whether those have passed.
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
    unsigned word = 1;
    long limit[2] = {0, 1}; // a nanosecond
    // FUTEX_WAIT with a limit: comes back when it has passed
    if (system_call(202, reinterpret_cast<long>(&word), 0, 1, reinterpret_cast<long>(limit)) == -110)
        multiply(args);
}
// EVOLVE-BLOCK-END
