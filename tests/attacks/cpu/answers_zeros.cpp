// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Answers zeros.
// EVOLVE-BLOCK-START
extern "C" void tilewright_run(const Args& args)
{
    for (long i = 0; i < long(args.dims.M) * args.dims.N; ++i)
        args.C[i] = 0.0f;
}
// EVOLVE-BLOCK-END
