// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/resource_boxes.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ResourceBoxes::ResourceBoxes(QWidget* parent)
    : QFrame(parent)
    , m_grid(new QGridLayout(this))
{
    setObjectName(u"resourceBoxes"_s);
    setProperty("role", u"panel"_s);
    m_grid->setContentsMargins(px(8), px(6), px(8), px(6));
    m_grid->setSpacing(px(6));
    setVisible(false);
}

void ResourceBoxes::add(const QString& name, const QString& value)
{
    auto* box = new QFrame(this);
    box->setProperty("role", u"inset"_s);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(px(6), px(4), px(4), px(5));
    column->setSpacing(0);
    auto* title = new QLabel(name, box);
    title->setFont(fontOf(Type::Secondary));
    title->setProperty("tone", u"secondary"_s);
    auto* figure = new QLabel(value, box);
    figure->setFont(fontOf(Type::Strong));
    column->addWidget(title);
    column->addWidget(figure);
    m_boxes.push_back(box);
}

int ResourceBoxes::widthOf(int columns) const
{
    int widest = 0;
    for (const QFrame* box : m_boxes)
        widest = std::max(widest, box->minimumSizeHint().width());
    const QMargins around = contentsMargins() + m_grid->contentsMargins();
    return columns * widest + std::max(columns - 1, 0) * m_grid->spacing() + around.left() + around.right();
}

QSize ResourceBoxes::minimumSizeHint() const
{
    const int half = (static_cast<int>(m_boxes.size()) + 1) / 2;
    return {widthOf(half), QFrame::minimumSizeHint().height()};
}

void ResourceBoxes::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    arrange();
}

void ResourceBoxes::arrange()
{
    const auto count = static_cast<int>(m_boxes.size());
    const int columns = widthOf(count) <= width() ? count : (count + 1) / 2;
    if (columns == m_columns)
        return;
    for (int column = 0; column < m_grid->columnCount(); ++column)
        m_grid->setColumnStretch(column, 0);
    m_columns = columns;
    for (int i = 0; i < count; ++i) {
        m_grid->addWidget(m_boxes[static_cast<std::size_t>(i)], i / columns, i % columns);
        m_grid->setColumnStretch(i % columns, 1);
    }
}

void ResourceBoxes::show(const ResourceFigures& figures)
{
    if (figures == m_shown)
        return;
    m_shown = figures;
    for (QFrame* box : m_boxes) {
        m_grid->removeWidget(box);
        box->hide();
        box->deleteLater();
    }
    m_boxes.clear();
    m_columns = 0;
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
    } else {
        addBytes(tr("Source"), figures.sourceBytes);
        addBytes(tr("Machine code"), figures.machineCodeBytes);
        addBytes(tr("Constants"), figures.constantBytes);
    }
    arrange();
    setToolTip(kernelWords(figures));
    setVisible(!m_boxes.empty());
}

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
        = (figures.blocks == 1 ? ResourceNotes::tr("%1 block of %2 threads per multiprocessor, limited by %3")
                               : ResourceNotes::tr("%1 blocks of %2 threads per multiprocessor, limited by %3"))
              .arg(figures.blocks)
              .arg(figures.threads)
              .arg(limitWord(figures.limitedBy));
    return room + u" · "_s + kernelWords(figures);
}

QString rooflineWords(const std::vector<RooflinePoint>& points)
{
    if (points.empty())
        return {};
    if (points.size() == 1)
        return ResourceNotes::tr("Roofline: %1 of the device's limit").arg(percent(points.front().share));
    const auto [least, most] = std::ranges::minmax(points, {}, &RooflinePoint::share);
    return ResourceNotes::tr("Roofline: %1 of the device's limit, from %2 on %3 to %4 on %5")
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
        lines << (point.byTraffic ? ResourceNotes::tr("%1: %2, memory-bound")
                                  : ResourceNotes::tr("%1: %2, compute-bound"))
                     .arg(text(shapeText(point.shape)), percent(point.share));
    const QString both = scaled(limits.gigaflopsPerSecond, u"GFLOP/s"_s, u"TFLOP/s"_s) + u", "_s
        + scaled(limits.gigabytesPerSecond, u"GB/s"_s, u"TB/s"_s);
    lines << (limits.measured ? ResourceNotes::tr("Limits as measured on the device: %1")
                              : ResourceNotes::tr("Limits computed from the device's units and clocks: %1"))
                 .arg(both);
    lines << ResourceNotes::tr("Geometric mean over the train shapes of: least possible time / measured time");
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
    , m_loop(sentence(u"resourceLoop"_s, this))
    , m_roofline(sentence(u"resourceRoofline"_s, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(4));
    column->addWidget(m_room);
    column->addWidget(m_loop);
    column->addWidget(m_roofline);
}

namespace {

std::vector<std::string> findingsOf(const ResourceFigures& figures, const GpuLoopLimits& gpu)
{
    if (figures.hotLoop)
        return loopFindings(*figures.hotLoop, 0);
    return figures.gpuHotLoop ? loopFindings(*figures.gpuHotLoop, gpu) : std::vector<std::string>();
}

} // namespace

void ResourceNotes::show(const ResourceFigures& figures, const std::vector<RooflinePoint>& points,
    const DeviceLimits& limits, const std::string& before, const GpuLoopLimits& gpu)
{
    m_room->setText(roomWords(figures));
    m_room->setVisible(!m_room->text().isEmpty());
    const std::string loop = hotLoopWords(figures);
    m_loop->setText(text(loop));
    QStringList findings;
    if (!loop.empty() && !before.empty() && before != loop)
        findings << tr("Parent: %1").arg(text(before));
    for (const std::string& finding : findingsOf(figures, gpu))
        findings << text(finding);
    m_loop->setToolTip(findings.join(u'\n'));
    m_loop->setVisible(!loop.empty());
    m_roofline->setText(keptTogether(rooflineWords(points)));
    m_roofline->setToolTip(points.empty() ? QString() : rooflineTip(points, limits));
    m_roofline->setVisible(!points.empty());
    setVisible(!m_room->text().isEmpty() || !loop.empty() || !points.empty());
}

} // namespace tilewright::ui
