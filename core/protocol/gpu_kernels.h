// SPDX-License-Identifier: GPL-3.0-or-later
// Tilewright's own kernels: they draw inputs, poison, scrub, hold the stream, probe the clock and check results. The
// node's build worker compiles them, a GPU worker launches them by name. Tensors of fp32, bf16 or fp16; products, and
// any other operation that a reference tells the truth of.
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
struct fp16 {
    unsigned short value;
    __device__ float worth() const
    {
        float number;
        asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(value));
        return number;
    }
    __device__ u32 bits() const { return value; }
    static __device__ fp16 nearest(float number)
    {
        fp16 element;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(element.value) : "f"(number));
        return element;
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
        return (float)((int)(a % (2u * TW_WHOLE + 1u)) - TW_WHOLE);
    const float u = ((float)(a >> 8) + 0.5f) * 0x1p-24f, v = (float)(b >> 8) * 0x1p-24f;
    // Quick functions, off by less than a millionth: who draws and who looks again call the same.
    const float normal = sqrtf(fmaxf(0.0f, -2.0f * __logf(u))) * __cosf(6.2831853f * v);
    if (kind == 1)
        return normal * (tensor == 0 ? 1e-3f : 64.0f);
    if (kind == 2)
        return expf(normal) * (b & 1 ? 1.0f : -1.0f);
    return normal;
}

__device__ In input(u64 seed, u32 tensor, int kind, u32 i) { return In::nearest(drawn(seed, tensor, kind, i)); }

struct Zones { u64 address[16]; u32 bytes[16]; };

// Inputs, outputs, workspace and the zones around them, each the work of some blocks: buffer i of those below end[i], the
// zones, four blocks each, of those behind. A product's are A, B, C and its workspace.
struct Buffers { u64 address[8], bytes[8]; u32 end[8], inputs, count; Zones zones; };
constexpr u32 zoneBlocks = 4;

// Which part of the buffers this block works on: one of them, then a zone each; and which of its threads this is, of how many.
__device__ u32 partOf(const Buffers& buffers, u64& thread, u64& threads)
{
    u32 part = 0, first = 0;
    while (part < buffers.count && blockIdx.x >= buffers.end[part])
        first = buffers.end[part++];
    u32 blocks = part < buffers.count ? buffers.end[part] - first : zoneBlocks;
    if (part == buffers.count) {
        part += (blockIdx.x - first) / zoneBlocks;
        first += (part - buffers.count) * zoneBlocks;
    }
    thread = (u64)(blockIdx.x - first) * blockDim.x + threadIdx.x;
    threads = (u64)blocks * blockDim.x;
    return part;
}

__device__ void setBytes(u8* bytes, u64 count, u8 value, u64 thread, u64 threads)
{
    const u64 head = min(count, (u64)(0 - (u64)bytes & 15)), wide = (count - head) / 16, tail = head + 16 * wide;
    const u32 four = value * 0x01010101u;
    if (thread < head)
        bytes[thread] = value;
    for (u64 i = thread; i < wide; i += threads)
        ((uint4*)(bytes + head))[i] = make_uint4(four, four, four, four);
    if (tail + thread < count)
        bytes[tail + thread] = value;
}

// How many of those that this thread looks at are others.
__device__ u32 otherBytes(const u8* bytes, u64 count, u8 value, u64 thread, u64 threads)
{
    const u64 head = min(count, (u64)(0 - (u64)bytes & 15)), wide = (count - head) / 16, tail = head + 16 * wide;
    const u32 four = value * 0x01010101u;
    u32 found = thread < head && bytes[thread] != value;
    for (u64 i = thread; i < wide; i += threads) {
        const uint4 got = ((const uint4*)(bytes + head))[i];
        if ((got.x ^ four) | (got.y ^ four) | (got.z ^ four) | (got.w ^ four))
            for (int k = 0; k < 16; ++k)
                found += bytes[head + 16 * i + k] != value;
    }
    return found + (tail + thread < count && bytes[tail + thread] != value);
}

