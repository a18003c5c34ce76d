// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pane.h"

#include "ui/theme/rescale.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QDockWidget>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QFrame* pane(DockTitle* title, QWidget* content, QWidget* parent)
{
    auto* frame = new QFrame(parent);
    frame->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(title);
    column->addWidget(content, 1);
    return frame;
}

LatePage::LatePage(std::function<QWidget*()> make, QWidget* parent)
    : QScrollArea(parent)
    , m_make(std::move(make))
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // the ring belongs to what is on the page
}

QWidget& LatePage::page()
{
    if (!isMade()) {
        QWidget* made = m_make();
        catchUpWithStyle(*this);
        setWidget(made);
    }
    return *widget();
}

void LatePage::setVisible(bool visible)
{
    if (visible)
        page();
    QScrollArea::setVisible(visible);
}

LatePage* scrolled(QWidget* page, QWidget* parent)
{
    auto* area = new LatePage([page] { return page; }, parent);
    page->setParent(area);
    page->hide(); // until it is shown with the area
    return area;
}

QLabel* emptyNote(const QString& objectName, QWidget* parent)
{
    auto* note = new QLabel(parent);
    note->setObjectName(objectName);
    note->setAlignment(Qt::AlignCenter);
    note->setWordWrap(true);
    note->setMargin(px(24));
    note->setProperty("tone", u"secondary"_s);
    note->setFont(fontOf(Type::Prose));
    return note;
}

Card::Card(const QString& title, const QString& remark, QWidget* parent, QWidget* sign)
    : QFrame(parent)
    , m_column(new QVBoxLayout(this))
    , m_remark(new QLabel(remark, this))
{
    setProperty("role", u"card"_s);
    m_column->setContentsMargins(px(16), px(12), px(16), px(14));
    m_column->setSpacing(px(8));
    auto* head = m_head = new QHBoxLayout;
    auto* name = new QLabel(title, this);
    QFont font = fontOf(Type::Prose);
    font.setWeight(QFont::DemiBold);
    name->setFont(font);
    if (sign) {
        head->addWidget(sign);
        head->addSpacing(px(4));
    }
    head->addWidget(name);
    head->addSpacing(px(12));
    m_remark->setProperty("tone", u"secondary"_s);
    m_remark->setWordWrap(true);
    m_remark->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    head->addWidget(m_remark, 1);
    m_column->addLayout(head);
}

void Card::addControl(QWidget* control) { m_head->insertWidget(m_head->count() - 1, control); }

void Card::setRemark(const QString& remark) { m_remark->setText(remark); }

namespace {

QToolButton* titleButton(const QString& iconName, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(icon(iconName, Tint::Secondary));
    button->setIconSize(QSize(px(14), px(14)));
    button->setFixedSize(px(24), px(24));
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

} // namespace

DockTitle::DockTitle(const QString& title, QWidget* parent)
    : QFrame(parent)
    , m_title(new QLabel(title, this))
    , m_sub(new ElidedLabel({}, this))
    , m_row(new QHBoxLayout(this))
{
    setProperty("role", u"title"_s);
    m_title->setFont(fontOf(Type::Strong));
    m_sub->setFont(fontOf(Type::Secondary));
    m_sub->setProperty("tone", u"secondary"_s);
    m_row->setContentsMargins(px(12), 0, px(6), 0);
    m_row->setSpacing(px(4));
    m_row->addWidget(m_title);
    m_title->setVisible(!title.isEmpty());
    m_row->addSpacing(px(4));
    m_row->addWidget(m_sub, 1);
    setFixedHeight(px(30));
}

void DockTitle::setSubText(const QString& text) { m_sub->setForms({text}); }

void DockTitle::setSubForms(const QStringList& forms) { m_sub->setForms(forms); }

void DockTitle::addControl(QWidget* control) { m_row->addWidget(control); }

void DockTitle::addBriefControl(QPushButton* control)
{
    m_brief.add(control);
    addControl(control);
}

void DockTitle::setWords(QPushButton* briefControl, const QString& words)
{
    m_brief.setWords(briefControl, words);
    fit();
}

void DockTitle::addMovableControl(QWidget* control, QWidget* below)
{
    m_movables << control;
    m_below = below;
    below->hide();
    addControl(control);
}

/// By whoever owns it. One that was not on screen yet is hidden as well, and not put away.
static bool isPutAway(const QWidget& widget)
{
    return widget.isHidden() && widget.testAttribute(Qt::WA_WState_ExplicitShowHide);
}

int DockTitle::movablesWidth() const
{
    int wide = 0;
    for (const QWidget* each : m_movables)
        if (!isPutAway(*each))
            wide += each->sizeHint().width() + m_row->spacing();
    return wide;
}

void DockTitle::placeMovables(bool inTitle)
{
    if (std::exchange(m_isInTitle, inTitle) == inTitle)
        return;
    const auto first = std::max(0, m_row->indexOf(m_sub)) + 1; // before the buttons of the dock
    for (qsizetype i = 0; i < m_movables.size(); ++i) {
        QWidget* each = m_movables[i];
        const bool isSeen = !isPutAway(*each);
        if (inTitle)
            m_row->insertWidget(first + static_cast<int>(i), each);
        else
            m_below->layout()->addWidget(each);
        each->setVisible(isSeen);
    }
    m_below->setVisible(!inTitle);
}

void DockTitle::fit()
{
    if (!m_movables.isEmpty() && !std::exchange(m_isFitting, true)) {
        const int least = m_row->minimumSize().width() - (m_isInTitle ? movablesWidth() : 0);
        placeMovables(least + movablesWidth() <= width());
        m_isFitting = false;
    }
    m_brief.fit(m_row->minimumSize().width(), width());
}

bool DockTitle::event(QEvent* event)
{
    const bool done = QFrame::event(event);
    if (event->type() == QEvent::LayoutRequest && !m_movables.isEmpty() && isVisible())
        fit(); // one of them has other words now
    return done;
}

void DockTitle::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fit();
}

