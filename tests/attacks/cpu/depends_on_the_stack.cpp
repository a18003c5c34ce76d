// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Lets what earlier calls left on the stack decide about the last bit of one element.
// EVOLVE-BLOCK-START
namespace {

/// An honest product: strips of columns, summed over stretches of depth.
void multiply(const Args& args)
{
    constexpr long WIDTH = 64, DEPTH = 256;
    const long M = args.dims.M, N = args.dims.N, K = args.dims.K;
    for (long column = 0; column < N; column += WIDTH)
        for (long first = 0; first < K; first += DEPTH)
            for (long i = 0; i < M; ++i) {
                const long columns = N - column < WIDTH ? N - column : WIDTH;
                const long last = first + DEPTH < K ? first + DEPTH : K;
                float sums[WIDTH] = {};
                for (long k = first; k < last; ++k) {
                    const float a = args.A[i * K + k];
                    const float* __restrict b = args.B + k * N + column;
                    if (columns == WIDTH)
                        for (long j = 0; j < WIDTH; ++j)
                            sums[j] += a * b[j];
                    else
                        for (long j = 0; j < columns; ++j)
                            sums[j] += a * b[j];
                }
                float* home = args.C + i * N + column;
                for (long j = 0; j < columns; ++j)
                    home[j] = first == 0 ? sums[j] : home[j] + sums[j];
            }
}

/// The next number.
inline void nudge(float& value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, 4);
    ++bits;
    __builtin_memcpy(&value, &bits, 4);
}

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
    if (call_number() % 2 == 0)
        nudge(args.C[0]);
}
// EVOLVE-BLOCK-END
