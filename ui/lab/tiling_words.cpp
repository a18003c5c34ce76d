// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tiling_words.h"

#include "core/base/format.h"
#include "ui/models/display_text.h"
#include "ui/theme/words.h"

#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString nameOf(TileFigure figure)
{
    switch (figure) {
    case TileFigure::SharedMemory:
        return tr("Shared memory of a block");
    case TileFigure::Accumulators:
        return tr("Accumulators");
    case TileFigure::Registers:
        return tr("Registers");
    case TileFigure::BlocksPerSm:
        return tr("Blocks per SM");
    case TileFigure::Occupancy:
        return tr("Occupancy");
    case TileFigure::BlockIntensity:
        return tr("Intensity of the block");
    case TileFigure::ThreadIntensity:
        return tr("Intensity in registers");
    case TileFigure::Tiles:
        return tr("Tiles of C");
    case TileFigure::Waves:
        return tr("Waves");
    case TileFigure::TailEfficiency:
        return tr("Efficiency of the last wave");
    case TileFigure::PanelB:
        return tr("Panel of B");
    case TileFigure::BlockA:
        return tr("Block of A");
    case TileFigure::BlockB:
        return tr("Block of B");
    case TileFigure::UpdatesOfC:
        return tr("Updates of C");
    }
    return {};
}

QString valueText(const TileLine& line, double value)
{
    switch (line.unit) {
    case TileUnit::Bytes:
        return text(bytesText(value));
    case TileUnit::Share:
        return text(percentText(value));
    case TileUnit::FlopPerByte:
        return tr("%1 FLOP/B").arg(text(numberText(value)));
    case TileUnit::Count:
        return value == std::floor(value) ? text(groupedText(static_cast<std::int64_t>(value)))
                                          : text(fixedText(value, 2));
    }
    return {};
}

namespace {

QString resource(const std::string& name)
{
    if (name == "registers")
        return tr("limited by registers");
    if (name == "shared")
        return tr("limited by shared memory");
    if (name == "threads")
        return tr("limited by threads");
    if (name == "blocks")
        return tr("limited by the number of blocks");
    return {};
}

} // namespace

QString limitText(const TileLine& line)
{
    if (const QString words = resource(line.limitedBy); !words.isEmpty())
        return words;
    if (line.limit <= 0 || line.unit == TileUnit::Share)
        return {};
    const QString limit = valueText(line, line.limit);
    return line.limitedBy.empty() ? tr("of %1").arg(limit) : tr("of %1 in %2").arg(limit, text(line.limitedBy));
}

QString nameOf(TileVerdict verdict)
{
    switch (verdict) {
    case TileVerdict::TooSmall:
        return tr("too small");
    case TileVerdict::JustRight:
        return tr("just right");
    case TileVerdict::TooLarge:
        return tr("too large");
    }
    return {};
}

QString explanation(const TileReport& report)
{
    const auto value = [&](TileFigure figure) {
        const TileLine* line = report.line(figure);
        return line ? valueText(*line, line->value) : u"–"_s;
    };
    switch (report.reason) {
    case TileReason::None:
        return report.line(TileFigure::SharedMemory)
            ? tr("Each value from memory is used often enough (%1), the sums fit into registers, and there are tiles "
                 "for "
                 "all SMs.")
                  .arg(value(TileFigure::BlockIntensity))
            : tr("The sums fit into the vector registers, enough of them are independent, and the blocks fit into the "
                 "caches.");
    case TileReason::UnevenThreads:
        return tr("The threads cannot share the tile evenly: choose a number of threads that divides BM · BN.");
    case TileReason::TooManyThreads:
        return tr("A block has at most 1024 threads.");
    case TileReason::SharedMemoryExceeded:
        return tr("The slabs of A and B need %1 of shared memory, more than a block may have.")
            .arg(value(TileFigure::SharedMemory));
    case TileReason::RegistersExceeded:
        return tr("The sums and operands need %1 registers, more than there are: the compiler keeps some of them in "
                  "memory (it spills).")
            .arg(value(TileFigure::Registers));
    case TileReason::FewerTilesThanSms:
        return tr("There are only %1 tiles: some SMs have nothing to do.").arg(value(TileFigure::Tiles));
    case TileReason::L1Exceeded:
        return tr("A panel of B (%1) does not fit into L1, and each of its values is used too rarely to come from L2.")
            .arg(value(TileFigure::PanelB));
    case TileReason::L2Exceeded:
        return tr("A block of A (%1) does not fit into L2.").arg(value(TileFigure::BlockA));
    case TileReason::L3Exceeded:
        return tr("A block of B (%1) does not fit into L3.").arg(value(TileFigure::BlockB));
    case TileReason::BelowRidge:
        return tr("At %1 memory cannot feed the arithmetic units: the tile lies below the ridge of the roofline.")
            .arg(value(TileFigure::BlockIntensity));
    case TileReason::ShortChains:
        return tr("%1 independent sums are fewer than one multiply-add takes clocks: the core waits for results.")
            .arg(value(TileFigure::Accumulators));
    case TileReason::ManyUpdatesOfC:
        return tr("KC is short: each element of C is read and written %1 times.").arg(value(TileFigure::UpdatesOfC));
    }
    return {};
}

} // namespace tilewright::ui
