// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fields.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <set>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

bool isField(const QWidget& widget)
{
    if (qobject_cast<const QLineEdit*>(&widget)) // not the one that a box is made of
        return !qobject_cast<const QAbstractSpinBox*>(widget.parentWidget())
            && !qobject_cast<const QComboBox*>(widget.parentWidget());
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return qobject_cast<const QAbstractSpinBox*>(&widget) || qobject_cast<const QComboBox*>(&widget)
        || qobject_cast<const QPlainTextEdit*>(&widget) || (button && button->isCheckable());
}

/// The label beside it; empty where there is none.
QString labelOf(const QWidget& part, const QWidget& field)
{
    for (const QLabel* label : part.findChildren<QLabel*>())
        if (label->buddy() == &field)
            return label->text().remove(u'&');
    return {};
}

/// As it is read aloud, else as the label beside it says, else what stands on it.
QString nameOfField(const QWidget& part, const QWidget& field)
{
    if (!field.accessibleName().isEmpty())
        return field.accessibleName();
    const auto* button = qobject_cast<const QAbstractButton*>(&field);
    const QString label = labelOf(part, field);
    return label.isEmpty() && button ? button->text().remove(u'&') : label;
}

} // namespace

std::vector<NamedField> fieldsOf(const QWidget& part)
{
    std::vector<NamedField> fields;
    std::set<QString> names;
    for (QWidget* field : part.findChildren<QWidget*>()) {
        const QString name = isField(*field) && field->isVisibleTo(&part) ? nameOfField(part, *field) : QString();
        if (!name.isEmpty() && names.insert(name).second)
            fields.push_back(
                {name, QStringList{labelOf(part, *field), field->toolTip(), field->accessibleDescription()}.join(u' '),
                    field});
    }
    return fields;
}

void focusOn(QWidget* field)
{
    if (field)
        field->setFocus(Qt::ShortcutFocusReason);
}

void focusIn(const QWidget* part, const QString& name)
{
    if (!part)
        return;
    for (const auto& [known, words, field] : fieldsOf(*part))
        if (known == name)
            focusOn(field);
}

} // namespace tilewright::ui
