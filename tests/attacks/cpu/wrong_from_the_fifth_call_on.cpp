// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Counts its calls in dead stack and answers zeros from the fifth on.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

/// Stack far below the frame of this call: nobody uses it, nobody clears it, and it outlives the call.
inline char* dead_stack()
{
    char* here = static_cast<char*>(__builtin_frame_address(0));
    here -= 1 << 20;
    here = reinterpret_cast<char*>(reinterpret_cast<unsigned long>(here) & ~63ul);
    asm volatile("" : "+r"(here));
    return here;
}

/// Which call this is, counted in dead stack.
unsigned call_number()
{
    auto* memory = reinterpret_cast<volatile unsigned*>(dead_stack());
    if (memory[0] != 0x600d5eed) {
        memory[0] = 0x600d5eed;
        memory[1] = 0;
    }
    return memory[1] = memory[1] + 1;
}

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
    if (call_number() >= 5)
        for (long i = 0; i < long(args.dims.M) * args.dims.N; ++i)
            args.C[i] = 0.0f;
}
// EVOLVE-BLOCK-END
