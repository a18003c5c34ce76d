// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Makes the compiler instantiate a tree of templates that has no end in sight.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

template <unsigned long Path, int Depth> struct Tree {
    static constexpr unsigned long value = Tree<Path * 2, Depth - 1>::value + Tree<Path * 2 + 1, Depth - 1>::value;
};
template <unsigned long Path> struct Tree<Path, 0> {
    static constexpr unsigned long value = Path;
};

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    if (Tree<1, 40>::value != 0)
        multiply(args);
}
// EVOLVE-BLOCK-END
