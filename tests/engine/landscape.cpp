// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/landscape.h"

#include "core/base/hash.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <cmath>

namespace tilewright::testing {
namespace {

/// 1 at the best value, falling with the distance in powers of two.
double quality(const Tunables& values, const char* name, double best, double width)
{
    const auto found = values.find(name);
    if (found == values.end())
        return 0;
    const double distance = std::log2(static_cast<double>(std::max<std::int64_t>(1, found->second)) / best) / width;
    return std::exp(-distance * distance);
}

double valueOr(const Tunables& values, const char* name, double otherwise)
{
    const auto found = values.find(name);
    return found == values.end() ? otherwise : static_cast<double>(found->second);
}

} // namespace

double syntheticSpeed(std::string_view text)
{
    const Tunables v = valuesOf(tunablesOf(text));
    const auto has = [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; };
    const double rows = valueOr(v, "MR", 1), columns = valueOr(v, "NR", 1);
    const bool vectors = has("VECTORS"), packB = has("reinterpret_cast<float*>"),
               packA = has("+= long(TILE_ROWS) * block.depth");
    double log = 0;
    log += 0.35 * std::log2(rows) / 3 + (v.contains("NR") ? 1.2 * quality(v, "NR", 32, 2.5) : 0.0);
    if (vectors)
        log += rows * columns >= 64 ? 0.9 * std::min(1.0, std::log2(rows * columns) / 8.6) : -0.2;
    if (rows * columns > 448)
        log -= 0.7; // spills
    const bool tiled = vectors && rows > 1 && columns >= 16;
    log += packB ? (tiled ? 0.45 : -0.15) : 0.0;
    log += packA ? (tiled && packB ? 0.25 : -0.25) : 0.0;
    log += has("Quad") && packA ? 0.05 : 0.0;
    log += (v.contains("KC") ? 0.20 * quality(v, "KC", 256, 1.2) - 0.08 : 0.0) * (tiled ? 1 : 0.2);
    log += (v.contains("MC") ? 0.12 * quality(v, "MC", 96, 1.2) - 0.05 : 0.0) * (packA ? 1 : 0.2);
    log += v.contains("NC") ? 0.08 * quality(v, "NC", 512, 1.5) - 0.03 : 0.0;
    log += v.contains("UNROLL") ? 0.05 * quality(v, "UNROLL", 4, 1.5) - 0.01 : 0.0;
    log += v.contains("GRAIN") ? 0.04 * quality(v, "GRAIN", 24, 2) : 0.0;
    log += v.contains("AHEAD") ? 0.02 * quality(v, "AHEAD", 8, 1) - 0.01 : 0.0;
    log += has("replaces_c(const Block& block)") ? 0.04 : 0.0;
    log += has("const bool replace") ? 0.03 : 0.0;
    log += has("const float* expected") ? 0.02 : 0.0;
    log += has("for (int j = 0; j < block.columns; j += TILE_COLUMNS)\n        for (int i") ? (packB ? 0.06 : -0.3)
                                                                                            : 0.0;
    return std::exp(1.35 * log);
}

double syntheticSpeedOfBf16(std::string_view text)
{
    const Tunables v = valuesOf(tunablesOf(text));
    const auto has = [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; };
    const bool byWarps = has("mma.sync"), kept = has("kept_a(k0)[row * STEP_A + k]");
    double log = 0;
    if (!has("gemm_tiles")) { // the plain kernel, and what becomes of it
        log += v.contains("TM") ? 0.5 : 0;
        log += kept ? (v.contains("TM") || byWarps ? 0.6 : 0.2) : 0;
        log += byWarps ? 0.9 : 0;
        log += has("fetch_eight") ? 0.3 : 0;
        log += has("TILES = 2") ? (kept ? 0.15 : -0.02) : 0;
        log += has("cp.async.cg") && has("TILES = 2") ? 0.1 : 0;
        log += has("BK + 8") && kept ? 0.05 : 0;
        log += has("ldmatrix") ? 0.3 : 0;
        log += has("add_split") ? 0.1 : 0;
        log += has("using Small") ? 0.05 : 0;
        return std::exp(log);
    }
    const bool two = has("CONSUMERS = 2"), persistent = has("min_of(tiles, device.sms)");
    log += std::log(24.0);
    log += 0.33 * quality(v, "STAGES", 5, 0.6);
    log += two ? 0.01 : 0;
    log += has("TILE_N = 256") ? (two ? 0.01 : -0.6) : 0;
    log += persistent ? 0.06 : 0;
    log += 0.02 * quality(v, "GROUP", 8, 1);
    log += has("store_gathered") ? 0.38 + 0.03 * quality(v, "PASSES", 2, 1) : 0;
    log += has("own == CONSUMERS - 1") ? (two && persistent ? 0.05 : -0.4) : 0;
    log += has("store_part") ? 0.12 * quality(v, "MOST_PARTS", 16, 2) : 0;
    return std::exp(log);
}

double disturbedSpeed(std::string_view text, std::string_view occasion, double share, SpeedOf speedOf)
{
    const Hash chance = sha256(std::string(text) + std::string(occasion));
    const double uniform = static_cast<double>(leading64(chance) >> 11) * 0x1.0p-53;
    return speedOf(text) * (1 + share * (2 * uniform - 1));
}

} // namespace tilewright::testing
