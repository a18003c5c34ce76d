// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/number_box.h"

#include "ui/theme/words.h"
#include "ui/widgets/tone.h"

namespace tilewright::ui {

namespace {

constexpr const char* whyWrong = "whyWrong"; ///< property: the words, while the text is no number
constexpr const char* wrongText = "wrongText"; ///< property: that text; another one may have been set since
constexpr const char* range = "range"; ///< property: what it takes, in words
constexpr const char* usualTip = "usualTip"; ///< property: the tooltip that stood there before

} // namespace

namespace numbers {

bool isWrong(const QAbstractSpinBox& box) { return !wrongNumber(box).isEmpty(); }

bool judge(QAbstractSpinBox& box, QValidator::State state, const QString& low, const QString& high)
{
    bool isNumber = false;
    box.locale().toDouble(box.text(), &isNumber);
    QString words;
    if (state != QValidator::Acceptable)
        words = box.text().trimmed().isEmpty() ? tr("A number from %1 to %2 is missing.").arg(low, high)
            : isNumber                         ? tr("%1 is out of range: %2 to %3.").arg(box.text(), low, high)
                                               : tr("“%1” is no number from %2 to %3.").arg(box.text(), low, high);
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

} // namespace numbers

QString wrongNumber(const QAbstractSpinBox& box)
{
    return box.property(wrongText).toString() == box.text() ? box.property(whyWrong).toString() : QString();
}

QString rangeWords(const QAbstractSpinBox& box) { return box.property(range).toString(); }

QString wrongNumberIn(const QWidget& parent)
{
    for (const QAbstractSpinBox* box : parent.findChildren<QAbstractSpinBox*>())
        if (box->isEnabled() && box->isVisibleTo(&parent) && numbers::isWrong(*box))
            return box->accessibleName() + QStringLiteral(": ") + wrongNumber(*box);
    return {};
}

} // namespace tilewright::ui
