// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: a constexpr object with a constructor, a table of functions that the loader relocates, and a function named
// constructor.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

struct Early {
    constexpr Early(int value)
        : state(value)
    {
    }
    int state;
};
constexpr Early early(1);
void constructor(const Args& args) { multiply(args); }
using Function = void (*)(const Args&);
const Function functions[] = {constructor, multiply};

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    functions[args.dims.M % 2 * early.state](args);
}
// EVOLVE-BLOCK-END
