// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Writes a word past the end of the workspace.
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
    scratch[args.workspace_bytes / 4 + 0] = 1.0f;
}
// EVOLVE-BLOCK-END
