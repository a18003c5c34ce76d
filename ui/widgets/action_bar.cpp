// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/action_bar.h"

#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/room.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ActionBar::ActionBar(QWidget* parent)
    : QFrame(parent)
    , m_lines(new QVBoxLayout)
    , m_row(new QHBoxLayout)
{
    setProperty("role", u"footer"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(16), px(8), px(16), px(8));
    column->setSpacing(px(6));
    m_lines->setSpacing(px(6));
    m_row->setSpacing(px(8));
    column->addLayout(m_lines);
    column->addLayout(m_row);
    connect(&Theme::instance(), &Theme::changed, this, [this] { fit(); }); // the text may be larger
}

void ActionBar::addLine(QWidget* line) { m_lines->addWidget(line); }

QPushButton* ActionBar::addButton(const QString& name, const QString& sign, const QString& text, Kind kind)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    if (!sign.isEmpty())
        button->setIcon(icon(sign, kind == Kind::Primary ? Tint::Button : Tint::Secondary));
    if (kind != Kind::Plain)
        button->setProperty("kind", kind == Kind::Primary ? u"primary"_s : u"flat"_s);
    if (!sign.isEmpty() && kind != Kind::Primary)
        m_brief.add(button);
    m_row->addWidget(button);
    return button;
}

void ActionBar::setWords(QPushButton* button, const QString& words)
{
    m_brief.setWords(button, words);
    fit();
}

void ActionBar::addWidget(QWidget* widget, int stretch) { m_row->addWidget(widget, stretch); }
QSize ActionBar::minimumSizeHint() const { return QFrame::minimumSizeHint() - QSize(m_brief.toBeSaved(), 0); }

void ActionBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fit();
}

/// The row keeps what it needed before until it is laid out, which may be after a scroll area has asked for it: then it
/// would be told a width that no longer holds, again and again.
void ActionBar::fit()
{
    m_row->invalidate();
    m_brief.fit(QFrame::minimumSizeHint().width(), width());
    m_row->invalidate();
}

void ActionBar::addStretch() { m_row->addStretch(1); }

namespace {

constexpr const char* whyWrong = "whyWrong"; ///< property: the words, while the text is no number
constexpr const char* wrongText = "wrongText"; ///< property: that text; another one may have been set since
constexpr const char* range = "range"; ///< property: what it takes, in words
constexpr const char* usualTip = "usualTip"; ///< property: the tooltip that stood there before

} // namespace

bool isWrongNumber(const QAbstractSpinBox& box) { return !wrongNumber(box).isEmpty(); }

bool judgeNumber(QAbstractSpinBox& box, QValidator::State state, const QString& low, const QString& high)
{
    bool isNumber = false;
    box.locale().toDouble(box.text(), &isNumber);
    QString words;
    if (state != QValidator::Acceptable)
        words = box.text().trimmed().isEmpty() ? tr("A number from %1 to %2 is missing.").arg(low, high)
            : isNumber                         ? tr("%1 is out of range: %2 to %3.").arg(box.text(), low, high)
                       : tr("“%1” is not a number from %2 to %3.").arg(box.text(), low, high);
    box.setProperty(range, tr("%1 to %2").arg(low, high));
    box.setProperty(wrongText, box.text());
    if (words == box.property(whyWrong).toString())
        return false;
    if (box.property(whyWrong).toString().isEmpty())
        box.setProperty(usualTip, box.toolTip());
    box.setProperty(whyWrong, words);
    box.setToolTip(words.isEmpty() ? box.property(usualTip).toString() : words);
    box.setAccessibleDescription(words);
    restyle(&box, "invalid", !words.isEmpty());
    return true;
}

QString wrongNumber(const QAbstractSpinBox& box)
{
    return box.property(wrongText).toString() == box.text() ? box.property(whyWrong).toString() : QString();
}

QString rangeWords(const QAbstractSpinBox& box) { return box.property(range).toString(); }

QString wrongNumberIn(const QWidget& parent)
{
    for (const QAbstractSpinBox* box : parent.findChildren<QAbstractSpinBox*>())
        if (box->isEnabled() && box->isVisibleTo(&parent) && isWrongNumber(*box))
            return box->accessibleName() + QStringLiteral(": ") + wrongNumber(*box);
    return {};
}

} // namespace tilewright::ui
