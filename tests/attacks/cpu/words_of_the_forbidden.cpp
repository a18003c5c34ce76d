// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: says fork, fopen, socket, malloc, exit, printf, clock_gettime, rdtsc and /etc/passwd, and means none of it.
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

// fork(); fopen("/etc/passwd", "r"); socket(2, 1, 0); malloc(1 << 30); exit(0); printf("%d"); clock_gettime(1, 0);
// syscall(SYS_exit_group), rdtsc, mprotect, #include "/etc/passwd", __attribute__((constructor)), thread_local
const char* const note = "fork fopen socket malloc exit printf clock_gettime dlopen cblas_sgemm /etc/passwd /proc/self/maps";

void fork(const Args& args) { multiply(args); }
int malloc(int bytes) { return bytes; }
long rdtsc_free(long static_cache) { return static_cache; }
bool printf(const char* text) { return text[0] == 'f'; }

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    if (printf(note) && rdtsc_free(malloc(args.dims.M)) > 0)
        fork(args);
}
// EVOLVE-BLOCK-END
