// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/chip_bar.h"

#include "ui/compare/flow_layout.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/segments.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using Kind = ComparedProgram::Kind;

namespace {
constexpr double widestName = 150;
}

ProgramChip::ProgramChip(QWidget* parent)
    : QAbstractButton(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    setMouseTracking(true);
}

void ProgramChip::show(const Look& look)
{
    if (look == m_look)
        return;
    m_look = look;
    QStringList words{look.name, ui::words(look.marker.shape)};
    if (look.island)
        words << tr("island %1").arg(ui::text(islandLetter(look.island)));
    if (!look.aside.isEmpty())
        words << look.aside;
    if (look.isPinned)
        words << tr("pinned as the reference");
    setAccessibleName(words.join(u", "_s));
    setToolTip(words.join(u", "_s) + u'\n' + tr("Click to open its menu, Delete to remove it"));
    updateGeometry();
    update();
}

QString ProgramChip::shownName() const
{
    return QFontMetrics(fontOf(Type::Mono)).elidedText(m_look.name, Qt::ElideMiddle, px(widestName));
}

QSize ProgramChip::sizeHint() const
{
    const QFontMetrics mono(fontOf(Type::Mono)), small(fontOf(Type::Secondary));
    int wide = px(12) + px(12) + px(8) + mono.horizontalAdvance(shownName()) + px(8) + px(16) + px(8);
    if (m_look.island)
        wide += px(22);
    if (m_look.isPinned)
        wide += px(18);
    if (!m_look.aside.isEmpty())
        wide += px(6) + small.horizontalAdvance(small.elidedText(m_look.aside, Qt::ElideMiddle, px(widestName)));
    return {wide, std::max(px(26), mono.height() + px(8))};
}

QRect ProgramChip::cross() const { return {width() - px(26), 0, px(26), height()}; }

void ProgramChip::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(hasFocus() ? t.accent : t.strongBorder, hasFocus() ? 2 : 1));
    painter.setBrush(underMouse() ? t.track : t.panel);
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    qreal x = px(12);
    drawMarker(painter, QPointF(x + px(6), box.center().y()), px(10), m_look.marker);
    x += px(12) + px(8);
    if (m_look.island) {
        drawBadge(painter, QRectF(x, box.center().y() - px(8), px(16), px(16)), m_look.island);
        x += px(22);
    }
    if (m_look.isPinned) {
        ui::icon(u"pin"_s, Tint::Accent)
            .paint(&painter, QRect(static_cast<int>(x), static_cast<int>(box.center().y()) - px(7), px(14), px(14)));
        x += px(18);
    }
    const QFontMetricsF mono(fontOf(Type::Mono)), small(fontOf(Type::Secondary));
    painter.setFont(fontOf(Type::Mono));
    painter.setPen(t.text);
    const QString name = shownName();
    painter.drawText(QPointF(x, box.center().y() + (mono.ascent() - mono.descent()) / 2), name);
    x += mono.horizontalAdvance(name) + px(6);
    if (!m_look.aside.isEmpty()) {
        painter.setFont(fontOf(Type::Secondary));
        painter.setPen(t.secondary);
        painter.drawText(QPointF(x, box.center().y() + (small.ascent() - small.descent()) / 2),
            small.elidedText(m_look.aside, Qt::ElideMiddle, px(widestName)));
    }
    const QRectF sign = QRectF(cross()).adjusted(0, 0, -px(4), 0);
    const qreal arm = px(4);
    painter.setPen(QPen(t.secondary, 1.4, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(sign.center() + QPointF(-arm, -arm), sign.center() + QPointF(arm, arm));
    painter.drawLine(sign.center() + QPointF(-arm, arm), sign.center() + QPointF(arm, -arm));
}

void ProgramChip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && cross().contains(event->position().toPoint())) {
        Q_EMIT removed();
        return;
    }
    QAbstractButton::mousePressEvent(event);
}

void ProgramChip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        Q_EMIT removed();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void ProgramChip::contextMenuEvent(QContextMenuEvent*) { click(); }

