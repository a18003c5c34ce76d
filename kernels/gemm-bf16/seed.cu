// SPDX-License-Identifier: Apache-2.0
// C = A B of bf16, row-major, sums in single precision: one thread computes one element, straight from memory. What a
// better program decides stands in small functions of its own.

// EVOLVE-BLOCK-START
constexpr int TX = 32;
constexpr int TY = 8;
constexpr int TM = 1;
constexpr int TN = 1;
constexpr int BK = 1;

__device__ float worth(bf16 x) { return __uint_as_float((unsigned)x.bits << 16); }
// Two numbers rounded to bf16, ties to even; the first in the low half.
__device__ unsigned packed(float low, float high)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

// The product by blocks of TY x TX threads that compute TM x TN elements each, BK steps of the depth at a time.
template <int TX, int TY, int TM, int TN, int BK> struct Product {
    enum : int { THREADS = TX * TY, BM = TY * TM, BN = TX * TN };

    // The first row and column that a thread computes of its block's tile, and from there to its others.
    __device__ static int own_row() { return int(threadIdx.x) / TX; }
    __device__ static int own_column() { return int(threadIdx.x) % TX; }
    __device__ static constexpr int row_step(int i) { return i * TY; }
    __device__ static constexpr int column_step(int j) { return j * TX; }
    __device__ static int first_row() { return int(blockIdx.y) * BM; }
    __device__ static int first_column() { return int(blockIdx.x) * BN; }

    // Elements of A and B, zero outside.
    __device__ static bf16 element_a(const Args& a, int row, int k)
    {
        return row < a.dims.M && k < a.dims.K ? a.A[(long long)row * a.dims.K + k] : bf16{0};
    }
    __device__ static bf16 element_b(const Args& a, int k, int column)
    {
        return k < a.dims.K && column < a.dims.N ? a.B[(long long)k * a.dims.N + column] : bf16{0};
    }

    // Tiles of A and B that a block keeps in shared memory while it takes the step at k0; elements from row to row there.
    // Tiles are fetched one after another, from the first depth on.
    enum : int { STEP_A = BK, STEP_B = BN };
    enum : int { KEPT_A = 0, KEPT_B = 0 };
    enum : int { TILES = 1 }; // of each that are kept at a time
    __device__ static bf16* kept_a(int k0)
    {
        extern __shared__ uint4 kept_tiles[];
        return (bf16*)kept_tiles + k0 / BK % TILES * (KEPT_A + KEPT_B);
    }
    __device__ static bf16* kept_b(int k0) { return kept_a(k0) + KEPT_A; }
    __device__ static void fetch(const Args& a, int k0) { }
    __device__ static void settle() { }
    // Elements of the block's tile at the step.
    __device__ static bf16 left(const Args& a, int k0, int row, int k) { return element_a(a, first_row() + row, k0 + k); }
    __device__ static bf16 right(const Args& a, int k0, int k, int column) { return element_b(a, k0 + k, first_column() + column); }

    __device__ static void multiply(const Args& a, int k0, float (&sum)[TM][TN])
    {
        for (int k = 0; k < BK; ++k) {
            float x[TM], y[TN];
            for (int i = 0; i < TM; ++i)
                x[i] = worth(left(a, k0, own_row() + row_step(i), k));
            for (int j = 0; j < TN; ++j)
                y[j] = worth(right(a, k0, k, own_column() + column_step(j)));
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    sum[i][j] += x[i] * y[j];
        }
    }

    // The part of the depth that a block sums up, and where a sum goes.
    __device__ static int first_depth(const Args& a) { return 0; }
    __device__ static int last_depth(const Args& a) { return a.dims.K; }
    __device__ static void put(const Args& a, long long index, float sum) { a.C[index].bits = (unsigned short)packed(sum, 0.0f); }
    __device__ static void store(const Args& a, const float (&sum)[TM][TN])
    {
        for (int i = 0; i < TM; ++i)
            for (int j = 0; j < TN; ++j) {
                const int row = first_row() + own_row() + row_step(i), column = first_column() + own_column() + column_step(j);
                if (row < a.dims.M && column < a.dims.N)
                    put(a, (long long)row * a.dims.N + column, sum[i][j]);
            }
    }
    __device__ static void run(const Args& a)
    {
        float sum[TM][TN] = {};
        const int last = last_depth(a);
        for (int k0 = first_depth(a); k0 < last; k0 += BK) {
            fetch(a, k0);
            settle();
            multiply(a, k0, sum);
            settle();
        }
        store(a, sum);
    }

    TW_FN static long long blocks(Dims d) { return (long long)ceil_div(d.M, BM) * ceil_div(d.N, BN); }
    TW_FN static Launch& add(Plan& plan, Dims d)
    {
        const int instance[] = {TX, TY, TM, TN, BK};
        Launch& launch = plan.add_instance("gemm", instance, ceil_div(d.N, BN), THREADS, 2 * TILES * (KEPT_A + KEPT_B));
        launch.grid[1] = ceil_div(d.M, BM);
        return launch;
    }
};

// Those tiles that a plan asks for are built.
template <int TX, int TY, int TM, int TN, int BK>
__global__ void __launch_bounds__(TX * TY)
    gemm(const __grid_constant__ Args a)
{
    Product<TX, TY, TM, TN, BK>::run(a);
}

using Large = Product<TX, TY, TM, TN, BK>;
TW_FN Launch& add_product(Plan& plan, Dims d, Device device) { return Large::add(plan, d); }

// The launches of products that a better kernel is made for; how many there are.
TW_FN int plan_tiles(Plan& plan, Dims d, Device device) { return 0; }
// What follows the product.
TW_FN void finish(Plan& plan, Launch& product, Dims d, Device device) { }

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    if (plan_tiles(plan, d, device) > 0)
        return plan;
    Launch& product = add_product(plan, d, device);
    finish(plan, product, d, device);
    return plan;
}
// EVOLVE-BLOCK-END
