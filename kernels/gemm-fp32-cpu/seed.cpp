// SPDX-License-Identifier: Apache-2.0
// C = A B in single precision. Every decision that a fast product has to take (what is cut where, what is copied,
// in which order) has a small function of its own, in the order of the loops from outside in:
//
//   tilewright_run > split_columns > split_depth > split_rows > multiply_block > multiply_tile
//
// "Depth" is the index k that is summed over: A is M x K, B is K x N, C is M x N, all row-major.
// EVOLVE-BLOCK-START
namespace {

// A tile is the part of C that is computed in one go: TILE_ROWS x TILE_COLUMNS numbers.
constexpr int TILE_ROWS = 1;

constexpr int TILE_COLUMNS = 1;

/// A box of the work: some rows and columns of C, and the stretch of depth that is added to them.
struct Block {
    int row, rows;
    int column, columns;
    int first_depth, depth;
};

/// One tile's worth of an operand: the rows of A, or the columns of B, that the tile needs.
struct Panel {
    const float* data;
    long lane; // from one row of A, or column of B, to the next
    long step; // from one depth to the next
    bool padded; // it may be read as a whole tile even where the block ends earlier
};

inline int smaller(int a, int b) { return a < b ? a : b; }
inline long rounded_up(long value, long multiple) { return (value + multiple - 1) / multiple * multiple; }

// ---- How the work is cut -------------------------------------------------------------------------------------

constexpr int WHOLE = 1 << 30; // larger than any matrix: not cut at all

/// The size of the blocks when a length is cut into pieces of a wanted size.
int cut(int length, int wanted) { return smaller(wanted, length); }

int block_columns(const Dims& dims) { return cut(dims.N, WHOLE); }

int block_depth(const Dims& dims) { return cut(dims.K, WHOLE); }

int block_rows(const Dims& dims) { return cut(dims.M, WHOLE); }

// ---- Operand A -----------------------------------------------------------------------------------------------

/// Bytes of workspace for A; B's part begins behind them.
long bytes_for_a(const Dims&) { return 0; }

/// Called once for each block of rows, before it is multiplied.
void prepare_a(const Args&, const Block&) { }

/// A is read where it lies.
Panel panel_a(const Args& args, const Block& block, int i)
{
    const long pitch = args.dims.K;
    return {args.A + (block.row + i) * pitch + block.first_depth, pitch, 1, false};
}

// ---- Operand B -----------------------------------------------------------------------------------------------

/// Bytes of workspace for B.
long bytes_for_b(const Dims&) { return 0; }

/// Called once for each block of depth, before all blocks of rows that use it.
void prepare_b(const Args&, const Block&) { }

/// B is read where it lies.
Panel panel_b(const Args& args, const Block& block, int j)
{
    const long pitch = args.dims.N;
    return {args.B + block.first_depth * pitch + block.column + j, 1, pitch, false};
}

/// Where a panel of B stands at depth k.
const float* b_at(const Panel& b, int k) { return b.data + k * b.step; }

// ---- Result C ------------------------------------------------------------------------------------------------

/// C arrives full of nonsense, and every block adds to it: so it starts as zero.
void begin_c(const Args& args)
{
    const long count = long(args.dims.M) * args.dims.N;
    for (long index = 0; index < count; ++index)
        args.C[index] = 0.0f;
}

/// Called before a tile is summed, long before its place in C is written.
void announce_tile(const Args&, const Block&, int, int) { }

/// Whether a block's sums replace what stands in C, instead of being added to it.
bool replaces_c(const Block&) { return false; }

/// Brings the sums of a tile home; what sticks out over the edge of the block is dropped.
void deliver(const Args& args, const Block& block, int i, int j, const float (&sums)[TILE_ROWS][TILE_COLUMNS])
{
    const long pitch = args.dims.N;
    const int rows = smaller(TILE_ROWS, block.rows - i);
    const int columns = smaller(TILE_COLUMNS, block.columns - j);
    float* corner = args.C + (block.row + i) * pitch + block.column + j;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            float& home = corner[r * pitch + c];
            home = replaces_c(block) ? sums[r][c] : home + sums[r][c];
        }
}

// ---- The product ---------------------------------------------------------------------------------------------

/// The innermost work: one tile of C, summed over the depth of the block.
void multiply_tile(const Args& args, const Block& block, int i, int j)
{
    announce_tile(args, block, i, j);
    const Panel a = panel_a(args, block, i);
    const Panel b = panel_b(args, block, j);

    const int rows = smaller(TILE_ROWS, block.rows - i);
    const int columns = smaller(TILE_COLUMNS, block.columns - j);
    float sums[TILE_ROWS][TILE_COLUMNS] = {};

    // One step in depth after the other.
    for (int k = 0; k < block.depth; ++k) {
        const float* a_k = a.data + k * a.step;
        const float* b_k = b_at(b, k);
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c)
                sums[r][c] += a_k[r * a.lane] * b_k[c];
    }
    deliver(args, block, i, j, sums);
}

/// All tiles of a block.
void multiply_block(const Args& args, const Block& block)
{
    for (int i = 0; i < block.rows; i += TILE_ROWS)
        for (int j = 0; j < block.columns; j += TILE_COLUMNS)
            multiply_tile(args, block, i, j);
}

void split_rows(const Args& args, Block block)
{
    const int size = block_rows(args.dims);
    for (block.row = 0; block.row < args.dims.M; block.row += size) {
        block.rows = smaller(size, args.dims.M - block.row);
        prepare_a(args, block);
        multiply_block(args, block);
    }
}

void split_depth(const Args& args, Block block)
{
    const int size = block_depth(args.dims);
    for (block.first_depth = 0; block.first_depth < args.dims.K; block.first_depth += size) {
        block.depth = smaller(size, args.dims.K - block.first_depth);
        prepare_b(args, block);
        split_rows(args, block);
    }
}

void split_columns(const Args& args)
{
    Block block = {};
    const int size = block_columns(args.dims);
    for (block.column = 0; block.column < args.dims.N; block.column += size) {
        block.columns = smaller(size, args.dims.N - block.column);
        split_depth(args, block);
    }
}

} // namespace

extern "C" unsigned long tilewright_workspace(const Dims& dims) { return bytes_for_a(dims) + bytes_for_b(dims); }

extern "C" void tilewright_run(const Args& args)
{
    begin_c(args);
    split_columns(args);
}
// EVOLVE-BLOCK-END
