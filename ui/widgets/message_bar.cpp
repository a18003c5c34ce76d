// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/sentence.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_offer(new QPushButton(tr("Undo"), this))
{
    setObjectName(u"messageBar"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(12), px(6), px(8), px(6));
    row->setSpacing(px(8));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* close = new QToolButton(this);
    close->setIcon(icon(u"x"_s, Tint::Secondary));
    close->setAccessibleName(tr("Dismiss the message"));
    close->setToolTip(tr("Dismiss"));
    connect(close, &QToolButton::clicked, this, [this] { dismiss(); });
    row->addWidget(m_icon, 0, Qt::AlignVCenter);
    row->addWidget(m_text, 1);
    m_offer->setObjectName(u"messageOffer"_s);
    m_offer->setVisible(false);
    connect(m_offer, &QPushButton::clicked, this, [this] {
        const std::function<void()> does = m_does; // it may say something of its own
        dismiss();
        does();
    });
    row->addWidget(m_offer, 0, Qt::AlignVCenter);
    row->addWidget(close, 0, Qt::AlignVCenter);
    connect(&Theme::instance(), &Theme::changed, this, [this] { tint(); });
    setVisible(false);
}

void MessageBar::show(Mood mood, const QString& text, const QString& hint)
{
    m_mood = mood;
    const QString sentence = asSentence(text);
    m_text->setText(hint.isEmpty() ? sentence : sentence + u" — "_s + hint);
    setAccessibleName(m_text->text());
    m_offer->setVisible(false);
    tint();
    setVisible(true);
    Q_EMIT said(mood, m_text->text());
}

void MessageBar::offer(const QString& words, std::function<void()> does)
{
    m_does = std::move(does);
    m_offer->setText(words);
    m_offer->setVisible(true);
}

void MessageBar::dismiss() { setVisible(false); }

QString MessageBar::text() const { return isHidden() ? QString() : m_text->text(); }

void MessageBar::tint()
{
    const Tokens& t = tokens();
    const QColor ink = m_mood == Mood::Error ? t.bad : m_mood == Mood::Warning ? t.warning : t.accent;
    const QString name = m_mood == Mood::Info ? u"info"_s : u"warn"_s;
    m_icon->setPixmap(iconPixmap(name, ink, px(16), devicePixelRatioF()));
    update();
}

void MessageBar::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.fillRect(rect(), m_mood == Mood::Error ? t.badPill : m_mood == Mood::Warning ? t.warningPill : t.pill);
    painter.fillRect(0, height() - 1, width(), 1, t.border);
}

} // namespace tilewright::ui
