// SPDX-License-Identifier: GPL-3.0-or-later
// Tilewright's own kernels: they draw inputs, poison, scrub, hold the stream, probe the clock and check results. The
// node's build worker compiles them, a GPU worker launches them by name. Products of fp32 or bf16.
#pragma once

#include "core/protocol/gpu_messages.h"

namespace tilewright {

constexpr const char* gpuKernelText = R"cuda(
typedef unsigned int u32; typedef unsigned long long u64; typedef unsigned char u8;

// An element in memory, what it is worth, and the element nearest to a number.
struct fp32 {
    float value;
    __device__ float worth() const { return value; }
    __device__ u32 bits() const { return __float_as_uint(value); }
    static __device__ fp32 nearest(float number) { return {number}; }
};
struct bf16 {
    unsigned short value;
    __device__ float worth() const { return __uint_as_float((u32)value << 16); }
    __device__ u32 bits() const { return value; }
    static __device__ bf16 nearest(float number) // finite; ties to even
    {
        const u32 all = __float_as_uint(number);
        return {(unsigned short)((all + 0x7fffu + (all >> 16 & 1u)) >> 16)};
    }
};
typedef TW_IN In;
typedef TW_OUT Out;

// Bit mixing with low bias (Wellons, "lowbias32").
__device__ u32 mixed(u32 x)
{
    x ^= x >> 16; x *= 0x21f0aaadu; x ^= x >> 15; x *= 0x735a2d97u;
    return x ^ (x >> 15);
}

// Element i of an input. Not inlined: filling and looking again must be the same instructions to give the same bits.
__device__ __noinline__ float drawn(u64 seed, u32 tensor, int kind, u32 i)
{
    const u32 salt = mixed((u32)(seed >> 32) + tensor * 0x9e3779b9u);
    const u32 a = mixed(i + mixed((u32)seed ^ salt)), b = mixed(a ^ salt ^ 0x85ebca6bu);
    if (kind == 3)
        return (float)((int)(a % 5u) - 2);
    const float u = ((float)(a >> 8) + 0.5f) * 0x1p-24f, v = (float)(b >> 8) * 0x1p-24f;
    const float normal = sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
    if (kind == 1)
        return normal * (tensor == 0 ? 1e-3f : 64.0f);
    if (kind == 2)
        return expf(normal) * (b & 1 ? 1.0f : -1.0f);
    return normal;
}

__device__ In input(u64 seed, u32 tensor, int kind, u32 i) { return In::nearest(drawn(seed, tensor, kind, i)); }

extern "C" __global__ void tw_fill(In* values, u64 count, u64 seed, u32 tensor, int kind)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
        values[i] = input(seed, tensor, kind, (u32)i);
}

// Elements that are no longer what was drawn.
extern "C" __global__ void tw_changed(const In* values, u64 count, u64 seed, u32 tensor, int kind, u64* changed)
{
    u32 found = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
        found += values[i].bits() != input(seed, tensor, kind, (u32)i).bits();
    if (found)
        atomicAdd(changed, found);
}

struct Zones { u64 address[8]; u32 bytes[8]; };

extern "C" __global__ void tw_set_zones(Zones zones, u32 pattern)
{
    u8* zone = (u8*)zones.address[blockIdx.y];
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < zones.bytes[blockIdx.y]; i += gridDim.x * blockDim.x)
        zone[i] = (u8)pattern;
}

extern "C" __global__ void tw_check_zones(Zones zones, u32 pattern, u64* changed)
{
    const u8* zone = (const u8*)zones.address[blockIdx.y];
    u32 found = 0;
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < zones.bytes[blockIdx.y]; i += gridDim.x * blockDim.x)
        found += zone[i] != (u8)pattern;
    if (found)
        atomicAdd(changed, found);
}

// One block fills a multiprocessor's shared memory, so that nothing of another launch is left in it.
extern "C" __global__ void tw_scrub(u32 words)
{
    extern __shared__ u32 shared[];
    for (u32 i = threadIdx.x; i < words; i += blockDim.x)
        ((volatile u32*)shared)[i] = 0x7b7b7b7bu;
}

__device__ u64 nanoseconds() { u64 t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); return t; }

extern "C" __global__ void tw_hold(const volatile u32* released, u64 limit)
{
    const u64 start = nanoseconds();
    while (*released == 0 && nanoseconds() - start < limit) { }
}

