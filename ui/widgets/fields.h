// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a part of the window, as the finder offers them: read from the widgets themselves, so that a field
// which is added there is found. GUI thread.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace tilewright::ui {

struct NamedField {
    QString name;
    QString words; ///< by which it is found as well: its label and what is told of it
    QWidget* field;
};

/// The fields of a part of the window in the order in which they were made, without those that are put away.
std::vector<NamedField> fieldsOf(const QWidget& part);
void focusOn(QWidget* field);
/// The field of this name in a card that has just opened.
void focusIn(const QWidget* part, const QString& name);

/// The one on screen: another may be on its way out.
template <typename T> T* opened(const QWidget& window)
{
    for (T* one : window.findChildren<T*>())
        if (one->isVisible())
            return one;
    return nullptr;
}

} // namespace tilewright::ui
