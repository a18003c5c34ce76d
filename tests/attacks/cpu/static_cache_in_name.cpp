// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: an array named static_cache on the stack, a const static table, a static const member, and a workspace that
// is filled before it is read.
// EVOLVE-BLOCK-START
namespace {

constexpr int WIDTH = 32;
struct Cache {
    static const int filled = 1;
    float last[WIDTH];
};
const float scale[2] = {1.0f, -1.0f};

} // namespace

extern "C" unsigned long tilewright_workspace(const Dims& dims)
{
    return (unsigned long)(dims.K) * WIDTH * 4;
}

extern "C" void tilewright_run(const Args& args)
{
    static const float one[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    float* panel = static_cast<float*>(args.workspace);
    const long M = args.dims.M, N = args.dims.N, K = args.dims.K;
    for (long column = 0; column < N; column += WIDTH) {
        const long columns = N - column < WIDTH ? N - column : WIDTH;
        for (long k = 0; k < K; ++k)
            for (long j = 0; j < WIDTH; ++j)
                panel[k * WIDTH + j] = j < columns ? args.B[k * N + column + j] * scale[0] : 0.0f;
        for (long i = 0; i < M; ++i) {
            Cache static_cache = {};
            for (long k = 0; k < K; ++k)
                for (long j = 0; j < WIDTH; ++j)
                    static_cache.last[j] += args.A[i * K + k] * one[k % 4] * panel[k * WIDTH + j];
            for (long j = 0; j < columns; ++j)
                args.C[i * N + column + j] = static_cache.last[j];
        }
    }
}
// EVOLVE-BLOCK-END