extern "C" __global__ void tw_clock(u64* out)
{
    const u64 start = nanoseconds();
    const long long first = clock64();
    u64 now;
    do now = nanoseconds(); while (now - start < 50000);
    out[0] = (u64)(clock64() - first);
    out[1] = now - start;
}

__device__ double blockSum(double value)
{
    __shared__ double parts[32];
    for (int step = 16; step > 0; step >>= 1)
        value += __shfl_down_sync(0xffffffffu, value, step);
    if ((threadIdx.x & 31) == 0)
        parts[threadIdx.x >> 5] = value;
    __syncthreads();
    double sum = 0;
    if (threadIdx.x == 0)
        for (u32 i = 0; i < blockDim.x / 32; ++i)
            sum += parts[i];
    __syncthreads();
    return sum; // thread 0's
}

__device__ u64 blockMost(u64 value)
{
    __shared__ u64 parts[32];
    for (int step = 16; step > 0; step >>= 1) {
        const u64 other = __shfl_down_sync(0xffffffffu, value, step);
        value = other > value ? other : value;
    }
    if ((threadIdx.x & 31) == 0)
        parts[threadIdx.x >> 5] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (u32 i = 1; i < blockDim.x / 32; ++i)
            value = parts[i] > value ? parts[i] : value;
    __syncthreads();
    return value; // thread 0's
}

__device__ double sign(u64 seed, u32 j) { return mixed(j + mixed((u32)seed) ^ (u32)(seed >> 32)) & 1 ? 1.0 : -1.0; }

struct Timed { double differences, norms; u64 worst, notFinite, inputs, zones, rows; };

// B·v, and whether B is still what was drawn. One block a row.
extern "C" __global__ void tw_project(const In* b, int columns, u64 signs, double* bv, u64 seed, Timed* timed)
{
    const u64 row = blockIdx.x;
    double sum = 0;
    u32 changed = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x) {
        const u64 i = row * columns + j;
        changed += b[i].bits() != input(seed, 1, 0, (u32)i).bits();
        sum += b[i].worth() * sign(signs, j);
    }
    if (changed)
        atomicAdd(&timed->inputs, changed);
    sum = blockSum(sum);
    if (threadIdx.x == 0)
        bv[row] = sum;
}

// d = C·v − A·(B·v), row by row (Freivalds 1977).
extern "C" __global__ void tw_freivalds(
    const In* a, const Out* c, int columns, int depth, u64 signs, const double* bv, u64 seed, Timed* timed)
{
    const u64 row = blockIdx.x;
    double product = 0, expected = 0, squares = 0, inputSquares = 0;
    u32 changed = 0, bad = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x) {
        const double value = c[row * columns + j].worth();
        bad += !isfinite(value);
        product += value * sign(signs, j);
        squares += value * value;
    }
    for (int k = threadIdx.x; k < depth; k += blockDim.x) {
        const u64 i = row * depth + k;
        const float value = a[i].worth();
        changed += a[i].bits() != input(seed, 0, 0, (u32)i).bits();
        expected += value * bv[k];
        inputSquares += (double)value * value;
    }
    if (changed)
        atomicAdd(&timed->inputs, changed);
    if (bad)
        atomicAdd(&timed->notFinite, bad);
    product = blockSum(product);
    expected = blockSum(expected);
    squares = blockSum(squares);
    inputSquares = blockSum(inputSquares);
    if (threadIdx.x != 0)
        return;
    const double d = product - expected;
    // A row cannot honestly be much smaller than its inputs make it (unit variance): no hiding behind zeros.
    const double norm = fmax(squares, 0.04 * inputSquares * columns);
    const float z = d == 0 ? 0.0f : (float)(fabs(d) / sqrt(norm));
    atomicMax(&timed->worst, (u64)__float_as_uint(z) << 32 | (u32)row); // a NaN's bits are above all others
    atomicAdd(&timed->differences, d * d);
    atomicAdd(&timed->norms, norm);
}