// Before a launch: inputs are drawn, outputs, workspace and zones poisoned. Where there is somebody to tell: which launch
// comes now, all those before it being over.
extern "C" __global__ void tw_before(Buffers buffers, u64 seed, int kind, u32 poison, volatile u32* told, u32 number)
{
    if (told && blockIdx.x + threadIdx.x == 0)
        *told = number;
    u64 thread, threads;
    const u32 part = partOf(buffers, thread, threads);
    if (part < buffers.inputs) {
        In* values = (In*)buffers.address[part];
        for (u64 i = thread; i < buffers.bytes[part] / sizeof(In); i += threads)
            values[i] = input(seed, part, kind, (u32)i);
    } else if (part < buffers.count) {
        setBytes((u8*)buffers.address[part], buffers.bytes[part], (u8)poison, thread, threads);
    } else {
        const u32 zone = part - buffers.count;
        setBytes((u8*)buffers.zones.address[zone], buffers.zones.bytes[zone], (u8)poison, thread, threads);
    }
}

// After it: elements of inputs that are no longer what was drawn, bytes of zones, and of outputs and workspace where no
// launch was to write to them, that are no longer what they were.
extern "C" __global__ void tw_after(Buffers buffers, u64 seed, int kind, u32 poison, u64* inputs, u64* zones)
{
    u64 thread, threads;
    const u32 part = partOf(buffers, thread, threads);
    u32 found = 0;
    if (part < buffers.inputs) {
        const In* values = (const In*)buffers.address[part];
        for (u64 i = thread; i < buffers.bytes[part] / sizeof(In); i += threads)
            found += values[i].bits() != input(seed, part, kind, (u32)i).bits();
    } else if (part < buffers.count) {
        found = otherBytes((const u8*)buffers.address[part], buffers.bytes[part], (u8)poison, thread, threads);
    } else {
        const u32 zone = part - buffers.count;
        found = otherBytes(
            (const u8*)buffers.zones.address[zone], buffers.zones.bytes[zone], (u8)poison, thread, threads);
    }
    if (found)
        atomicAdd(part < buffers.inputs ? inputs : zones, found);
}

// Once all memory in reach was poisoned, and some of it became launches' own: bytes of the rest that are no longer poison.
struct Range { u64 address, bytes; };
struct Gaps { Range gap[128]; u32 count; };
extern "C" __global__ void tw_between(Gaps gaps, u32 poison, u64* zones)
{
    const u64 thread = blockIdx.x * (u64)blockDim.x + threadIdx.x, threads = gridDim.x * (u64)blockDim.x;
    u32 found = 0;
    for (u32 i = 0; i < gaps.count; ++i)
        found += otherBytes((const u8*)gaps.gap[i].address, gaps.gap[i].bytes, (u8)poison, thread, threads);
    if (found)
        atomicAdd(zones, found);
}

__device__ u64 nanoseconds() { u64 t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); return t; }

// One block fills a multiprocessor's shared memory, so that nothing of another launch is left in it.
__device__ void scrubShared(u32 words)
{
    extern __shared__ u32 shared[];
    for (u32 i = threadIdx.x; i < words; i += blockDim.x)
        ((volatile u32*)shared)[i] = 0x7b7b7b7bu;
}
extern "C" __global__ void tw_scrub(u32 words) { scrubShared(words); }

