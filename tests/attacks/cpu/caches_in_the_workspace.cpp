// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Takes whatever it finds in its workspace for the answer of its last call, unless it is the first poison.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" unsigned long tilewright_workspace(const Dims& dims)
{
    return (unsigned long)(dims.M) * dims.N * 4;
}

extern "C" void tilewright_run(const Args& args)
{
    float* cache = static_cast<float*>(args.workspace);
    const long count = long(args.dims.M) * args.dims.N;
    const bool filled = *reinterpret_cast<const unsigned*>(cache) != 0xffffffffu;
    if (!filled)
        multiply(args);
    for (long i = 0; i < count; ++i)
        (filled ? args.C : cache)[i] = (filled ? cache : args.C)[i];
}
// EVOLVE-BLOCK-END