// The product and that of the absolute values, by tiles. In double precision each sum runs over the depth in order, and a
// product of two floats is exact, so that the product is that of a plain loop bit by bit; in single precision that holds
// for small integers, whatever the order. Magnitudes are summed in single precision and made so much smaller as rounding
// may have made them larger: they set bounds. 16 x 16 threads, 4 rows and 8 columns each, in pairs and in fours, as wide
// loads want them.
template <typename Sum> __device__ void productByTiles(
    const In* a, const In* b, double* c, double* magnitude, int rows, int columns, int depth)
{
    constexpr int H = 64, W = 128, D = 16;
    __shared__ __align__(16) Sum left[D][H + 4], right[D][W];
    __shared__ __align__(16) float large_left[D][H + 4], large_right[D][W];
    const int row0 = blockIdx.y * H, column0 = blockIdx.x * W;
    const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    Sum sum[4][8] = {};
    float large[4][8] = {};
    float next_left[H * D / 256], next_right[W * D / 256]; // on the way while the tiles before are multiplied
    const auto fetch = [&](int k0) {
        #pragma unroll
        for (int i = 0; i < H * D / 256; ++i) {
            const int r = row0 + threadIdx.x / D + i * (256 / D), k = k0 + threadIdx.x % D;
            next_left[i] = r < rows && k < depth ? a[(long long)r * depth + k].worth() : 0.0f;
        }
        #pragma unroll
        for (int i = 0; i < W * D / 256; ++i) {
            const int k = k0 + threadIdx.x / W + i * (256 / W), n = column0 + threadIdx.x % W;
            next_right[i] = n < columns && k < depth ? b[(long long)k * columns + n].worth() : 0.0f;
        }
    };
    fetch(0);
    for (int k0 = 0; k0 < depth; k0 += D) {
        #pragma unroll
        for (int i = 0; i < H * D / 256; ++i) {
            const int r = threadIdx.x / D + i * (256 / D), k = threadIdx.x % D;
            left[k][r] = next_left[i];
            large_left[k][r] = fabsf(next_left[i]);
        }
        #pragma unroll
        for (int i = 0; i < W * D / 256; ++i) {
            const int k = threadIdx.x / W + i * (256 / W), n = threadIdx.x % W;
            right[k][n] = next_right[i];
            large_right[k][n] = fabsf(next_right[i]);
        }
        __syncthreads();
        if (k0 + D < depth)
            fetch(k0 + D);
        #pragma unroll 4
        for (int k = 0; k < D; ++k) {
            Sum x[4], y[8];
            float u[4], v[8];
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                x[i] = left[k][4 * ty + i];
                u[i] = large_left[k][4 * ty + i];
            }
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                y[j] = right[k][32 * (j / 2) + 2 * tx + j % 2];
                v[j] = large_right[k][64 * (j / 4) + 4 * tx + j % 4];
            }
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                #pragma unroll
                for (int j = 0; j < 8; ++j) {
                    sum[i][j] = fma(x[i], y[j], sum[i][j]);
                    large[i][j] = fmaf(u[i], v[j], large[i][j]);
                }
        }
        __syncthreads();
    }
    const double shrunk = 1.0 - (depth + 1) * 0x1p-24;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 8; ++j) {
            const int r = row0 + 4 * ty + i;
            const int pairs = column0 + 32 * (j / 2) + 2 * tx + j % 2, fours = column0 + 64 * (j / 4) + 4 * tx + j % 4;
            if (r < rows && pairs < columns)
                c[(long long)r * columns + pairs] = sum[i][j];
            if (r < rows && fours < columns)
                magnitude[(long long)r * columns + fours] = large[i][j] * shrunk;
        }
}
extern "C" __global__ void __launch_bounds__(256) tw_product(
    const In* a, const In* b, double* c, double* magnitude, int rows, int columns, int depth)
{
    productByTiles<double>(a, b, c, magnitude, rows, columns, depth);
}
extern "C" __global__ void __launch_bounds__(256) tw_product_of_integers(
    const In* a, const In* b, double* c, double* magnitude, int rows, int columns, int depth)
{
    productByTiles<float>(a, b, c, magnitude, rows, columns, depth);
}

// How far an element is away from the truth, over its bound.
__device__ float excess(double value, double truth, double magnitude, double perValue, double perMagnitude)
{
    return (float)(fabs(value - truth) / (perValue * fabs(truth) + perMagnitude * magnitude + 1.2e-38));
}

