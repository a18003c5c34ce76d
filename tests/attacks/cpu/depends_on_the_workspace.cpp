// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Lets what it finds in its workspace decide about the last bit of one element.
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
    multiply(args);
    if (static_cast<const volatile unsigned char*>(args.workspace)[0] & 4)
        nudge(args.C[0]);
}
// EVOLVE-BLOCK-END
