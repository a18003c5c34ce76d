// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pane.h"

#include "ui/theme/style_sheet_pause.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dock_title.h"

#include <QFrame>
#include <QLabel>
#include <QVBoxLayout>

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

} // namespace tilewright::ui
