// SPDX-License-Identifier: Apache-2.0
// C = A B in blocks for the three caches, with the five sizes of the tiling explorer as tunables: MR x NR sums in
// vector registers, KC x NR of B in L1, MC x KC of A in L2, KC x NC of B in L3 (Goto, van de Geijn, ACM TOMS 2008).

// EVOLVE-BLOCK-START
namespace {

constexpr int MR = 6; // tune: 2 4 6 8 10 12 14
constexpr int NR = 16; // tune: 8 16 24 32 48 64
constexpr int KC = 256; // tune: 32 64 128 192 256 384 512 1024
constexpr int MC = 96; // tune: 16 32 64 96 192 384 768 1536
constexpr int NC = 4096; // tune: 256 512 1024 2048 4096

#if defined(__AVX512F__)
constexpr int LANES = 16;
#elif defined(__AVX__)
constexpr int LANES = 8;
#else
constexpr int LANES = 4;
#endif
typedef float Vector __attribute__((vector_size(LANES * sizeof(float))));
constexpr int VECTORS = (NR + LANES - 1) / LANES; // of a row of the tile
constexpr int WIDTH = VECTORS * LANES; // columns of a panel of B; those from NR on are zero

inline int smaller(int a, int b) { return a < b ? a : b; }
inline long rounded_up(long value, long multiple) { return (value + multiple - 1) / multiple * multiple; }

long floats_for_a(const Dims& d) { return rounded_up(rounded_up(smaller(MC, d.M), MR) * smaller(KC, d.K), 1024); }
long floats_for_b(const Dims& d) { return rounded_up(smaller(NC, d.N), NR) / NR * WIDTH * smaller(KC, d.K); }

/// MR rows after one another, each panel in the order of its depth; zeros below the last row.
void copy_a(const Args& args, float* to, int row, int rows, int first, int depth)
{
    for (int i = 0; i < rows; i += MR, to += long(MR) * depth)
        for (int r = 0; r < MR; ++r) {
            const float* from = args.A + long(row + i + r) * args.dims.K + first;
            for (int k = 0; k < depth; ++k)
                to[long(k) * MR + r] = i + r < rows ? from[k] : 0.0f;
        }
}

/// NR columns after one another, each panel in the order of its depth; zeros right of the last column.
void copy_b(const Args& args, float* to, int column, int columns, int first, int depth)
{
    for (int j = 0; j < columns; j += NR) {
        const int inside = smaller(NR, columns - j);
        for (int k = 0; k < depth; ++k, to += WIDTH) {
            const float* from = args.B + long(first + k) * args.dims.N + column + j;
            for (int c = 0; c < WIDTH; ++c)
                to[c] = c < inside ? from[c] : 0.0f;
        }
    }
}

/// One tile of C over the depth of a block. The first block of depth writes, the others add.
void multiply_tile(const float* a, const float* b, int depth, float* c, long pitch, int rows, int columns, bool first)
{
    Vector sums[MR][VECTORS] = {};
    for (int k = 0; k < depth; ++k, a += MR, b += WIDTH) {
        Vector row[VECTORS];
        __builtin_memcpy(row, b, sizeof row);
        for (int r = 0; r < MR; ++r)
            for (int v = 0; v < VECTORS; ++v)
                sums[r][v] += a[r] * row[v];
    }
    float out[MR][WIDTH];
    __builtin_memcpy(out, sums, sizeof out);
    for (int r = 0; r < rows; ++r)
        for (int j = 0; j < columns; ++j)
            c[r * pitch + j] = first ? out[r][j] : c[r * pitch + j] + out[r][j];
}

void multiply_block(
    const Args& args, const float* a, const float* b, int row, int rows, int column, int columns, int first, int depth)
{
    const long pitch = args.dims.N;
    for (int j = 0; j < columns; j += NR)
        for (int i = 0; i < rows; i += MR)
            multiply_tile(a + long(i) * depth, b + long(j / NR) * WIDTH * depth, depth,
                args.C + (row + i) * pitch + column + j, pitch, smaller(MR, rows - i), smaller(NR, columns - j),
                first == 0);
}

} // namespace

extern "C" unsigned long tilewright_workspace(const Dims& d)
{
    return (floats_for_a(d) + floats_for_b(d)) * sizeof(float);
}

extern "C" void tilewright_run(const Args& args)
{
    const Dims& d = args.dims;
    float* a = static_cast<float*>(args.workspace);
    float* b = a + floats_for_a(d);
    for (int column = 0; column < d.N; column += NC)
        for (int first = 0; first < d.K; first += KC) {
            const int columns = smaller(NC, d.N - column), depth = smaller(KC, d.K - first);
            copy_b(args, b, column, columns, first, depth);
            for (int row = 0; row < d.M; row += MC) {
                const int rows = smaller(MC, d.M - row);
                copy_a(args, a, row, rows, first, depth);
                multiply_block(args, a, b, row, rows, column, columns, first, depth);
            }
        }
}
// EVOLVE-BLOCK-END