ChipBar::ChipBar(const ViewContext& context, Comparing& comparing, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_comparing(comparing)
    , m_referenceBox(new QWidget(this))
    , m_values(new Segments(tr("Value"), {tr("speed-up"), tr("time"), tr("FLOP/s")}, this))
    , m_add(new QPushButton(icon(u"plus"_s, Tint::Secondary), tr("Add"), this))
    , m_measure(new QPushButton(icon(u"redo"_s, Tint::Secondary), tr("Measure side by side"), this))
    , m_exportButton(new QPushButton(icon(u"save"_s, Tint::Secondary), tr("Export"), this))
    , m_export(new QMenu(this))
{
    setProperty("role", u"bar"_s);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* row = new FlowLayout(px(10), this);
    row->setContentsMargins(px(12), px(8), px(12), px(8));
    m_head = new QLabel(tr("Compare"), this);
    m_head->setFont(fontOf(Type::Strong));
    row->addWidget(m_head);
    m_add->setObjectName(u"compareAdd"_s);
    m_add->setProperty("kind", u"flat"_s);
    m_add->setToolTip(tr("A candidate, the baseline, the vendor library, a file, or a candidate of another session"));
    m_measure->setObjectName(u"compareMeasure"_s);
    m_exportButton->setObjectName(u"compareExport"_s);
    m_export->setObjectName(u"compareExportMenu"_s);
    m_export->setAccessibleName(tr("Export"));
    m_exportButton->setMenu(m_export);
    auto* references = new QHBoxLayout(m_referenceBox);
    references->setContentsMargins(0, 0, 0, 0);
    references->setSpacing(px(6));
    m_referenceLabel = new QLabel(tr("relative to"), m_referenceBox);
    m_referenceLabel->setProperty("tone", u"secondary"_s);
    references->addWidget(m_referenceLabel);
    auto* valueBox = new QWidget(this);
    auto* values = new QHBoxLayout(valueBox);
    values->setContentsMargins(0, 0, 0, 0);
    values->setSpacing(px(6));
    auto* valueLabel = new QLabel(tr("value"), valueBox);
    valueLabel->setProperty("tone", u"secondary"_s);
    values->addWidget(valueLabel);
    m_values->setObjectName(u"compareValue"_s);
    values->addWidget(m_values);
    for (QWidget* each : std::initializer_list<QWidget*>{m_add, m_referenceBox, valueBox, m_measure, m_exportButton})
        row->addWidget(each);
    connect(m_add, &QPushButton::clicked, this, &ChipBar::addWanted);
    connect(m_measure, &QPushButton::clicked, &comparing, &Comparing::measureSideBySide);
    connect(m_values, &Segments::chosen, this,
        [this](int index) { m_comparing.setValue(static_cast<Comparing::Value>(index)); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { refresh(); });
}

QSize ChipBar::sizeHint() const
{
    const QSize least = layout()->minimumSize();
    return {least.width(), layout()->heightForWidth(std::max(width(), least.width()))};
}

void ChipBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
}

void ChipBar::orderTabs()
{
    std::vector<QWidget*> order(m_chips.begin(), m_chips.end());
    order.insert(order.end(), {m_add, m_references, m_values, m_measure, m_exportButton});
    tabThrough(m_head, order);
}

void ChipBar::refresh()
{
    const std::size_t chips = m_chips.size();
    const Segments* references = m_references;
    showChips();
    showReferences();
    if (chips != m_chips.size() || references != m_references)
        orderTabs();
    m_values->setCurrent(static_cast<int>(m_comparing.value()));
    m_add->setEnabled(m_context.session.isOpen() && !m_comparing.isFull());
    m_add->setToolTip(m_comparing.isFull()
            ? tr("Six programs are the maximum.")
            : tr("A candidate, the baseline, the vendor library, a file, or a candidate of another session"));
    const QString why = m_comparing.whyNotMeasured();
    m_measure->setEnabled(why.isEmpty());
    m_measure->setToolTip(why.isEmpty() ? tr("Time each candidate in turns with the reference, with twice the samples "
                                             "of a confirmation; the run continues")
                                        : why);
    const int open = m_comparing.openReruns();
    m_measure->setText(open > 0 ? tr("Measuring: %1 pending").arg(open) : tr("Measure side by side"));
    m_exportButton->setEnabled(m_comparing.comparison().has_value());
}

void ChipBar::showChips()
{
    auto* row = static_cast<FlowLayout*>(layout());
    const auto& choices = m_comparing.choices();
    while (m_chips.size() > choices.size()) {
        m_chips.back()->hide();
        m_chips.back()->deleteLater();
        row->removeWidget(m_chips.back());
        m_chips.pop_back();
    }
    while (m_chips.size() < choices.size()) {
        auto* chip = new ProgramChip(this);
        const std::size_t place = m_chips.size();
        chip->setObjectName(u"chip%1"_s.arg(place + 1));
        connect(chip, &ProgramChip::removed, this, [this, place] { m_comparing.remove(place); });
        connect(chip, &ProgramChip::clicked, this, [this, place, chip] { openMenu(place, *chip); });
        // Before "Add": the items behind the chips go behind the new one.
        QList<QLayoutItem*> behind;
        while (row->count() > static_cast<int>(place) + 1)
            behind.prepend(row->takeAt(row->count() - 1));
        row->addWidget(chip);
        for (QLayoutItem* item : behind)
            row->addItem(item);
        chip->QWidget::show();
        m_chips.push_back(chip);
    }
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const ComparedChoice& choice = choices[i];
        ProgramChip::Look look{m_comparing.markerOf(i), m_comparing.nameOf(i), {}, {}, m_comparing.isPinned(i)};
        if (choice.other)
            look.aside = text(choice.other->name);
        else if (choice.kind == Kind::File)
            look.aside = tr("not measured");
        if (choice.kind == Kind::Candidate) {
            const RunState& of = choice.other ? choice.other->run : m_comparing.run();
            if (const Candidate* candidate = of.candidate(choice.candidate); candidate && !choice.other)
                look.island = candidate->island;
        }
        m_chips[i]->show(look);
    }
    layout()->invalidate();
    updateGeometry();
}

