// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pane.h"

#include "ui/theme/theme.h"
#include "ui/widgets/dock_title.h"

#include <QFrame>
#include <QLabel>
#include <QScrollArea>
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

namespace {

/// It takes the page when it is shown for the first time: a scroll area asks what it takes for its size at once, and a
/// page that nobody sees yet would be styled and laid out for that.
class LateArea : public QScrollArea
{
public:
    LateArea(QWidget* page, QWidget* parent)
        : QScrollArea(parent)
        , m_page(page)
    {
        page->setParent(this);
        page->hide();
    }
    void setVisible(bool visible) override
    {
        if (visible && !widget())
            setWidget(m_page);
        QScrollArea::setVisible(visible);
    }

private:
    QWidget* m_page;
};

} // namespace

QScrollArea* scrolled(QWidget* page, QWidget* parent)
{
    auto* area = new LateArea(page, parent);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus); // the ring belongs to what is on the page
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
