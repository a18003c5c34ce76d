// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/find_overlay.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/find_box.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

FindOverlay::FindOverlay(QPlainTextEdit& view)
    : QFrame(&view)
    , m_view(view)
    , m_box(new FindBox(view, this))
    , m_trouble(new QLabel(this))
{
    setObjectName(u"findOverlay"_s);
    setProperty("role", u"card"_s);
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(8), px(4), px(4), px(4));
    row->setSpacing(px(6));
    m_box->setMinimumWidth(px(220));
    m_trouble->setFont(fontOf(Type::Secondary));
    m_trouble->setProperty("tone", u"bad"_s);
    m_trouble->hide();
    const auto button = [this, row](const QString& sign, const QString& name, auto does) {
        auto* made = new QToolButton(this);
        made->setAutoRaise(true);
        made->setIcon(icon(sign, Tint::Secondary));
        made->setAccessibleName(name);
        made->setToolTip(name);
        connect(made, &QToolButton::clicked, this, does);
        row->addWidget(made);
    };
    row->addWidget(m_box);
    row->addWidget(m_trouble);
    button(u"back"_s, tr("The place before (Shift+Return)"), [this] { m_box->find(FindBox::Way::Back); });
    button(u"forward"_s, tr("The next place (Return)"), [this] { m_box->find(FindBox::Way::Forward); });
    button(u"x"_s, tr("Stop finding (Escape)"), [this] { leave(); });
    connect(m_box, &FindBox::wanted, this, [this] {
        show();
        place();
        raise();
    });
    connect(m_box, &FindBox::left, this, &FindOverlay::leave);
    connect(m_box, &FindBox::told, this, [this](const QString& trouble) {
        m_trouble->setText(trouble);
        m_trouble->setVisible(!trouble.isEmpty());
        place();
    });
    view.installEventFilter(this);
    hide();
}

void FindOverlay::open() { m_box->come(); }

bool FindOverlay::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_view && event->type() == QEvent::Resize)
        place();
    return QFrame::eventFilter(watched, event);
}

void FindOverlay::place()
{
    adjustSize();
    const QRect room = m_view.viewport()->geometry();
    resize(std::min(width(), room.width()), height());
    move(room.right() - width() - px(4), room.top() + px(4));
}

void FindOverlay::leave()
{
    hide();
    m_view.setFocus();
}

} // namespace tilewright::ui
