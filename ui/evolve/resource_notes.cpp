// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/resource_notes.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString limitWord(const std::string& limit)
{
    return limit == "registers" ? ResourceNotes::tr("registers")
        : limit == "shared"     ? ResourceNotes::tr("shared memory")
        : limit == "threads"    ? ResourceNotes::tr("threads")
                                : ResourceNotes::tr("blocks");
}

/// "2 blocks of 128 threads a multiprocessor, limited by registers · gemm<8>, the most demanding of 6 kernels".
QString roomWords(const ResourceFigures& figures)
{
    if (figures.kernel.empty() || figures.blocks <= 0)
        return {};
    const QString room
        = (figures.blocks == 1 ? ResourceNotes::tr("1 block of %1 threads a multiprocessor, limited by %2")
                               : QString::number(figures.blocks)
                    + ResourceNotes::tr(" blocks of %1 threads a multiprocessor, limited by %2"))
              .arg(figures.threads)
              .arg(limitWord(figures.limitedBy));
    return room + u" · "_s + kernelWords(figures);
}

QString rooflineWords(const std::vector<RooflinePoint>& points)
{
    if (points.empty())
        return {};
    if (points.size() == 1)
        return ResourceNotes::tr("Roofline: %1 of what the device allows").arg(percent(points.front().share));
    const auto [least, most] = std::ranges::minmax(points, {}, &RooflinePoint::share);
    return ResourceNotes::tr("Roofline: %1 of what the device allows, from %2 on %3 to %4 on %5")
        .arg(percent(meanShare(points)), percent(least.share), text(shapeText(least.shape)), percent(most.share),
            text(shapeText(most.shape)));
}

QString scaled(double figure, const QString& unit, const QString& thousandOfThem)
{
    return figure >= 1000 ? rate(figure / 1000) + u' ' + thousandOfThem : rate(figure) + u' ' + unit;
}

QString rooflineTip(const std::vector<RooflinePoint>& points, const DeviceLimits& limits)
{
    QStringList lines;
    for (const RooflinePoint& point : points)
        lines << (point.byTraffic ? ResourceNotes::tr("%1: %2, the limit is memory")
                                  : ResourceNotes::tr("%1: %2, the limit is arithmetic"))
                     .arg(text(shapeText(point.shape)), percent(point.share));
    const QString both = scaled(limits.gigaflopsPerSecond, u"GFLOP/s"_s, u"TFLOP/s"_s) + u", "_s
        + scaled(limits.gigabytesPerSecond, u"GB/s"_s, u"TB/s"_s);
    lines << (limits.measured ? ResourceNotes::tr("Limits as measured on the device: %1")
                              : ResourceNotes::tr("Limits by the device's units and clocks: %1"))
                 .arg(both);
    lines << ResourceNotes::tr("Geometric mean over the train shapes of: shortest possible time / measured time");
    return lines.join(u'\n');
}

QLabel* sentence(const QString& name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setFont(fontOf(Type::Secondary));
    label->setProperty("tone", u"secondary"_s);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

QString kernelWords(const ResourceFigures& figures)
{
    return figures.kernels > 1
        ? ResourceNotes::tr("%1, the most demanding of %2 kernels").arg(text(figures.kernel)).arg(figures.kernels)
        : text(figures.kernel);
}

ResourceNotes::ResourceNotes(QWidget* parent)
    : QWidget(parent)
    , m_room(sentence(u"resourceRoom"_s, this))
    , m_roofline(sentence(u"resourceRoofline"_s, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(4));
    column->addWidget(m_room);
    column->addWidget(m_roofline);
}

void ResourceNotes::show(
    const ResourceFigures& figures, const std::vector<RooflinePoint>& points, const DeviceLimits& limits)
{
    m_room->setText(roomWords(figures));
    m_room->setVisible(!m_room->text().isEmpty());
    m_roofline->setText(keptTogether(rooflineWords(points)));
    m_roofline->setToolTip(points.empty() ? QString() : rooflineTip(points, limits));
    m_roofline->setVisible(!points.empty());
    setVisible(!m_room->text().isEmpty() || !points.empty());
}

} // namespace tilewright::ui
