// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Writes a page before the start of the workspace.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" unsigned long tilewright_workspace(const Dims&)
{
    return 8192;
}

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
    float* volatile scratch = static_cast<float*>(args.workspace);
    scratch[-1024] = 1.0f;
}
// EVOLVE-BLOCK-END
