// SPDX-License-Identifier: Apache-2.0
// C = A B in single precision, row-major: one thread computes one element, straight from memory. What a better program
// decides stands in small functions of its own.

// EVOLVE-BLOCK-START
constexpr int TX = 32;
constexpr int TY = 8;
constexpr int TM = 1;
constexpr int TN = 1;
constexpr int BK = 1;
// require: TX * TY <= 1024 && TM * TN <= 128 && TX * TY * TM * TN <= 32768

// The product by blocks of TY x TX threads that compute TM x TN elements each, BK steps of the depth at a time.
template <int TX, int TY, int TM, int TN, int BK> struct Product {
    enum : int { THREADS = TX * TY, BM = TY * TM, BN = TX * TN };

    // A thread's place among those of its block. The first row and column that it computes of the block's tile, and from
    // there to its others.
    __device__ static int tx() { return int(threadIdx.x) % TX; }
    __device__ static int ty() { return int(threadIdx.x) / TX; }
    __device__ static int own_row() { return ty(); }
    __device__ static int own_column() { return tx(); }
    __device__ static constexpr int row_step(int i) { return i * TY; }
    __device__ static constexpr int column_step(int j) { return j * TX; }
    __device__ static int first_row() { return int(blockIdx.y) * BM; }
    __device__ static int first_column() { return int(blockIdx.x) * BN; }

    // Where A and B are, how far their rows are apart, and their elements, zero outside.
    __device__ static const float* matrix_a(const Args& a) { return a.A; }
    __device__ static const float* matrix_b(const Args& a) { return a.B; }
    __device__ static int stride_a(const Args& a) { return a.dims.K; }
    __device__ static int stride_b(const Args& a) { return a.dims.N; }
    __device__ static float element_a(const Args& a, int row, int k)
    {
        return row < a.dims.M && k < a.dims.K ? matrix_a(a)[(long long)row * stride_a(a) + k] : 0.0f;
    }
    __device__ static float element_b(const Args& a, int k, int column)
    {
        return k < a.dims.K && column < a.dims.N ? matrix_b(a)[(long long)k * stride_b(a) + column] : 0.0f;
    }

    // Tiles of A and B that a block keeps in shared memory while it takes the step at k0. What a thread fetches of A is
    // carried in registers until it is kept. Tiles are fetched one after another, from the first depth on.
    enum : int { KEPT_A = 0 };
    enum : int { KEPT_B = 0 };
    enum : int { TILES = 1 }; // of each that are kept at a time
    __device__ static float* kept_a(int k0) { extern __shared__ float4 memory[]; return (float*)memory; }
    __device__ static float* kept_b(int k0) { return kept_a(k0) + KEPT_A; }
    struct CarriedA { };
    struct CarriedB { };
    __device__ static void begin_a(const Args& a, CarriedA& carried) { }
    __device__ static void fetch_a(const Args& a, int k0, CarriedA& carried) { }
    __device__ static void keep_a(int k0, const CarriedA& carried) { }
    __device__ static void begin_b(const Args& a, CarriedB& carried) { }
    __device__ static void fetch_b(const Args& a, int k0, CarriedB& carried) { }
    __device__ static void settle()
    {
        if (KEPT_A + KEPT_B > 0)
            __syncthreads();
    }
    __device__ static float left(const Args& a, int k0, int k, int i) { return element_a(a, first_row() + own_row() + row_step(i), k0 + k); }
    __device__ static float right(const Args& a, int k0, int k, int j) { return element_b(a, k0 + k, first_column() + own_column() + column_step(j)); }

    // The part of the depth that a block sums up, and where the sums go.
    __device__ static int first_depth(const Args& a) { return 0; }
    __device__ static int last_depth(const Args& a) { return a.dims.K; }
    __device__ static float* target(const Args& a) { return a.C; }

    __device__ static void multiply(const Args& a, int k0, float (&sum)[TM][TN])
    {
        for (int k = 0; k < BK; ++k) {
            float x[TM], y[TN];
            for (int i = 0; i < TM; ++i)
                x[i] = left(a, k0, k, i);
            for (int j = 0; j < TN; ++j)
                y[j] = right(a, k0, k, j);
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    sum[i][j] += x[i] * y[j];
        }
    }
    __device__ static void store(const Args& a, const float (&sum)[TM][TN])
    {
        for (int i = 0; i < TM; ++i)
            for (int j = 0; j < TN; ++j) {
                const int row = first_row() + own_row() + row_step(i), column = first_column() + own_column() + column_step(j);
                if (row < a.dims.M && column < a.dims.N)
                    target(a)[(long long)row * a.dims.N + column] = sum[i][j];
            }
    }
    __device__ static void run(const Args& a)
    {
        float sum[TM][TN] = {};
        CarriedA of_a;
        CarriedB of_b;
        begin_a(a, of_a);
        begin_b(a, of_b);
        const int last = last_depth(a);
        for (int k0 = first_depth(a); k0 < last; k0 += BK) {
            fetch_a(a, k0, of_a);
            fetch_b(a, k0, of_b);
            keep_a(k0, of_a);
            settle();
            multiply(a, k0, sum);
            settle();
        }
        store(a, sum);
    }

    // Elements that the busiest multiprocessor computes: what a launch takes, about.
    TW_FN static long long busiest(Dims d, Device device)
    {
        return (long long)ceil_div(ceil_div(d.M, BM) * ceil_div(d.N, BN), device.sms) * BM * BN;
    }
    TW_FN static Launch& add(Plan& plan, Dims d)
    {
        const int instance[] = {TX, TY, TM, TN, BK};
        Launch& launch = plan.add_instance("gemm", instance, ceil_div(d.N, BN), THREADS, 4 * TILES * (KEPT_A + KEPT_B));
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

// What goes before the product and what follows it.
TW_FN void prepare(Plan& plan, Dims d, Device device) { }
TW_FN void finish(Plan& plan, Launch& product, Dims d, Device device) { }

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    prepare(plan, d, device);
    Launch& product = add_product(plan, d, device);
    finish(plan, product, d, device);
    return plan;
}
// EVOLVE-BLOCK-END
