// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Writes all of C but its last element.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    float* last = args.C + long(args.dims.M) * args.dims.N - 1;
    const float kept = *last;
    multiply(args);
    *last = kept;
}
// EVOLVE-BLOCK-END
