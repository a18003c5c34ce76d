// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/find_line.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/find_box.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

FindLine::FindLine(QPlainTextEdit& view, QWidget* parent)
    : QFrame(parent)
    , m_view(view)
    , m_box(new FindBox(view, this))
    , m_trouble(new ElidedLabel({}, this))
{
    setObjectName(u"findLine"_s);
    setProperty("role", u"bar"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(8), px(4), px(4), px(4));
    row->setSpacing(px(6));
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
    row->addWidget(m_box, 1);
    row->addWidget(m_trouble);
    button(u"back"_s, tr("The place before (Shift+Return)"), [this] { m_box->find(FindBox::Way::Back); });
    button(u"forward"_s, tr("The next place (Return)"), [this] { m_box->find(FindBox::Way::Forward); });
    button(u"x"_s, tr("Stop finding (Escape)"), [this] { leave(); });
    connect(m_box, &FindBox::wanted, this, &FindLine::show);
    connect(m_box, &FindBox::left, this, &FindLine::leave);
    connect(m_box, &FindBox::told, this, [this](const QString& trouble) {
        m_trouble->setText(trouble);
        m_trouble->setVisible(!trouble.isEmpty());
    });
    hide();
}

FindLine* FindLine::of(const QPlainTextEdit& view)
{
    const QList<FindLine*> all = view.window()->findChildren<FindLine*>();
    const auto found = std::ranges::find_if(all, [&view](const FindLine* line) { return &line->m_view == &view; });
    return found == all.end() ? nullptr : *found;
}

void FindLine::open() { m_box->come(); }

void FindLine::leave()
{
    hide();
    m_view.setFocus();
}

QWidget* withFindLine(QPlainTextEdit& view, QWidget* parent)
{
    auto* part = new QWidget(parent);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new FindLine(view, part));
    column->addWidget(&view, 1);
    part->setFocusProxy(&view);
    return part;
}

} // namespace tilewright::ui
