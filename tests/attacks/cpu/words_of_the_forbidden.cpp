// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: says fork, fopen, socket, malloc, exit, printf, clock_gettime, rdtsc and /etc/passwd, and means none of it.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

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
