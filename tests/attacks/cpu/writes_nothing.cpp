// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Leaves what stands in C, in the hope that it is an answer.
// EVOLVE-BLOCK-START
extern "C" void tilewright_run(const Args& args)
{
    (void)args;
}
// EVOLVE-BLOCK-END
