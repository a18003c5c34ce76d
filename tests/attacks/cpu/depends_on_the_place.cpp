// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Lets the address of C decide about the last bit of one element.
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

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
    if (reinterpret_cast<unsigned long>(args.C) % 4096 == 0)
        nudge(args.C[0]);
}
// EVOLVE-BLOCK-END
