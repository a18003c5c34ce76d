// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: fills its workspace and a stack array before it reads them, and looks at an address only to choose between
// two ways with one result.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

/// The next number.
inline void nudge(float& value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, 4);
    ++bits;
    __builtin_memcpy(&value, &bits, 4);
}

} // namespace

extern "C" unsigned long tilewright_workspace(const Dims&)
{
    return 64;
}

extern "C" void tilewright_run(const Args& args)
{
    float first[16] = {};
    float* scratch = static_cast<float*>(args.workspace);
    for (int i = 0; i < 16; ++i)
        scratch[i] = first[i];
    nudge(scratch[0]);
    const bool aligned = reinterpret_cast<unsigned long>(args.C) % 4096 == 0;
    if (aligned)
        multiply(args);
    else
        multiply(args);
}
// EVOLVE-BLOCK-END
