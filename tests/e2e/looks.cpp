// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/looks.h"

#include <QHash>
#include <algorithm>
#include <cstdlib>

namespace tilewright::test {

using namespace Qt::StringLiterals;

namespace {

constexpr int sameWithin = 4; ///< steps of a channel that rounding may change
constexpr int clearly = 16; ///< steps from which a pixel is not of the ground any more

int distance(QRgb one, QRgb other)
{
    return std::max({std::abs(qRed(one) - qRed(other)), std::abs(qGreen(one) - qGreen(other)),
        std::abs(qBlue(one) - qBlue(other))});
}

template <typename Look> void forEachPixel(const QImage& part, Look look)
{
    for (int y = 0; y < part.height(); ++y)
        for (int x = 0; x < part.width(); ++x)
            look(part.pixel(x, y) | 0xff000000);
}

} // namespace

QColor groundOf(const QImage& part)
{
    QHash<QRgb, int> counts;
    forEachPixel(part, [&counts](QRgb pixel) { ++counts[pixel]; });
    QRgb commonest = 0;
    int most = 0;
    for (auto at = counts.cbegin(); at != counts.cend(); ++at)
        if (at.value() > most)
            commonest = at.key(), most = at.value();
    return QColor(commonest);
}

double inkOf(const QImage& part)
{
    const QRgb ground = groundOf(part).rgb();
    qint64 ink = 0;
    forEachPixel(part, [&](QRgb pixel) { ink += distance(pixel, ground) >= clearly ? 1 : 0; });
    return static_cast<double>(ink) / std::max<qint64>(1, qint64(part.width()) * part.height());
}

double contrastOf(const QImage& part)
{
    const QColor ground = groundOf(part);
    QHash<QRgb, bool> seen;
    forEachPixel(part, [&seen](QRgb pixel) { seen.insert(pixel, true); });
    double most = 1;
    for (const QRgb pixel : seen.keys())
        most = std::max(most, ui::contrast(ground, QColor(pixel)));
    return most;
}

bool isGroundOf(const ui::Tokens& t, const QColor& colour)
{
    const QColor grounds[] = {t.window, t.panel, t.raised, t.track, t.selected, t.button, t.pill, t.goodPill, t.badPill,
        t.warningPill, t.addedLine, t.removedLine};
    const auto isBand = [&](const QColor& island) { // of the lineage: a thin coat over the panel
        for (int part = 4; part <= 30; ++part) {
            const auto mixed = [part](int of, int over) { return (of * (100 - part) + over * part) / 100; };
            if (distance(colour.rgb(),
                    qRgb(mixed(t.panel.red(), island.red()), mixed(t.panel.green(), island.green()),
                        mixed(t.panel.blue(), island.blue())))
                <= sameWithin)
                return true;
        }
        return false;
    };
    return std::ranges::any_of(t.islands, isBand) || std::ranges::any_of(grounds, [&](const QColor& each) {
        return distance(each.rgb(), colour.rgb()) <= sameWithin;
    });
}

QString wrongLook(const QImage& part, const ui::Tokens& theme, double leastInk)
{
    const QColor ground = groundOf(part);
    if (!isGroundOf(theme, ground))
        return u"stands on %1, which is no surface of this theme"_s.arg(ground.name());
    const double ink = inkOf(part);
    return ink < leastInk ? u"is empty: %1 % of it is drawn on, %2 % are expected"_s.arg(100 * ink, 0, 'f', 2)
                                .arg(100 * leastInk, 0, 'f', 2)
                          : QString();
}

} // namespace tilewright::test
