// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Is right until it sees the inputs of the timed phase, then never returns.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

/// Timed inputs are sums of bytes, with an end at 3.46 that a bell curve of as many values goes beyond.
bool is_timed(const Args& args)
{
    const long count = long(args.dims.M) * args.dims.K;
    if (count < 65536)
        return false;
    float largest = 0.0f;
    for (long i = 0; i < 65536; ++i) {
        const float value = args.A[i] < 0.0f ? -args.A[i] : args.A[i];
        largest = value > largest ? value : largest;
    }
    return largest > 2.5f && largest < 3.46f;
}

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    for (volatile bool for_ever = is_timed(args); for_ever;) { }
    multiply(args);
}
// EVOLVE-BLOCK-END
