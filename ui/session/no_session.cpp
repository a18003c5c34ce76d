// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/no_session.h"

#include "ui/session/action_registry.h"
#include "ui/session/session_client.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QPushButton* buttonFor(QAction& action, const QString& words, QWidget* parent)
{
    auto* button = new QPushButton(action.icon(), words, parent);
    button->setToolTip(action.toolTip());
    button->setEnabled(action.isEnabled());
    QObject::connect(&action, &QAction::changed, button, [button, &action] { button->setEnabled(action.isEnabled()); });
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    return button;
}

} // namespace

QWidget* withSessionButtons(const ViewContext& context, QLabel* note, QWidget* parent)
{
    auto* page = new QWidget(parent);
    auto* buttons = new QWidget(page);
    buttons->setObjectName(u"sessionButtons"_s);
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(px(8));
    row->addStretch(1);
    row->addWidget(buttonFor(context.actions[u"file.new"_s], QObject::tr("New session"), buttons));
    row->addWidget(buttonFor(context.actions[u"file.open"_s], QObject::tr("Open…"), buttons));
    row->addWidget(buttonFor(context.actions[u"file.demo"_s], QObject::tr("Demo"), buttons));
    row->addStretch(1);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addStretch(1);
    column->addWidget(note);
    column->addWidget(buttons);
    column->addStretch(1);
    const auto show = [&session = context.session, buttons] { buttons->setVisible(!session.isOpen()); };
    QObject::connect(&context.session, &SessionClient::changed, buttons, show);
    QObject::connect(&context.session, &SessionClient::replaced, buttons, show);
    show();
    return page;
}

} // namespace tilewright::ui