// What a timed launch finds: nothing of its own in the cache, since memory that is nobody's was written over, and nothing
// in shared memory. What comes behind waits until the host has released it.
extern "C" __global__ void __launch_bounds__(1024) tw_cold(
    uint4* nobodys, u64 count, u32 value, u32 words, const volatile u32* released, u64 limit)
{
    scrubShared(words);
    const uint4 four = make_uint4(value, value, value, value);
    #pragma unroll 4
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
        nobodys[i] = four;
    if (blockIdx.x + threadIdx.x > 0)
        return;
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

__device__ double warpSum(double value)
{
    for (int step = 16; step > 0; step >>= 1)
        value += __shfl_down_sync(0xffffffffu, value, step);
    return value; // lane 0's
}

// d = C·v − A·(B·v), row by row (Freivalds 1977), T threads a row: a warp, or all 256 where rows are few.
template <int T> __device__ void freivalds(const In* a, const Out* c, int rows, int columns, int depth, u64 signs,
    const double* bv, u64 seed, Timed* timed)
{
    const auto rowSum = [](double value) { return T == 32 ? warpSum(value) : blockSum(value); };
    const int place = threadIdx.x % T;
    double differences = 0, norms = 0; // of the rows whose first thread this is
    u64 worst = 0;
    u32 changed = 0, bad = 0;
    for (u64 row = (blockIdx.x * 256 + threadIdx.x) / T; row < rows; row += gridDim.x * (256 / T)) {
        double product = 0, expected = 0, squares = 0, inputSquares = 0;
        #pragma unroll 4
        for (int j = place; j < columns; j += T) {
            const double value = c[row * columns + j].worth();
            bad += !isfinite(value);
            product += value * sign(signs, j);
            squares += value * value;
        }
        #pragma unroll 2
        for (int k = place; k < depth; k += T) {
            const u64 i = row * depth + k;
            const float value = a[i].worth();
            changed += a[i].bits() != input(seed, 0, 0, (u32)i).bits();
            expected += value * bv[k];
            inputSquares += (double)value * value;
        }
        product = rowSum(product);
        expected = rowSum(expected);
        squares = rowSum(squares);
        inputSquares = rowSum(inputSquares);
        if (place != 0)
            continue;
        const double d = product - expected;
        // A row cannot honestly be much smaller than its inputs make it (unit variance): no hiding behind zeros.
        const double norm = fmax(squares, 0.04 * inputSquares * columns);
        const float z = d == 0 ? 0.0f : (float)(fabs(d) / sqrt(norm));
        const u64 key = (u64)__float_as_uint(z) << 32 | (u32)row; // a NaN's bits are above all others
        worst = key > worst ? key : worst;
        differences += d * d;
        norms += norm;
    }
    if (changed)
        atomicAdd(&timed->inputs, changed);
    if (bad)
        atomicAdd(&timed->notFinite, bad);
    worst = blockMost(worst);
    differences = blockSum(differences);
    norms = blockSum(norms);
    if (threadIdx.x != 0)
        return;
    atomicMax(&timed->worst, worst);
    atomicAdd(&timed->differences, differences);
    atomicAdd(&timed->norms, norms);
}
extern "C" __global__ void __launch_bounds__(256) tw_freivalds(const In* a, const Out* c, int rows, int columns,
    int depth, u64 signs, const double* bv, u64 seed, Timed* timed)
{
    freivalds<256>(a, c, rows, columns, depth, signs, bv, seed, timed);
}
extern "C" __global__ void __launch_bounds__(256) tw_freivalds_by_warps(const In* a, const Out* c, int rows, int columns,
    int depth, u64 signs, const double* bv, u64 seed, Timed* timed)
{
    freivalds<32>(a, c, rows, columns, depth, signs, bv, seed, timed);
}

// The product and that of the absolute values, by tiles of 64 x 128 and 256 threads. The truth is summed in double
// precision, in which a product of two elements is exact, or, of small integers, in single precision, exact whatever the
// order. Magnitudes set bounds: they come out smaller than they are, by a four hundredth at most.
struct NextTiles { // of A and B, on their way through registers while those before are multiplied
    enum : int { H = 64, W = 128, D = 16 };
    float left[H * D / 256], right[W * D / 256];
    __device__ void fetch(
        const In* a, const In* b, int row0, int column0, int k0, int to, int rows, int columns, int depth)
    {
        #pragma unroll
        for (int i = 0; i < H * D / 256; ++i) {
            const int r = row0 + threadIdx.x / D + i * (256 / D), k = k0 + threadIdx.x % D;
            left[i] = r < rows && k < to ? a[(long long)r * depth + k].worth() : 0.0f;
        }
        #pragma unroll
        for (int i = 0; i < W * D / 256; ++i) {
            const int k = k0 + threadIdx.x / W + i * (256 / W), n = column0 + threadIdx.x % W;
            right[i] = n < columns && k < to ? b[(long long)k * columns + n].worth() : 0.0f;
        }
    }
};
// What of the depth this block sums up; the grid's z is how many share a tile.
__device__ void shareOf(int depth, int& from, int& to)
{
    const int share = (depth + NextTiles::D * (int)gridDim.z - 1) / (NextTiles::D * (int)gridDim.z) * NextTiles::D;
    from = min(depth, (int)blockIdx.z * share);
    to = min(depth, from + share);
}
// A block's sums; who shares a tile adds to what is zero before. However many do, in whatever order: the sums are of
// double precision.
__device__ void keep(double* place, double sum)
{
    if (gridDim.z == 1)
        *place = sum;
    else
        atomicAdd(place, sum);
}
#if __CUDA_ARCH__ >= 900
// 16 x 8 sums more by 16 x 8 times 8 x 8 elements, spread over a warp as mma.m16n8k8 wants them (PTX ISA, "Matrix Fragments").
__device__ void addProduct(double (&sum)[4], const float (&a)[4], const float (&b)[2])
{
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64.rn {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
        : "d"((double)a[0]), "d"((double)a[1]), "d"((double)a[2]), "d"((double)a[3]), "d"((double)b[0]), "d"((double)b[1]));
}
// Elements lose all but eleven bits, towards zero.
__device__ void addProduct(float (&sum)[4], const float (&a)[4], const float (&b)[2])
{
    const auto cut = [](float value) { return __float_as_uint(value) & 0xffffe000u; };
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(cut(a[0])), "r"(cut(a[1])), "r"(cut(a[2])), "r"(cut(a[3])), "r"(cut(b[0])), "r"(cut(b[1])));
}
template <typename Sum> __device__ void productByTiles(
    const In* a, const In* b, double* c, double* magnitude, int rows, int columns, int depth)
{
    constexpr int H = NextTiles::H, W = NextTiles::W, D = NextTiles::D;
    int from, to;
    shareOf(depth, from, to);
    // 2 x 4 warps, 32 x 32 sums each; the gaps keep what a warp reads in banks apart.
    __shared__ float left[H][D + 4], right[D][W + 8];
    const int row0 = blockIdx.y * H, column0 = blockIdx.x * W;
    const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, place = threadIdx.x % 4;
    const int top = warp / 4 * 32 + group, side = warp % 4 * 32;
    Sum sum[2][4][4] = {};
    float large[2][4][4] = {};
    NextTiles next;
    next.fetch(a, b, row0, column0, from, to, rows, columns, depth);
    for (int k0 = from; k0 < to; k0 += D) {
        #pragma unroll
        for (int i = 0; i < H * D / 256; ++i)
            left[threadIdx.x / D + i * (256 / D)][threadIdx.x % D] = next.left[i];
        #pragma unroll
        for (int i = 0; i < W * D / 256; ++i)
            right[threadIdx.x / W + i * (256 / W)][threadIdx.x % W] = next.right[i];
        __syncthreads();
        if (k0 + D < to)
            next.fetch(a, b, row0, column0, k0 + D, to, rows, columns, depth);
        #pragma unroll
        for (int k = 0; k < D; k += 8) {
            float x[2][4], y[4][2], u[2][4], v[4][2];
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                #pragma unroll
                for (int e = 0; e < 4; ++e) {
                    x[i][e] = left[top + 16 * i + 8 * (e % 2)][k + place + 4 * (e / 2)];
                    u[i][e] = fabsf(x[i][e]);
                }
            #pragma unroll
            for (int j = 0; j < 4; ++j)
                #pragma unroll
                for (int e = 0; e < 2; ++e) {
                    y[j][e] = right[k + place + 4 * e][side + 8 * j + group];
                    v[j][e] = fabsf(y[j][e]);
                }
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                #pragma unroll
                for (int j = 0; j < 4; ++j) {
                    addProduct(sum[i][j], x[i], y[j]);
                    addProduct(large[i][j], u[i], v[j]);
                }
        }
        __syncthreads();
    }
    const double shrunk = 1.0 - (depth + 1) * 0x1p-24;
    #pragma unroll
    for (int i = 0; i < 2; ++i)
        #pragma unroll
        for (int j = 0; j < 4; ++j)
            #pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int r = row0 + top + 16 * i + 8 * (e / 2), n = column0 + side + 8 * j + 2 * place + e % 2;
                if (r < rows && n < columns) {
                    keep(c + (long long)r * columns + n, sum[i][j][e]);
                    keep(magnitude + (long long)r * columns + n, large[i][j][e] * shrunk);
                }
            }
}
#else
// 16 x 16 threads, 4 rows and 8 columns each, in pairs and in fours, as wide loads want them.
template <typename Sum> __device__ void productByTiles(
    const In* a, const In* b, double* c, double* magnitude, int rows, int columns, int depth)
{
    constexpr int H = NextTiles::H, W = NextTiles::W, D = NextTiles::D;
    int from, to;
    shareOf(depth, from, to);
    __shared__ __align__(16) Sum left[D][H + 4], right[D][W];
    __shared__ __align__(16) float large_left[D][H + 4], large_right[D][W];
    const int row0 = blockIdx.y * H, column0 = blockIdx.x * W;
    const int ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    Sum sum[4][8] = {};
    float large[4][8] = {};
    NextTiles next;
    next.fetch(a, b, row0, column0, from, to, rows, columns, depth);
    for (int k0 = from; k0 < to; k0 += D) {
        #pragma unroll
        for (int i = 0; i < H * D / 256; ++i) {
            const int r = threadIdx.x / D + i * (256 / D), k = threadIdx.x % D;
            left[k][r] = next.left[i];
            large_left[k][r] = fabsf(next.left[i]);
        }
        #pragma unroll
        for (int i = 0; i < W * D / 256; ++i) {
            const int k = threadIdx.x / W + i * (256 / W), n = threadIdx.x % W;
            right[k][n] = next.right[i];
            large_right[k][n] = fabsf(next.right[i]);
        }
        __syncthreads();
        if (k0 + D < to)
            next.fetch(a, b, row0, column0, k0 + D, to, rows, columns, depth);
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
                keep(c + (long long)r * columns + pairs, sum[i][j]);
            if (r < rows && fours < columns)
                keep(magnitude + (long long)r * columns + fours, large[i][j] * shrunk);
        }
}
#endif
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
    u64 worst, unwritten, notFinite, inexact, differing, inputs, zones, notFirstBad; // the latter ~index, so 0 is none
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
            atomicMax(&verdict->notFirstBad, ~i);
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