void ChipBar::showReferences()
{
    QStringList names;
    for (std::size_t i = 0; i < m_comparing.choices().size(); ++i)
        names
            << QFontMetrics(fontOf(Type::Secondary)).elidedText(m_comparing.nameOf(i), Qt::ElideMiddle, px(widestName));
    if (names != m_referenceNames || !m_references) {
        m_referenceNames = names;
        const bool hadFocus = m_references && m_references->isAncestorOf(focusWidget());
        if (m_references) {
            m_references->hide();
            m_references->deleteLater();
        }
        m_references = new Segments(tr("Relative to"), names, m_referenceBox);
        m_references->setObjectName(u"compareReference"_s);
        m_referenceBox->layout()->addWidget(m_references);
        connect(m_references, &Segments::chosen, this,
            [this](int index) { m_comparing.setReference(static_cast<std::size_t>(index)); });
        m_references->QWidget::show();
        if (hadFocus)
            m_references->setFocus();
    }
    m_referenceBox->setVisible(names.size() > 1);
    m_references->setCurrent(static_cast<int>(m_comparing.reference()));
}

void ChipBar::openMenu(std::size_t place, ProgramChip& chip)
{
    if (place >= m_comparing.choices().size())
        return;
    const ComparedChoice& choice = m_comparing.choices()[place];
    const bool isOwn = choice.isOfOpenSession() && choice.kind == Kind::Candidate;
    const bool isWritable = !m_context.session.snapshot().status.readOnly;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"chipMenu"_s);
    menu->setAccessibleName(m_comparing.nameOf(place));
    menu->setToolTipsVisible(true);
    QAction* reference = menu->addAction(tr("Compare the other programs with it"));
    reference->setEnabled(place != m_comparing.reference());
    connect(reference, &QAction::triggered, this, [this, place] { m_comparing.setReference(place); });
    if (isOwn) {
        QAction* pin = menu->addAction(icon(u"pin"_s, Tint::Secondary),
            m_comparing.isPinned(place) ? tr("Unpin as the reference of all views")
                                        : tr("Pin as the reference of all views"));
        connect(pin, &QAction::triggered, this, [this, id = choice.candidate] { Q_EMIT pinWanted(id); });
        QAction* select = menu->addAction(icon(u"evolve"_s, Tint::Secondary), tr("Show it under Evolve"));
        connect(select, &QAction::triggered, this, [this, id = choice.candidate] { Q_EMIT selectWanted(id); });
    }
    if (choice.kind == Kind::File) {
        QAction* inject
            = menu->addAction(icon(u"edit"_s, Tint::Secondary), tr("Add it to this session as your version"));
        inject->setEnabled(isWritable);
        inject->setToolTip(tr("It becomes a candidate, and is checked and measured like any other"));
        connect(inject, &QAction::triggered, this, [this, place] { Q_EMIT injectWanted(place); });
    }
    menu->addSeparator();
    QAction* gone = menu->addAction(icon(u"x"_s, Tint::Secondary), tr("Remove"));
    connect(gone, &QAction::triggered, this, [this, place] { m_comparing.remove(place); });
    menu->popup(chip.mapToGlobal(QPoint(0, chip.height() + px(2))));
}

} // namespace tilewright::ui