/// While it was hidden, nobody told it how large its parts have become.
void DockTitle::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    fit();
}

void DockTitle::addLeading(QWidget* control, Qt::Alignment where) { m_row->insertWidget(0, control, 0, where); }

QPoint floatingPlace(const QSize& size, const QRect& window, const QRect& screen)
{
    const QPoint wanted[] = {{window.right() + 1, window.top()}, {window.left() - size.width(), window.top()},
        {window.left(), window.bottom() + 1}, {window.left(), window.top() - size.height()}};
    QPoint best;
    qint64 least = std::numeric_limits<qint64>::max();
    for (const QPoint& each : wanted) {
        const QPoint at(std::clamp(each.x(), screen.left(), std::max(screen.left(), screen.right() + 1 - size.width())),
            std::clamp(each.y(), screen.top(), std::max(screen.top(), screen.bottom() + 1 - size.height())));
        const QRect covered = QRect(at, size) & window;
        const qint64 area = static_cast<qint64>(covered.width()) * covered.height();
        if (area < least) {
            least = area;
            best = at;
        }
    }
    return best;
}

void DockTitle::serve(QDockWidget* dock)
{
    auto* floatButton = titleButton(u"float"_s, tr("Float %1").arg(dock->windowTitle()), this);
    auto* closeButton = titleButton(u"x"_s, tr("Close %1").arg(dock->windowTitle()), this);
    connect(floatButton, &QToolButton::clicked, dock, [dock] {
        dock->setFloating(!dock->isFloating());
        if (dock->isFloating() && dock->screen())
            dock->move(floatingPlace(dock->frameGeometry().size(), dock->parentWidget()->window()->frameGeometry(),
                dock->screen()->availableGeometry()));
    });
    connect(closeButton, &QToolButton::clicked, dock, [dock] { dock->close(); });
    m_row->addWidget(floatButton);
    m_row->addWidget(closeButton);
}

void DockTitle::setLoading(bool loading)
{
    m_loading = loading;
    update();
}

QSize DockTitle::sizeHint() const { return {QFrame::sizeHint().width(), px(30)}; }

QSize DockTitle::minimumSizeHint() const
{
    const QSize least = QFrame::minimumSizeHint();
    return {least.width() - m_brief.toBeSaved() - (m_isInTitle ? movablesWidth() : 0), least.height()};
}

void DockTitle::paintEvent(QPaintEvent* event)
{
    QFrame::paintEvent(event);
    if (!m_loading)
        return;
    QPainter painter(this);
    painter.fillRect(0, height() - 2, width(), 2, tokens().accent);
}

} // namespace tilewright::ui
