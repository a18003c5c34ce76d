// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/dock_title.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

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

void DockTitle::fit() { m_brief.fit(m_row->minimumSize().width(), width()); }

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

void DockTitle::serve(QDockWidget* dock)
{
    auto* floatButton = titleButton(u"float"_s, tr("Float %1").arg(dock->windowTitle()), this);
    auto* closeButton = titleButton(u"x"_s, tr("Close %1").arg(dock->windowTitle()), this);
    connect(floatButton, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
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
    return {least.width() - m_brief.toBeSaved(), least.height()};
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