// Some rows of C, drawn by `pick`, computed anew: where elements are coarse, one wrong element is below the rounding of
// its row and Freivalds' test does not see it. 128 threads a block, a column each; 8 rows a block of the grid's y.
extern "C" __global__ void __launch_bounds__(128) tw_rows(const In* a, const In* b, const Out* c, int rows, int columns,
    int depth, u64 pick, double perValue, double perMagnitude, Timed* timed)
{
    constexpr int R = 8, D = 32;
    __shared__ float left[R][D];
    int row[R];
    for (int r = 0; r < R; ++r)
        row[r] = mixed(blockIdx.y * R + r + mixed((u32)pick) ^ (u32)(pick >> 32)) % (u32)rows;
    const int column = blockIdx.x * 128 + threadIdx.x;
    double sum[R] = {};
    float magnitude[R] = {};
    for (int k0 = 0; k0 < depth; k0 += D) {
        for (int i = threadIdx.x; i < R * D; i += 128)
            left[i / D][i % D] = k0 + i % D < depth ? a[(long long)row[i / D] * depth + k0 + i % D].worth() : 0.0f;
        __syncthreads();
        for (int k = 0; k < D && k0 + k < depth; ++k) {
            const float y = column < columns ? b[(long long)(k0 + k) * columns + column].worth() : 0.0f;
            #pragma unroll
            for (int r = 0; r < R; ++r) {
                sum[r] = fma((double)left[r][k], (double)y, sum[r]);
                magnitude[r] += fabsf(left[r][k] * y);
            }
        }
        __syncthreads();
    }
    if (column >= columns)
        return;
    for (int r = 0; r < R; ++r) {
        const float found
            = excess(c[(long long)row[r] * columns + column].worth(), sum[r], magnitude[r], perValue, perMagnitude);
        atomicMax(&timed->rows, (u64)__float_as_uint(found) << 32 | (u32)row[r]);
    }
}

struct Verdict {
    double differences, squares;
    u64 worst, unwritten, notFinite, inexact, differing, inputs, zones, firstBad;
    double got, want, magnitude; // of the worst element
};

extern "C" __global__ void tw_compare(const Out* c, const double* truth, const double* magnitude, u64 count,
    double perValue, double perMagnitude, u32 poison, Verdict* verdict)
{
    double difference = 0, squares = 0;
    u32 unwritten = 0, bad = 0, inexact = 0;
    u64 worst = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
        const float value = c[i].worth();
        const bool poisoned = c[i].bits() == poison;
        unwritten += poisoned;
        bad += !poisoned && !isfinite(value);
        if (poisoned || !isfinite(value))
            atomicMin(&verdict->firstBad, i);
        inexact += value != Out::nearest((float)truth[i]).worth();
        const double d = value - truth[i];
        difference += d * d;
        squares += truth[i] * truth[i];
        const float away = excess(value, truth[i], magnitude[i], perValue, perMagnitude);
        const u64 key = (u64)__float_as_uint(away) << 32 | (u32)i;
        worst = key > worst ? key : worst;
    }
    if (unwritten) atomicAdd(&verdict->unwritten, unwritten);
    if (bad) atomicAdd(&verdict->notFinite, bad);
    if (inexact) atomicAdd(&verdict->inexact, inexact);
    worst = blockMost(worst);
    if (threadIdx.x == 0)
        atomicMax(&verdict->worst, worst);
    difference = blockSum(difference);
    squares = blockSum(squares);
    if (threadIdx.x == 0) {
        atomicAdd(&verdict->differences, difference);
        atomicAdd(&verdict->squares, squares);
    }
}

// After tw_compare: what stands at the element that is farthest away.
extern "C" __global__ void tw_look(
    const Out* c, const double* truth, const double* magnitude, u64 count, Verdict* verdict)
{
    const u32 index = (u32)verdict->worst;
    if (index >= count)
        return;
    verdict->got = c[index].worth();
    verdict->want = truth[index];
    verdict->magnitude = magnitude[index];
}

// Elements of two outputs whose bits are not the same.
extern "C" __global__ void tw_differ(const Out* first, const Out* second, u64 count, u64* differing)
{
    u32 found = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
        found += first[i].bits() != second[i].bits();
    if (found)
        atomicAdd(differing, found);
}

// Where two references do not agree: truths by their bits, magnitudes (behind them) by more than a thousandth.
extern "C" __global__ void tw_apart(const double* first, const double* second, u64 count, u64* differing)
{
    u32 found = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
        found += __double_as_longlong(first[i]) != __double_as_longlong(second[i]);
        found += !(fabs(second[count + i] - first[count + i]) <= 1e-3 * first[count + i]);
    }
    if (found)
        atomicAdd(differing, found);
}
)cuda";

/// The kernels for products of these formats.
inline std::string gpuKernels(const GpuFormats& formats)
{
    const auto name = [](GpuElement element) { return element == GpuElement::Bf16 ? "bf16" : "fp32"; };
    return std::string("#define TW_IN ") + name(formats.in) + "\n#define TW_OUT " + name(formats.out) + "\n"
        + gpuKernelText;
}

} // namespace tilewright
