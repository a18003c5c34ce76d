// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Scales B in place while it works and puts everything back.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    float* b = const_cast<float*>(args.B);
    const float kept = b[0];
    b[0] = 2.0f * kept;
    multiply(args);
    b[0] = kept;
}
// EVOLVE-BLOCK-END
