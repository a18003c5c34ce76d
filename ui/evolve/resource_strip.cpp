// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/resource_strip.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString limitWord(const std::string& limit)
{
    return limit == "registers" ? ResourceStrip::tr("registers")
        : limit == "shared"     ? ResourceStrip::tr("shared memory")
        : limit == "threads"    ? ResourceStrip::tr("threads")
                                : ResourceStrip::tr("blocks");
}

/// "2 blocks of 128 threads a multiprocessor, limited by registers · gemm<8>, the most demanding of 6 kernels".
QString roomWords(const ResourceFigures& figures)
{
    if (figures.kernel.empty() || figures.blocks <= 0)
        return {};
    const QString room
        = (figures.blocks == 1 ? ResourceStrip::tr("1 block of %1 threads a multiprocessor, limited by %2")
                               : QString::number(figures.blocks)
                    + ResourceStrip::tr(" blocks of %1 threads a multiprocessor, limited by %2"))
              .arg(figures.threads)
              .arg(limitWord(figures.limitedBy));
    return room + u" · "_s
        + (figures.kernels > 1 ? ResourceStrip::tr("%1, the most demanding of %2 kernels")
                                     .arg(text(figures.kernel))
                                     .arg(figures.kernels)
                               : text(figures.kernel));
}

QString rooflineWords(const std::vector<RooflinePoint>& points)
{
    if (points.empty())
        return {};
    if (points.size() == 1)
        return ResourceStrip::tr("Roofline: %1 of what the device allows").arg(percent(points.front().share));
    const auto [least, most] = std::ranges::minmax(points, {}, &RooflinePoint::share);
    return ResourceStrip::tr("Roofline: %1 of what the device allows, from %2 on %3 to %4 on %5")
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
        lines << (point.byTraffic ? ResourceStrip::tr("%1: %2, the limit is memory")
                                  : ResourceStrip::tr("%1: %2, the limit is arithmetic"))
                     .arg(text(shapeText(point.shape)), percent(point.share));
    const QString both = scaled(limits.gigaflopsPerSecond, u"GFLOP/s"_s, u"TFLOP/s"_s) + u", "_s
        + scaled(limits.gigabytesPerSecond, u"GB/s"_s, u"TB/s"_s);
    lines << (limits.measured ? ResourceStrip::tr("Limits as measured on the device: %1")
                              : ResourceStrip::tr("Limits by the device's units and clocks: %1"))
                 .arg(both);
    lines << ResourceStrip::tr("Geometric mean over the train shapes of: shortest possible time / measured time");
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

ResourceStrip::ResourceStrip(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout)
    , m_room(sentence(u"resourceRoom"_s, this))
    , m_roofline(sentence(u"resourceRoofline"_s, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(4));
    m_row->setSpacing(px(6));
    column->addLayout(m_row);
    column->addWidget(m_room);
    column->addWidget(m_roofline);
}

void ResourceStrip::show(
    const ResourceFigures& figures, const std::vector<RooflinePoint>& points, const DeviceLimits& limits)
{
    m_room->setText(roomWords(figures));
    m_room->setVisible(!m_room->text().isEmpty());
    m_roofline->setText(keptTogether(rooflineWords(points)));
    m_roofline->setToolTip(points.empty() ? QString() : rooflineTip(points, limits));
    m_roofline->setVisible(!points.empty());
    if (figures != m_shown) {
        m_shown = figures;
        showBoxes(figures);
    }
    setVisible(m_row->count() > 0 || !points.empty());
}

void ResourceStrip::showBoxes(const ResourceFigures& figures)
{
    while (QLayoutItem* item = m_row->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    const auto add = [this](const QString& name, const QString& value) {
        auto* box = new QFrame(this);
        box->setProperty("role", u"inset"_s);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(px(6), px(4), px(4), px(5));
        column->setSpacing(0);
        auto* title = new ElidedLabel(name, box);
        title->setFont(fontOf(Type::Secondary));
        title->setProperty("tone", u"secondary"_s);
        auto* figure = new ElidedLabel(value, box);
        figure->setFont(fontOf(Type::Strong));
        column->addWidget(title);
        column->addWidget(figure);
        m_row->addWidget(box, 1);
    };
    const auto addBytes = [&](const QString& name, const std::optional<std::int64_t>& value) {
        if (value)
            add(name, bytes(static_cast<double>(*value)));
    };
    if (figures.registers) { // a kernel's
        add(tr("Registers"), QString::number(*figures.registers));
        addBytes(tr("Shared"), figures.sharedBytes);
        addBytes(tr("Spills"), figures.spillBytes);
        if (figures.occupancy)
            add(tr("Occupancy"), percent(*figures.occupancy));
        return;
    }
    addBytes(tr("Source"), figures.sourceBytes);
    addBytes(tr("Machine code"), figures.machineCodeBytes);
    addBytes(tr("Constants"), figures.constantBytes);
}

} // namespace tilewright::ui
