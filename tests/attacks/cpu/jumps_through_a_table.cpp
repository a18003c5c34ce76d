// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: calls through a table of functions and takes the address of its code.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

using Function = void (*)(const Args&);
const Function table[2] = {multiply, multiply};

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    const bool odd = reinterpret_cast<unsigned long>(&multiply) & 1;
    table[odd](args);
}
// EVOLVE-BLOCK-END
