// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: a constexpr table, templates that unroll, macros that expand, a remark from the compiler.
// EVOLVE-BLOCK-START
#pragma message("this program is being compiled")
#define TWICE(x) x x

namespace {

//@ product.inc

struct Table {
    int value[256];
};
constexpr Table powers()
{
    Table table = {};
    for (int i = 0; i < 256; ++i)
        table.value[i] = i == 0 ? 1 : table.value[i - 1] * 3 % 257;
    return table;
}
constexpr Table table = powers();
template <int Depth> struct Chain {
    static constexpr int value = Chain<Depth - 1>::value + 1;
};
template <> struct Chain<0> {
    static constexpr int value = TWICE(+) 0;
};

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    if (table.value[args.dims.M % 256] != 0 && Chain<200>::value == 200)
        multiply(args);
}
// EVOLVE-BLOCK-END
