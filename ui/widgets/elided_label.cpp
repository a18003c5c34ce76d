// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace tilewright::ui {

namespace {
constexpr qsizetype leastLetters = 6; ///< of what is left of a text, with its ellipsis
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent)
    : QLabel(text, parent)
{
    setTextFormat(Qt::PlainText);
}

QSize ElidedLabel::minimumSizeHint() const { return {px(24), QLabel::minimumSizeHint().height()}; }

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    update();
}

void ElidedLabel::setForms(const QStringList& forms)
{
    m_shorter = forms.mid(1);
    setText(forms.value(0));
    setToolTip(m_shorter.isEmpty() ? QString() : text());
    update();
}

QString ElidedLabel::shown() const
{
    const int room = contentsRect().width();
    const QFontMetrics metrics = fontMetrics();
    const auto asItFits = [&](const QString& form) { return metrics.elidedText(form, Qt::ElideRight, room); };
    if (!m_shorter.isEmpty() && asItFits(text()) != text())
        for (const QString& form : m_shorter)
            if (form == m_shorter.last() || asItFits(form) == form)
                return asItFits(form);
    return asItFits(text());
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const QString words = shown();
    if (words.endsWith(QChar(0x2026)) && words != text() && words.size() < leastLetters)
        return; // "ge…" tells nothing
    painter.drawText(contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine, words);
}

} // namespace tilewright::ui
