// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Writes its own, easier values into A.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    const_cast<float*>(args.A)[0] = 0.0f;
    multiply(args);
}
// EVOLVE-BLOCK-END
