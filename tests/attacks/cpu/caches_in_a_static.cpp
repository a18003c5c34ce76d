// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Keeps its last answer in a static array.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

struct Cache {
    bool filled;
    Dims dims;
    float c[1 << 20];
};
Cache static_cache;

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    const long count = long(args.dims.M) * args.dims.N;
    const bool known = static_cache.filled && static_cache.dims.M == args.dims.M && static_cache.dims.N == args.dims.N && static_cache.dims.K == args.dims.K;
    if (!known)
        multiply(args);
    for (long i = 0; i < count; ++i)
        (known ? args.C : static_cache.c)[i] = (known ? static_cache.c : args.C)[i];
    static_cache.dims = args.dims;
    static_cache.filled = true;
}
// EVOLVE-BLOCK-END