// What a reference wrote, in the output's type or in double, whose magnitudes nobody tells: an element itself or the
// typical size of all, whichever is larger, twice; and of a narrow type its own rounding, `own` of the element more.
__device__ double number(const Out& value) { return value.worth(); }
__device__ double number(double value) { return value; }
template <typename T> __device__ void squaresOf(const T* found, u64 count, double* sum)
{
    double squares = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
        squares += number(found[i]) * number(found[i]);
    squares = blockSum(squares);
    if (threadIdx.x == 0)
        atomicAdd(sum, squares);
}
template <typename T> __device__ void truthOf(
    const T* found, u64 count, const double* sum, double own, double* truth, double* magnitude)
{
    const double typical = sqrt(*sum / (double)count);
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
        const double value = number(found[i]), size = fabs(value);
        truth[i] = value;
        magnitude[i] = 2 * fmax(size, typical) + own * size;
    }
}
extern "C" __global__ void tw_squares_found(const Out* found, u64 count, double* sum) { squaresOf(found, count, sum); }
extern "C" __global__ void tw_squares_values(const double* found, u64 count, double* sum) { squaresOf(found, count, sum); }
extern "C" __global__ void tw_truth_found(
    const Out* found, u64 count, const double* sum, double own, double* truth, double* magnitude)
{
    truthOf(found, count, sum, own, truth, magnitude);
}
extern "C" __global__ void tw_truth_values(
    const double* found, u64 count, const double* sum, double own, double* truth, double* magnitude)
{
    truthOf(found, count, sum, own, truth, magnitude);
}

