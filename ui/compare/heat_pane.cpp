// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/heat_pane.h"

#include "core/base/format.h"
#include "ui/compare/flow_layout.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/pill.h"
#include "ui/widgets/room.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

/// The colours from the lowest to the highest ratio.
class ColourScale : public QWidget
{
public:
    explicit ColourScale(QWidget* parent)
        : QWidget(parent)
    {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    void show(double low, double high, bool isOpen)
    {
        m_low = (isOpen ? u"≤ "_s : QString()) + text(fixedText(low, 2));
        m_high = text(fixedText(high, 2)) + u" ×"_s;
        setAccessibleName(HeatPane::tr("Colours from %1 to %2").arg(m_low, m_high));
        updateGeometry();
        update();
    }
    QSize sizeHint() const override
    {
        const QFontMetrics metrics(fontOf(Type::Secondary));
        return {metrics.horizontalAdvance(m_low) + metrics.horizontalAdvance(m_high) + px(120) + px(16),
            std::max(metrics.height(), px(12)) + px(4)};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const QFontMetrics metrics(fontOf(Type::Secondary));
        painter.setFont(fontOf(Type::Secondary));
        painter.setPen(tokens().secondary);
        const int left = metrics.horizontalAdvance(m_low) + px(8), right = metrics.horizontalAdvance(m_high) + px(8);
        painter.drawText(QRect(0, 0, left, height()), Qt::AlignLeft | Qt::AlignVCenter, m_low);
        painter.drawText(QRect(width() - right, 0, right, height()), Qt::AlignRight | Qt::AlignVCenter, m_high);
        const QRect bar(left, height() / 2 - px(4), std::max(width() - left - right, 1), px(8));
        for (int x = 0; x < bar.width(); ++x)
            painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(),
                scoreColour(tokens(), static_cast<double>(x) / std::max(bar.width() - 1, 1)));
    }

private:
    QString m_low, m_high;
};

HeatPane::HeatPane(QWidget* parent)
    : QFrame(parent)
    , m_title(new DockTitle(tr("Speed-up per shape"), this))
    , m_table(new HeatTable(m_model, this))
    , m_scale(new ColourScale(this))
    , m_warning(new Pill(this))
    , m_remarks(new QLabel(this))
{
    setProperty("role", u"panel"_s);
    m_table->setObjectName(u"heatTable"_s);
    m_table->setAccessibleName(tr("Figures by shape and program"));
    m_warning->setObjectName(u"heldoutWarning"_s);
    m_warning->hide();
    m_remarks->setObjectName(u"comparisonRemarks"_s);
    m_remarks->setTextFormat(Qt::PlainText);
    m_remarks->setWordWrap(true);
    m_remarks->setFont(fontOf(Type::Secondary));
    m_remarks->setProperty("tone", u"warning"_s);
    auto* foot = new QWidget(this);
    auto* row = new FlowLayout(px(12), foot);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_scale);
    row->addWidget(m_warning);
    auto* below = new QWidget(this);
    auto* lines = new QVBoxLayout(below);
    lines->setContentsMargins(px(10), px(4), px(10), px(6));
    lines->setSpacing(px(4));
    lines->addWidget(foot);
    lines->addWidget(m_remarks);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addWidget(m_table, 1);
    column->addWidget(new ShrinkingArea(below, this));
}

void HeatPane::show(const Comparing& comparing)
{
    m_model.show(comparing);
    m_table->fit();
    const auto& comparison = m_model.comparison();
    const QString reference = comparison ? comparing.nameOf(comparison->reference) : QString();
    switch (comparing.value()) {
    case Comparing::Value::Speedup:
        m_title->setSubForms({tr("time of %1 / time of the program, ± half width of the 95 % interval; frame: best "
                                 "candidate; ≈: not timed side by side")
                                  .arg(reference),
            tr("over %1, ±: 95 % interval, ≈: not side by side").arg(reference), tr("over %1").arg(reference)});
        break;
    case Comparing::Value::Time:
        m_title->setSubForms({tr("median time of a launch; colour: ratio to %1; frame: best candidate").arg(reference),
            tr("median time of a launch"), tr("time")});
        break;
    case Comparing::Value::Flops:
        m_title->setSubForms({tr("%1; colour: ratio to %2; frame: best candidate").arg(m_model.rateUnit(), reference),
            m_model.rateUnit()});
        break;
    }
    const auto [low, high] = m_model.range();
    m_scale->show(low, high, m_model.isBelowRange());
    m_scale->setVisible(high > low);
    const QString warning = m_model.heldoutWarning();
    m_warning->setVisible(!warning.isEmpty());
    if (!warning.isEmpty())
        m_warning->show(warning, Pill::Mood::Warning, u"warn"_s);
    const QStringList remarks = m_model.remarks();
    m_remarks->setText(remarks.join(u'\n'));
    m_remarks->setVisible(!remarks.isEmpty());
}

} // namespace tilewright::ui
