// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Writes a cache line past the end of C.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
    float* volatile c = args.C;
    c[long(args.dims.M) * args.dims.N + 15] = 1.0f;
}
// EVOLVE-BLOCK-END
