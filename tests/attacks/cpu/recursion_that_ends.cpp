// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: halves the rows recursively and packs B into 128 KiB of stack.
// EVOLVE-BLOCK-START
namespace {

constexpr int WIDTH = 64, DEPTH = 512;

/// Some rows of C, `columns` wide from `column` on: the packed panel is added.
void add(const Args& args, int row, int rows, int column, int columns, int first, int depth, const float (&panel)[DEPTH][WIDTH])
{
    if (rows > 1) {
        add(args, row, rows / 2, column, columns, first, depth, panel);
        add(args, row + rows / 2, rows - rows / 2, column, columns, first, depth, panel);
        return;
    }
    float sums[WIDTH] = {};
    for (int k = 0; k < depth; ++k) {
        const float a = args.A[long(row) * args.dims.K + first + k];
        for (int j = 0; j < WIDTH; ++j)
            sums[j] += a * panel[k][j];
    }
    float* home = args.C + long(row) * args.dims.N + column;
    for (int j = 0; j < columns; ++j)
        home[j] = first == 0 ? sums[j] : home[j] + sums[j];
}

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    float panel[DEPTH][WIDTH];
    for (int column = 0; column < args.dims.N; column += WIDTH)
        for (int first = 0; first < args.dims.K; first += DEPTH) {
            const int columns = args.dims.N - column < WIDTH ? args.dims.N - column : WIDTH;
            const int depth = args.dims.K - first < DEPTH ? args.dims.K - first : DEPTH;
            for (int k = 0; k < depth; ++k)
                for (int j = 0; j < WIDTH; ++j)
                    panel[k][j] = j < columns ? args.B[long(first + k) * args.dims.N + column + j] : 0.0f;
            add(args, 0, args.dims.M, column, columns, first, depth, panel);
        }
}
// EVOLVE-BLOCK-END
