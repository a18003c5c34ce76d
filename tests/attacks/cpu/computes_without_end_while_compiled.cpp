// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Makes the compiler evaluate a function that never returns.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

constexpr long never(long from)
{
    while (from > 0)
        from = from % 7 + 1;
    return from;
}
constexpr long result = never(1);

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    if (result == 0)
        multiply(args);
}
// EVOLVE-BLOCK-END