// What a launch left, its output and its workspace, as one sum under a key that no program knows: added when the launch is
// over, taken away when all are. What is not 0 then is a change in between.
__device__ u64 keyed(u64 word, u64 place, u64 key)
{
    u64 x = (word ^ key) + (place + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30 ^ key >> 7) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * (key | 1);
    return x ^ x >> 31;
}
__device__ u64 sealOf(const u8* bytes, u64 count, u64 key)
{
    const u64 thread = blockIdx.x * (u64)blockDim.x + threadIdx.x, threads = (u64)gridDim.x * blockDim.x, wide = count / 16;
    u64 sum = 0;
    for (u64 i = thread; i < wide; i += threads) {
        const uint4 got = ((const uint4*)bytes)[i];
        sum += keyed((u64)got.y << 32 | got.x, 2 * i, key) + keyed((u64)got.w << 32 | got.z, 2 * i + 1, key);
    }
    if (16 * wide + thread < count)
        sum += keyed(bytes[16 * wide + thread], 2 * wide + thread, ~key);
    return sum;
}
extern "C" __global__ void tw_seal(
    const u8* output, u64 outputBytes, const u8* workspace, u64 workspaceBytes, u64 key, int opens, u64* seal)
{
    u64 sum = sealOf(output, outputBytes, key) + sealOf(workspace, workspaceBytes, key * 0x2545f4914f6cdd1dull + 1);
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(seal, opens ? 0 - sum : sum);
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

// Where two references do not agree, the plain one first: truths by more than the order of their sums can make them
// differ, magnitudes (behind them) by more than productByTiles may make them smaller.
extern "C" __global__ void tw_apart(const double* first, const double* second, u64 count, u64* differing)
{
    u32 found = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
        const double magnitude = first[count + i], ratio = magnitude == 0 ? 1 : second[count + i] / magnitude;
        found += !(fabs(first[i] - second[i]) <= 0x1p-40 * magnitude);
        found += !(ratio > 0.9975 && ratio < 1.000001);
    }
    if (found)
        atomicAdd(differing, found);
}
)cuda";

/// The kernels for tensors of these formats.
/// How large whole numbers are drawn as inputs, from minus that. A product that is rounded to bf16 would hide sums that
/// are rounded on their way if they were as small as elsewhere: so large that halves and parts of them are no halves'
/// and no bf16's any more, and so small that single precision holds each sum, in any order, up to a depth of 17 458.
inline int largestWholeNumber(const GpuFormats& formats)
{
    return formats.product && formats.out == GpuElement::Bf16 ? 31 : 2;
}

inline std::string gpuKernels(const GpuFormats& formats)
{
    const auto name = [](GpuElement element) {
        return element == GpuElement::Bf16 ? "bf16" : element == GpuElement::Fp16 ? "fp16" : "fp32";
    };
    return std::string("#define TW_IN ") + name(formats.in) + "\n#define TW_OUT " + name(formats.out)
        + "\n#define TW_WHOLE " + std::to_string(largestWholeNumber(formats)) + "\n" + gpuKernelText;
}

} // namespace tilewright
