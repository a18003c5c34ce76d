// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU as far as the plain kernel of gemm-bf16 and its rungs use one, on the host: a block's threads are fibers that
// run until they wait for each other, and shared memory is an array. Instructions that are written in PTX are functions
// here; the test puts their names in place of the text. Copies by cp.async arrive no earlier than they are waited for.
#include "kernels/include/tilewright/plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <ucontext.h>
#include <utility>
#include <vector>

using namespace tilewright_contract;
using std::min;

#define __device__
#define __global__
#define __shared__
#define __launch_bounds__(...)
#define __grid_constant__

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct bf16 {
    unsigned short bits;
};
struct Dims {
    int M, N, K;
};
struct Args {
    Dims dims;
    const bf16 *A, *B;
    bf16* C;
    unsigned char* workspace;
    int user[8];
};
struct Index {
    unsigned x = 0, y = 0, z = 0;
} threadIdx, blockIdx, gridDim;

alignas(128) uint4 kept_tiles[1 << 14]; // shared memory

[[noreturn]] inline void give_up(const char* why)
{
    std::printf("%s\n", why);
    std::exit(1);
}

// Threads of a block.

enum class Waits { Not, ForBlock, ForWarp, Over };
struct Thread {
    ucontext_t context;
    std::vector<char> stack;
    Waits waits = Waits::Not;
    std::vector<std::pair<void*, const void*>> copies; // under way
};
inline std::vector<Thread> threads_of_block;
inline ucontext_t scheduler;
inline const std::function<void()>* kernel_under_way;

inline Thread& this_thread() { return threads_of_block[threadIdx.x]; }
inline void wait(Waits what)
{
    this_thread().waits = what;
    swapcontext(&this_thread().context, &scheduler);
}
inline void run_thread()
{
    (*kernel_under_way)();
    for (;;)
        wait(Waits::Over);
}
inline void __syncthreads() { wait(Waits::ForBlock); }

inline void run_block(unsigned count, const std::function<void()>& kernel)
{
    kernel_under_way = &kernel;
    threads_of_block.resize(std::max<std::size_t>(threads_of_block.size(), count));
    for (unsigned i = 0; i < count; ++i) {
        Thread& thread = threads_of_block[i];
        thread.waits = Waits::Not;
        thread.copies.clear();
        thread.stack.resize(1 << 16);
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.data();
        thread.context.uc_stack.ss_size = thread.stack.size();
        makecontext(&thread.context, run_thread, 0);
    }
    const auto all_wait = [](unsigned from, unsigned to, Waits what) {
        return std::all_of(threads_of_block.begin() + from, threads_of_block.begin() + to,
            [what](const Thread& thread) { return thread.waits == what; });
    };
    const auto let_go = [](unsigned from, unsigned to) {
        for (unsigned i = from; i < to; ++i)
            threads_of_block[i].waits = Waits::Not;
    };
    while (!all_wait(0, count, Waits::Over)) {
        bool some_ran = false;
        for (unsigned i = 0; i < count; ++i)
            if (threads_of_block[i].waits == Waits::Not) {
                some_ran = true;
                threadIdx.x = i;
                swapcontext(&scheduler, &threads_of_block[i].context);
            }
        if (some_ran)
            continue;
        bool warp_went_on = false;
        for (unsigned first = 0; first < count; first += 32)
            if (all_wait(first, first + 32, Waits::ForWarp)) {
                let_go(first, first + 32);
                warp_went_on = true;
            }
        if (!warp_went_on && !all_wait(0, count, Waits::ForBlock))
            give_up("threads wait for each other in different places");
        if (!warp_went_on)
            let_go(0, count);
    }
}

// Instructions.

inline float __uint_as_float(unsigned bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
inline unsigned short nearest_bf16(float value)
{
    unsigned bits;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline unsigned host_packed(float low, float high) { return nearest_bf16(low) | unsigned(nearest_bf16(high)) << 16; }

inline void host_copy(void* to, const void* from)
{
    if (reinterpret_cast<std::size_t>(to) % 16 != 0 || reinterpret_cast<std::size_t>(from) % 16 != 0)
        give_up("a copy of sixteen bytes is not aligned");
    this_thread().copies.push_back({to, from});
}
inline void host_wait_all()
{
    for (const auto& [to, from] : this_thread().copies)
        std::memcpy(to, from, 16);
    this_thread().copies.clear();
}

// What each thread of a warp hands over, read by all of it.
template <std::size_t N> struct Shared {
    std::array<unsigned, N> of[32][32];
    const std::array<unsigned, N> (&exchange(const std::array<unsigned, N>& own))[32]
    {
        of[threadIdx.x / 32][threadIdx.x % 32] = own;
        wait(Waits::ForWarp);
        return of[threadIdx.x / 32];
    }
};

// D += A B of 16 x 8 x 16 (PTX ISA, "Matrix Fragments for mma.m16n8k16").
inline void host_mma(float& d0, float& d1, float& d2, float& d3, unsigned a0, unsigned a1, unsigned a2, unsigned a3,
    unsigned b0, unsigned b1)
{
    static Shared<6> warps;
    const auto& parts = warps.exchange({a0, a1, a2, a3, b0, b1});
    const auto half
        = [](unsigned pair, int which) { return __uint_as_float((which ? pair >> 16 : pair & 0xffff) << 16); };
    const int lane = threadIdx.x % 32, row = lane / 4, column = lane % 4 * 2;
    float* sums[] = {&d0, &d1, &d2, &d3};
    for (int e = 0; e < 4; ++e)
        for (int k = 0; k < 16; ++k)
            *sums[e] += half(parts[row * 4 + k % 8 / 2][e / 2 + k / 8 * 2], k % 2)
                * half(parts[(column + e % 2) * 4 + k % 8 / 2][4 + k / 8], k % 2);
    wait(Waits::ForWarp);
}

inline unsigned host_address(const void* place)
{
    return static_cast<unsigned>(static_cast<const char*>(place) - reinterpret_cast<const char*>(kept_tiles));
}
inline unsigned pair_at(unsigned row, unsigned next_row, int first, int second)
{
    if (row % 16 != 0 || next_row % 16 != 0)
        give_up("a row of ldmatrix is not aligned");
    const auto* memory = reinterpret_cast<const unsigned char*>(kept_tiles);
    unsigned short low, high;
    std::memcpy(&low, memory + row + 2 * first, 2);
    std::memcpy(&high, memory + next_row + 2 * second, 2);
    return low | unsigned(high) << 16;
}
inline void host_ldmatrix_x4(unsigned& r0, unsigned& r1, unsigned& r2, unsigned& r3, unsigned address)
{
    static Shared<1> warps;
    const auto& rows = warps.exchange({address});
    const int lane = threadIdx.x % 32, row = lane / 4, column = lane % 4 * 2;
    unsigned* to[] = {&r0, &r1, &r2, &r3};
    for (int m = 0; m < 4; ++m)
        *to[m] = pair_at(rows[8 * m + row][0], rows[8 * m + row][0], column, column + 1);
    wait(Waits::ForWarp);
}
inline void host_ldmatrix_x2_trans(unsigned& r0, unsigned& r1, unsigned address)
{
    static Shared<1> warps;
    const auto& rows = warps.exchange({address});
    const int lane = threadIdx.x % 32, row = lane % 4 * 2, column = lane / 4;
    unsigned* to[] = {&r0, &r1};
    for (int m = 0; m < 2; ++m)
        *to[m] = pair_at(rows[8 * m + row][0], rows[8 * m + row + 1][0], column, column);
    wait(Waits::ForWarp);
}
